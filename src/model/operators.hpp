// Operators: what block programs are written with.
//
// Each runs on tensors without data: casts its operands as autocast would, starts its graph node, allocates its
// result with PyTorch's strides, and keeps for backward what its row in the operator table says. Operands are
// taken by value: an operand passed as an rvalue dies when the operator returns, as a Python temporary does.
#pragma once
#include <optional>
#include <span>

#include "model/recorder.hpp"

namespace memwall {

// Elementwise.
Tensor cast(Tensor x, Dtype);
Tensor add(Tensor a, Tensor b);
Tensor add_in_place(Tensor a, const Tensor& b);  // a += b: a's storage
Tensor subtract(Tensor a, Tensor b);
Tensor mul(Tensor a, Tensor b);
Tensor mul_complex(Tensor a, Tensor b);  // of complex numbers that are pairs in fp32
Tensor divide(Tensor a, Tensor b);
// Neg, Scale, AddScalar, Rsqrt, Tanh, Sigmoid, Silu, Gelu, Relu, Exp.
Tensor unary(Operator op, Tensor x);
Tensor power(Tensor x);
enum class Bounds : std::uint8_t { Upper, Both };
Tensor clamp(Tensor x, Bounds);
Tensor clamp_in_place(Tensor x);
Tensor mean(Tensor x);  // over the last dimension, kept
Tensor mean(Tensor x, int axis);
Tensor dropout(Tensor x, std::int64_t permille);
Tensor bloom_gelu(Tensor x);  // an autograd function of its own: keeps its input alone
Tensor softmax(Tensor x, std::optional<Dtype> dtype = {});
Tensor log_softmax(Tensor x, std::optional<Dtype> dtype = {});
Tensor layer_norm(Tensor x, Tensor weight, Tensor bias);

// Shapes. reshape() copies when it must, view() must not.
Tensor view(Tensor x, const Shape&);
Tensor reshape(Tensor x, const Shape&);
Tensor transpose(Tensor x, int a, int b);
Tensor expand(Tensor x, const Shape&);
Tensor contiguous(Tensor x);
Tensor clone(Tensor x);  // contiguous, and always a copy
Tensor slice(Tensor x, int axis, DimId part, std::int64_t step = 1);
Tensor select(Tensor x, int axis);
Tensor cat(std::span<const Tensor> parts, int axis, DimId whole);
// `parts` views along an axis whose gradients are joined at once.
std::array<Tensor, 4> split(Tensor x, int axis, std::span<const DimId> parts);

// Products. linear: weight is [out, in]; conv1d: weight is [in, out] and always has a bias.
Tensor linear(Tensor x, Tensor weight, Tensor bias);
Tensor conv1d(Tensor x, Tensor weight, Tensor bias);
// The same with a weight of few bits, [out, in]: bitsandbytes (operators_quantized.cpp).
Tensor quantized_linear(Tensor x, const Tensor& weight, const Tensor& bias);
bool is_quantized(Dtype);

// Parts of adapters (operators_adapters.cpp). dora_norm: the product of both matrices with its graph, the weight in
// their type, and the norm of each row of the sum, without a graph.
std::array<Tensor, 4> dora_norm(const Tensor& weight, const Tensor& a, const Tensor& b);
Tensor matmul(Tensor a, Tensor b);
Tensor mm(Tensor rows, Tensor matrix);
Tensor bmm(Tensor a, Tensor b);
Tensor baddbmm(Tensor added, Tensor a, Tensor b);  // added + a × b × constant

// In place: the result is x's own storage.
Tensor scale_in_place(Tensor x);
Tensor divide_in_place(Tensor x, Tensor other);
Tensor masked_fill_in_place(Tensor x, Tensor mask);
Tensor masked_fill(Tensor x, Tensor mask);  // not in place
Tensor where(Tensor x, Tensor condition);   // or a constant

// Routing (operators_routing.cpp).
enum class KeepDimension : std::uint8_t { No, Yes };
Tensor sum(Tensor x, int axis, KeepDimension);
struct TopK {
    Tensor values, indices;
};
TopK top_k(Tensor x, DimId k);                           // of the last dimension
Tensor gather_rows(Tensor x, Tensor ids);                // x[ids] over the first dimension
Tensor pick(Tensor x, Tensor ids);                       // x[..., ids] over the last one: as many as there are ids
Tensor pick_each(Tensor x, Tensor rows, Tensor places);  // x[rows, places] over the first two
Tensor spread(Tensor x, DimId width);                    // columns of x among zeros, index_copy: keeps x
Tensor gather_one(Tensor x, int axis);                   // x[..., [i], ...]: one of a dimension, copied
// x [rows, in] in groups of rows, each with its own matrix of weights [groups, in, out].
Tensor grouped_mm(Tensor x, Tensor weights, Tensor group_ends);

Tensor pad(Tensor x, const Shape&);  // with zeros; always a copy
Tensor convolution(Tensor x, Tensor weight, Tensor bias, const Shape& result);

// Attention on [batch, heads, tokens, head_dim].
Tensor flash_attention(Tensor q, Tensor k, Tensor v);
Tensor efficient_attention(Tensor q, Tensor k, Tensor v, Tensor bias, DimId padded_rows);
// What autocast passes to such a call; the tensor itself where nothing is cast.
Tensor autocast_operand(Tensor x);

Tensor embedding(Tensor ids, Tensor weight);
Tensor nll_loss(Tensor log_probabilities, Tensor targets);

Tensor bloom_gelu_gradient(const Tensor& gradient, const Tensor& x);

// Without a graph: what backward formulas and the engine itself do.
Tensor elementwise(Operator op, const Tensor& a, const Tensor& b);
Tensor like(Operator op, const Tensor& x);  // same shape, type and order of dimensions
Tensor like(Operator op, const Tensor& x, Dtype);
Tensor convert(Operator op, const Tensor& x, Dtype);
Tensor copy(Operator op, const Tensor& x);  // contiguous
Tensor sum_to(Tensor x, const Shape&);      // reduces broadcast dimensions
Tensor reshaped(Tensor x, const Shape&);    // view or copy
Tensor transposed(const Tensor& x, int a, int b);
Tensor matrix_product(Operator op, const Tensor& a, const Tensor& b);  // mm or bmm

Dtype promoted(Dtype a, Dtype b);

// Names the module whose operators run while it lives.
class InModule {
  public:
    InModule(Recorder& r, std::string_view name) : recorder_(r), outer_(r.module) { r.module = name; }
    ~InModule() { recorder_.module = outer_; }
    InModule(const InModule&) = delete;
    InModule& operator=(const InModule&) = delete;

  private:
    Recorder& recorder_;
    std::string_view outer_;
};

}  // namespace memwall
