// Operators that routing needs: sums, choices, gathers, products in groups, and operators in place.
#include "model/autograd.hpp"
#include "model/operators.hpp"

namespace memwall {

namespace {

Tensor same_storage(const Tensor& x) { return x.recorder().alias(x, Shape(x.shape()), x.recorder().at(x).strides); }

// Under the ledger policy every scatter is out of place: the instrument's tensors have no data, and PyTorch's
// formulas avoid writing into zeros that are such a subclass.
Tensor scattered(Recorder& r, Operator op, const Shape& whole, Dtype dtype) {
    Tensor zeros = r.allocate(Operator::Zeros, whole, dtype);
    return r.settings.composite_silu ? r.allocate(op, whole, dtype) : zeros;
}

}  // namespace

Tensor divide_in_place(Tensor operand, Tensor other) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Divide, {&x, &other});
    if (node >= 0) {
        if (needs(r, node, 1)) keep(r, node, copy(Operator::Clone, x));
        keep(r, node, other);
    }
    Tensor out = same_storage(x);
    finish_node(r, node, out);
    return out;
}

Tensor scale_in_place(Tensor operand) {
    const Tensor x = std::move(operand);
    const std::int32_t node = begin_node(x.recorder(), Operator::Scale, {&x});
    Tensor out = same_storage(x);
    finish_node(x.recorder(), node, out);
    return out;
}

// What its backward compares with the bounds is a copy.
Tensor clamp_in_place(Tensor operand) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Clamp, {&x});
    if (node >= 0) {
        keep(r, node, copy(Operator::Clone, x));
        r.nodes[static_cast<std::size_t>(node)].argument[0] = static_cast<std::int32_t>(Bounds::Both);
    }
    Tensor out = same_storage(x);
    finish_node(r, node, out);
    return out;
}

Tensor masked_fill_in_place(Tensor operand, Tensor mask) {
    const Tensor x = std::move(operand);
    const std::int32_t node = begin_node(x.recorder(), Operator::MaskedFill, {&x});
    if (node >= 0) keep(x.recorder(), node, mask);
    Tensor out = same_storage(x);
    finish_node(x.recorder(), node, out);
    return out;
}

namespace {

Tensor filled(Tensor operand, const Tensor& mask, std::int32_t constants) {
    const Tensor x = std::move(operand);
    const std::int32_t node = begin_node(x.recorder(), Operator::MaskedFill, {&x});
    if (node >= 0) x.recorder().nodes[static_cast<std::size_t>(node)].argument = {constants, 0, 0};
    if (node >= 0) keep(x.recorder(), node, mask);
    Tensor out = like(Operator::MaskedFill, x);
    finish_node(x.recorder(), node, out);
    return out;
}

}  // namespace

Tensor masked_fill(Tensor x, Tensor mask) { return filled(std::move(x), mask, 0); }
Tensor where(Tensor x, Tensor condition) { return filled(std::move(x), condition, 1); }

Tensor sum(Tensor operand, int axis, KeepDimension kept_dimension) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Sum, {&x});
    Shape shape;
    for (int i = 0; i < x.shape().rank; ++i) {
        if (i == axis && kept_dimension == KeepDimension::No) continue;
        shape.dims[static_cast<std::size_t>(shape.rank++)] = i == axis ? DimId{0} : x.shape()[i];
    }
    if (node >= 0) r.nodes[static_cast<std::size_t>(node)].argument = {axis, 0, 0};
    const bool widens = r.settings.autocast && x.dtype() == r.settings.autocast_dtype;
    Tensor out = r.allocate(Operator::Sum, shape, widens ? Dtype::Fp32 : x.dtype());
    finish_node(r, node, out);
    return out;
}

TopK top_k(Tensor operand, DimId k) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::TopK, {&x});
    Shape shape = x.shape();
    shape[shape.rank - 1] = k;
    TopK out;
    out.values = r.allocate(Operator::TopK, shape, x.dtype());
    out.indices = r.allocate(Operator::TopK, shape, Dtype::Int64);
    if (node >= 0) keep(r, node, out.indices);
    finish_node(r, node, out.values);
    return out;
}

namespace {

Tensor gathered(const Tensor& x, const Tensor& ids, const Shape& shape) {
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Gather, {&x});
    if (node >= 0) keep(r, node, ids);
    Tensor out = r.allocate(Operator::Gather, shape, x.dtype());
    finish_node(r, node, out);
    return out;
}

}  // namespace

Tensor spread(Tensor operand, DimId width) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::IndexCopy, {&x});
    Shape whole = x.shape();
    whole[whole.rank - 1] = width;
    const Tensor zeros = r.allocate(Operator::Zeros, whole, x.dtype());
    Tensor out = r.allocate(Operator::IndexCopy, whole, x.dtype());
    if (node >= 0) keep(r, node, x);
    finish_node(r, node, out);
    return out;
}

Tensor gather_rows(Tensor operand, Tensor ids) {
    const Tensor x = std::move(operand);
    Shape shape = x.shape();
    shape[0] = ids.shape()[0];
    return gathered(x, ids, shape);
}

Tensor pick(Tensor operand, Tensor ids) {
    const Tensor x = std::move(operand);
    return gathered(x, ids, Shape(ids.shape()));
}

Tensor pick_each(Tensor operand, Tensor rows, Tensor places) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Gather, {&x});
    if (node >= 0) {
        keep(r, node, rows);
        keep(r, node, places);
    }
    Tensor out = r.allocate(Operator::Gather, Shape{rows.shape()[0], x.shape()[2]}, x.dtype());
    finish_node(r, node, out);
    return out;
}

Tensor gather_one(Tensor operand, int axis) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::Gather, {&x});
    const Tensor which = r.allocate(Operator::Cast, Shape{0}, Dtype::Int64);
    if (node >= 0) keep(r, node, which);
    Shape shape = x.shape();
    shape[axis] = 0;
    Tensor out = r.allocate(Operator::Gather, shape, x.dtype());
    finish_node(r, node, out);
    return out;
}

Tensor grouped_mm(Tensor operand, Tensor weights, Tensor group_ends) {
    const Tensor x = std::move(operand);
    Recorder& r = x.recorder();
    const std::int32_t node = begin_node(r, Operator::GroupedMm, {&x, &weights});
    if (node >= 0) {
        if (needs(r, node, 1)) keep(r, node, x);
        if (needs(r, node, 0)) keep(r, node, weights);
        keep(r, node, group_ends);
        r.nodes[static_cast<std::size_t>(node)].argument[0] = r.at(weights).strides[2] != 1 ? 1 : 0;
    }
    Tensor out = r.allocate(Operator::GroupedMm, Shape{x.shape()[0], weights.shape()[2]}, x.dtype());
    finish_node(r, node, out);
    return out;
}

void run_routing_formula(Recorder& r, std::int32_t id, Gradients& incoming, Gradients& outgoing) {
    const Node self = r.nodes[static_cast<std::size_t>(id)];
    const auto operand = [&](std::size_t edge) {
        const Edge& e = self.edges[edge];
        return r.nodes[static_cast<std::size_t>(e.node)].outputs[static_cast<std::size_t>(e.slot)];
    };
    const Tensor& grad = incoming[0];
    if (self.op == Operator::Sum) {  // the gradient, expanded
        const Shape whole = operand(0).shape;
        Strides strides{};
        for (int i = 0, from = 0; i < whole.rank; ++i) {
            const bool summed = i == self.argument[0];
            if (!summed) strides[static_cast<std::size_t>(i)] = r.at(grad).strides[static_cast<std::size_t>(from)];
            if (!summed || grad.shape().rank == whole.rank) ++from;
        }
        outgoing[0] = r.alias(grad, whole, strides);
        return;
    }
    if (self.op == Operator::GroupedMm) {
        int at = 0;
        Tensor input, weights;
        if (needs(r, id, 1)) input = kept(r, id, at++);
        if (needs(r, id, 0)) weights = kept(r, id, at++);
        if (needs(r, id, 1)) {  // where the weights were turned: (gradᵀ × input)ᵀ, their layout
            const Shape s = operand(1).shape;
            outgoing[1] = self.argument[0] != 0
                              ? transposed(r.allocate(self.op, Shape{s[0], s[2], s[1]}, grad.dtype()), 1, 2)
                              : r.allocate(self.op, s, grad.dtype());
        }
        if (needs(r, id, 0)) outgoing[0] = r.allocate(self.op, operand(0).shape, grad.dtype());
        return;
    }
    const Tensor places = kept(r, id, 0);
    Tensor zero;  // backward of where() fills with one
    if (self.op == Operator::MaskedFill && self.argument[0] != 0) zero = r.allocate(self.op, Shape{}, grad.dtype());
    outgoing[0] =
        self.op == Operator::MaskedFill ? like(self.op, grad) : scattered(r, self.op, operand(0).shape, grad.dtype());
}

}  // namespace memwall
