// phi-3: llama with one matrix for q, k and v and one for gate and up; rotation joins a part that is passed through,
// even where that is empty.
#include "model/blocks.hpp"

namespace memwall {

namespace {

struct Phi3Block {
    Linear output, qkv, gate_up, down;
    NormWeights input_norm, post_norm;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& hidden) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended Phi3Block::attention(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    const Tensor fused = run(c, qkv, hidden);
    Tensor query = slice(fused, 2, d.query_width);
    Tensor key = slice(fused, 2, d.kv_width);
    Tensor value = slice(fused, 2, d.kv_width);
    query = heads_of(c, std::move(query), d.heads);
    key = heads_of(c, std::move(key), d.kv_heads);
    value = heads_of(c, std::move(value), d.kv_heads);
    {
        const InModule module(c.r, "rotary_pos_emb");
        const auto turned_part = [&](const Tensor& x) { return d.rotary == d.head_dim ? x : slice(x, 3, d.rotary); };
        const Tensor query_turn = turned_part(query), query_pass = slice(query, 3, d.pass_or_nothing);
        const Tensor key_turn = turned_part(key), key_pass = slice(key, 3, d.pass_or_nothing);
        const auto joined = [&](const Tensor& turn, const Tensor& pass) {
            const Tensor parts[] = {rotate(c, turn, c.shared.cos, c.shared.sin), pass};
            return cat(parts, 3, d.head_dim);
        };
        Tensor query_out = joined(query_turn, query_pass);
        key = joined(key_turn, key_pass);
        query = std::move(query_out);
    }
    Attended attended = attend(c, query, key, value, EagerStyle::Fp32Softmax);
    attended.output = reshape(std::move(attended.output), Shape{d.batch, d.tokens, d.query_width});
    attended.output = run(c, output, attended.output);
    return attended;
}

Tensor Phi3Block::mlp(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    Tensor up = run(c, gate_up, hidden);
    const DimId halves[] = {d.intermediate, d.intermediate};
    auto parts = split(up, 2, halves);
    const Tensor gate = std::move(parts[0]);
    up = std::move(parts[1]);
    up = mul(up, activation(c, gate));
    return run(c, down, up);
}

Tensor Phi3Block::operator()(Context& c, Tensor hidden) const {
    Tensor residual = hidden;
    hidden = run(c, input_norm, hidden);
    Attended attended = attention(c, hidden);
    hidden = std::move(attended.output);
    hidden = add(residual, dropout(hidden, c.a.residual_dropout_permille));
    residual = hidden;
    hidden = run(c, post_norm, hidden);
    hidden = mlp(c, hidden);
    hidden = add(residual, dropout(hidden, c.a.residual_dropout_permille));
    return hidden;
}

}  // namespace

Block make_phi3_block(Context& c) {
    const ModelDims& d = c.d;
    const Architecture& a = c.a;
    const std::int64_t heads = a.num_attention_heads + 2 * a.num_key_value_heads;
    const auto symbol = [&](std::int64_t value, Symbol s) { return c.r.dim(value, 1, Monomial(s)); };
    Phi3Block b;
    b.output = make_linear(c, Projection::Output, "o_proj", d.query_width, d.hidden, LinearBias::No);
    const DimId fused = a.num_attention_heads == a.num_key_value_heads && query_width(a) == a.hidden_size
                            ? d.three_hidden
                            : c.r.product(symbol(heads, Symbol::QueryAndCacheHeads), d.head_dim);
    b.qkv = make_linear(c, Projection::Qkv, "qkv_proj", d.hidden, fused, LinearBias::No);
    const DimId both = c.r.product(d.intermediate, symbol(2, Symbol::GateAndUp));
    b.gate_up = make_linear(c, Projection::Up, "gate_up_proj", d.hidden, both, LinearBias::No);
    b.down = make_linear(c, Projection::Down, "down_proj", d.intermediate, d.hidden, LinearBias::No);
    b.input_norm = make_norm(c, "input_layernorm", d.hidden);
    b.post_norm = make_norm(c, "post_attention_layernorm", d.hidden);
    return b;
}

}  // namespace memwall
