// bloom's gelu is an autograd function written in Python: forward and backward are sums and products, one tensor each.
#include "model/autograd.hpp"
#include "model/operators.hpp"

namespace memwall {

namespace {

Tensor step(const Tensor& x) { return like(Operator::BloomGelu, x); }
void step_on(Tensor& x) { x = step(x); }  // the old one dies when the new one exists

// tanh(0.79788456 * x * (1 + 0.044715 * x * x))
Tensor inner_tanh(const Tensor& x) {
    Tensor outer = step(x);
    Tensor sum = step(x);
    step_on(sum);
    step_on(sum);
    Tensor product = step(outer);
    outer.reset();
    sum.reset();
    step_on(product);
    return product;
}

}  // namespace

// x * 0.5 * (1 + tanh)
Tensor bloom_gelu(Tensor operand) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::BloomGelu, {&x});
    if (node >= 0) keep(r, node, x);
    const Tensor half = step(x);
    Tensor more = inner_tanh(x);
    step_on(more);
    Tensor out = step(half);
    finish_node(r, node, out);
    return out;
}

// (0.5 * x * ((1 - tanh * tanh) * (0.79788456 + 0.1070322243 * x * x)) + 0.5 * (1 + tanh)) * gradient
Tensor bloom_gelu_gradient(const Tensor& gradient, const Tensor& x) {
    const Tensor tanh = inner_tanh(x);
    Tensor first = step(x);
    {
        Tensor slope = step(x);
        step_on(slope);
        Tensor square = step(x);
        step_on(square);
        step_on(square);
        Tensor product = step(slope);
        slope.reset();
        square.reset();
        Tensor scaled = step(first);
        first = std::move(scaled);
    }
    Tensor second = step(x);
    step_on(second);
    Tensor sum = step(first);
    first.reset();
    second.reset();
    return elementwise(Operator::BloomGelu, sum, gradient);
}

}  // namespace memwall
