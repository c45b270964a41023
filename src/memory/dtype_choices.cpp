#include "memory/dtype_choices.hpp"

#include <array>

namespace memwall {

namespace {

template <class Word>
struct Row {
    Word word;
    Dtype dtype;
};
template <class Word>
Row(Word, Dtype) -> Row<Word>;  // clang 14 deduces none for an aggregate

constexpr std::array kWeights = {
    Row{WeightFormat::Fp32, Dtype::Fp32},
    Row{WeightFormat::Bf16, Dtype::Bf16},
    Row{WeightFormat::Fp16, Dtype::Fp16},
    Row{WeightFormat::F16, Dtype::Fp16},
    Row{WeightFormat::Nf4, Dtype::Nf4},
    Row{WeightFormat::Nf4Dq, Dtype::Nf4Dq},
    Row{WeightFormat::Fp4, Dtype::Fp4},
    Row{WeightFormat::Fp4Dq, Dtype::Fp4Dq},
    Row{WeightFormat::Int8, Dtype::Int8},
    Row{WeightFormat::Int8W8a8, Dtype::Int8},
    Row{WeightFormat::Int4, Dtype::Int4},
    Row{WeightFormat::Fp8, Dtype::Fp8E4m3},
    Row{WeightFormat::Fp8Block128, Dtype::Fp8Block128},
    Row{WeightFormat::GptqInt4, Dtype::Int4Group128},
    Row{WeightFormat::GptqInt8, Dtype::Int8Group128},
    Row{WeightFormat::AwqInt4, Dtype::Int4Group128},
    Row{WeightFormat::Mxfp4Experts, Dtype::Mxfp4},
    Row{WeightFormat::Exl2, Dtype::Int4},
    Row{WeightFormat::Exl3, Dtype::Int4},
    Row{WeightFormat::GgufMixed, Dtype::Int4},
    Row{WeightFormat::Q2K, Dtype::Q2K},
    Row{WeightFormat::Q40, Dtype::Q4_0},
    Row{WeightFormat::Q4KM, Dtype::Q4KM},
    Row{WeightFormat::Q5KS, Dtype::Q5KS},
    Row{WeightFormat::Q5KM, Dtype::Q5KM},
    Row{WeightFormat::Q6K, Dtype::Q6K},
    Row{WeightFormat::Q80, Dtype::Q8_0},
    Row{WeightFormat::Iq4Xs, Dtype::Iq4Xs},
};

constexpr std::array kCompute = {
    Row{ComputeDtype::Fp32, Dtype::Fp32},
    Row{ComputeDtype::Bf16, Dtype::Bf16},
    Row{ComputeDtype::Fp16, Dtype::Fp16},
    Row{ComputeDtype::Fp8, Dtype::Bf16},
};

constexpr std::array kFloats = {
    Row{FloatDtype::Fp32, Dtype::Fp32},
    Row{FloatDtype::Bf16, Dtype::Bf16},
    Row{FloatDtype::Fp16, Dtype::Fp16},
};

constexpr std::array kAdapters = {
    Row{AdapterDtype::Fp32, Dtype::Fp32},
    Row{AdapterDtype::Bf16, Dtype::Bf16},
    Row{AdapterDtype::Fp16, Dtype::Fp16},
};

constexpr std::array kStates = {
    Row{StateDtype::Fp32, Dtype::Fp32},         Row{StateDtype::Bf16, Dtype::Bf16},
    Row{StateDtype::Fp16, Dtype::Fp16},         Row{StateDtype::Fp8, Dtype::Fp8E4m3},
    Row{StateDtype::Int8, Dtype::Int8},         Row{StateDtype::Int4, Dtype::Int4},
    Row{StateDtype::Fp32Factored, Dtype::Fp32}, Row{StateDtype::Bf16Factored, Dtype::Bf16},
};

template <class Table>
constexpr bool each_at_its_index(const Table& table) {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].word) != i) return false;
    return true;
}
static_assert(each_at_its_index(kWeights) && each_at_its_index(kCompute) && each_at_its_index(kFloats) &&
              each_at_its_index(kAdapters) && each_at_its_index(kStates));

}  // namespace

Dtype dtype_of(WeightFormat w) { return kWeights[static_cast<std::size_t>(w)].dtype; }
Dtype dtype_of(ComputeDtype w) { return kCompute[static_cast<std::size_t>(w)].dtype; }
Dtype dtype_of(FloatDtype w) { return kFloats[static_cast<std::size_t>(w)].dtype; }
Dtype dtype_of(AdapterDtype w) { return kAdapters[static_cast<std::size_t>(w)].dtype; }
Dtype dtype_of(StateDtype w) { return kStates[static_cast<std::size_t>(w)].dtype; }

}  // namespace memwall
