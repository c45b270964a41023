// opt: norms before (or, 350m, after) attention and MLP, query scaled before its heads are split.
#include "model/blocks.hpp"

namespace memwall {

namespace {

struct OptBlock {
    Linear k, v, q, out, fc1, fc2;
    NormWeights attention_norm, final_norm;
    bool norm_before = true;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended OptBlock::attention(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    Tensor query = unary(Operator::Scale, run(c, q, hidden));
    query = heads_of(c, std::move(query), d.heads);
    Tensor key = run(c, k, hidden);
    Tensor value = run(c, v, hidden);
    key = heads_of(c, std::move(key), d.heads);
    value = heads_of(c, std::move(value), d.heads);
    Attended attended = attend(c, query, key, value, EagerStyle::Fp32Softmax);
    attended.output = reshape(std::move(attended.output), Shape{d.batch, d.tokens, d.hidden});
    attended.output = run(c, out, attended.output);
    return attended;
}

Tensor OptBlock::operator()(Context& c, Tensor hidden) const {
    const ModelDims& d = c.d;
    Tensor residual = hidden;
    if (norm_before) hidden = run(c, attention_norm, hidden);
    Attended attended = attention(c, hidden);
    hidden = std::move(attended.output);
    hidden = dropout(hidden, c.a.residual_dropout_permille);
    hidden = add(residual, hidden);
    if (!norm_before) hidden = run(c, attention_norm, hidden);
    hidden = reshape(hidden, Shape{d.rows, d.hidden});
    residual = hidden;
    if (norm_before) hidden = run(c, final_norm, hidden);
    hidden = run(c, fc1, hidden);
    hidden = activation(c, hidden);
    hidden = run(c, fc2, hidden);
    hidden = dropout(hidden, c.a.residual_dropout_permille);
    Tensor sum = add(residual, hidden);
    hidden = view(std::move(sum), Shape{d.batch, d.tokens, d.hidden});
    if (!norm_before) hidden = run(c, final_norm, hidden);
    return hidden;
}

}  // namespace

Block make_opt_block(Context& c) {
    const ModelDims& d = c.d;
    OptBlock b;
    b.norm_before = c.a.final_norm;
    b.k = make_linear(c, Projection::Key, "k_proj", d.hidden, d.hidden, bias_if(c.a.qkv_bias));
    b.v = make_linear(c, Projection::Value, "v_proj", d.hidden, d.hidden, bias_if(c.a.qkv_bias));
    b.q = make_linear(c, Projection::Query, "q_proj", d.hidden, d.hidden, bias_if(c.a.qkv_bias));
    b.out = make_linear(c, Projection::Output, "out_proj", d.hidden, d.hidden, bias_if(c.a.o_bias));
    b.attention_norm = make_norm(c, "self_attn_layer_norm", d.hidden);
    b.fc1 = make_linear(c, Projection::Up, "fc1", d.hidden, d.intermediate, bias_if(c.a.mlp_bias));
    b.fc2 = make_linear(c, Projection::Down, "fc2", d.intermediate, d.hidden, bias_if(c.a.mlp_bias));
    b.final_norm = make_norm(c, "final_layer_norm", d.hidden);
    return b;
}

}  // namespace memwall
