// gpt-j: attention and MLP on one normed input; sines and cosines are looked up by every layer; scores in fp32.
#include "model/blocks.hpp"
#include "model/model_frame.hpp"

namespace memwall {

namespace {

struct GptJBlock {
    Linear q, k, v, o, up, down;
    NormWeights norm;

    Tensor turn(Context& c, const Tensor& x, const Tensor& table) const;
    Attended scored(Context& c, Tensor query, Tensor key, const Tensor& value) const;
    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& given) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

// Neighbours are turned in pairs: x·cos + (−x₂, x₁)·sin, with each table entry twice.
Tensor GptJBlock::turn(Context& c, const Tensor& x, const Tensor& table) const {
    const ModelDims& d = c.d;
    const Shape wide{0, d.tokens, 0, d.rotary};
    const Tensor sin = c.r.allocate(Operator::Clone, wide, table.dtype());
    const Tensor cos = c.r.allocate(Operator::Clone, wide, table.dtype());
    Tensor straight = mul(x, cos);
    const Shape single{d.batch, d.tokens, d.heads, d.rotary_half, 0};
    Tensor turned;
    {
        const Tensor first = slice(x, 3, d.rotary_half), second = slice(x, 3, d.rotary_half);
        const Tensor parts[] = {view(unary(Operator::Neg, second), single), view(first, single)};
        turned = cat(parts, 4, c.r.dim(2, 2, Monomial{}));
    }
    turned = reshape(std::move(turned), x.shape());
    turned = mul(std::move(turned), sin);
    return add(std::move(straight), std::move(turned));
}

Attended GptJBlock::scored(Context& c, Tensor query, Tensor key, const Tensor& value) const {
    query = cast(query, Dtype::Fp32);
    key = cast(key, Dtype::Fp32);
    Tensor weights = matmul(query, transpose(key, 2, 3));
    weights = unary(Operator::Scale, weights);
    if (c.shared.mask) weights = add(weights, c.shared.mask);
    weights = softmax(weights);
    weights = cast(weights, value.dtype());
    weights = dropout(weights, c.a.attention_dropout_permille);
    Tensor output = matmul(weights, value);
    return {std::move(output), std::move(weights)};
}

Attended GptJBlock::attention(Context& c, const Tensor& hidden) const {
    const ModelDims& d = c.d;
    Recorder& r = c.r;
    Tensor query = run(c, q, hidden), key = run(c, k, hidden), value = run(c, v, hidden);
    const Shape split{d.batch, d.tokens, d.heads, d.head_dim};
    query = view(std::move(query), split);
    key = view(std::move(key), split);
    value = transpose(view(std::move(value), split), 1, 2);
    const InModule module(r, "rotary_pos_emb");
    const std::int64_t places = c.a.max_position_embeddings;
    const Tensor all =
        r.allocate(Operator::Clone, Shape{0, r.dim(places, 1, Monomial(Symbol::Positions)), d.rotary}, Dtype::Fp32);
    const Shape chosen{0, d.tokens, d.rotary};
    const Tensor ids = r.allocate(Operator::Clone, chosen, Dtype::Int64);
    const Tensor table = cast(r.allocate(Operator::Gather, chosen, Dtype::Fp32), key.dtype());
    Tensor key_turn = slice(key, 3, d.rotary), query_turn;
    const Tensor key_pass = slice(key, 3, d.pass_or_nothing);
    query_turn = slice(query, 3, d.rotary);
    const Tensor query_pass = slice(query, 3, d.pass_or_nothing);
    key_turn = turn(c, key_turn, table);
    query_turn = turn(c, query_turn, table);
    {
        const Tensor key_parts[] = {key_turn, key_pass};
        key = cat(key_parts, 3, d.head_dim);
        const Tensor query_parts[] = {query_turn, query_pass};
        query = cat(query_parts, 3, d.head_dim);
    }
    key = transpose(std::move(key), 1, 2);
    query = transpose(std::move(query), 1, 2);
    Attended attended = scored(c, query, key, value);
    attended.output = contiguous(transpose(std::move(attended.output), 1, 2));
    attended.output = view(std::move(attended.output), Shape{d.batch, d.tokens, d.hidden});
    attended.output = run(c, o, attended.output);
    attended.output = dropout(attended.output, c.a.residual_dropout_permille);
    return attended;
}

Tensor GptJBlock::mlp(Context& c, const Tensor& given) const {
    Tensor hidden = run(c, up, given);
    hidden = activation(c, hidden);
    hidden = run(c, down, hidden);
    return dropout(hidden, c.a.residual_dropout_permille);
}

Tensor GptJBlock::operator()(Context& c, Tensor hidden) const {
    const Tensor residual = hidden;
    hidden = run(c, norm, hidden);
    const Attended attended = attention(c, hidden);
    const Tensor fed_forward = mlp(c, hidden);
    hidden = add(add(attended.output, fed_forward), residual);
    return hidden;
}

}  // namespace

Block make_gptj_block(Context& c) {
    const ModelDims& d = c.d;
    GptJBlock b;
    b.norm = make_norm(c, "ln_1", d.hidden);
    b.k = make_linear(c, Projection::Key, "k_proj", d.hidden, d.hidden, LinearBias::No);
    b.v = make_linear(c, Projection::Value, "v_proj", d.hidden, d.hidden, LinearBias::No);
    b.q = make_linear(c, Projection::Query, "q_proj", d.hidden, d.hidden, LinearBias::No);
    b.o = make_linear(c, Projection::Output, "out_proj", d.hidden, d.hidden, LinearBias::No);
    b.up = make_linear(c, Projection::Up, "fc_in", d.hidden, d.intermediate, LinearBias::Yes);
    b.down = make_linear(c, Projection::Down, "fc_out", d.intermediate, d.hidden, LinearBias::Yes);
    return b;
}

Tensor embed_gptj(ModelFrame& m) {
    Context& c = m.c;
    const Tensor hidden = m.keep_local(m.embed_tokens());
    c.shared.position_ids = make_position_ids(m);
    make_mask(m, MaskShape::Causal);
    const InModule module(c.r, "embed_dropout");
    return dropout(hidden, c.a.embedding_dropout_permille);
}

}  // namespace memwall
