// bart and mbart: two stacks over one embedding, learned positions and a norm before each; the head is tied, with a
// fixed bias.
#include "model/model_frame.hpp"

namespace memwall {

namespace {

void make_embeddings(ModelFrame& m, StackWeights& stack, std::string_view positions) {
    stack.positions = make_parameter(m.c, positions, Shape{m.c.d.positions, m.c.d.hidden});
}

}  // namespace

void make_bart_stacks(ModelFrame& m) {
    Context& c = m.c;
    const EncoderDecoderParts& parts = c.a.encoder_decoder;
    const bool outside_trains = !c.v.freezes_embeddings(), last_norms = parts.final_encoder_norm;
    make_embeddings(m, m.encoder_start, "encoder.embed_positions");
    make_stack(m, m.encoder_groups, parts.num_encoder_layers, 0,
               last_norms ? BlockProgram::MbartEncoder : BlockProgram::BartEncoder);
    c.trainable = outside_trains;
    m.encoder_start.norm = make_norm(c, "encoder.layernorm_embedding", c.d.hidden);
    c.trainable = true;
    if (last_norms) m.encoder_norm = make_norm(c, "encoder.layer_norm", c.d.hidden);
    c.trainable = outside_trains;
    const ModelDims encoder_dims = c.d;
    use_target_tokens(c, m.input);
    make_embeddings(m, m.decoder_start, "decoder.embed_positions");
    make_stack(m, m.groups, parts.num_decoder_layers, static_cast<std::int32_t>(parts.num_encoder_layers),
               last_norms ? BlockProgram::MbartDecoder : BlockProgram::BartDecoder);
    c.trainable = outside_trains;
    m.decoder_start.norm = make_norm(c, "decoder.layernorm_embedding", c.d.hidden);
    c.trainable = true;
    if (last_norms) m.final_norm = make_norm(c, "decoder.layer_norm", c.d.hidden);
    c.d = encoder_dims;
}

void make_bart_head(ModelFrame& m) {
    m.head.name = "lm_head";
    m.head.weight = m.embedding_weight;
    adapt_head(m.c, m.head, m.c.d.hidden);
}

namespace {

// The first two rows of the table are never looked up.
Tensor positions_of(ModelFrame& m, const StackWeights& stack, const Shape& each) {
    const InModule module(m.c.r, "embed_positions");
    const Tensor shifted = m.c.r.allocate(Operator::AddScalar, each, Dtype::Int64);
    return m.keep_local(embedding(shifted, stack.positions));
}

Tensor start_of_stack(ModelFrame& m, const StackWeights& stack, const Tensor& embedded, const Tensor& positions) {
    const InModule module(m.c.r, "layernorm_embedding");
    Tensor hidden = add(embedded, positions);
    hidden = run(m.c, stack.norm, hidden);
    return dropout(hidden, m.c.a.residual_dropout_permille);
}

Tensor run_encoder(ModelFrame& m) {
    Context& c = m.c;
    const Tensor embedded = m.keep_local(m.embed_tokens(m.ids));
    Tensor range = c.r.allocate(Operator::Data, Shape{c.d.tokens}, Dtype::Int64);
    const Tensor positions = positions_of(m, m.encoder_start, Shape{c.d.batch, c.d.tokens});
    range.reset();
    Tensor hidden = start_of_stack(m, m.encoder_start, embedded, positions);
    make_mask(m, MaskShape::Bidirectional);
    hidden = m.run_layers(m.encoder_groups, std::move(hidden));
    if (!m.encoder_norm.weight) return hidden;
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    return run(c, m.encoder_norm, std::move(hidden));
}

// Nothing of the target is masked but what is to come; the library makes a mask of ones for that.
Tensor run_decoder(ModelFrame& m) {
    Context& c = m.c;
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    const Tensor embedded = m.keep_local(m.embed_tokens(m.target_ids));
    Tensor range = c.r.allocate(Operator::Data, Shape{c.d.tokens}, Dtype::Int64);
    m.keep_local(c.r.allocate(Operator::AddScalar, Shape{c.d.tokens}, Dtype::Int64));
    range.reset();
    {
        const Tensor ones = c.r.allocate(Operator::Data, Shape{c.d.batch, c.d.tokens}, Dtype::Fp32);
        make_mask(m, MaskShape::Causal);
        make_cross_mask(m);
    }
    const Tensor positions = positions_of(m, m.decoder_start, Shape{0, c.d.tokens});
    Tensor hidden = start_of_stack(m, m.decoder_start, embedded, positions);
    hidden = m.run_layers(m.groups, std::move(hidden));
    c.r.enter({Phase::HeadAndLoss, Phase::HeadBackward, -1, 1});
    return m.final_norm.weight ? run(c, m.final_norm, std::move(hidden)) : hidden;
}

}  // namespace

// The target's ids are made before the encoder runs. Without gradients the decoder would see one token: nothing beside
// what the encoder needs.
Tensor run_two_stacks(ModelFrame& m, const StackRunners& run) {
    Context& c = m.c;
    const ModelDims encoder_dims = c.d;
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    const bool trains = c.v.run == RunVariant::Train;
    use_target_tokens(c, m.input);
    if (trains) m.target_ids = run.target_ids(m);
    c.d = encoder_dims;
    m.encoded = run.encoder(m);
    m.locals.clear();
    c.shared = {};
    if (!trains) return m.encoded;
    use_target_tokens(c, m.input);
    c.shared.encoded = m.encoded;
    c.causal = true;
    Tensor hidden = run.decoder(m);
    c.causal = false;
    m.locals.clear();
    c.shared = {};
    c.d = encoder_dims;
    return hidden;
}

Tensor run_bart_stacks(ModelFrame& m) { return run_two_stacks(m, {shifted_labels, run_encoder, run_decoder}); }

Tensor bart_logits(ModelFrame& m, const Tensor& hidden) {
    const Tensor bias = m.c.r.resident(Shape{0, m.c.d.vocabulary}, m.c.v.weights);
    return add(run(m.c, m.head, hidden), bias);
}

}  // namespace memwall
