#include "model/operators_table.hpp"

#include <array>

#include "base/packed_rows.hpp"

namespace memwall {

namespace {

using enum Operator;
using enum AutocastRule;

// clang-format off
constexpr std::array kOperators = {
    OperatorRow{Data, "data", None, ""},
    OperatorRow{Cast, "cast", None, "nothing"},
    OperatorRow{Add, "add", None, "nothing"},
    OperatorRow{Subtract, "subtract", None, "nothing"},
    OperatorRow{Mul, "multiply", None, "each operand whose partner needs a gradient"},
    OperatorRow{Divide, "divide", None, "both operands"},
    OperatorRow{Neg, "negate", None, "nothing"},
    OperatorRow{Scale, "scale", None, "nothing"},
    OperatorRow{AddScalar, "add a constant", None, "nothing"},
    OperatorRow{Power, "power", Fp32, "its input"},
    OperatorRow{Mean, "mean", None, "nothing"},
    OperatorRow{Sum, "sum", Fp32WithoutDtype, "nothing"},
    OperatorRow{Rsqrt, "reciprocal root", Fp32, "its result"},
    OperatorRow{Tanh, "tanh", None, "its result"},
    OperatorRow{Sigmoid, "sigmoid", None, "its result"},
    OperatorRow{Silu, "silu", None, "its input"},
    OperatorRow{Gelu, "gelu", None, "its input"},
    OperatorRow{Relu, "relu", None, "its result"},
    OperatorRow{Exp, "exp", Fp32, "its result"},
    OperatorRow{Softmax, "softmax", Fp32WithoutDtype, "its result"},
    OperatorRow{LogSoftmax, "log-softmax", Fp32WithoutDtype, "its result"},
    OperatorRow{LayerNorm, "layer norm", Fp32, "input, weight, bias, mean and reciprocal deviation of each row"},
    OperatorRow{Dropout, "dropout", None, "its mask, one byte an element; nothing at p = 0"},
    OperatorRow{Cat, "concatenate", None, "nothing"},
    OperatorRow{Slice, "slice", None, "nothing"},
    OperatorRow{Split, "split", None, "nothing"},
    OperatorRow{Select, "select", None, "nothing"},
    OperatorRow{View, "view", None, "nothing"},
    OperatorRow{Transpose, "transpose", None, "nothing"},
    OperatorRow{Expand, "expand", None, "nothing"},
    OperatorRow{Clone, "copy", None, "nothing"},
    OperatorRow{Mm, "linear", LowPrecision, "input if the weight trains, weight if the input needs a gradient"},
    OperatorRow{Addmm, "linear", LowPrecision, "input if the weight trains, weight if the input needs a gradient"},
    OperatorRow{Bmm, "matrix product", LowPrecision, "each operand whose partner needs a gradient"},
    OperatorRow{Baddbmm, "matrix product", LowPrecision, "each operand whose partner needs a gradient"},
    OperatorRow{FlashAttention, "flash attention", LowPrecision, "query, key, value, output, log-sum-exp of each row"},
    OperatorRow{EfficientAttention, "memory-efficient attention", LowPrecision, "query, key, value, output, bias, log-sum-exp of each row"},
    OperatorRow{Embedding, "embedding", None, "the ids"},
    OperatorRow{NllLoss, "loss", Fp32, "log-probabilities, targets, total weight"},
    OperatorRow{MaskedFill, "masked fill", None, "the mask"},
    OperatorRow{Gather, "gather", None, "the indices"},
    OperatorRow{IndexAdd, "scatter", None, "the indices"},
    OperatorRow{Compare, "compare", None, ""},
    OperatorRow{Zeros, "zeros", None, ""},
    OperatorRow{TopK, "top-k", None, "the indices"},
    OperatorRow{Checkpoint, "recomputation", None, "the block's input"},
    OperatorRow{AccumulateGrad, "gradient", None, ""},
    OperatorRow{GradientSum, "sum of gradients", None, ""},
    OperatorRow{OptimizerStep, "optimizer step", None, ""},
    OperatorRow{KvCache, "cache", None, ""},
    OperatorRow{Estimate, "estimate", None, ""},
    OperatorRow{Convolution, "convolution", LowPrecision, "input and weight"},
    OperatorRow{Roll, "roll", None, "nothing"},
    OperatorRow{GroupedMm, "grouped linear", None, "input and weights of all experts, as linear; the groups' ends"},
    OperatorRow{FusedLoss, "fused loss", None, "the gradients of its operands, made in forward"},
    OperatorRow{BloomGelu, "gelu", None, "its input"},
    OperatorRow{QuantizedMm, "linear", None, "nothing of 4-bit weights; its input with 8-bit ones"},
    OperatorRow{Dequantize, "dequantise", None, ""},
    OperatorRow{HadamardWeight, "product of low ranks", None, "the four matrices"},
    OperatorRow{Clamp, "clamp", None, "its input"},
    OperatorRow{IndexCopy, "lay into", None, "what is laid into zeros"},
    OperatorRow{Pad, "pad", None, "nothing"},
    OperatorRow{OptimizerState, "state", None, ""},
};
// clang-format on

constexpr bool in_order() {
    for (std::size_t i = 0; i < kOperators.size(); ++i)
        if (static_cast<std::size_t>(kOperators[i].id) != i) return false;
    return true;
}
static_assert(in_order() && kOperators.size() == static_cast<std::size_t>(OptimizerState) + 1);

}  // namespace

std::span<const OperatorRow> operators() {
    return packed_rows<kOperators, &OperatorRow::name>(LateTexts<&OperatorRow::keeps>{});
}
namespace {

constexpr std::uint64_t bits(std::initializer_list<Operator> list) {
    std::uint64_t out = 0;
    for (const Operator op : list)
        out |= std::uint64_t{1} << static_cast<unsigned>(op);
    return out;
}
constexpr std::uint64_t kFused =
                            bits({Cast,      Add,         Subtract, Mul,     Divide, Neg,        Scale,   AddScalar,
                                  Power,     Rsqrt,       Tanh,     Sigmoid, Silu,   Gelu,       Relu,    Exp,
                                  Softmax,   LogSoftmax,  Cat,      Slice,   Select, Clone,      Dropout, LayerNorm,
                                  BloomGelu, GradientSum, Zeros,    Clamp,   Pad,    MaskedFill, NllLoss, Gather}),
                        kReading = bits({Mm, Addmm, Bmm, Baddbmm, FlashAttention, EfficientAttention, Embedding,
                                         Convolution, QuantizedMm});

}  // namespace

bool fuses(Operator op) { return (kFused >> static_cast<unsigned>(op) & 1U) != 0; }
bool reads_memory(Operator op) { return (kReading >> static_cast<unsigned>(op) & 1U) != 0; }

const OperatorRow& row(Operator op) { return operators()[static_cast<std::size_t>(op)]; }

}  // namespace memwall
