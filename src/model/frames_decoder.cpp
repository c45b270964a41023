// Decoder-only models: embedding, positions, mask, final norm, head, causal loss.
#include "model/autograd.hpp"
#include "model/model_frame.hpp"
#include "model/parameters.hpp"

namespace memwall {

void make_decoder_outside(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    m.embedding_weight = make_parameter(c, "embed_tokens", Shape{d.vocabulary, d.embedding});
    if (c.a.position == Position::Learned)
        m.position_weight = make_parameter(c, "embed_positions", Shape{d.positions, d.hidden});
    if (c.a.embedding_norm) m.embedding_norm = make_norm(c, "word_embeddings_layernorm", d.hidden);
    if (d.embedding != d.hidden) {
        c.trainable = true;
        m.project_out = make_linear(c, Projection::Embedding, "project_out", d.hidden, d.embedding, LinearBias::No);
        m.project_in = make_linear(c, Projection::Embedding, "project_in", d.embedding, d.hidden, LinearBias::No);
    }
    if (m.family.family != BlockFamily::Opt || !c.a.final_norm) return;
    c.trainable = c.v.trainable_layers == 0 || c.v.trains_outside;
    m.final_norm = make_norm(c, "norm", d.hidden);  // registered before the layers
}

void make_decoder_head(ModelFrame& m) {
    Context& c = m.c;
    if (c.a.final_norm && !m.final_norm.weight) m.final_norm = make_norm(c, "norm", c.d.hidden);
    if (c.a.task_head == TaskHead::None) return;
    if (c.a.task_head == TaskHead::SequenceClassification) {
        const DimId labels = c.r.dim(c.a.num_labels, 1, Monomial(Symbol::Labels));
        m.head = make_linear(c, Projection::Classifier, "score", c.d.embedding, labels, LinearBias::No);
        return;
    }
    // Beside adapters a copy of one of the two trains, and the other stays as it was.
    const std::uint64_t both = role_bit(Role::LmHead) | role_bit(Role::Embedding);
    const bool parted = c.v.train == TrainVariant::Adapters && (c.v.trained_roles & both) != 0;
    if (c.a.tie_word_embeddings && !parted) {
        m.head.name = "lm_head";
        m.head.weight = m.embedding_weight;
        adapt_head(c, m.head, c.d.embedding);
        return;
    }
    m.head = make_linear(c, Projection::Head, "lm_head", c.d.embedding, c.d.vocabulary, bias_if(c.a.lm_head_bias));
}

// Positions count up from 0; the first tensor is the range itself.
Tensor make_position_ids(ModelFrame& m) {
    Recorder& r = m.c.r;
    const Tensor range = r.allocate(Operator::Data, Shape{m.c.d.tokens}, Dtype::Int64);
    const Tensor ids = r.allocate(Operator::AddScalar, Shape{m.c.d.tokens}, Dtype::Int64);
    return view(ids, Shape{0, m.c.d.tokens});
}

namespace {

// Eager attention adds a mask to the scores; the fused kernels need one only when something is padded, or when a
// window is shorter than the sequence.
Tensor one_mask(ModelFrame& m, MaskShape shape, bool windowed, DimId keys) {
    Context& c = m.c;
    const bool eager = c.v.attention == AttentionVariant::Eager || only_eager_attention(c.a);
    const bool causal = shape == MaskShape::Causal;
    const bool padded = c.v.mask == MaskVariant::Padded && !(causal && c.shared.encoded);  // targets are not
    if (!padded && !windowed && !(eager && causal)) return Tensor();
    const ModelDims& d = c.d;
    const Shape square{0, 0, d.tokens, keys}, each{d.batch, 0, d.tokens, keys};
    Tensor booleans = c.r.allocate(Operator::Compare, causal || windowed ? square : each, Dtype::Bool);
    if (windowed) booleans = c.r.allocate(Operator::Compare, square, Dtype::Bool);
    const bool each_differs = padded || (windowed && c.v.mask == MaskVariant::Full);
    if (each_differs && (causal || windowed)) {
        booleans = c.r.allocate(Operator::Compare, square, Dtype::Bool);
        booleans = c.r.allocate(Operator::Compare, each, Dtype::Bool);
    }
    // 4.47 makes numbers of it once, for all layers; 5 makes them of booleans in every layer.
    const bool numbers = eager || c.v.library == LibraryVariant::Transformers4;
    if (numbers) return c.r.allocate(Operator::MaskedFill, each, c.v.weights);
    return each_differs ? booleans : expand(booleans, each);
}

}  // namespace

void make_mask(ModelFrame& m, MaskShape shape) {
    const InModule module(m.c.r, "mask");
    const bool always = m.family.family == BlockFamily::Falcon;
    const bool slides = has_sliding_layers(m.c.a);
    // One window for all layers is one mask; qwen2 and qwen3 ask layer by layer, and make both.
    const FamilyRow& row = family(m.c.a.model_type);
    const bool one_window = slides && row.window_period == 1 && !row.model_type.starts_with("qwen");
    if (!one_window) m.c.shared.mask = one_mask(m, shape, always, m.c.d.tokens);
    if (m.c.shared.mask) m.c.shared.mask = call_with(m.c, SharedFunction::PreparedMask, std::move(m.c.shared.mask));
    // qwen2_moe makes the other mask too where no layer slides: one without a window, which is never left out.
    if (slides || m.c.a.model_type == "qwen2_moe")
        m.sliding.mask = one_mask(m, shape, !slides || m.has_windows(), m.c.d.tokens);
}

void make_cross_mask(ModelFrame& m) {
    const InModule module(m.c.r, "mask");
    m.c.shared.encoded_mask = one_mask(m, MaskShape::Bidirectional, false, m.c.d.source_tokens);
}

// Without a graph and in fp32; two tables of [1, tokens, rotary_dim] stay.
namespace {

void rotary_tables(ModelFrame& m, SharedTensors& into) {
    Context& c = m.c;
    const InModule module(c.r, "rotary_emb");
    Recorder& r = c.r;
    const bool once = m.family.family == BlockFamily::GptOss;  // not each angle twice
    const DimId width = once ? c.d.rotary_half : c.d.rotary;
    const Shape table{0, c.d.tokens, width};
    const Tensor positions = r.allocate(Operator::Cast, Shape{0, 0, c.d.tokens}, Dtype::Fp32);
    const Tensor angles = r.allocate(Operator::Bmm, Shape{0, c.d.rotary_half, c.d.tokens}, Dtype::Fp32);
    if (m.family.family == BlockFamily::DeepseekV2) {  // complex numbers
        const DimId halves = c.d.rotary_half;
        const Shape pairs{0, 0, c.d.tokens, halves, c.d.two};
        Tensor ones = r.allocate(Operator::Data, Shape{0, c.d.tokens, halves}, Dtype::Fp32);
        const Tensor polar = r.allocate(Operator::Exp, pairs, Dtype::Fp32);
        ones.reset();
        into.cos = r.allocate(Operator::Scale, pairs, Dtype::Fp32);
        return;
    }
    const Tensor both = once ? angles : r.allocate(Operator::Cat, table, Dtype::Fp32);
    const auto make = [&] {
        const Tensor plain = r.allocate(Operator::Exp, table, Dtype::Fp32);
        return r.allocate(Operator::Scale, table, Dtype::Fp32);
    };
    const Tensor cos = make();
    const Tensor sin = make();
    const auto finished = [&](const Tensor& t) {
        const bool stays = m.family.family == BlockFamily::Olmo || m.family.family == BlockFamily::Olmo2;
        const Tensor of_type = stays ? t : cast(t, c.v.weights);
        return view(of_type, Shape{0, 0, c.d.tokens, width});
    };
    into.cos = finished(cos);
    into.sin = finished(sin);
}

}  // namespace

// gemma 3 has tables of their own for layers with sliding attention; elsewhere all layers share them.
void make_rotary_tables(ModelFrame& m) {
    const BlockFamily f = m.family.family;
    const bool gemma = f == BlockFamily::Gemma || f == BlockFamily::Gemma2;
    if (gemma && m.c.v.library == LibraryVariant::Transformers4) return;  // its blocks have tables of their own
    rotary_tables(m, m.c.shared);
    m.sliding.cos = m.c.shared.cos;
    m.sliding.sin = m.c.shared.sin;
    if (m.family.family == BlockFamily::Gemma3 || m.family.family == BlockFamily::ModernBert)
        rotary_tables(m, m.sliding);
    m.sliding.position_ids = m.c.shared.position_ids;
}

namespace {

// Positions are added to the scores. bloom and falcon count them in a mask of ones that they make themselves when none
// is given.
Tensor embed_with_alibi(ModelFrame& m, Tensor hidden) {
    Context& c = m.c;
    if (m.embedding_norm.weight) hidden = run(c, m.embedding_norm, hidden);
    const bool falcon = m.family.family == BlockFamily::Falcon;
    if ((falcon || m.family.family == BlockFamily::Bloom) && !m.mask_input)
        m.keep_local(c.r.allocate(Operator::Data, Shape{c.d.batch, c.d.tokens}, falcon ? Dtype::Int64 : Dtype::Fp32));
    c.shared.position_bias = call(c, SharedFunction::Alibi, {});
    if (falcon) c.shared.position_ids = make_position_ids(m);
    make_mask(m, MaskShape::Causal);
    if (falcon) make_rotary_tables(m);  // which no block uses
    return hidden;
}

}  // namespace

Tensor embed_decoder(ModelFrame& m) {
    Context& c = m.c;
    Tensor hidden = m.embed_tokens();
    hidden = m.keep_local(call(c, SharedFunction::Entered, std::span(&hidden, 1)));
    if (c.a.position == Position::Alibi) return embed_with_alibi(m, std::move(hidden));
    m.c.shared.position_ids = make_position_ids(m);
    const bool masks_first = m.family.family == BlockFamily::GptNeo;
    if (masks_first) make_mask(m, MaskShape::Causal);
    if (m.position_weight) {
        const InModule module(c.r, "embed_positions");
        hidden = add(hidden, m.keep_local(embedding(c.shared.position_ids, m.position_weight)));
    }
    if (m.embedding_norm.weight) hidden = run(c, m.embedding_norm, hidden);
    if (!masks_first) make_mask(m, MaskShape::Causal);
    {
        const InModule module(c.r, "embed_dropout");
        hidden = dropout(hidden, c.a.embedding_dropout_permille);
    }
    if (c.a.position == Position::Rope) make_rotary_tables(m);
    return hidden;
}

// Its rotary tables are buffers of the model, and all layers attend to everything before.
Tensor embed_litgpt(ModelFrame& m) {
    const ModelDims& d = m.c.d;
    Tensor hidden = m.embed_tokens();
    for (Tensor* table : {&m.c.shared.cos, &m.c.shared.sin})
        *table = m.c.r.resident(Shape{0, 0, d.tokens, d.rotary}, m.c.v.weights);
    m.sliding = m.c.shared;
    return hidden;
}

// Packed samples: each layer picks its rows of one table, by the positions of the tokens.
Tensor embed_torchtune(ModelFrame& m) { return m.embed_tokens(); }

// In fp32 as they leave the model, unless they come in chunks.
Tensor torchtune_logits(ModelFrame& m, const Tensor& hidden) {
    Tensor logits = decoder_logits(m, hidden);
    return m.c.v.loss == LossVariant::Chunked ? logits : cast(std::move(logits), Dtype::Fp32);
}

// Positions come from a mask of ones that the model makes itself when none is given.
Tensor embed_opt(ModelFrame& m) {
    Context& c = m.c;
    Recorder& r = c.r;
    const Shape each{c.d.batch, c.d.tokens};
    Tensor embedded = m.embed_tokens();
    if (!m.mask_input) m.keep_local(r.allocate(Operator::Data, each, Dtype::Fp32));
    c.shared.position_ids = r.allocate(Operator::Data, each, Dtype::Int64);
    make_mask(m, MaskShape::Causal);
    Tensor positions;
    {
        const InModule module(r, "embed_positions");
        const Tensor shifted = r.allocate(Operator::AddScalar, each, Dtype::Int64);
        positions = m.keep_local(embedding(shifted, m.position_weight));
    }
    if (m.project_in.weight) embedded = run(c, m.project_in, embedded);
    m.keep_local(embedded);
    return add(embedded, positions);
}

Tensor embed_gptj(ModelFrame& m) {
    Context& c = m.c;
    const Tensor hidden = m.keep_local(m.embed_tokens());
    c.shared.position_ids = make_position_ids(m);
    make_mask(m, MaskShape::Causal);
    const InModule module(c.r, "embed_dropout");
    return dropout(hidden, c.a.embedding_dropout_permille);
}

Tensor finish_decoder(ModelFrame& m, Tensor hidden) {
    if (m.c.a.final_norm) hidden = run(m.c, m.final_norm, hidden);
    if (m.project_out.weight) hidden = run(m.c, m.project_out, hidden);
    return hidden;
}

namespace {

// Every token is scored, and of each sequence the last that is no padding is taken.
Tensor last_scores(ModelFrame& m, const Tensor& hidden) {
    Context& c = m.c;
    const Tensor scores = m.keep_local(run(c, m.head, hidden));
    const InModule module(c.r, "pooled");
    const Shape each{c.d.batch, scores.shape()[1]};
    Tensor tokens = c.r.allocate(Operator::Compare, each, Dtype::Bool);
    tokens = m.keep_local(c.r.allocate(Operator::Cast, each, Dtype::Int32));
    m.keep_local(c.r.allocate(Operator::Data, Shape{each[1]}, Dtype::Int32));
    Tensor places = c.r.allocate(Operator::Mul, each, Dtype::Int32);
    places = m.keep_local(c.r.allocate(Operator::TopK, Shape{c.d.batch}, Dtype::Int64));
    const Tensor sequences = c.r.allocate(Operator::Data, Shape{c.d.batch}, Dtype::Int64);
    return pick_each(scores, sequences, places);
}

}  // namespace

Tensor decoder_logits(ModelFrame& m, const Tensor& hidden) {
    if (m.c.a.task_head == TaskHead::None) return hidden;
    if (m.c.a.task_head == TaskHead::SequenceClassification) return last_scores(m, hidden);
    Tensor logits = run(m.c, m.head, hidden);
    return call(m.c, SharedFunction::ScaledLogits, std::span(&logits, 1));
}

}  // namespace memwall
