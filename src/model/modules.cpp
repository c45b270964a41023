#include "model/modules.hpp"

#include <cassert>

#include "model/autograd.hpp"

namespace memwall {

namespace {

DimId dimension(Recorder& r, std::int64_t value, Symbol s, std::int64_t coefficient = 1) {
    return value == 0 ? DimId{0} : r.dim(value * coefficient, coefficient, Monomial(s));
}

}  // namespace

ModelDims model_dims(Recorder& r, const StepInput& in) {
    const Architecture& a = in.architecture;
    const SymbolValues values = symbol_values(a, in);
    const auto symbol = [&](Symbol s) { return r.dim(values[static_cast<std::size_t>(s)], 1, Monomial(s)); };
    ModelDims d;
    const std::int64_t sharing = a.num_attention_heads / a.num_key_value_heads;
    if (sharing > 1) d.groups = dimension(r, sharing, Symbol::HeadSharing);
    d.batch = symbol(Symbol::MicroBatch);
    d.tokens = symbol(Symbol::Sequence);
    d.tokens_rounded_8 = symbol(Symbol::SequenceRounded8);
    d.tokens_rounded_32 = symbol(Symbol::SequenceRounded32);
    d.tokens_plus_one = symbol(Symbol::SequencePlusOne);
    d.tokens_minus_one = symbol(Symbol::SequenceMinusOne);
    d.rows = r.product(d.batch, d.tokens);
    d.hidden = dimension(r, a.hidden_size, Symbol::Hidden);
    d.two_hidden = dimension(r, a.hidden_size, Symbol::Hidden, 2);
    d.three_hidden = r.product(r.dim(3, 1, Monomial(Symbol::QueryKeyValue)), d.hidden);
    d.intermediate = dimension(r, a.intermediate_size, Symbol::Intermediate);
    d.heads = dimension(r, a.num_attention_heads, Symbol::Heads);
    d.kv_heads =
        a.num_key_value_heads == a.num_attention_heads ? d.heads : dimension(r, a.num_key_value_heads, Symbol::KvHeads);
    d.head_dim = dimension(r, a.head_dim, Symbol::HeadDim);
    d.query_width = query_width(a) == a.hidden_size ? d.hidden : r.product(d.heads, d.head_dim);
    d.kv_width = key_value_width(a) == a.hidden_size ? d.hidden : r.product(d.kv_heads, d.head_dim);
    const std::int64_t rotary = a.head_dim * a.partial_rotary_permille / 1000 / 2 * 2;
    d.rotary_half = dimension(r, rotary / 2, Symbol::RotaryHalf);
    d.rotary = rotary == a.head_dim ? d.head_dim : dimension(r, rotary / 2, Symbol::RotaryHalf, 2);
    d.pass = dimension(r, a.head_dim - rotary, Symbol::PassHeadDim);
    d.pass_or_nothing = a.head_dim > rotary ? d.pass : r.dim(0, 0, Monomial{});
    d.vocabulary = dimension(r, a.vocab_size, Symbol::Vocabulary);
    d.embedding = a.embedding_size == 0 || a.embedding_size == a.hidden_size
                      ? d.hidden
                      : dimension(r, a.embedding_size, Symbol::EmbeddingSize);
    d.positions = dimension(r, a.learned_positions, Symbol::LearnedPositions);
    d.rank = dimension(r, in.lora_rank, Symbol::LoraRank);
    return d;
}

void use_target_tokens(Context& c, const StepInput& in) {
    const SymbolValues values = symbol_values(in.architecture, in);
    const auto symbol = [&](Symbol s) { return c.r.dim(values[static_cast<std::size_t>(s)], 1, Monomial(s)); };
    c.d.source_tokens = c.d.tokens;
    c.d.tokens = symbol(Symbol::Target);
    c.d.tokens_rounded_32 = symbol(Symbol::TargetRounded32);
    c.d.tokens_plus_one = symbol(Symbol::TargetPlusOne);
    c.d.tokens_minus_one = symbol(Symbol::TargetMinusOne);
    c.d.rows = c.r.product(c.d.batch, c.d.tokens);
}

Tensor make_parameter(Context& c, std::string_view name, const Shape& shape) {
    Tensor out = c.r.parameter(shape, c.v.weights, c.trainable && c.v.train != TrainVariant::Lora, c.copies);
    c.r.storage_of(out).module = name;
    c.parameters.push_back(out);
    return out;
}

namespace {

void add_adapter(Context& c, Linear& l, Projection p, DimId in, DimId out) {
    if (c.v.train != TrainVariant::Lora || (c.v.adapter_projections >> static_cast<unsigned>(p) & 1U) == 0) return;
    const auto make = [&](const Shape& shape, std::string_view name) {
        Tensor t = c.r.parameter(shape, c.v.adapter_dtype, true, c.copies);
        c.r.storage_of(t).module = name;
        c.parameters.push_back(t);
        return t;
    };
    l.lora_a = make(Shape{c.d.rank, in}, "lora_A");
    l.lora_b = make(Shape{out, c.d.rank}, "lora_B");
}

}  // namespace

Linear make_linear(Context& c, Projection p, std::string_view name, DimId in, DimId out, LinearBias bias) {
    Linear l;
    l.name = name;
    l.weight = make_parameter(c, name, Shape{out, in});
    if (bias == LinearBias::Yes) l.bias = make_parameter(c, name, Shape{out});
    add_adapter(c, l, p, in, out);
    return l;
}

Linear make_conv1d(Context& c, Projection p, std::string_view name, DimId in, DimId out) {
    Linear l;
    l.name = name;
    l.weight = make_parameter(c, name, Shape{in, out});
    l.bias = make_parameter(c, name, Shape{out});
    add_adapter(c, l, p, in, out);
    return l;
}

NormWeights make_norm(Context& c, std::string_view name, DimId width) {
    NormWeights n;
    n.name = name;
    if (c.a.norm == Norm::LayerNormNonParametric) return n;
    n.weight = make_parameter(c, name, Shape{width});
    if (c.a.norm == Norm::LayerNorm) n.bias = make_parameter(c, name, Shape{width});
    return n;
}

namespace {

// peft: result = base(x); result = result + B(A(dropout(x as the adapter's type))) * scaling; back to its type.
Tensor with_adapter(Context& c, const Linear& l, Tensor x, Tensor result) {
    const Dtype before = result.dtype();
    const Tensor input = cast(x, c.v.adapter_dtype);
    Tensor dropped = dropout(input, c.v.adapter_dropout_permille);
    Tensor low = linear(std::move(dropped), l.lora_a, Tensor());
    Tensor up = linear(std::move(low), l.lora_b, Tensor());
    Tensor scaled = unary(Operator::Scale, std::move(up));
    result = add(std::move(result), std::move(scaled));
    return cast(std::move(result), before);
}

}  // namespace

Tensor run(Context& c, const Linear& l, Tensor x) {
    const InModule module(c.r, l.name);
    if (!l.lora_a) return linear(std::move(x), l.weight, l.bias);
    Tensor result = linear(x, l.weight, l.bias);
    return with_adapter(c, l, std::move(x), std::move(result));
}

Tensor run_conv1d(Context& c, const Linear& l, Tensor x) {
    const InModule module(c.r, l.name);
    if (!l.lora_a) return conv1d(std::move(x), l.weight, l.bias);
    Tensor result = conv1d(x, l.weight, l.bias);
    return with_adapter(c, l, std::move(x), std::move(result));
}

Tensor rms_norm(Context& c, const NormWeights& n, Tensor x) {
    const InModule module(c.r, n.name);
    const Dtype before = x.dtype();
    Tensor hidden = cast(x, Dtype::Fp32);  // the call holds its argument
    Tensor squared = power(hidden);
    const Tensor variance = mean(std::move(squared));
    Tensor shifted = unary(Operator::AddScalar, variance);
    Tensor inverse = unary(Operator::Rsqrt, std::move(shifted));
    hidden = mul(std::move(hidden), std::move(inverse));
    Tensor back = cast(hidden, before);
    return mul(n.weight, std::move(back));
}

// gemma: (x as fp32, normed) * (1 + weight as fp32), back to x's type.
Tensor shifted_rms_norm(Context& c, const NormWeights& n, Tensor x) {
    const InModule module(c.r, n.name);
    Tensor hidden = cast(x, Dtype::Fp32);  // lives until it is normed
    Tensor squared = power(hidden);
    Tensor shifted = unary(Operator::AddScalar, mean(std::move(squared)));
    Tensor output = mul(std::move(hidden), unary(Operator::Rsqrt, std::move(shifted)));
    Tensor factor = unary(Operator::AddScalar, cast(n.weight, Dtype::Fp32));
    output = mul(output, std::move(factor));
    return cast(output, x.dtype());
}

Tensor run(Context& c, const NormWeights& n, Tensor x) {
    if (c.a.norm == Norm::RmsNorm) {
        if (c.shifted_norms) return shifted_rms_norm(c, n, std::move(x));
        return rms_norm(c, n, std::move(x));
    }
    const InModule module(c.r, n.name);
    return layer_norm(std::move(x), n.weight, n.bias);
}

Tensor activation(Context& c, Tensor x) {
    const InModule module(c.r, "act_fn");
    switch (c.a.hidden_act) {
        case ActivationFunction::Silu:
            return unary(Operator::Silu, std::move(x));
        case ActivationFunction::Gelu:
        case ActivationFunction::GeluTanh:
            return unary(Operator::Gelu, std::move(x));
        case ActivationFunction::Relu:
            return unary(Operator::Relu, std::move(x));
        case ActivationFunction::ReluSquared: {
            Tensor y = unary(Operator::Relu, std::move(x));
            return power(std::move(y));
        }
        case ActivationFunction::QuickGelu: {
            Tensor scaled = unary(Operator::Scale, x);
            Tensor gate = unary(Operator::Sigmoid, std::move(scaled));
            return mul(x, std::move(gate));
        }
        case ActivationFunction::XIelu:
        case ActivationFunction::Gegelu:  // no block program uses them
            assert(false);
            return x;
        case ActivationFunction::GeluNew: {  // 0.5 x (1 + tanh(c (x + 0.044715 x^3))), written out in Python
            Tensor half = unary(Operator::Scale, x);
            Tensor cubed = power(x);
            Tensor scaled = unary(Operator::Scale, std::move(cubed));
            Tensor sum = add(x, std::move(scaled));
            Tensor inner = unary(Operator::Scale, std::move(sum));
            Tensor t = unary(Operator::Tanh, std::move(inner));
            Tensor one_more = unary(Operator::AddScalar, std::move(t));
            return mul(std::move(half), std::move(one_more));
        }
    }
    return x;
}

Tensor rotate(Context& c, const Tensor& x, const Tensor& cos, const Tensor& sin) {
    const int last = x.shape().rank - 1;
    const DimId half = c.d.rotary_half;
    Tensor straight = mul(x, cos);
    const Tensor first = slice(x, last, half);
    const Tensor second = slice(x, last, half);
    Tensor turned;
    {
        const Tensor parts[] = {unary(Operator::Neg, second), first};
        turned = cat(parts, last, x.shape()[last]);
    }
    turned = mul(std::move(turned), sin);
    return add(std::move(straight), std::move(turned));
}

}  // namespace memwall
