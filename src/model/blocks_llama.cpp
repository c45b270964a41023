#include "model/blocks.hpp"

namespace memwall {

namespace {

struct LlamaBlock {
    Linear q, k, v, o, gate, up, down;
    NormWeights input_norm, post_norm, q_norm, k_norm;
    NormWeights after_attention, after_mlp;  // gemma 2 and 3
    EagerStyle eager = EagerStyle::Fp32Softmax;

    Tensor projected(Context& c, const Linear& linear, const NormWeights& norm, const Tensor& hidden,
                     DimId heads) const;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& hidden) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Tensor LlamaBlock::projected(Context& c, const Linear& linear, const NormWeights& norm, const Tensor& hidden,
                             DimId heads) const {
    Tensor x = view(run(c, linear, hidden), Shape{c.d.batch, c.d.tokens, heads, c.d.head_dim});
    if (norm.weight && !c.shifted_norms) x = run(c, norm, std::move(x));
    return transpose(std::move(x), 1, 2);
}

Attended LlamaBlock::attention(Context& c, const Tensor& hidden) const {
    Tensor query = projected(c, q, q_norm, hidden, c.d.heads);
    Tensor key = projected(c, k, k_norm, hidden, c.d.kv_heads);
    const Tensor value = heads_of(c, run(c, v, hidden), c.d.kv_heads);
    if (q_norm.weight && c.shifted_norms) {  // gemma 3 norms heads after the split
        query = run(c, q_norm, query);
        key = run(c, k_norm, key);
    }
    {
        const InModule module(c.r, "rotary_pos_emb");
        Tensor query_rotated = rotate(c, query, c.shared.cos, c.shared.sin);
        Tensor key_rotated = rotate(c, key, c.shared.cos, c.shared.sin);
        query = std::move(query_rotated);
        key = std::move(key_rotated);
    }
    Attended attended = attend(c, query, key, value, eager);
    attended.output = reshape(std::move(attended.output), Shape{c.d.batch, c.d.tokens, c.d.query_width});
    attended.output = run(c, o, attended.output);
    attended.output = dropout(attended.output, c.a.residual_dropout_permille);
    return attended;
}

Tensor LlamaBlock::mlp(Context& c, const Tensor& given) const {
    if (!c.a.mlp_gated) {
        Tensor hidden = run(c, up, given);
        hidden = activation(c, hidden);
        hidden = run(c, down, hidden);
        return dropout(hidden, c.a.residual_dropout_permille);
    }
    Tensor gated = activation(c, run(c, gate, given));
    Tensor widened = run(c, up, given);
    Tensor product = mul(std::move(gated), std::move(widened));
    return run(c, down, std::move(product));
}

Tensor LlamaBlock::operator()(Context& c, Tensor hidden) const {
    Tensor residual = hidden;
    hidden = run(c, input_norm, std::move(hidden));
    Attended attended = attention(c, hidden);
    hidden = std::move(attended.output);
    if (after_attention.weight) hidden = run(c, after_attention, hidden);
    hidden = add(residual, hidden);
    residual = hidden;
    hidden = run(c, post_norm, std::move(hidden));
    hidden = mlp(c, hidden);
    if (after_mlp.weight) hidden = run(c, after_mlp, hidden);
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
    if (c.a.mlp_gated)
        b.gate = make_linear(c, Projection::Gate, "gate_proj", d.hidden, d.intermediate, bias_if(c.a.mlp_bias));
    b.up = make_linear(c, Projection::Up, "up_proj", d.hidden, d.intermediate, bias_if(c.a.mlp_bias));
    b.down = make_linear(c, Projection::Down, "down_proj", d.intermediate, d.hidden, bias_if(c.a.mlp_bias));
    b.input_norm = make_norm(c, "input_layernorm", d.hidden);
    if (c.a.norms_per_layer == 4) {
        b.after_attention = make_norm(c, "post_attention_layernorm", d.hidden);
        b.post_norm = make_norm(c, "pre_feedforward_layernorm", d.hidden);
        b.after_mlp = make_norm(c, "post_feedforward_layernorm", d.hidden);
    } else {
        b.post_norm = make_norm(c, "post_attention_layernorm", d.hidden);
    }
    if (c.soft_caps) b.eager = EagerStyle::SoftCapped;
    return b;
}

}  // namespace memwall
