#include "model/blocks.hpp"

namespace memwall {

namespace {

struct Gpt2Block {
    NormWeights first_norm, second_norm;
    Linear qkv, output, up, down;

    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& given) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Attended Gpt2Block::attention(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    Tensor query, key, value;
    {
        const DimId parts[] = {d.hidden, d.hidden, d.hidden};
        auto split_states = split(run_conv1d(c, qkv, hidden), 2, parts);
        query = std::move(split_states[0]);
        key = std::move(split_states[1]);
        value = std::move(split_states[2]);
    }
    key = heads_of(c, std::move(key), d.heads);
    value = heads_of(c, std::move(value), d.heads);
    query = heads_of(c, std::move(query), d.heads);
    Attended attended = attend(c, query, key, value, EagerStyle::NativeSoftmax);
    attended.output = contiguous(reshape(std::move(attended.output), Shape{d.batch, d.tokens, d.hidden}));
    attended.output = run_conv1d(c, output, attended.output);
    attended.output = dropout(attended.output, c.a.residual_dropout_permille);
    return attended;
}

Tensor Gpt2Block::mlp(Context& c, const Tensor& given) const {
    Tensor hidden = run_conv1d(c, up, given);
    hidden = activation(c, hidden);
    hidden = run_conv1d(c, down, hidden);
    const InModule module(c.r, "mlp");
    hidden = dropout(hidden, c.a.residual_dropout_permille);
    return hidden;
}

Tensor Gpt2Block::operator()(Context& c, Tensor hidden) const {
    Tensor residual = hidden;
    hidden = run(c, first_norm, hidden);
    const Attended attended = attention(c, hidden);
    hidden = add(attended.output, residual);
    residual = hidden;
    hidden = run(c, second_norm, hidden);
    const Tensor fed_forward = mlp(c, hidden);
    hidden = add(residual, fed_forward);
    return hidden;
}

}  // namespace

Block make_gpt2_block(Context& c) {
    const ModelDims& d = c.d;
    Gpt2Block b;
    b.first_norm = make_norm(c, "ln_1", d.hidden);
    b.qkv = make_conv1d(c, Projection::Qkv, "c_attn", d.hidden, d.three_hidden);
    b.output = make_conv1d(c, Projection::Output, "attn.c_proj", d.hidden, d.hidden);
    b.second_norm = make_norm(c, "ln_2", d.hidden);
    b.up = make_conv1d(c, Projection::Up, "c_fc", d.hidden, d.intermediate);
    b.down = make_conv1d(c, Projection::Down, "mlp.c_proj", d.intermediate, d.hidden);
    return b;
}

}  // namespace memwall
