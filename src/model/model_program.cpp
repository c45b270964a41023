#include "model/model_program.hpp"

#include <algorithm>
#include <cassert>

#include "model/autograd.hpp"
#include "model/blocks.hpp"
#include "model/tape_builder.hpp"

namespace memwall {

bool has_block_program(const Architecture& a) { return block_maker(a) != nullptr; }

SymbolValues symbol_values(const Architecture& a, const StepInput& in) {
    SymbolValues v{};
    const auto set = [&](Symbol s, std::int64_t value) { v[static_cast<std::size_t>(s)] = value; };
    const auto rounded = [](std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; };
    set(Symbol::MicroBatch, in.batch);
    set(Symbol::Sequence, in.tokens);
    set(Symbol::SequenceMinusOne, in.tokens - 1);
    set(Symbol::SequencePlusOne, in.tokens + 1);
    set(Symbol::SequenceRounded8, rounded(in.tokens, 8));
    set(Symbol::SequenceRounded32, rounded(in.tokens, 32));
    set(Symbol::Target, in.target_tokens);
    set(Symbol::TargetMinusOne, in.target_tokens - 1);
    set(Symbol::TargetPlusOne, in.target_tokens + 1);
    set(Symbol::TargetRounded32, rounded(in.target_tokens, 32));
    set(Symbol::Hidden, a.hidden_size);
    set(Symbol::Intermediate, a.intermediate_size);
    set(Symbol::Heads, a.num_attention_heads);
    set(Symbol::KvHeads, a.num_key_value_heads);
    set(Symbol::HeadDim, a.head_dim);
    set(Symbol::Vocabulary, a.vocab_size);
    set(Symbol::LearnedPositions, a.learned_positions);
    set(Symbol::EmbeddingSize, a.embedding_size);
    const std::int64_t rotary = a.head_dim * a.partial_rotary_permille / 1000 / 2 * 2;
    set(Symbol::RotaryHalf, rotary / 2);
    set(Symbol::PassHeadDim, a.head_dim - rotary);
    set(Symbol::LoraRank, in.lora_rank);
    set(Symbol::WindowedSequence, a.sliding_window > 0 ? std::min(in.tokens, a.sliding_window) : in.tokens);
    return v;
}

namespace {

DimId symbol_dim(Recorder& r, const SymbolValues& values, Symbol s) {
    return r.dim(values[static_cast<std::size_t>(s)], 1, Monomial(s));
}

// Consecutive layers with equal program and trainability: [first, rest].
struct LayerGroup {
    Block block;
    std::int32_t layer = 0, copies = 1;
};

struct DecoderModel {
    Context c;
    Tensor ids, labels, mask_input;
    Tensor embedding_weight, position_weight;
    std::vector<LayerGroup> groups;
    NormWeights final_norm;
    Linear head;

    explicit DecoderModel(Recorder& r, const StepInput& in);
    Tensor make_input(std::string_view name, const Shape&);
    void make_layers(const StepInput& in);
    Tensor make_position_ids();
    void make_mask();
    bool requires_input_grads() const;
    void make_rotary_tables();
    Tensor layers(Tensor hidden);
    Tensor decode();
    Tensor loss_of(const Tensor& logits);
    std::pair<Tensor, Tensor> forward();
    void prefill();
};

DecoderModel::DecoderModel(Recorder& r, const StepInput& in)
    : c{.r = r, .a = in.architecture, .v = in.variant, .d = model_dims(r, in.architecture, in.lora_rank)} {
    const SymbolValues values = symbol_values(in.architecture, in);
    ModelDims& d = c.d;
    const std::int64_t sharing = in.architecture.num_attention_heads / in.architecture.num_key_value_heads;
    if (sharing > 1) d.groups = r.dim(sharing, sharing, Monomial{});
    d.batch = in.batch == 1 ? r.dim(1, 1, Monomial(Symbol::MicroBatch)) : symbol_dim(r, values, Symbol::MicroBatch);
    d.tokens = symbol_dim(r, values, Symbol::Sequence);
    d.tokens_rounded_8 = symbol_dim(r, values, Symbol::SequenceRounded8);
    d.tokens_rounded_32 = symbol_dim(r, values, Symbol::SequenceRounded32);
    d.tokens_plus_one = symbol_dim(r, values, Symbol::SequencePlusOne);
    d.tokens_minus_one = symbol_dim(r, values, Symbol::SequenceMinusOne);
    d.rows = r.product(d.batch, d.tokens);
    const Architecture& a = in.architecture;
    ids = make_input("input_ids", Shape{d.batch, d.tokens});
    if (in.variant.run == RunVariant::Train) labels = make_input("labels", Shape{d.batch, d.tokens});
    if (in.variant.mask != MaskVariant::None) mask_input = make_input("attention_mask", Shape{d.batch, d.tokens});
    c.trainable = in.variant.train == TrainVariant::Full;
    embedding_weight = make_parameter(c, "embed_tokens", Shape{d.vocabulary, d.embedding});
    if (a.position == Position::Learned)
        position_weight = make_parameter(c, "embed_positions", Shape{d.positions, d.hidden});
    make_layers(in);
    c.trainable = true;
    c.copies = 1;
    if (a.final_norm) final_norm = make_norm(c, "norm", d.hidden);
    head.name = "lm_head";
    if (a.tie_word_embeddings)
        head.weight = embedding_weight;
    else
        head.weight = make_parameter(c, "lm_head", Shape{d.vocabulary, d.embedding});
}

Tensor DecoderModel::make_input(std::string_view name, const Shape& shape) {
    const InModule module(c.r, name);
    Tensor out = c.r.allocate(Operator::Data, shape, Dtype::Int64);
    c.r.storage_of(out).input = true;
    return out;
}

void DecoderModel::make_layers(const StepInput& in) {
    const BlockMaker maker = block_maker(in.architecture);
    const auto total = static_cast<std::int32_t>(in.architecture.num_hidden_layers);
    const auto frozen =
        in.variant.train == TrainVariant::Freeze ? static_cast<std::int32_t>(in.variant.first_trainable_layer) : 0;
    const auto add_run = [&](std::int32_t from, std::int32_t to, bool trainable) {
        if (from >= to) return;
        c.trainable = trainable;
        c.copies = 1;
        groups.push_back({maker(c), from, 1});
        if (to - from < 2) return;
        c.copies = to - from - 1;
        groups.push_back({maker(c), from + 1, c.copies});
    };
    add_run(0, frozen, false);
    add_run(frozen, total, true);
}

// Positions count up from 0; the first tensor is the range itself.
Tensor DecoderModel::make_position_ids() {
    Recorder& r = c.r;
    const Tensor range = r.allocate(Operator::Data, Shape{c.d.tokens}, Dtype::Int64);
    const Tensor ids_of_tokens = r.allocate(Operator::AddScalar, Shape{c.d.tokens}, Dtype::Int64);
    return view(ids_of_tokens, Shape{0, c.d.tokens});
}

// enable_input_require_grads: checkpointing makes the output of a frozen embedding a leaf that needs a gradient
// (transformers 5 always, 4 for adapters only).
bool DecoderModel::requires_input_grads() const {
    if (c.v.run != RunVariant::Train || c.v.recompute == RecomputeVariant::None) return false;
    return c.v.library == LibraryVariant::Transformers5 || c.v.train == TrainVariant::Lora;
}

// Eager attention adds a mask to the scores; the fused kernels need one only when something is padded.
void DecoderModel::make_mask() {
    const InModule module(c.r, "mask");
    const bool eager = c.v.attention == AttentionVariant::Eager;
    const bool padded = c.v.mask == MaskVariant::Padded;
    if (!eager && !padded) return;
    const ModelDims& d = c.d;
    const Shape square{0, 0, d.tokens, d.tokens}, each{d.batch, 0, d.tokens, d.tokens};
    Tensor booleans = c.r.allocate(Operator::Compare, square, Dtype::Bool);
    if (padded) {
        booleans = c.r.allocate(Operator::Compare, square, Dtype::Bool);
        booleans = c.r.allocate(Operator::Compare, each, Dtype::Bool);
    }
    c.shared.mask = eager ? c.r.allocate(Operator::MaskedFill, each, c.v.weights) : booleans;
}

// Without a graph and in fp32; two tables of [1, tokens, rotary_dim] stay.
void DecoderModel::make_rotary_tables() {
    const InModule module(c.r, "rotary_emb");
    Recorder& r = c.r;
    const Dtype type = c.v.weights;
    const Shape table{0, c.d.tokens, c.d.rotary};
    const Tensor positions = r.allocate(Operator::Cast, Shape{0, 0, c.d.tokens}, Dtype::Fp32);
    const Tensor angles = r.allocate(Operator::Bmm, Shape{0, c.d.rotary_half, c.d.tokens}, Dtype::Fp32);
    const Tensor both = r.allocate(Operator::Cat, table, Dtype::Fp32);
    const auto make = [&] {
        const Tensor plain = r.allocate(Operator::Exp, table, Dtype::Fp32);
        return r.allocate(Operator::Scale, table, Dtype::Fp32);
    };
    const Tensor cos = make();
    const Tensor sin = make();
    const auto finished = [&](const Tensor& t) {
        const Tensor of_type = cast(t, type);
        return view(of_type, Shape{0, 0, c.d.tokens, c.d.rotary});
    };
    c.shared.cos = finished(cos);
    c.shared.sin = finished(sin);
}

Tensor DecoderModel::layers(Tensor hidden) {
    for (const LayerGroup& group : groups) {
        c.r.enter({Phase::Forward, Phase::Backward, group.layer, group.copies});
        if (c.v.recompute == RecomputeVariant::None) {
            hidden = group.block(c, hidden);
            continue;
        }
        const auto run_block = [this, &group, shared = c.shared](Tensor x) {
            const SharedTensors outside = std::exchange(c.shared, shared);
            Tensor out = group.block(c, std::move(x));
            c.shared = outside;
            return out;
        };
        hidden = c.v.recompute == RecomputeVariant::Full ? checkpoint(c.r, run_block, hidden)
                                                         : checkpoint_reentrant(c.r, run_block, hidden);
    }
    return hidden;
}

// What the model without its head does; its locals live until it returns.
Tensor DecoderModel::decode() {
    Recorder& r = c.r;
    r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    r.module = "embed_tokens";
    const Tensor embedded = embedding(ids, embedding_weight);
    if (requires_input_grads()) c.r.at(embedded).requires_grad = true;
    c.shared.position_ids = make_position_ids();
    Tensor position_embedded, hidden = embedded;
    if (position_weight) {
        r.module = "embed_positions";
        position_embedded = embedding(c.shared.position_ids, position_weight);
        hidden = add(embedded, position_embedded);
    }
    make_mask();
    hidden = dropout(hidden, c.a.embedding_dropout_permille);
    if (c.a.position == Position::Rope) make_rotary_tables();
    hidden = layers(std::move(hidden));
    r.enter({Phase::HeadAndLoss, Phase::HeadBackward, -1, 1});
    if (c.a.final_norm) hidden = run(c, final_norm, hidden);
    return hidden;
}

Tensor DecoderModel::loss_of(const Tensor& given) {
    const InModule module(c.r, "loss");
    Tensor logits = c.v.loss == LossVariant::Plain ? given : cast(given, Dtype::Fp32);
    const ModelDims& d = c.d;
    if (c.v.loss == LossVariant::UpcastShifted) {
        Tensor shifted = contiguous(slice(logits, 1, d.tokens_minus_one));
        const Tensor targets = contiguous(slice(labels, 1, d.tokens_minus_one));
        const DimId rows = c.r.product(d.batch, d.tokens_minus_one);
        shifted = view(std::move(shifted), Shape{rows, d.vocabulary});
        Tensor log_probabilities = log_softmax(shifted, shifted.dtype());
        return nll_loss(std::move(log_probabilities), view(targets, Shape{rows}));
    }
    const Tensor padded = c.r.allocate(Operator::Data, Shape{d.batch, d.tokens_plus_one}, Dtype::Int64);
    const Tensor targets = view(contiguous(slice(padded, 1, d.tokens)), Shape{d.rows});
    logits = view(std::move(logits), Shape{d.rows, d.vocabulary});
    const Tensor log_probabilities = log_softmax(logits, logits.dtype());
    return nll_loss(log_probabilities, targets);
}

// The loss, and the logits if the caller keeps the model's outputs.
std::pair<Tensor, Tensor> DecoderModel::forward() {
    const Tensor hidden = decode();
    c.shared = {};
    const Tensor logits = run(c, head, hidden);
    Tensor loss = loss_of(logits);
    return {std::move(loss), c.v.keep_outputs ? logits : Tensor()};
}

// The head runs on the last token of each sequence alone.
void DecoderModel::prefill() {
    const Tensor hidden = decode();
    c.shared = {};
    const Tensor last = slice(hidden, 1, 0);
    const Tensor logits = run(c, head, last);
}

}  // namespace

Tape record_step(const StepInput& in) {
    RecorderSettings settings;
    settings.autocast = in.variant.autocast;
    settings.autocast_dtype = in.variant.autocast_dtype;
    settings.composite_silu = in.variant.composite_silu;
    settings.gradients_into_main = in.variant.gradients == GradientVariant::IntoMain;
    settings.accumulate_in_place = !in.variant.accumulate_out_of_place;
    Recorder r(settings);
    TapeBuilder builder(r);
    r.begin_segment(Phase::Load, -1, 1);
    DecoderModel model(r, in);
    for (r.micro_step = 1; r.micro_step <= in.variant.micro_steps; ++r.micro_step) {
        auto [loss, outputs] = model.forward();
        r.clear_cast_cache(Recorder::Scope::Step);
        builder.forward_ended();
        backward(r, loss);
        loss.reset();
        outputs.reset();
        builder.backward_ended();
    }
    --r.micro_step;
    builder.optimizer_step(model.c.parameters, in.variant.optimizer);
    return builder.finish(symbol_values(in.architecture, in));
}

namespace {

// Two vectors a token and layer; layers with a window keep no more than it.
void allocate_cache(Recorder& r, const StepInput& in, Dtype cache, bool window_cache) {
    const Architecture& a = in.architecture;
    const SymbolValues values = symbol_values(a, in);
    std::int64_t windowed = 0;
    if (window_cache && a.sliding_window > 0)
        windowed = a.layer_pattern.empty() ? a.num_hidden_layers
                                           : std::count(a.layer_pattern.begin(), a.layer_pattern.end(), 'S');
    const bool latent = a.kv_lora_rank > 0;
    const DimId batch = symbol_dim(r, values, Symbol::MicroBatch);
    const auto allocate = [&](std::int64_t layers, Symbol tokens, std::string_view module) {
        if (layers == 0) return Tensor();
        r.module = module;
        const DimId count = r.dim(layers * (latent ? 1 : 2), layers * (latent ? 1 : 2), Monomial{});
        const DimId length = symbol_dim(r, values, tokens);
        if (latent)
            return r.allocate(
                Operator::KvCache,
                Shape{count, batch, length,
                      r.dim(a.kv_lora_rank + a.qk_rope_head_dim, a.kv_lora_rank + a.qk_rope_head_dim, Monomial{})},
                cache);
        return r.allocate(
            Operator::KvCache,
            Shape{count, batch, symbol_dim(r, values, Symbol::KvHeads), length, symbol_dim(r, values, Symbol::HeadDim)},
            cache);
    };
    Tensor full = allocate(a.num_hidden_layers - windowed, Symbol::Sequence, "keys and values");
    Tensor window = allocate(windowed, Symbol::WindowedSequence, "keys and values in the window");
    full.detach_count();  // they stay
    window.detach_count();
}

}  // namespace

Tape record_prefill(const StepInput& in, Dtype cache, bool window_cache) {
    Recorder r(RecorderSettings{});
    TapeBuilder builder(r);
    builder.without_gradients();
    r.grad_enabled = false;
    r.begin_segment(Phase::Load, -1, 1);
    allocate_cache(r, in, cache, window_cache);
    if (has_block_program(in.architecture)) {
        DecoderModel model(r, in);
        model.prefill();
        builder.forward_ended();
        builder.backward_ended();
        r.begin_segment(Phase::Decode, -1, 1);
        Tape tape = builder.finish(symbol_values(in.architecture, in));
        tape.sliding_window = in.architecture.sliding_window;
        return tape;
    }
    builder.forward_ended();
    builder.backward_ended();
    Tape tape = builder.finish(symbol_values(in.architecture, in));
    tape.sliding_window = in.architecture.sliding_window;
    return tape;
}

Tape record_estimate(const StepInput& in, std::int64_t bytes_per_token) {
    Recorder r(RecorderSettings{});
    TapeBuilder builder(r);
    r.begin_segment(Phase::Load, -1, 1);
    r.begin_segment(Phase::Forward, -1, 1);
    const SymbolValues values = symbol_values(in.architecture, in);
    if (bytes_per_token > 0) {
        r.module = "activations";
        const Shape shape{symbol_dim(r, values, Symbol::MicroBatch), symbol_dim(r, values, Symbol::Sequence),
                          r.dim(bytes_per_token, bytes_per_token, Monomial{})};
        Tensor estimate = r.allocate(Operator::Estimate, shape, Dtype::Int8);
        builder.forward_ended();
        r.begin_segment(Phase::Backward, -1, 1);
    }
    builder.backward_ended();
    r.begin_segment(Phase::OptimizerStep, -1, 1);
    r.begin_segment(Phase::Idle, -1, 1);
    return builder.finish(values);
}

}  // namespace memwall
