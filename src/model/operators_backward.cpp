// What the backward of each operator allocates, in which order. Source: PyTorch derivatives.yaml and
// FunctionsManual.cpp; gradients are computed in alphabetical order of the operands' names there.
#include <cassert>

#include "model/autograd.hpp"
#include "model/layout.hpp"
#include "model/operators.hpp"

namespace memwall {

namespace {

struct Backward {
    Recorder& r;
    std::int32_t node;
    Gradients& incoming;
    Gradients& outgoing;

    const Node& self() const { return r.nodes[static_cast<std::size_t>(node)]; }
    bool wanted(int edge) const { return needs(r, node, edge); }
    Operator op() const { return self().op; }
    const OutputMeta& operand(int edge) const {
        const Edge& e = self().edges[static_cast<std::size_t>(edge)];
        return r.nodes[static_cast<std::size_t>(e.node)].outputs[static_cast<std::size_t>(e.slot)];
    }
    Tensor& out(int edge) { return outgoing[static_cast<std::size_t>(edge)]; }
    Tensor& grad() { return incoming[0]; }

    void pass();
    void multiply();
    void divide();
    void power();
    void rsqrt();
    void silu();
    void clamp();
    void layer_norm();
    void cat();
    void split();
    void pad(Operator);
    void product();
    void attention();
    void embedding();
    void precomputed();
};

void Backward::pass() {
    for (int i = 0; i < self().edge_count; ++i)
        if (wanted(i)) out(i) = grad();
    // The incoming reference is one more owner, as in the engine.
}

void Backward::multiply() {
    int at = 0;
    Tensor first, second;
    if (wanted(1)) first = kept(r, node, at++);
    if (wanted(0)) second = kept(r, node, at++);
    if (wanted(1)) out(1) = elementwise(Operator::Mul, grad(), first);
    if (wanted(0) && self().argument[0] != 0) second = copy(Operator::Clone, second);  // its conjugate
    if (wanted(0)) out(0) = elementwise(Operator::Mul, grad(), second);
}

void Backward::divide() {
    int at = 0;
    Tensor numerator;
    if (wanted(1)) numerator = kept(r, node, at++);
    const Tensor denominator = kept(r, node, at);
    if (wanted(1)) {
        const Tensor ratio = elementwise(Operator::Divide, numerator, denominator);
        const Tensor again = elementwise(Operator::Divide, ratio, denominator);
        const Tensor negated = like(Operator::Neg, grad());
        out(1) = elementwise(Operator::Mul, negated, again);
    }
    if (wanted(0)) out(0) = elementwise(Operator::Divide, grad(), denominator);
}

// grad * (exponent * self^(exponent - 1))
void Backward::power() {
    const Tensor x = kept(r, node, 0);
    const Tensor raised = like(Operator::Power, x);
    const Tensor scaled = like(Operator::Scale, raised);
    out(0) = elementwise(Operator::Mul, grad(), scaled);
}

// -0.5 * grad * result^3
void Backward::rsqrt() {
    const Tensor result = kept(r, node, 0);
    const Tensor cubed = like(Operator::Power, result);
    const Tensor scaled = like(Operator::Scale, grad());
    out(0) = elementwise(Operator::Mul, scaled, cubed);
}

void Backward::silu() {
    const Tensor x = kept(r, node, 0);
    if (!r.settings.composite_silu) {
        out(0) = like(Operator::Silu, x);
        r.derive(out(0), grad());
        return;
    }
    // grad * sigmoid * (1 + x * (1 - sigmoid)), each a tensor of its own until the end
    const Tensor sigmoid = like(Operator::Silu, x);
    const Tensor complement = like(Operator::Silu, x);
    const Tensor product = elementwise(Operator::Silu, x, complement);
    const Tensor shifted = like(Operator::Silu, product);
    const Tensor scaled = elementwise(Operator::Silu, grad(), sigmoid);
    out(0) = elementwise(Operator::Silu, scaled, shifted);
}

// where(x beyond a bound, 0, gradient)
void Backward::clamp() {
    const Tensor x = kept(r, node, 0);
    const Tensor zero = r.allocate(op(), Shape{}, grad().dtype());
    const Tensor above = like(op(), x, Dtype::Bool);
    Tensor below;
    if (self().argument[0] == static_cast<std::int32_t>(Bounds::Both)) below = like(op(), x, Dtype::Bool);
    out(0) = elementwise(op(), above, grad());
}

void Backward::layer_norm() {
    std::array<Tensor, 5> saved;
    for (int i = 0; i < self().saved_count; ++i)
        saved[static_cast<std::size_t>(i)] = kept(r, node, i);
    // Without a kernel of its own the instrument computes it as written, in the gradient's order of dimensions.
    const bool written_out = r.settings.composite_silu && saved[0].dtype() == Dtype::Fp32;
    if (wanted(0))
        out(0) = written_out ? like(Operator::LayerNorm, grad(), Dtype::Fp32)
                             : r.allocate(Operator::LayerNorm, Shape(saved[0].shape()), saved[0].dtype());
    if (wanted(0)) r.derive(out(0), grad());
    if (wanted(0)) r.derive(out(0), saved[0]);
    if (wanted(1)) out(1) = r.allocate(Operator::LayerNorm, operand(1).shape, operand(1).dtype);
    if (wanted(2)) out(2) = r.allocate(Operator::LayerNorm, operand(2).shape, operand(2).dtype);
}

void Backward::cat() {
    const int axis = self().argument[0];
    for (int i = 0; i < self().edge_count; ++i) {
        if (!wanted(i)) continue;
        const OutputMeta part = operand(i);
        Shape shape = grad().shape();
        shape[axis] = part.shape[axis];
        out(i) = r.alias(grad(), shape, r.at(grad()).strides);
    }
}

// Missing gradients of parts are zeros; then all are joined.
void Backward::split() {
    const int parts = self().argument[1];
    const Dtype dtype = operand(0).dtype;
    std::array<Tensor, kOutputs> zeros;
    for (int i = 0; i < parts; ++i)
        if (!incoming[static_cast<std::size_t>(i)])
            zeros[static_cast<std::size_t>(i)] =
                r.allocate(Operator::Zeros, self().outputs[static_cast<std::size_t>(i)].shape, dtype);
    out(0) = r.allocate(Operator::Cat, operand(0).shape, dtype);
    for (const Tensor& t : incoming)
        r.derive(out(0), t);
}

// A slice's gradient in a tensor of zeros of the whole.
void Backward::pad(Operator by) {
    out(0) = r.allocate(by, operand(0).shape, grad().dtype());
    r.derive(out(0), grad());
}

// Weight first, then input, then bias: mat2 < self; mat1 < mat2 < self; batch1 < batch2 < self.
void Backward::product() {
    const bool has_bias = op() == Operator::Addmm || op() == Operator::Baddbmm;
    int at = 0;
    Tensor first, second;
    if (wanted(1)) first = kept(r, node, at++);
    if (wanted(0)) second = kept(r, node, at++);
    const int rank = grad().shape().rank;
    const auto to_second = [&] {
        if (!wanted(1)) return;
        const TensorData weight = r.at(second ? second : first);
        const bool column_major = second && rank == 2 && weight.strides[0] == 1 && weight.strides[1] != 1;
        if (column_major || (!second && rank == 2)) {  // (gradᵀ × input)ᵀ: the layout of the weight
            const Tensor turned = transposed(grad(), 0, 1);
            out(1) = transposed(matrix_product(op(), turned, first), 0, 1);
        } else {
            out(1) = matrix_product(op(), transposed(first, rank - 2, rank - 1), grad());
        }
    };
    const auto to_first = [&] {
        if (wanted(0)) out(0) = matrix_product(op(), grad(), transposed(second, rank - 2, rank - 1));
    };
    const bool scaled = op() == Operator::Baddbmm;
    if (has_bias) {
        to_first();
        if (scaled && wanted(0)) out(0) = like(Operator::Scale, out(0));
        to_second();
        if (scaled && wanted(1)) out(1) = like(Operator::Scale, out(1));
        if (wanted(2)) out(2) = grad();
    } else {
        to_second();
        to_first();
    }
}

void Backward::attention() {
    std::array<Tensor, kSaved> saved;
    for (int i = 0; i < self().saved_count; ++i)
        saved[static_cast<std::size_t>(i)] = kept(r, node, i);
    const bool token_major = op() == Operator::EfficientAttention;
    for (int i = 0; i < 3; ++i) {
        const Tensor& t = saved[static_cast<std::size_t>(i)];
        if (!token_major) {
            out(i) = like(op(), t);
            continue;
        }
        const Shape s = t.shape();
        out(i) = transposed(r.allocate(op(), Shape{s[0], s[2], s[1], s[3]}, t.dtype()), 1, 2);
    }
    for (int i = 0; i < 3; ++i)
        if (!wanted(i)) out(i).reset();
    if (!token_major || !wanted(3)) return;
    // Its rows are a multiple of 16 long.
    Shape scores = saved[0].shape();
    scores[3] = saved[1].shape()[2];
    Shape rows = scores;
    const std::int64_t length = (r.size(scores[3]) + 15) / 16 * 16;
    rows[3] = r.dim(length, length, Monomial{});
    const Tensor made = r.allocate(op(), rows, saved[0].dtype());
    out(3) = r.alias(made, scores, r.at(made).strides);
}

// Handed over with their storage, as a function's results are.
void Backward::precomputed() {
    for (int i = 0, at = 0; i < self().edge_count; ++i) {
        if (!wanted(i)) continue;
        const Tensor made = kept(r, node, at++);
        out(i) = r.alias(made, made.shape(), r.at(made).strides);
        r.at(out(i)).view = false;
    }
}

void Backward::embedding() {
    const Tensor ids = kept(r, node, 0);
    out(0) = r.allocate(Operator::Embedding, operand(0).shape, grad().dtype());
}

}  // namespace

void run_backward_formula(Recorder& r, std::int32_t node, Gradients& incoming, Gradients& outgoing) {
    Backward b{r, node, incoming, outgoing};
    const Node& self = b.self();
    const Operator op = self.op;
    if (op != Operator::Split && !incoming[0]) return;
    switch (op) {
        case Operator::Cast:
            b.out(0) = convert(Operator::Cast, b.grad(), b.operand(0).dtype);
            break;
        case Operator::Add:
        case Operator::AddScalar:
        case Operator::Clone:
            b.pass();
            break;
        case Operator::Subtract:
            if (b.wanted(0)) b.out(0) = b.grad();
            if (b.wanted(1)) b.out(1) = like(Operator::Neg, b.grad());
            break;
        case Operator::Mul:
            b.multiply();
            break;
        case Operator::Divide:
            b.divide();
            break;
        case Operator::Neg:
        case Operator::Scale:
            b.out(0) = like(op, b.grad());
            break;
        case Operator::Power:
            b.power();
            break;
        case Operator::Mean: {
            const Shape whole = b.operand(0).shape;
            b.out(0) = r.allocate(Operator::Divide, whole, b.grad().dtype());
            r.derive(b.out(0), b.grad());
            break;
        }
        case Operator::Rsqrt:
            b.rsqrt();
            break;
        case Operator::Silu:
            b.silu();
            break;
        case Operator::Clamp:
            b.clamp();
            break;
        case Operator::BloomGelu:
            b.out(0) = bloom_gelu_gradient(b.grad(), kept(r, node, 0));
            break;
        case Operator::Tanh:
        case Operator::Sigmoid:
        case Operator::Gelu:
        case Operator::Relu:
        case Operator::Exp: {
            const Tensor x = kept(r, node, 0);
            b.out(0) = elementwise(op, b.grad(), x);
            break;
        }
        case Operator::Softmax:
        case Operator::LogSoftmax: {
            const Tensor x = kept(r, node, 0);
            b.out(0) = r.allocate(op, x.shape(), x.dtype());
            r.derive(b.out(0), b.grad());
            r.derive(b.out(0), x);
            break;
        }
        case Operator::LayerNorm:
            b.layer_norm();
            break;
        case Operator::Dropout: {
            const Tensor mask = kept(r, node, 0);
            b.out(0) = elementwise(op, b.grad(), mask);
            break;
        }
        case Operator::Cat:
            b.cat();
            break;
        case Operator::Slice:
        case Operator::Select:
            b.pad(op);
            break;
        case Operator::IndexCopy: {
            const Tensor source = kept(r, node, 0);
            b.out(0) = r.allocate(Operator::Gather, source.shape(), source.dtype());
            break;
        }
        case Operator::Split:
            b.split();
            break;
        case Operator::View:
            b.out(0) = reshaped(b.grad(), Shape(b.operand(0).shape));
            // What becomes complex numbers again is contiguous.
            if (self.argument[0] != 0 && !is_contiguous(r, r.at(b.out(0)))) b.out(0) = copy(Operator::Clone, b.out(0));
            break;
        case Operator::Transpose:
            b.out(0) = transposed(b.grad(), self.argument[0], self.argument[1]);
            break;
        case Operator::Expand:
            b.out(0) = sum_to(b.grad(), Shape(b.operand(0).shape));
            break;
        case Operator::Mm:
        case Operator::Addmm:
        case Operator::Bmm:
        case Operator::Baddbmm:
            b.product();
            break;
        case Operator::FlashAttention:
        case Operator::EfficientAttention:
            b.attention();
            break;
        case Operator::Checkpoint:
            run_block_again(r, node, incoming, outgoing);
            break;
        case Operator::Embedding:
            b.embedding();
            break;
        case Operator::NllLoss: {
            const Tensor log_probabilities = kept(r, node, 0);
            b.out(0) = like(op, log_probabilities);
            break;
        }
        case Operator::Sum:
        case Operator::MaskedFill:
        case Operator::Gather:
        case Operator::TopK:
        case Operator::GroupedMm:
            run_routing_formula(r, node, incoming, outgoing);
            break;
        case Operator::FusedLoss:
            b.precomputed();
            break;
        case Operator::HadamardWeight:
            run_hadamard_formula(r, node, incoming, outgoing);
            break;
        case Operator::QuantizedMm:
            run_quantized_formula(r, node, incoming, outgoing);
            break;
        case Operator::Roll:
            b.out(0) = like(op, b.grad());
            break;
        case Operator::Pad:
            b.out(0) = r.allocate(op, b.operand(0).shape, b.grad().dtype());
            break;
        case Operator::Convolution:
            run_convolution_formula(r, node, incoming, outgoing);
            break;
        case Operator::Data:
        case Operator::IndexAdd:
        case Operator::Compare:
        case Operator::Zeros:
        case Operator::AccumulateGrad:
        case Operator::GradientSum:
        case Operator::OptimizerStep:
        case Operator::OptimizerState:
        case Operator::KvCache:
        case Operator::Estimate:
        case Operator::Dequantize:
            assert(false);
    }
}

}  // namespace memwall
