#include "model/blocks.hpp"

namespace memwall {

namespace {

struct LlamaBlock {
    Linear q, k, v, o, gate, up, down;
    NormWeights input_norm, post_norm, q_norm, k_norm;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& hidden) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended LlamaBlock::attention(Context& c, const Tensor& hidden) const {
    const bool normed = c.a.qk_norm == QkNorm::Head;
    Tensor query = view(run(c, q, hidden), Shape{c.d.batch, c.d.tokens, c.d.heads, c.d.head_dim});
    if (normed) query = rms_norm(c, q_norm, std::move(query));
    query = transpose(std::move(query), 1, 2);
    Tensor key = view(run(c, k, hidden), Shape{c.d.batch, c.d.tokens, c.d.kv_heads, c.d.head_dim});
    if (normed) key = rms_norm(c, k_norm, std::move(key));
    key = transpose(std::move(key), 1, 2);
    const Tensor value = heads_of(c, run(c, v, hidden), c.d.kv_heads);
    {
        const InModule module(c.r, "rotary_pos_emb");
        Tensor query_rotated = rotate(c, query, c.shared.cos, c.shared.sin);
        Tensor key_rotated = rotate(c, key, c.shared.cos, c.shared.sin);
        query = std::move(query_rotated);
        key = std::move(key_rotated);
    }
    Attended attended = attend(c, query, key, value, EagerStyle::Fp32Softmax);
    attended.output = reshape(std::move(attended.output), Shape{c.d.batch, c.d.tokens, c.d.query_width});
    attended.output = run(c, o, attended.output);
    return attended;
}

Tensor LlamaBlock::mlp(Context& c, const Tensor& hidden) const {
    Tensor gated = activation(c, run(c, gate, hidden));
    Tensor widened = run(c, up, hidden);
    Tensor product = mul(std::move(gated), std::move(widened));
    return run(c, down, std::move(product));
}

Tensor LlamaBlock::operator()(Context& c, Tensor hidden) const {
    Tensor residual = hidden;
    hidden = run(c, input_norm, std::move(hidden));
    Attended attended = attention(c, hidden);
    hidden = std::move(attended.output);
    hidden = add(residual, hidden);
    residual = hidden;
    hidden = run(c, post_norm, std::move(hidden));
    hidden = mlp(c, hidden);
    hidden = add(residual, hidden);
    return hidden;
}

}  // namespace

Block make_llama_block(Context& c) {
    const ModelDims& d = c.d;
    LlamaBlock b;
    b.q = make_linear(c, Projection::Query, "q_proj", d.hidden, d.query_width, bias_if(c.a.qkv_bias));
    b.k = make_linear(c, Projection::Key, "k_proj", d.hidden, d.kv_width, bias_if(c.a.qkv_bias));
    b.v = make_linear(c, Projection::Value, "v_proj", d.hidden, d.kv_width, bias_if(c.a.qkv_bias));
    b.o = make_linear(c, Projection::Output, "o_proj", d.query_width, d.hidden, bias_if(c.a.o_bias));
    if (c.a.qk_norm == QkNorm::Head) {
        b.q_norm = make_norm(c, "q_norm", d.head_dim);
        b.k_norm = make_norm(c, "k_norm", d.head_dim);
    }
    b.gate = make_linear(c, Projection::Gate, "gate_proj", d.hidden, d.intermediate, bias_if(c.a.mlp_bias));
    b.up = make_linear(c, Projection::Up, "up_proj", d.hidden, d.intermediate, bias_if(c.a.mlp_bias));
    b.down = make_linear(c, Projection::Down, "down_proj", d.intermediate, d.hidden, bias_if(c.a.mlp_bias));
    b.input_norm = make_norm(c, "input_layernorm", d.hidden);
    b.post_norm = make_norm(c, "post_attention_layernorm", d.hidden);
    return b;
}

}  // namespace memwall
