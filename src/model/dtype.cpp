#include "model/dtype.hpp"

#include <array>
#include <cassert>

#include "base/checked.hpp"

namespace memwall {
namespace {

// Blocks of bitsandbytes: 64 codes and an fp32 scale; with double quantisation 256 scales of 8 bits share one
// fp32 scale. GGUF mixes have no block of their own: whole-file averages of llama.cpp's table for Llama-3.1-8B,
// per 10,000 elements.
constexpr std::array kRows{
    DtypeRow{Dtype::Fp64, "fp64", 1, Bits(64), "64-bit float"},
    DtypeRow{Dtype::Fp32, "fp32", 1, Bits(32), "32-bit float"},
    DtypeRow{Dtype::Bf16, "bf16", 1, Bits(16), "16-bit float with the range of fp32"},
    DtypeRow{Dtype::Fp16, "fp16", 1, Bits(16), "16-bit IEEE float"},
    DtypeRow{Dtype::Fp8E4m3, "fp8_e4m3", 1, Bits(8), "8-bit float, 3 mantissa bits"},
    DtypeRow{Dtype::Fp8E5m2, "fp8_e5m2", 1, Bits(8), "8-bit float, 2 mantissa bits"},
    DtypeRow{Dtype::Int64, "int64", 1, Bits(64), "64-bit integer"},
    DtypeRow{Dtype::Int32, "int32", 1, Bits(32), "32-bit integer"},
    DtypeRow{Dtype::Int8, "int8", 1, Bits(8), "8-bit integer"},
    DtypeRow{Dtype::Bool, "bool", 1, Bits(8), "truth value, one byte"},
    DtypeRow{Dtype::Int4, "int4", 2, Bits(8), "4-bit integer, two in a byte"},
    DtypeRow{Dtype::Nf4, "nf4", 64, Bits(64 * 4 + 32), "bitsandbytes 4-bit normal float, blocks of 64"},
    DtypeRow{Dtype::Nf4Dq, "nf4_dq", 16384, Bits(16384 * 4 + 256 * 8 + 32),
             "bitsandbytes 4-bit normal float, double quantised"},
    DtypeRow{Dtype::Fp4, "fp4", 64, Bits(64 * 4 + 32), "bitsandbytes 4-bit float, blocks of 64"},
    DtypeRow{Dtype::Fp4Dq, "fp4_dq", 16384, Bits(16384 * 4 + 256 * 8 + 32),
             "bitsandbytes 4-bit float, double quantised"},
    DtypeRow{Dtype::Fp8Block128, "fp8_block128", 16384, Bits(16384 * 8 + 32), "8-bit float, fp32 scale per 128 x 128"},
    DtypeRow{Dtype::Mxfp4, "mxfp4", 32, Bits(17 * 8), "4-bit float with a shared exponent per 32"},
    DtypeRow{Dtype::Q8_0, "q8_0", 32, Bits(34 * 8), "GGUF Q8_0 block"},
    DtypeRow{Dtype::Q6K, "q6_k", 256, Bits(210 * 8), "GGUF Q6_K block"},
    DtypeRow{Dtype::Q5KM, "q5_k_m", 10000, Bits(57036), "GGUF file type Q5_K_M, average"},
    DtypeRow{Dtype::Q5KS, "q5_k_s", 10000, Bits(55704), "GGUF file type Q5_K_S, average"},
    DtypeRow{Dtype::Q4KM, "q4_k_m", 10000, Bits(48944), "GGUF file type Q4_K_M, average"},
    DtypeRow{Dtype::Q4_0, "q4_0", 32, Bits(18 * 8), "GGUF Q4_0 block"},
    DtypeRow{Dtype::Iq4Xs, "iq4_xs", 256, Bits(136 * 8), "GGUF IQ4_XS block"},
    DtypeRow{Dtype::Q2K, "q2_k", 10000, Bits(31593), "GGUF file type Q2_K, average"},
    DtypeRow{Dtype::Int4Group128, "int4_g128", 128, Bits(128 * 4 + 16 + 4),
             "GPTQ and AWQ: 128 codes, fp16 scale, 4-bit zero"},
    DtypeRow{Dtype::Int8Group128, "int8_g128", 128, Bits(128 * 8 + 16 + 8), "GPTQ: 128 codes, fp16 scale, 8-bit zero"},
    DtypeRow{Dtype::Int8Block256, "int8_block256", 256, Bits(256 * 8 + 32), "8 bits, an fp32 scale per 256"},
    DtypeRow{Dtype::Int4Block128, "int4_block128", 128, Bits(128 * 4 + 32), "4 bits, an fp32 scale per 128"},
    DtypeRow{Dtype::Fp8Block256, "fp8_block256", 256, Bits(256 * 8 + 32), "8-bit float, an fp32 scale per 256"},
};

constexpr bool rows_stand_at_their_index() {
    for (std::size_t i = 0; i < kRows.size(); ++i)
        if (static_cast<std::size_t>(kRows[i].id) != i) return false;
    return true;
}
static_assert(rows_stand_at_their_index());

}  // namespace

std::span<const DtypeRow> dtypes() { return kRows; }

const DtypeRow& row(Dtype dtype) {
    const auto index = static_cast<std::size_t>(dtype);
    assert(index < kRows.size());
    return kRows[index];
}

Result<Bytes> storage(Dtype dtype, Count elements) {
    assert(elements.value >= 0);
    const DtypeRow& r = row(dtype);
    const auto bits = checked_multiply(ceil_div(elements.value, r.block_size), r.block_bits.value);
    if (!bits)
        return Error{ErrorCode::Overflow, "", "the size of a tensor leaves 63 bits",
                     "make the model or the batch smaller"};
    return Bytes(ceil_div(*bits, 8));
}

}  // namespace memwall
