// Products with weights of 4 or 8 bits, as bitsandbytes' autograd functions run them (MatMul4Bit, MatMul8bitLt).
// Source: bitsandbytes 0.49, autograd/_functions.py, nn/modules.py, functional.py. What they keep stands on their
// context: checkpointing does not see it, and it lives as long as the graph.
#include "base/checked.hpp"
#include "model/autograd.hpp"
#include "model/operators.hpp"

namespace memwall {

namespace {

bool has_double_scales(Dtype d) { return d == Dtype::Nf4Dq || d == Dtype::Fp4Dq; }

// The matrix in the type of the product; with double quantisation the scales of its blocks come first.
Tensor dequantized(const Tensor& weight, Dtype dtype) {
    Recorder& r = weight.recorder();
    const Shape shape = weight.shape();
    Tensor scales;
    if (has_double_scales(weight.dtype())) {
        constexpr std::int64_t kBlock = 64;
        const std::int64_t blocks = ceil_div(r.size(shape[0]) * r.size(shape[1]), kBlock);
        scales = r.allocate(Operator::Dequantize, Shape{r.dim(blocks, blocks, Monomial{})}, Dtype::Fp32);
    }
    Tensor half;
    if (r.settings.quantized_from_half && dtype != Dtype::Fp16) {
        half = r.allocate(Operator::Dequantize, shape, Dtype::Fp16);
        scales.reset();
    }
    return r.allocate(Operator::Dequantize, shape, dtype);
}

// Each row of x in 8 bits with a scale, products in 32-bit integers, then 16 bits, then the type of x. Columns with
// outliers (threshold 6) are data and not counted.
Tensor product_in_8_bits(const Tensor& x, const Shape& rows, const Shape& result) {
    Recorder& r = x.recorder();
    const auto make = [&](const Shape& shape, Dtype dtype) { return r.allocate(Operator::QuantizedMm, shape, dtype); };
    Tensor codes;
    {
        const Tensor half = x.dtype() == Dtype::Fp16 ? x : make(rows, Dtype::Fp16);
        const Tensor scales = make(Shape{rows[0]}, Dtype::Fp32);
        codes = make(rows, Dtype::Int8);
        Tensor magnitudes = make(rows, Dtype::Fp16);
        const Tensor outliers = make(rows, Dtype::Bool);
        magnitudes.reset();
    }
    const Tensor integers = make(result, Dtype::Int32);
    Tensor out = make(result, Dtype::Fp16);
    return x.dtype() == Dtype::Fp16 ? out : make(result, x.dtype());
}

Shape as_rows(Recorder& r, const Shape& shape) {
    DimId rows = 0;
    for (int i = 0; i + 1 < shape.rank; ++i)
        rows = r.product(rows, shape[i]);
    return Shape{rows, shape[shape.rank - 1]};
}

}  // namespace

bool is_quantized(Dtype d) {
    return d == Dtype::Nf4 || d == Dtype::Nf4Dq || d == Dtype::Fp4 || d == Dtype::Fp4Dq || d == Dtype::Int8 ||
           d == Dtype::Int4;
}

Tensor quantized_linear(Tensor input, const Tensor& weight, const Tensor&) {
    const Tensor given = std::move(input);
    Recorder& r = given.recorder();
    const bool eight_bits = weight.dtype() == Dtype::Int8;
    const Tensor x = eight_bits ? given : cast(given, r.settings.quantized_compute);
    const std::int32_t node = begin_node(r, Operator::QuantizedMm, {&x});
    const Shape shape = x.shape(), rows = as_rows(r, shape);
    Shape result = shape;
    result[result.rank - 1] = weight.shape()[0];
    keep_aside(r, node, 0, weight);
    Tensor out;
    if (eight_bits) {
        out = product_in_8_bits(x, rows, result);
        keep_aside(r, node, 1, x);
    } else {
        if (r.settings.quantized_keeps_input) keep_aside(r, node, 1, x);
        const Tensor matrix = dequantized(weight, x.dtype());
        out = r.allocate(Operator::QuantizedMm, result, x.dtype());
    }
    finish_node(r, node, out);
    return eight_bits ? out : cast(std::move(out), given.dtype());
}

void run_quantized_formula(Recorder& r, std::int32_t node, Gradients& incoming, Gradients& outgoing) {
    const Tensor weight = kept_aside(r, node, 0);
    const Tensor matrix = dequantized(weight, incoming[0].dtype());
    if (weight.dtype() == Dtype::Int8)
        const Tensor scales = r.allocate(Operator::Dequantize, Shape{weight.shape()[0], 0}, Dtype::Fp32);
    Shape shape = incoming[0].shape();
    shape[shape.rank - 1] = weight.shape()[1];
    outgoing[0] = r.allocate(Operator::QuantizedMm, shape, incoming[0].dtype());
}

}  // namespace memwall
