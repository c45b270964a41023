// Number formats: how many bits an element takes, and in which blocks it is stored.
//
// One row per format (dtype.cpp). Plain formats have blocks of one element; quantised ones store a
// block of elements with its scales, so sizes are rounded up to whole blocks. Names are the words of
// the records (`precision.weights`). Source of the block layouts: catalogue/formats.jsonl.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "base/units.hpp"

namespace memwall {

enum class Dtype : std::uint8_t {
    Fp64,
    Fp32,
    Bf16,
    Fp16,
    Fp8E4m3,
    Fp8E5m2,
    Int64,
    Int32,
    Int8,
    Bool,  // one byte an element, as PyTorch stores it
    Int4,
    Nf4,
    Nf4Dq,
    Fp4,
    Fp4Dq,
    Fp8Block128,
    Mxfp4,
    Q8_0,
    Q6K,
    Q5KM,
    Q5KS,
    Q4KM,
    Q4_0,
    Iq4Xs,
    Q2K,
    Int4Group128,
    Int8Group128,
    Int8Block256,
    Int4Block128,
    Fp8Block256,
};

struct DtypeRow {
    Dtype id;
    std::string_view name;     // "bf16"
    std::int64_t block_size;   // elements in a block
    Bits block_bits;           // bits of a whole block, scales included
    std::string_view meaning;  // one line for the interface
};

std::span<const DtypeRow> dtypes();
const DtypeRow& row(Dtype);
constexpr double bits_per_element(const DtypeRow& r) {
    return static_cast<double>(r.block_bits.value) / static_cast<double>(r.block_size);
}
// Elements rounded up to whole blocks, in bytes; Overflow when the product leaves 63 bits.
Result<Bytes> storage(Dtype, Count elements);

}  // namespace memwall
