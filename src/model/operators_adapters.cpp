// Parts of adapters that are no single operator of torch. Source: huggingface/peft 0.20, tuners: lora/dora.py,
// loha/layer.py (HadaWeight, an autograd function of its own that keeps the matrices alone), lokr, oft, boft, adalora.
#include <cassert>

#include "model/autograd.hpp"
#include "model/modules.hpp"

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

const std::array<Tensor, kAdapterTensors>& parts_of(const Context& c, const Tensor& handle) {
    std::size_t at = 0;
    while (c.adapters[at].handle.id() != handle.id())
        ++at;
    return c.adapters[at].tensors;
}

namespace {

using Parts = std::array<Tensor, kAdapterTensors>;

// (a × b) ∘ (c × d) × constant
Tensor hadamard_weight(const Parts& low) {
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

// torch.kron multiplies both with each other's dimensions beside their own.
Tensor kronecker_weight(const Parts& parts) {
    const Tensor& left = parts[0];
    Tensor right = parts[2] ? mm(parts[1], parts[2]) : parts[1];
    Recorder& r = left.recorder();
    const Shape one = left.shape(), two = right.shape();
    Tensor spread = view(std::move(right), Shape{0, two[0], 0, two[1]});
    Tensor product = mul(view(left, Shape{one[0], 0, one[1], 0}), std::move(spread));
    product = view(std::move(product), Shape{r.product(one[0], two[0]), r.product(one[1], two[1])});
    return unary(Operator::Scale, std::move(product));
}

// Blocks of Cayley's rotation as the first five terms of a series; vectors are what stands above their diagonals.
Tensor cayley_series(const Tensor& vectors, DimId width) {
    Recorder& r = vectors.recorder();
    const Shape square{vectors.shape()[0], width, width};
    Tensor skew = view(spread(vectors, r.product(width, width)), square);
    skew = subtract(skew, transpose(skew, 1, 2));
    Tensor sum = r.allocate(Operator::Data, square, vectors.dtype());
    sum = add_in_place(std::move(sum), skew);
    const Tensor second = bmm(skew, skew);
    sum = add_in_place(std::move(sum), second);
    const Tensor third = bmm(second, skew);
    sum = add_in_place(std::move(sum), third);
    return add_in_place(std::move(sum), bmm(third, skew));
}

Shape rows_of_blocks(Recorder& r, const Shape& x, DimId blocks, DimId width) {
    DimId rows = 0;
    for (int i = 0; i + 1 < x.rank; ++i)
        rows = r.product(rows, x[i]);
    return Shape{rows, blocks, width};
}

// Each block of a row of x by its own rotation: an einsum, which is a product of as many matrices as there are blocks.
Tensor rotated_in_blocks(const Tensor& x, const Tensor& vectors) {
    Recorder& r = x.recorder();
    const DimId blocks = vectors.shape()[0];
    const Shape shape = x.shape();
    const std::int64_t value = r.size(shape[shape.rank - 1]) / r.size(blocks);
    const DimId width = r.dim(value, value, Monomial{});
    Tensor given = cast(x, vectors.dtype());
    Tensor rotation = cayley_series(vectors, width);
    Tensor rows = transpose(reshape(std::move(given), rows_of_blocks(r, shape, blocks, width)), 0, 1);
    Tensor turned = transpose(bmm(std::move(rows), std::move(rotation)), 0, 1);
    return cast(reshape(std::move(turned), shape), x.dtype());
}

// (I + Q)⁻¹ (I - Q) of each block.
Tensor cayley(const Tensor& blocks) {
    Recorder& r = blocks.recorder();
    const Tensor skew = unary(Operator::Scale, subtract(blocks, transpose(blocks, 1, 2)));
    const Shape shape = blocks.shape();
    const Tensor identity = r.allocate(Operator::Data, Shape{shape[1], shape[2]}, Dtype::Fp32);
    // A solver: keeps its matrix and its result, here its other operand, and the triangles with their pivots.
    Tensor out = divide(add(identity, skew), subtract(identity, skew));
    if (const std::int32_t node = r.at(out).node; node >= 0) {
        keep(r, node, like(Operator::Divide, skew));
        keep(r, node, r.allocate(Operator::Divide, Shape{shape[0], shape[1]}, Dtype::Int32));
    }
    return out;
}

// The whole rotation, [in, in], in x's type; the permutation comes from the host each time.
Tensor rotated_whole(const Tensor& x, const Tensor& flat) {
    Recorder& r = x.recorder();
    const DimId in = flat.shape()[0], width = flat.shape()[1];
    const Shape whole{in, in};
    const std::int64_t blocks = r.size(in) / r.size(width);
    Tensor identity = r.allocate(Operator::Data, whole, x.dtype());
    Tensor rotations = cayley(view(flat, Shape{r.dim(blocks, blocks, Monomial{}), width, width}));
    Tensor diagonal = pad(view(std::move(rotations), Shape{in, width}), whole);
    const Tensor permutation = r.allocate(Operator::Data, whole, x.dtype());
    diagonal = cast(std::move(diagonal), x.dtype());
    Tensor product = mm(std::move(diagonal), transpose(permutation, 0, 1));
    product = mm(permutation, std::move(product));
    product = mm(std::move(product), std::move(identity));
    return mm(x, std::move(product));
}

// The bias is taken out, each output scaled, and the bias put back.
Tensor scaled_outputs(const Tensor& bias, Tensor result, const Tensor& numbers, Dtype before) {
    const Tensor ones = result.recorder().allocate(Operator::Data, Shape(numbers.shape()), before);
    const Tensor scaling = mul(numbers, ones);
    if (bias) result = subtract(std::move(result), bias);
    result = mul(std::move(result), scaling);
    if (bias) result = add(std::move(result), bias);
    return cast(std::move(result), before);
}

// B × (A ∘ E) × x × constant ÷ the ranks that are left, a number that peft trains by mistake; added in place. What
// the method adds to the loss is rank² numbers a matrix, which are not counted.
Tensor with_shared_ranks(const Context& c, const Tensor& x, Tensor result, const Parts& parts) {
    const auto& [a, e, b, ranks] = parts;
    Tensor given = dropout(cast(x, a.dtype()), c.v.adapter_dropout_permille);
    Tensor low = linear(std::move(given), mul(a, view(e, Shape{e.shape()[0], 0})), Tensor());
    Tensor up = unary(Operator::Scale, linear(std::move(low), b, Tensor()));
    up = divide(std::move(up), unary(Operator::AddScalar, ranks));
    return add_in_place(std::move(result), up);
}

}  // namespace

Tensor adapter_weight(const Context& c, const Tensor& handle) {
    const Parts& parts = parts_of(c, handle);
    return c.v.adapter == AdapterVariant::Lokr ? kronecker_weight(parts) : hadamard_weight(parts);
}

Tensor rotated(Context& c, const Tensor& x, const Tensor& handle) {
    const Parts& parts = parts_of(c, handle);
    c.rotated_type = x.dtype();
    return c.v.adapter == AdapterVariant::Oft ? rotated_in_blocks(x, parts[0]) : rotated_whole(x, parts[0]);
}

Tensor finished(Context& c, Tensor x_or_bias, Tensor result, const Tensor& handle) {
    const Parts& parts = parts_of(c, handle);
    if (c.v.adapter == AdapterVariant::Oft) return result;
    if (c.v.adapter == AdapterVariant::Boft)
        return scaled_outputs(x_or_bias, std::move(result), parts[1], c.rotated_type);
    assert(c.v.adapter == AdapterVariant::Adalora);
    return with_shared_ranks(c, x_or_bias, std::move(result), parts);
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
