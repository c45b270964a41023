#include <cassert>

#include "model/autograd.hpp"
#include "model/layout.hpp"
#include "model/operators.hpp"

namespace memwall {

namespace {

// Autocast's copy of an operand. Copies of fp32 leaves that need a gradient, as weights, the inputs of a re-entrant
// block and embedded tokens under checkpointing are, are cached until the region ends.
Tensor autocast_copy(Tensor x, Dtype wanted) {
    if (!x || x.dtype() == wanted) return x;
    Recorder& r = x.recorder();
    const TensorData data = r.at(x);
    if (data.dtype != Dtype::Fp32 && data.dtype != Dtype::Bf16 && data.dtype != Dtype::Fp16) return x;
    const bool leaf = data.parameter || (data.node < 0 && !data.view);
    const bool cached = wanted != Dtype::Fp32 && data.requires_grad && leaf;
    if (cached)
        for (const Recorder::CachedCast& entry : r.cast_cache)
            if (entry.parameter == x.id()) return entry.cast;
    const std::int32_t id = x.id();
    Tensor out = cast(std::move(x), wanted);
    if (data.parameter && !r.stopped) r.storage_of(out).weight_cast = true;
    if (cached) r.cast_cache.push_back({id, out});
    return out;
}

Tensor low_precision(Tensor x) {
    if (!x || !x.recorder().settings.autocast) return x;
    const Dtype wanted = x.recorder().settings.autocast_dtype;
    return autocast_copy(std::move(x), wanted);
}
Tensor full_precision(Tensor x) {
    if (!x || !x.recorder().settings.autocast) return x;
    return autocast_copy(std::move(x), Dtype::Fp32);
}

Tensor binary(Operator op, Tensor a, Tensor b) {
    Recorder& r = a.recorder();
    const std::int32_t node = begin_node(r, op, {&a, &b});
    if (node >= 0 && (op == Operator::Mul || op == Operator::Divide)) {
        if (needs(r, node, 1)) keep(r, node, a);
        if (needs(r, node, 0) || op == Operator::Divide) keep(r, node, b);
    }
    Tensor out = elementwise(op, a, b);
    finish_node(r, node, out);
    return out;
}

bool keeps_input(Operator op) { return op == Operator::Silu || op == Operator::Gelu || op == Operator::Power; }
bool keeps_result(Operator op) {
    return op == Operator::Rsqrt || op == Operator::Tanh || op == Operator::Sigmoid || op == Operator::Relu ||
           op == Operator::Exp;
}

Tensor alias_with_node(Operator op, const Tensor& x, const Shape& shape, const Strides& strides, int first = 0,
                       int second = 0) {
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, op, {&x});
    if (node >= 0) r.nodes[static_cast<std::size_t>(node)].argument = {first, second, 0};
    Tensor out = r.alias(x, shape, strides);
    finish_node(r, node, out);
    return out;
}

}  // namespace

Tensor cast(Tensor x, Dtype wanted) {
    if (x.dtype() == wanted) return x;
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Cast, {&x});
    Tensor out = convert(Operator::Cast, x, wanted);
    finish_node(r, node, out);
    return out;
}

Tensor add(Tensor a, Tensor b) { return binary(Operator::Add, std::move(a), std::move(b)); }
Tensor add_in_place(Tensor operand, const Tensor& b) {
    const Tensor a = std::move(operand);
    Recorder& r = a.recorder();
    if (r.graph >= 0) return add(a, b);
    const std::int32_t node = begin_node(r, Operator::Add, {&a, &b});
    Tensor out = r.alias(a, Shape(a.shape()), Strides(r.at(a).strides));
    r.at(out).view = r.at(a).view;
    finish_node(r, node, out);
    return out;
}
Tensor subtract(Tensor a, Tensor b) { return binary(Operator::Subtract, std::move(a), std::move(b)); }
Tensor mul(Tensor a, Tensor b) { return binary(Operator::Mul, std::move(a), std::move(b)); }
Tensor mul_complex(Tensor a, Tensor b) {
    Tensor out = mul(std::move(a), std::move(b));
    Recorder& r = out.recorder();
    if (const std::int32_t node = r.at(out).node; node >= 0) r.nodes[static_cast<std::size_t>(node)].argument[0] = 1;
    return alias_with_node(Operator::View, out, Shape(out.shape()), Strides(r.at(out).strides), 1);  // as real numbers
}
Tensor divide(Tensor a, Tensor b) { return binary(Operator::Divide, std::move(a), std::move(b)); }

Tensor unary(Operator op, Tensor operand) {
    Tensor x = std::move(operand);
    if (row(op).autocast == AutocastRule::Fp32) x = full_precision(std::move(x));
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, op, {&x});
    if (node >= 0 && keeps_input(op)) keep(r, node, x);
    Tensor out = like(op, x);
    if (node >= 0 && keeps_result(op)) keep(r, node, out);
    finish_node(r, node, out);
    return out;
}

Tensor clamp(Tensor operand, Bounds bounds) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Clamp, {&x});
    if (node >= 0) r.nodes[static_cast<std::size_t>(node)].argument = {static_cast<std::int32_t>(bounds), 0, 0};
    if (node >= 0) keep(r, node, x);
    Tensor out = like(Operator::Clamp, x);
    finish_node(r, node, out);
    return out;
}

Tensor power(Tensor x) { return unary(Operator::Power, std::move(x)); }

Tensor mean(Tensor operand) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Mean, {&x});
    Shape shape = x.shape();
    shape[shape.rank - 1] = 0;
    Tensor out = r.allocate(Operator::Mean, shape, x.dtype());
    finish_node(r, node, out);
    return out;
}

Tensor mean(Tensor operand, int axis) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Mean, {&x});
    Shape shape;
    for (int i = 0; i < x.shape().rank; ++i)
        if (i != axis) shape.dims[static_cast<std::size_t>(shape.rank++)] = x.shape()[i];
    Tensor out = r.allocate(Operator::Mean, shape, x.dtype());
    finish_node(r, node, out);
    return out;
}

Tensor dropout(Tensor operand, std::int64_t permille) {
    if (permille == 0) return operand;
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Dropout, {&x});
    Tensor out = like(Operator::Dropout, x);
    const Strides strides = strides_like(r, r.at(x));
    const Tensor mask = r.allocate(Operator::Dropout, Shape(x.shape()), Dtype::Bool, &strides);
    r.storage_of(mask).mask = true;
    if (node >= 0) keep(r, node, mask);
    finish_node(r, node, out);
    return out;
}

namespace {

Tensor softmax_of(Operator op, const Tensor& operand, std::optional<Dtype> dtype) {
    Tensor x = operand;
    Recorder& r = x.recorder();
    if (!dtype && r.settings.autocast) dtype = Dtype::Fp32;
    if (dtype) x = cast(std::move(x), *dtype);
    const std::int32_t node = begin_node(r, op, {&x});
    Tensor out = r.allocate(op, x.shape(), x.dtype());
    r.derive(out, x);
    if (node >= 0) keep(r, node, out);
    if (node >= 0 && r.settings.softmax_keeps_input) keep(r, node, x);
    finish_node(r, node, out);
    return out;
}

}  // namespace

Tensor softmax(Tensor x, std::optional<Dtype> dtype) { return softmax_of(Operator::Softmax, x, dtype); }
Tensor log_softmax(Tensor x, std::optional<Dtype> dtype) { return softmax_of(Operator::LogSoftmax, x, dtype); }

Tensor layer_norm(Tensor operand, Tensor weight, Tensor bias) {
    Tensor x = full_precision(std::move(operand));
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::LayerNorm, {&x, &weight, &bias});
    if (node >= 0) {
        keep(r, node, x);
        if (weight) keep(r, node, weight);
        if (bias) keep(r, node, bias);
    }
    Tensor out = r.allocate(Operator::LayerNorm, x.shape(), x.dtype());
    Shape rows = x.shape();
    rows[rows.rank - 1] = 0;
    const Tensor mean_of_rows = r.allocate(Operator::LayerNorm, rows, Dtype::Fp32);
    const Tensor deviation = r.allocate(Operator::LayerNorm, rows, Dtype::Fp32);
    r.materialize(mean_of_rows);
    r.materialize(deviation);
    r.derive(out, x);
    r.derive(out, mean_of_rows);
    r.derive(out, deviation);
    if (node >= 0) {
        keep(r, node, mean_of_rows);
        keep(r, node, deviation);
    }
    finish_node(r, node, out);
    return out;
}

Tensor view(Tensor operand, const Shape& shape) {
    const Tensor x = std::move(operand);
    const auto strides = view_strides(x.recorder(), x.recorder().at(x), shape);
    assert(strides);
    return alias_with_node(Operator::View, x, shape, *strides);
}

Tensor reshape(Tensor operand, const Shape& shape) {
    Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    if (const auto strides = view_strides(r, r.at(x), shape))
        return alias_with_node(Operator::View, x, shape, *strides);
    x = contiguous(std::move(x));
    return view(std::move(x), shape);
}

Tensor transpose(Tensor operand, int a, int b) {
    const Tensor x = std::move(operand);
    Shape shape = x.shape();
    Strides strides = x.recorder().at(x).strides;
    std::swap(shape[a], shape[b]);
    std::swap(strides[static_cast<std::size_t>(a)], strides[static_cast<std::size_t>(b)]);
    return alias_with_node(Operator::Transpose, x, shape, strides, a, b);
}

Tensor expand(Tensor operand, const Shape& shape) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const TensorData& data = r.at(x);
    Strides strides{};
    const int shift = shape.rank - data.shape.rank;
    for (int i = shift; i < shape.rank; ++i) {
        const bool same = r.size(shape[i]) == r.size(data.shape[i - shift]);
        strides[static_cast<std::size_t>(i)] = same ? data.strides[static_cast<std::size_t>(i - shift)] : 0;
    }
    return alias_with_node(Operator::Expand, x, shape, strides);
}

Tensor contiguous(Tensor x) {
    if (is_contiguous(x.recorder(), x.recorder().at(x))) return x;
    return clone(std::move(x));
}

Tensor clone(Tensor operand) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Clone, {&x});
    Tensor out = copy(Operator::Clone, x);
    finish_node(r, node, out);
    return out;
}

Tensor autocast_operand(Tensor x) { return low_precision(std::move(x)); }

Tensor slice(Tensor operand, int axis, DimId part, std::int64_t step) {
    const Tensor x = std::move(operand);
    Shape shape = x.shape();
    shape[axis] = part;
    Strides strides = x.recorder().at(x).strides;
    strides[static_cast<std::size_t>(axis)] *= step;
    return alias_with_node(Operator::Slice, x, shape, strides, axis);
}

Tensor select(Tensor operand, int axis) {
    const Tensor x = std::move(operand);
    const TensorData data = x.recorder().at(x);
    Shape shape;
    Strides strides{};
    for (int i = 0; i < data.shape.rank; ++i) {
        if (i == axis) continue;
        strides[static_cast<std::size_t>(shape.rank)] = data.strides[static_cast<std::size_t>(i)];
        shape.dims[static_cast<std::size_t>(shape.rank++)] = data.shape[i];
    }
    return alias_with_node(Operator::Select, x, shape, strides, axis);
}

Tensor cat(std::span<const Tensor> parts, int axis, DimId whole) {
    Recorder& r = parts[0].recorder();
    assert(parts.size() >= 2 && parts.size() <= 4);
    const Tensor none;
    const auto part = [&](std::size_t i) { return i < parts.size() ? &parts[i] : &none; };
    const std::int32_t node = begin_node(r, Operator::Cat, {part(0), part(1), part(2), part(3)});
    if (node >= 0) r.nodes[static_cast<std::size_t>(node)].argument = {axis, 0, 0};
    Shape shape = parts[0].shape();
    shape[axis] = whole;
    Dtype dtype = parts[0].dtype();
    for (const Tensor& t : parts)
        dtype = promoted(dtype, t.dtype());
    Tensor out = r.allocate(Operator::Cat, shape, dtype);
    for (const Tensor& t : parts)
        r.derive(out, t);
    finish_node(r, node, out);
    return out;
}

std::array<Tensor, 4> split(Tensor operand, int axis, std::span<const DimId> parts) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Split, {&x});
    if (node >= 0)
        r.nodes[static_cast<std::size_t>(node)].argument = {axis, static_cast<std::int32_t>(parts.size()), 0};
    std::array<Tensor, 4> out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Shape shape = x.shape();
        shape[axis] = parts[i];
        out[i] = r.alias(x, shape, r.at(x).strides);
        finish_node(r, node, out[i], static_cast<int>(i));
    }
    return out;
}

Tensor embedding(Tensor ids, Tensor weight) {
    Recorder& r = weight.recorder();
    const std::int32_t node = begin_node(r, Operator::Embedding, {&weight});
    if (node >= 0) keep(r, node, ids);
    Shape shape = ids.shape();
    shape.dims[static_cast<std::size_t>(shape.rank++)] = weight.shape()[1];
    Tensor out = r.allocate(Operator::Embedding, shape, weight.dtype());
    finish_node(r, node, out);
    return out;
}

Tensor nll_loss(Tensor log_probabilities, Tensor targets) {
    Tensor x = full_precision(std::move(log_probabilities));
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::NllLoss, {&x});
    if (node >= 0) {
        keep(r, node, x);
        keep(r, node, targets);
    }
    Tensor out = r.allocate(Operator::NllLoss, Shape{}, x.dtype());
    const Tensor total_weight = r.allocate(Operator::NllLoss, Shape{}, x.dtype());
    if (node >= 0) keep(r, node, total_weight);
    finish_node(r, node, out);
    return out;
}

}  // namespace memwall
