// t5: relative positions as a bias of the scores, made by the first block of a stack and passed on; scores added to in
// place; cross-attention in the decoder.
#include "model/blocks.hpp"

namespace memwall {

Tensor t5_norm(Context& c, const NormWeights& n, const Tensor& x) {
    const InModule module(c.r, n.name);
    Tensor squared = power(cast(x, Dtype::Fp32));
    const Tensor variance = mean(std::move(squared));
    Tensor hidden = mul(x, unary(Operator::Rsqrt, unary(Operator::AddScalar, variance)));
    if (n.weight.dtype() != Dtype::Fp32) hidden = cast(hidden, n.weight.dtype());
    return mul(n.weight, hidden);
}

namespace {

struct T5Attention {
    Linear q, k, v, o;
    Tensor relative_bias;

    Tensor relative_positions(Context& c, DimId queries, DimId keys) const;
    Tensor operator()(Context& c, const Tensor& hidden, const Tensor& states, DimId keys, const Tensor& mask,
                      Tensor& position_bias) const;
};

// Distances between tokens, their buckets (kept by the lookup), one number a head and pair.
Tensor T5Attention::relative_positions(Context& c, DimId queries, DimId keys) const {
    const InModule module(c.r, "relative_attention_bias");
    const Shape pairs{queries, keys};
    const Tensor distance = c.r.allocate(Operator::Subtract, pairs, Dtype::Int64);
    const Tensor buckets = c.r.allocate(Operator::Add, pairs, Dtype::Int64);
    {
        const Tensor absolute = c.r.allocate(Operator::Compare, pairs, Dtype::Int64);
        const Tensor is_small = c.r.allocate(Operator::Compare, pairs, Dtype::Bool);
        const Tensor large = c.r.allocate(Operator::Add, pairs, Dtype::Int64);
        const Tensor limit = c.r.allocate(Operator::Compare, pairs, Dtype::Int64);
        const Tensor capped = c.r.allocate(Operator::Compare, pairs, Dtype::Int64);
    }
    Tensor values = embedding(buckets, relative_bias);
    values = transpose(transpose(std::move(values), 1, 2), 0, 1);
    return view(std::move(values), Shape{0, c.d.heads, queries, keys});
}

Tensor T5Attention::operator()(Context& c, const Tensor& hidden, const Tensor& states, DimId keys, const Tensor& mask,
                               Tensor& position_bias) const {
    const ModelDims& d = c.d;
    const DimId queries = d.tokens;
    const auto split = [&](Tensor x, DimId tokens) {
        return transpose(view(std::move(x), Shape{d.batch, tokens, d.heads, d.head_dim}), 1, 2);
    };
    const Tensor query = split(run(c, q, hidden), queries);
    const Tensor key = split(run(c, k, states), keys);
    const Tensor value = split(run(c, v, states), keys);
    const InModule module(c.r, "attention");
    Tensor scores = matmul(query, transpose(key, 3, 2));
    if (!position_bias) {
        if (relative_bias) {
            position_bias = relative_positions(c, queries, keys);
        } else {
            position_bias = c.r.allocate(Operator::Zeros, Shape{0, d.heads, queries, keys}, scores.dtype());
            if (c.v.recompute != RecomputeVariant::None) c.r.at(position_bias).requires_grad = true;
        }
        if (mask) position_bias = add(position_bias, mask);
    }
    scores = add_in_place(scores, position_bias);
    Tensor weights = softmax(cast(scores, Dtype::Fp32));
    weights = cast(weights, scores.dtype());
    weights = dropout(weights, c.a.attention_dropout_permille);
    Tensor output = matmul(weights, value);
    output = contiguous(transpose(output, 1, 2));
    output = reshape(output, Shape{d.batch, queries, d.query_width});
    output = run(c, o, output);
    return output;
}

struct T5Block {
    T5Attention self, cross;
    NormWeights self_norm, cross_norm, mlp_norm;
    Linear gate, up, down;
    bool decodes = false;

    Tensor attend_self(Context& c, const Tensor& hidden) const;
    Tensor attend_encoded(Context& c, const Tensor& hidden) const;
    Tensor dense(Context& c, const Tensor& given) const;
    Tensor feed_forward(Context& c, const Tensor& hidden) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Tensor T5Block::attend_self(Context& c, const Tensor& hidden) const {
    const Tensor normed = t5_norm(c, self_norm, hidden);
    const Tensor attended = self(c, normed, normed, c.d.tokens, c.shared.mask, c.shared.position_bias);
    const InModule module(c.r, "self_attention");
    return add(hidden, dropout(attended, c.a.residual_dropout_permille));
}

Tensor T5Block::attend_encoded(Context& c, const Tensor& hidden) const {
    const Tensor normed = t5_norm(c, cross_norm, hidden);
    const Tensor attended = cross(c, normed, c.shared.encoded, c.d.source_tokens, Tensor(), c.shared.cross_bias);
    const InModule module(c.r, "cross_attention");
    return add(hidden, dropout(attended, c.a.residual_dropout_permille));
}

Tensor T5Block::dense(Context& c, const Tensor& given) const {
    Tensor hidden;
    if (gate.weight) {
        const Tensor gated = activation(c, run(c, gate, given));
        const Tensor linear_part = run(c, up, given);
        hidden = mul(gated, linear_part);
        hidden = dropout(hidden, c.a.residual_dropout_permille);
        hidden = cast(hidden, down.weight.dtype());
        return run(c, down, hidden);
    }
    hidden = run(c, up, given);
    hidden = activation(c, hidden);
    hidden = dropout(hidden, c.a.residual_dropout_permille);
    hidden = cast(hidden, down.weight.dtype());
    hidden = run(c, down, hidden);
    return hidden;
}

Tensor T5Block::feed_forward(Context& c, const Tensor& hidden) const {
    Tensor forwarded = t5_norm(c, mlp_norm, hidden);
    forwarded = dense(c, forwarded);
    const InModule module(c.r, "feed_forward");
    return add(hidden, dropout(forwarded, c.a.residual_dropout_permille));
}

Tensor T5Block::operator()(Context& c, Tensor hidden) const {
    hidden = attend_self(c, hidden);
    if (decodes) hidden = attend_encoded(c, hidden);
    hidden = feed_forward(c, hidden);
    return hidden;
}

T5Attention make_attention(Context& c) {
    const ModelDims& d = c.d;
    T5Attention a;
    a.q = make_linear(c, Projection::Query, "q", d.hidden, d.query_width, LinearBias::No);
    a.k = make_linear(c, Projection::Key, "k", d.hidden, d.query_width, LinearBias::No);
    a.v = make_linear(c, Projection::Value, "v", d.hidden, d.query_width, LinearBias::No);
    a.o = make_linear(c, Projection::Output, "o", d.query_width, d.hidden, LinearBias::No);
    return a;
}

enum class Decodes : std::uint8_t { No, Yes };

Block make_block(Context& c, StackPlace place, Decodes decodes) {
    const ModelDims& d = c.d;
    T5Block b;
    b.self = make_attention(c);
    if (place == StackPlace::First) {
        const DimId buckets = c.r.dim(c.a.encoder_decoder.relative_buckets, 1, Monomial(Symbol::RelativeBuckets));
        b.self.relative_bias = make_parameter(c, "relative_attention_bias", Shape{buckets, d.heads});
    }
    b.self_norm = make_norm(c, "self_attention.layer_norm", d.hidden);
    b.decodes = decodes == Decodes::Yes;
    if (b.decodes) {
        b.cross = make_attention(c);
        b.cross_norm = make_norm(c, "cross_attention.layer_norm", d.hidden);
    }
    if (c.a.mlp_gated) b.gate = make_linear(c, Projection::Gate, "wi_0", d.hidden, d.intermediate, LinearBias::No);
    b.up = make_linear(c, Projection::Up, c.a.mlp_gated ? "wi_1" : "wi", d.hidden, d.intermediate, LinearBias::No);
    b.down = make_linear(c, Projection::Down, "wo", d.intermediate, d.hidden, LinearBias::No);
    b.mlp_norm = make_norm(c, "feed_forward.layer_norm", d.hidden);
    return b;
}

}  // namespace

Block make_t5_encoder_block(Context& c, StackPlace place) { return make_block(c, place, Decodes::No); }
Block make_t5_decoder_block(Context& c, StackPlace place) { return make_block(c, place, Decodes::Yes); }

}  // namespace memwall
