// whisper: two convolutions over the spectrum and positions that never train, then the stacks of an encoder-decoder.
#include "model/autograd.hpp"
#include "model/model_frame.hpp"

namespace memwall {

namespace {

// The second convolution halves the frames.
DimId frames(ModelFrame& m) { return m.c.r.dim(2 * m.tokens, 2, Monomial(Symbol::Sequence)); }

Linear make_filter(ModelFrame& m, std::string_view name, DimId in) {
    const DimId width = m.c.d.hidden;
    Linear out;
    out.name = name;
    out.weight = make_parameter(m.c, name, Shape{width, in, m.c.r.dim(3, 1, Monomial(Symbol::KernelWidth))});
    out.bias = make_parameter(m.c, name, Shape{width}, ParameterPart::Bias);
    return out;
}

Tensor run_filter(ModelFrame& m, const Linear& filter, const Tensor& x, DimId length) {
    const InModule module(m.c.r, filter.name);
    return unary(Operator::Gelu, convolution(x, filter.weight, filter.bias, Shape{m.c.d.batch, m.c.d.hidden, length}));
}

}  // namespace

void make_whisper_outside(ModelFrame& m) {
    Context& c = m.c;
    const DimId bands = c.r.dim(c.a.encoder_decoder.num_mel_bins, 1, Monomial(Symbol::MelBins));
    m.ids = m.make_input("input_features", Shape{c.d.batch, bands, frames(m)}, c.v.weights);
    m.project_in = make_filter(m, "conv1", bands);
    m.project_out = make_filter(m, "conv2", c.d.hidden);
}

void make_whisper_stacks(ModelFrame& m) {
    Context& c = m.c;
    const EncoderDecoderParts& parts = c.a.encoder_decoder;
    const bool outside_trains = !c.v.freezes_embeddings();
    c.trainable = false;
    m.encoder_start.positions = make_parameter(c, "encoder.embed_positions", Shape{c.d.tokens, c.d.hidden});
    make_stack(m, m.encoder_groups, parts.num_encoder_layers, 0, BlockProgram::WhisperEncoder);
    m.encoder_norm = make_norm(c, "encoder.layer_norm", c.d.hidden);
    c.trainable = outside_trains;
    m.embedding_weight = make_parameter(c, "embed_tokens", Shape{c.d.vocabulary, c.d.hidden});
    m.decoder_start.positions = make_parameter(c, "decoder.embed_positions", Shape{c.d.positions, c.d.hidden});
    const ModelDims encoder_dims = c.d;
    use_target_tokens(c, m.input);
    make_stack(m, m.groups, parts.num_decoder_layers, static_cast<std::int32_t>(parts.num_encoder_layers),
               BlockProgram::WhisperDecoder);
    c.d = encoder_dims;
}

void make_whisper_head(ModelFrame& m) {
    m.final_norm = make_norm(m.c, "decoder.layer_norm", m.c.d.hidden);
    m.head.name = "proj_out";
    m.head.weight = m.embedding_weight;
    adapt_head(m.c, m.head, m.c.d.hidden);
}

namespace {

Tensor run_encoder(ModelFrame& m) {
    Context& c = m.c;
    Tensor x = run_filter(m, m.project_in, m.ids, frames(m));
    x = run_filter(m, m.project_out, x, c.d.tokens);
    x = m.keep_local(transpose(x, 1, 2));
    {
        const InModule module(c.r, "embed_positions");
        const Tensor range = m.keep_local(c.r.allocate(Operator::Data, Shape{c.d.tokens}, Dtype::Int64));
        x = add(x, embedding(range, m.encoder_start.positions));
    }
    Tensor hidden = m.run_layers(m.encoder_groups, dropout(std::move(x), c.a.residual_dropout_permille));
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    return run(c, m.encoder_norm, std::move(hidden));
}

// Positions are rows of their table, chosen for every token of every sequence.
Tensor decoder_positions(ModelFrame& m) {
    Context& c = m.c;
    const InModule module(c.r, "embed_positions");
    Tensor ids = c.r.allocate(Operator::Data, Shape{c.d.tokens}, Dtype::Int64);
    ids = c.r.allocate(Operator::AddScalar, Shape{c.d.tokens}, Dtype::Int64);
    ids = m.keep_local(c.r.allocate(Operator::Data, Shape{c.d.rows}, Dtype::Int64));
    return m.keep_local(view(gather_rows(m.decoder_start.positions, ids), Shape{c.d.batch, c.d.tokens, c.d.hidden}));
}

Tensor run_decoder(ModelFrame& m) {
    Context& c = m.c;
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    const Tensor embedded = m.keep_local(m.embed_tokens(m.target_ids));
    Tensor hidden = add(embedded, decoder_positions(m));
    hidden = dropout(std::move(hidden), c.a.residual_dropout_permille);
    make_mask(m, MaskShape::Causal);
    hidden = m.run_layers(m.groups, std::move(hidden));
    c.r.enter({Phase::HeadAndLoss, Phase::HeadBackward, -1, 1});
    return run(c, m.final_norm, std::move(hidden));
}

}  // namespace

Tensor run_whisper_stacks(ModelFrame& m) { return run_two_stacks(m, {shifted_labels, run_encoder, run_decoder}); }

Tensor plain_logits(ModelFrame& m, const Tensor& hidden) { return run(m.c, m.head, hidden); }

}  // namespace memwall
