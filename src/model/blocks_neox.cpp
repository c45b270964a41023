// gpt-neox: attention and MLP side by side, rotary positions on a part of each head, one matrix for q, k and v.
#include "model/blocks.hpp"

namespace memwall {

namespace {

struct NeoxBlock {
    NormWeights input_norm, post_norm;
    Linear qkv, dense, up, down;

    Tensor rotate_part(Context& c, const Tensor& rotated, const Tensor& passed) const;
    Attended attention(Context& c, Tensor given) const;
    Tensor mlp(Context& c, Tensor given) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended NeoxBlock::attention(Context& c, Tensor given) const {
    const ModelDims& d = c.d;
    const Tensor hidden = std::move(given);
    const DimId width = c.r.product(d.head_dim, c.r.dim(3, 1, Monomial(Symbol::QueryKeyValue)));
    Tensor fused = view(run(c, qkv, hidden), Shape{d.batch, d.tokens, d.heads, width});
    fused = transpose(std::move(fused), 1, 2);
    const DimId parts[] = {d.head_dim, d.head_dim, d.head_dim};
    auto chunks = split(fused, 3, parts);
    Tensor query = std::move(chunks[0]), key = std::move(chunks[1]);
    const Tensor value = std::move(chunks[2]);
    {
        const InModule module(c.r, "rotary_pos_emb");
        const Tensor query_turn = slice(query, 3, d.rotary), query_pass = slice(query, 3, d.pass);
        const Tensor key_turn = slice(key, 3, d.rotary), key_pass = slice(key, 3, d.pass);
        Tensor query_out = rotate(c, query_turn, c.shared.cos, c.shared.sin);
        Tensor key_out = rotate(c, key_turn, c.shared.cos, c.shared.sin);
        const auto join = [&](const Tensor& turned, const Tensor& passed) {
            const Tensor both[] = {turned, passed};
            return cat(both, 3, d.head_dim);
        };
        query_out = join(query_out, query_pass);
        key_out = join(key_out, key_pass);
        query = std::move(query_out);
        key = std::move(key_out);
    }
    Attended attended = attend(c, query, key, value, EagerStyle::Fp32Softmax);
    attended.output = reshape(std::move(attended.output), Shape{d.batch, d.tokens, d.hidden});
    attended.output = run(c, dense, attended.output);
    return attended;
}

Tensor NeoxBlock::mlp(Context& c, Tensor given) const {
    const Tensor input = std::move(given);
    Tensor hidden = run(c, up, input);
    hidden = activation(c, hidden);
    return run(c, down, hidden);
}

Tensor NeoxBlock::operator()(Context& c, Tensor hidden) const {
    Attended attended = attention(c, run(c, input_norm, hidden));
    attended.output = dropout(attended.output, c.a.residual_dropout_permille);
    Tensor fed_forward = mlp(c, run(c, post_norm, hidden));
    fed_forward = dropout(fed_forward, c.a.residual_dropout_permille);
    Tensor sum = add(fed_forward, attended.output);
    hidden = add(std::move(sum), hidden);
    return hidden;
}

}  // namespace

Block make_neox_block(Context& c) {
    const ModelDims& d = c.d;
    NeoxBlock b;
    b.input_norm = make_norm(c, "input_layernorm", d.hidden);
    b.post_norm = make_norm(c, "post_attention_layernorm", d.hidden);
    b.qkv = make_linear(c, Projection::Qkv, "query_key_value", d.hidden, d.three_hidden, bias_if(c.a.qkv_bias));
    b.dense = make_linear(c, Projection::Output, "dense", d.hidden, d.hidden, bias_if(c.a.o_bias));
    b.up = make_linear(c, Projection::Up, "dense_h_to_4h", d.hidden, d.intermediate, LinearBias::Yes);
    b.down = make_linear(c, Projection::Down, "dense_4h_to_h", d.intermediate, d.hidden, LinearBias::Yes);
    return b;
}

}  // namespace memwall
