// Parts of adapters that are no single operator of torch. Source: huggingface/peft 0.20, tuners/lora/dora.py and
// tuners/loha/layer.py (HadaWeight, an autograd function of its own that keeps the matrices alone).
#include "model/autograd.hpp"
#include "model/operators.hpp"

namespace memwall {

std::array<Tensor, 4> dora_norm(const Tensor& weight, const Tensor& a, const Tensor& b) {
    Recorder& r = weight.recorder();
    Tensor product;
    {
        const DimId in = a.shape()[1];
        Tensor identity = r.allocate(Operator::Data, Shape{in, in}, a.dtype());
        product = transpose(linear(linear(std::move(identity), a, Tensor()), b, Tensor()), 0, 1);
    }
    Tensor whole = cast(weight, a.dtype());
    if (!(whole.shape() == product.shape())) whole = transposed(whole, 0, 1);  // of Conv1D
    Tensor scaled = like(Operator::Scale, product);
    const Tensor sum = elementwise(Operator::Add, whole, scaled);
    scaled.reset();
    return {product, whole, r.allocate(Operator::Sum, Shape{b.shape()[0]}, a.dtype()), Tensor()};
}

Tensor hadamard_weight(std::span<const Tensor, 4> low) {
    Recorder& r = low[0].recorder();
    const std::int32_t node = begin_node(r, Operator::HadamardWeight, {&low[0], &low[1], &low[2], &low[3]});
    if (node >= 0)
        for (const Tensor& t : low)
            keep(r, node, t);
    Tensor product;
    {
        const Tensor first = matrix_product(Operator::Mm, low[0], low[1]);
        const Tensor second = matrix_product(Operator::Mm, low[2], low[3]);
        product = elementwise(Operator::Mul, first, second);
    }
    Tensor out = like(Operator::Scale, product);
    finish_node(r, node, out);
    return out;
}

void run_hadamard_formula(Recorder& r, std::int32_t node, Gradients& incoming, Gradients& outgoing) {
    std::array<Tensor, 4> low;
    for (int i = 0; i < 4; ++i)
        low[static_cast<std::size_t>(i)] = kept(r, node, i);
    const Tensor gradient = like(Operator::Scale, incoming[0]);
    Tensor masked;
    for (std::size_t i = 0; i < 4; i += 2) {
        const std::size_t other = 2 - i;
        Tensor product = matrix_product(Operator::Mm, low[other], low[other + 1]);
        masked = elementwise(Operator::Mul, gradient, product);
        product.reset();
        outgoing[i] = matrix_product(Operator::Mm, masked, transposed(low[i + 1], 0, 1));
        outgoing[i + 1] = matrix_product(Operator::Mm, transposed(low[i], 0, 1), masked);
    }
}

}  // namespace memwall
