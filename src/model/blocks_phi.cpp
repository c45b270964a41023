// phi: attention and MLP on the same normed input, rotary positions on a part of each head.
#include "model/blocks.hpp"

namespace memwall {

namespace {

struct PhiBlock {
    Linear q, k, v, dense, up, down;
    NormWeights norm;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& given) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended PhiBlock::attention(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    Tensor query = heads_of(c, run(c, q, hidden), d.heads);
    Tensor key = heads_of(c, run(c, k, hidden), d.kv_heads);
    const Tensor value = heads_of(c, run(c, v, hidden), d.kv_heads);
    Tensor query_turn = slice(query, 3, d.rotary), key_turn;
    const Tensor query_pass = slice(query, 3, d.pass);
    key_turn = slice(key, 3, d.rotary);
    const Tensor key_pass = slice(key, 3, d.pass);
    {
        const InModule module(c.r, "rotary_pos_emb");
        Tensor query_out = rotate(c, query_turn, c.shared.cos, c.shared.sin);
        key_turn = rotate(c, key_turn, c.shared.cos, c.shared.sin);
        query_turn = std::move(query_out);
        const Tensor query_parts[] = {query_turn, query_pass};
        query = cat(query_parts, 3, d.head_dim);
        const Tensor key_parts[] = {key_turn, key_pass};
        key = cat(key_parts, 3, d.head_dim);
    }
    Attended attended = attend(c, query, key, value, EagerStyle::Fp32Softmax);
    attended.output = reshape(std::move(attended.output), Shape{d.batch, d.tokens, d.query_width});
    attended.output = run(c, dense, attended.output);
    return attended;
}

Tensor PhiBlock::mlp(Context& c, const Tensor& given) const {
    Tensor hidden = run(c, up, given);
    hidden = activation(c, hidden);
    return run(c, down, hidden);
}

Tensor PhiBlock::operator()(Context& c, Tensor hidden) const {
    const Tensor residual = hidden;
    hidden = run(c, norm, hidden);
    Attended attended = attention(c, hidden);
    attended.output = dropout(attended.output, c.a.residual_dropout_permille);
    const Tensor fed_forward = dropout(mlp(c, hidden), c.a.residual_dropout_permille);
    Tensor sum = add(attended.output, fed_forward);
    hidden = add(std::move(sum), residual);
    return hidden;
}

}  // namespace

Block make_phi_block(Context& c) {
    const ModelDims& d = c.d;
    PhiBlock b;
    b.q = make_linear(c, Projection::Query, "q_proj", d.hidden, d.query_width, LinearBias::Yes);
    b.k = make_linear(c, Projection::Key, "k_proj", d.hidden, d.kv_width, LinearBias::Yes);
    b.v = make_linear(c, Projection::Value, "v_proj", d.hidden, d.kv_width, LinearBias::Yes);
    b.dense = make_linear(c, Projection::Output, "dense", d.query_width, d.hidden, LinearBias::Yes);
    b.up = make_linear(c, Projection::Up, "fc1", d.hidden, d.intermediate, LinearBias::Yes);
    b.down = make_linear(c, Projection::Down, "fc2", d.intermediate, d.hidden, LinearBias::Yes);
    b.norm = make_norm(c, "input_layernorm", d.hidden);
    return b;
}

}  // namespace memwall
