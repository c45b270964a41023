// bert, roberta, electra: norm after each sum, no causal mask.
#include "model/blocks.hpp"

namespace memwall {

namespace {

struct BertBlock {
    Linear q, k, v, output, up, down;
    NormWeights attention_norm, output_norm;

    Attended self_attention(Context& c, const Tensor& hidden) const;
    Tensor residual_output(Context& c, const Linear& dense, const NormWeights& norm, const Tensor& given,
                           const Tensor& input) const;
    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended BertBlock::self_attention(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    const Tensor query = heads_of(c, run(c, q, hidden), d.heads);
    const Tensor key = heads_of(c, run(c, k, hidden), d.heads);
    const Tensor value = heads_of(c, run(c, v, hidden), d.heads);
    Attended attended = attend(c, query, key, value, EagerStyle::PlainSoftmax);
    attended.output = reshape(std::move(attended.output), Shape{d.batch, d.tokens, d.hidden});
    return attended;
}

Tensor BertBlock::residual_output(Context& c, const Linear& dense, const NormWeights& norm, const Tensor& given,
                                  const Tensor& input) const {
    Tensor hidden = run(c, dense, given);
    hidden = dropout(hidden, c.a.residual_dropout_permille);
    hidden = run(c, norm, add(hidden, input));
    return hidden;
}

Attended BertBlock::attention(Context& c, const Tensor& hidden) const {
    Attended attended = self_attention(c, hidden);
    attended.output = residual_output(c, output, attention_norm, attended.output, hidden);
    return attended;
}

Tensor BertBlock::operator()(Context& c, Tensor hidden) const {
    const Attended attended = attention(c, hidden);
    Tensor intermediate = run(c, up, attended.output);
    intermediate = activation(c, intermediate);
    return residual_output(c, down, output_norm, intermediate, attended.output);
}

}  // namespace

Block make_bert_block(Context& c) {
    const ModelDims& d = c.d;
    BertBlock b;
    b.q = make_linear(c, Projection::Query, "query", d.hidden, d.hidden, LinearBias::Yes);
    b.k = make_linear(c, Projection::Key, "key", d.hidden, d.hidden, LinearBias::Yes);
    b.v = make_linear(c, Projection::Value, "value", d.hidden, d.hidden, LinearBias::Yes);
    b.output = make_linear(c, Projection::Output, "attention.output.dense", d.hidden, d.hidden, LinearBias::Yes);
    b.attention_norm = make_norm(c, "attention.output.LayerNorm", d.hidden);
    b.up = make_linear(c, Projection::Up, "intermediate.dense", d.hidden, d.intermediate, LinearBias::Yes);
    b.down = make_linear(c, Projection::Down, "output.dense", d.intermediate, d.hidden, LinearBias::Yes);
    b.output_norm = make_norm(c, "output.LayerNorm", d.hidden);
    return b;
}

namespace {

// distilbert: the same with other frames.
struct DistilBertBlock {
    Linear q, k, v, output, up, down;
    NormWeights attention_norm, output_norm;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor feed_forward(Context& c, const Tensor& given) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended DistilBertBlock::attention(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    const Tensor query = heads_of(c, run(c, q, hidden), d.heads);
    const Tensor key = heads_of(c, run(c, k, hidden), d.heads);
    const Tensor value = heads_of(c, run(c, v, hidden), d.heads);
    Attended attended = attend(c, query, key, value, EagerStyle::PlainSoftmax);
    attended.output = reshape(std::move(attended.output), Shape{d.batch, d.tokens, d.hidden});
    attended.output = run(c, output, attended.output);
    return attended;
}

Tensor DistilBertBlock::feed_forward(Context& c, const Tensor& given) const {
    Tensor x = run(c, up, given);
    x = activation(c, x);
    x = run(c, down, x);
    x = dropout(x, c.a.residual_dropout_permille);
    return x;
}

Tensor DistilBertBlock::operator()(Context& c, Tensor hidden) const {
    Attended attended = attention(c, hidden);
    attended.output = run(c, attention_norm, add(attended.output, hidden));
    Tensor fed_forward = feed_forward(c, attended.output);
    fed_forward = run(c, output_norm, add(fed_forward, attended.output));
    return fed_forward;
}

}  // namespace

Block make_distilbert_block(Context& c) {
    const ModelDims& d = c.d;
    DistilBertBlock b;
    b.q = make_linear(c, Projection::Query, "q_lin", d.hidden, d.hidden, LinearBias::Yes);
    b.k = make_linear(c, Projection::Key, "k_lin", d.hidden, d.hidden, LinearBias::Yes);
    b.v = make_linear(c, Projection::Value, "v_lin", d.hidden, d.hidden, LinearBias::Yes);
    b.output = make_linear(c, Projection::Output, "out_lin", d.hidden, d.hidden, LinearBias::Yes);
    b.attention_norm = make_norm(c, "sa_layer_norm", d.hidden);
    b.up = make_linear(c, Projection::Up, "lin1", d.hidden, d.intermediate, LinearBias::Yes);
    b.down = make_linear(c, Projection::Down, "lin2", d.intermediate, d.hidden, LinearBias::Yes);
    b.output_norm = make_norm(c, "output_layer_norm", d.hidden);
    return b;
}

}  // namespace memwall
