// The same operators without a graph: allocation, shape and strides alone.
#include <cassert>

#include "model/layout.hpp"
#include "model/operators.hpp"

namespace memwall {

Dtype promoted(Dtype a, Dtype b) {
    if (a == b) return a;
    const auto floating = [](Dtype d) { return d == Dtype::Fp32 || d == Dtype::Bf16 || d == Dtype::Fp16; };
    if (!floating(a)) return b;
    if (!floating(b)) return a;
    return Dtype::Fp32;  // two different ones of which at most one is fp32
}

Tensor elementwise(Operator op, const Tensor& a, const Tensor& b) {
    Recorder& r = a.recorder();
    const TensorData x = r.at(a), y = r.at(b);
    const Shape shape = broadcast_shape(r, x.shape, y.shape);
    const std::array<const TensorData*, 2> operands{&x, &y};
    const Strides strides = elementwise_strides(r, shape, operands);
    Tensor out = r.allocate(op, shape, promoted(x.dtype, y.dtype), &strides);
    r.derive(out, a);
    r.derive(out, b);
    return out;
}

Tensor like(Operator op, const Tensor& x, Dtype dtype) {
    Recorder& r = x.recorder();
    const TensorData data = r.at(x);
    const Strides strides = strides_like(r, data);
    Tensor out = r.allocate(op, data.shape, dtype, &strides);
    r.derive(out, x);
    return out;
}
Tensor like(Operator op, const Tensor& x) { return like(op, x, x.dtype()); }
Tensor convert(Operator op, const Tensor& x, Dtype dtype) { return like(op, x, dtype); }
Tensor copy(Operator op, const Tensor& x) {
    Recorder& r = x.recorder();
    Tensor out = r.allocate(op, Shape(x.shape()), x.dtype());
    r.derive(out, x);
    return out;
}

Tensor sum_to(Tensor operand, const Shape& wanted) {
    Recorder& r = operand.recorder();
    const Shape shape = operand.shape();
    const int leading = shape.rank - wanted.rank;
    if (leading < 0) return operand;
    Shape reduced = shape;
    bool any = leading > 0;
    for (int i = 0; i < shape.rank; ++i) {
        const bool drop = i < leading || (r.size(wanted[i - leading]) == 1 && r.size(shape[i]) != 1);
        if (drop) reduced[i] = 0;
        any = any || drop;
    }
    if (!any) return operand;
    const Tensor x = std::move(operand);
    Tensor out = r.allocate(Operator::Sum, reduced, x.dtype());
    return leading > 0 ? reshaped(std::move(out), wanted) : std::move(out);
}

Tensor reshaped(Tensor operand, const Shape& shape) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    if (x.shape() == shape) return x;
    if (const auto strides = view_strides(r, r.at(x), shape)) return r.alias(x, shape, *strides);
    const Tensor dense = copy(Operator::Clone, x);
    const auto strides = view_strides(r, r.at(dense), shape);
    assert(strides);
    return r.alias(dense, shape, *strides);
}

Tensor transposed(const Tensor& x, int a, int b) {
    Shape shape = x.shape();
    Strides strides = x.recorder().at(x).strides;
    std::swap(shape[a], shape[b]);
    std::swap(strides[static_cast<std::size_t>(a)], strides[static_cast<std::size_t>(b)]);
    return x.recorder().alias(x, shape, strides);
}

Tensor matrix_product(Operator op, const Tensor& a, const Tensor& b) {
    Shape shape = a.shape();
    shape[shape.rank - 1] = b.shape()[b.shape().rank - 1];
    return a.recorder().allocate(op, shape, a.dtype());
}

}  // namespace memwall
