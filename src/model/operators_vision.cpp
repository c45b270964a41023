// Convolutions, as image models begin with them, and padded feature maps.
#include "model/autograd.hpp"
#include "model/operators.hpp"

namespace memwall {

Tensor convolution(Tensor operand, Tensor weight, Tensor bias, const Shape& shape) {
    const Tensor added = bias ? autocast_operand(std::move(bias)) : Tensor();
    const Tensor kernel = autocast_operand(std::move(weight));
    const Tensor x = autocast_operand(std::move(operand));
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Convolution, {&x, &kernel, &added});
    if (node >= 0) {
        keep(r, node, x);
        keep(r, node, kernel);
    }
    Tensor out = r.allocate(Operator::Convolution, shape, x.dtype());
    finish_node(r, node, out);
    return out;
}

Tensor pad(Tensor operand, const Shape& shape) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Pad, {&x});
    Tensor out = r.allocate(Operator::Pad, shape, x.dtype());
    finish_node(r, node, out);
    return out;
}

// Input, weight and bias at once.
void run_convolution_formula(Recorder& r, std::int32_t id, Gradients& incoming, Gradients& outgoing) {
    const Node self = r.nodes[static_cast<std::size_t>(id)];
    const Tensor input = kept(r, id, 0), kernel = kept(r, id, 1);
    for (std::size_t i = 0; i < 3; ++i) {
        if (!needs(r, id, static_cast<int>(i))) continue;
        const Edge& e = self.edges[i];
        const OutputMeta operand = r.nodes[static_cast<std::size_t>(e.node)].outputs[static_cast<std::size_t>(e.slot)];
        outgoing[i] = r.allocate(self.op, operand.shape, incoming[0].dtype());
    }
}

}  // namespace memwall
