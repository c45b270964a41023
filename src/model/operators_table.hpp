// The operator table: what each operator is called, how autocast treats it, and what autograd keeps of it.
//
// One row per Operator (operators_table.cpp), at its own index. The formulas of the backward pass stand in
// operators_backward.cpp, one case per row. Sources: PyTorch derivatives.yaml (keeps, order of gradients) and
// the autocast operator reference.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace memwall {

// clang-format off
enum class Operator : std::uint8_t {
    Data,  // an input, a parameter
    Cast, Add, Subtract, Mul, Divide, Neg, Scale, AddScalar, Power, Mean, Sum, Rsqrt, Tanh, Sigmoid, Silu, Gelu, Relu,
    Exp, Softmax, LogSoftmax, LayerNorm, Dropout, Cat, Slice, Split, Select, View, Transpose, Expand, Clone, Mm, Addmm, Bmm,
    Baddbmm, FlashAttention, EfficientAttention, Embedding, NllLoss, MaskedFill, Gather, IndexAdd, Compare, Zeros, TopK,
    Checkpoint, AccumulateGrad, GradientSum, OptimizerStep, KvCache, Estimate, Convolution, Roll, GroupedMm,
    FusedLoss, BloomGelu, QuantizedMm, Dequantize, HadamardWeight, Clamp, IndexCopy, Pad, OptimizerState,
};
// clang-format on

enum class AutocastRule : std::uint8_t {
    None,              // runs in the type of its operands (promoted)
    LowPrecision,      // operands are cast to the autocast type
    Fp32,              // operands are cast to fp32
    Fp32WithoutDtype,  // the same, unless the call names a dtype
};

struct OperatorRow {
    Operator id;
    std::string_view name;  // "silu"
    AutocastRule autocast;
    std::string_view keeps;  // what stays for backward, in words
};

std::span<const OperatorRow> operators();
// Under torch.compile: what is computed inside of another kernel, and what reads operands that have been written.
bool fuses(Operator);
bool reads_memory(Operator);
const OperatorRow& row(Operator);

}  // namespace memwall
