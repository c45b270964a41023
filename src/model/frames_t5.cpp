// t5: encoder and decoder stacks over one embedding; the head is tied to it.
#include <algorithm>

#include "model/model_frame.hpp"

namespace memwall {

void make_t5_outside(ModelFrame& m) {
    m.embedding_weight = make_parameter(m.c, "shared", Shape{m.c.d.vocabulary, m.c.d.hidden});
}

// Runs of equal segments, of one block unless more are checkpointed together. Some stand alone: the first holds the
// relative positions, the second is the last to let go of what it was called with, the last is the first to give the
// encoded tokens a gradient, and one holds the first that trains.
void make_stack(ModelFrame& m, std::vector<LayerGroup>& groups, std::int64_t layers, std::int32_t offset,
                BlockProgram program) {
    const auto total = static_cast<std::int32_t>(layers);
    const bool freezes = m.c.v.train == TrainVariant::Freeze;
    const std::int32_t first_trainable = freezes ? static_cast<std::int32_t>(m.c.v.first_trainable_layer) - offset : 0;
    const auto length = static_cast<std::int32_t>(m.c.v.recompute == RecomputeVariant::None ? 1 : m.c.v.segment_layers);
    const auto alone = [&](std::int32_t i) {
        const bool starts_to_train = freezes && i <= first_trainable && first_trainable < i + length;
        return i < 2 * length || i + length >= total || starts_to_train;
    };
    for (std::int32_t from = 0; from < total;) {
        const std::int32_t size = std::min(length, total - from);
        std::int32_t to = from + size;
        while (!alone(from) && to < total && !alone(to))
            to += size;
        m.c.copies = (to - from) / size;
        LayerGroup group{{}, std::string(static_cast<std::size_t>(size), 'F'), offset + from, m.c.copies, m.c.d};
        for (std::int32_t i = from; i < from + size; ++i) {
            m.c.first_of_stack = i == 0;
            m.c.trainable = i >= first_trainable;
            group.blocks.push_back(Block(m.c, program));
        }
        groups.push_back(std::move(group));
        from = to;
    }
    m.c.copies = 1;
    m.c.trainable = true;
}

void make_t5_stacks(ModelFrame& m) {
    const EncoderDecoderParts& parts = m.c.a.encoder_decoder;
    make_stack(m, m.encoder_groups, parts.num_encoder_layers, 0, BlockProgram::T5Encoder);
    m.encoder_norm = make_norm(m.c, "encoder.final_layer_norm", m.c.d.hidden);
    const ModelDims encoder_dims = m.c.d;
    use_target_tokens(m.c, m.input);
    make_stack(m, m.groups, parts.num_decoder_layers, static_cast<std::int32_t>(parts.num_encoder_layers),
               BlockProgram::T5Decoder);
    m.c.d = encoder_dims;
}

void make_t5_head(ModelFrame& m) {
    m.final_norm = make_norm(m.c, "decoder.final_layer_norm", m.c.d.hidden);
    m.head.name = "lm_head";
    m.head.weight = m.c.a.tie_word_embeddings ? m.embedding_weight
                                              : make_parameter(m.c, "lm_head", Shape{m.c.d.vocabulary, m.c.d.hidden});
    adapt_head(m.c, m.head, m.c.d.hidden);
}

// Behind a start token.
Tensor shifted_labels(ModelFrame& m) {
    const InModule module(m.c.r, "decoder_input_ids");
    return m.c.r.allocate(Operator::Data, Shape{m.c.d.batch, m.c.d.tokens}, Dtype::Int64);
}

namespace {

Tensor end_of_stack(ModelFrame& m, const NormWeights& norm, Tensor hidden) {
    hidden = run(m.c, norm, hidden);
    return dropout(hidden, m.c.a.residual_dropout_permille);
}

Tensor start_of_stack(ModelFrame& m, const Tensor& ids) {
    const Tensor embedded = m.keep_local(m.embed_tokens(ids));
    const InModule module(m.c.r, "stack");
    return dropout(embedded, m.c.a.embedding_dropout_permille);
}

// transformers 4 makes a mask of ones where none is given, and from it what is added to the scores.
Tensor mask_of_ones(ModelFrame& m, Dtype ones) {
    Context& c = m.c;
    const InModule module(c.r, "mask");
    const DimId tokens = ones == Dtype::Int64 ? c.d.source_tokens : c.d.tokens;
    m.keep_local(c.r.allocate(Operator::Data, Shape{c.d.batch, tokens}, ones));
    const Shape wide{c.d.batch, 0, 0, tokens};
    const Tensor inverted = c.r.allocate(Operator::Subtract, wide, c.v.weights);
    return c.r.allocate(Operator::Scale, wide, c.v.weights);
}

// Positions are arguments of every block there.
void make_old_arguments(ModelFrame& m) {
    Context& c = m.c;
    if (c.v.library != LibraryVariant::Transformers4) return;
    const InModule module(c.r, "cache_position");
    c.shared.position_ids = c.r.allocate(Operator::Data, Shape{c.d.tokens}, Dtype::Int64);
    if (c.shared.encoded)
        c.shared.encoded_mask = mask_of_ones(m, Dtype::Int64);
    else if (!c.shared.mask)
        c.shared.mask = mask_of_ones(m, Dtype::Fp32);
}

}  // namespace

Tensor run_t5_stacks(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims encoder_dims = c.d;
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    Tensor hidden = start_of_stack(m, m.ids);
    make_mask(m, MaskShape::Bidirectional);
    make_old_arguments(m);
    hidden = m.run_layers(m.encoder_groups, std::move(hidden));
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    m.encoded = end_of_stack(m, m.encoder_norm, std::move(hidden));
    m.locals.clear();
    c.shared = {};
    if (c.v.run == RunVariant::Prefill) return m.encoded;
    use_target_tokens(c, m.input);
    m.target_ids = shifted_labels(m);
    c.shared.encoded = m.encoded;
    hidden = m.keep_local(m.embed_tokens(m.target_ids));
    make_mask(m, MaskShape::Causal);
    make_cross_mask(m);
    make_old_arguments(m);
    {
        const InModule module(c.r, "stack");
        hidden = dropout(hidden, c.a.embedding_dropout_permille);
    }
    hidden = m.run_layers(m.groups, std::move(hidden));
    c.r.enter({Phase::HeadAndLoss, Phase::HeadBackward, -1, 1});
    hidden = end_of_stack(m, m.final_norm, std::move(hidden));
    m.locals.clear();
    c.shared = {};
    c.d = encoder_dims;
    return hidden;
}

Tensor t5_logits(ModelFrame& m, const Tensor& hidden) {
    const Architecture& a = m.c.a;  // scale_decoder_outputs of transformers 5, tie_word_embeddings of 4
    if (!a.tie_word_embeddings || a.encoder_decoder.plain_head || a.model_type != "t5") return run(m.c, m.head, hidden);
    const Tensor scaled = unary(Operator::Scale, hidden);
    m.pooled = scaled;
    return run(m.c, m.head, scaled);
}

Tensor target_loss(ModelFrame& m, const Tensor& given) {
    const InModule module(m.c.r, "loss");
    const Shape s = given.shape();
    const DimId rows = m.c.r.product(s[0], s[1]);
    return cross_entropy(m.c, view(given, Shape{rows, s[2]}), view(m.labels, Shape{rows}));
}

}  // namespace memwall
