#include "model/blocks.hpp"

namespace memwall {

namespace {

struct VitBlock {
    Linear q, k, v, o, up, down;
    NormWeights before, after;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& given) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended VitBlock::attention(Context& c, const Tensor& hidden) const {
    const Tensor query = heads_of(c, run(c, q, hidden), c.d.heads);
    const Tensor key = heads_of(c, run(c, k, hidden), c.d.heads);
    const Tensor value = heads_of(c, run(c, v, hidden), c.d.heads);
    Attended attended = attend(c, query, key, value, EagerStyle::Fp32Softmax);
    attended.output = reshape(std::move(attended.output), Shape{c.d.batch, c.d.tokens, c.d.query_width});
    attended.output = run(c, o, attended.output);
    return attended;
}

Tensor VitBlock::mlp(Context& c, const Tensor& given) const {
    Tensor hidden = run(c, up, given);
    hidden = activation(c, hidden);
    return run(c, down, hidden);
}

Tensor VitBlock::operator()(Context& c, Tensor hidden) const {
    Tensor residual = hidden;
    hidden = run(c, before, std::move(hidden));
    Attended attended = attention(c, hidden);
    hidden = std::move(attended.output);
    hidden = dropout(hidden, c.a.residual_dropout_permille);
    hidden = add(hidden, residual);
    residual = hidden;
    hidden = run(c, after, std::move(hidden));
    hidden = mlp(c, hidden);
    hidden = dropout(hidden, c.a.residual_dropout_permille);
    hidden = add(hidden, residual);
    return hidden;
}

}  // namespace

Block make_vit_block(Context& c) {
    const ModelDims& d = c.d;
    VitBlock b;
    b.q = make_linear(c, Projection::Query, "q_proj", d.hidden, d.query_width, bias_if(c.a.qkv_bias));
    b.k = make_linear(c, Projection::Key, "k_proj", d.hidden, d.query_width, bias_if(c.a.qkv_bias));
    b.v = make_linear(c, Projection::Value, "v_proj", d.hidden, d.query_width, bias_if(c.a.qkv_bias));
    b.o = make_linear(c, Projection::Output, "o_proj", d.query_width, d.hidden, bias_if(c.a.o_bias));
    b.before = make_norm(c, "layernorm_before", d.hidden);
    b.after = make_norm(c, "layernorm_after", d.hidden);
    b.up = make_linear(c, Projection::Up, "fc1", d.hidden, d.intermediate, bias_if(c.a.mlp_bias));
    b.down = make_linear(c, Projection::Down, "fc2", d.intermediate, d.hidden, bias_if(c.a.mlp_bias));
    return b;
}

}  // namespace memwall
