// Numbers as people write them, read exactly.
//
// "2048", "8k", "7B", "1.5e9", "1_000", "1,000", "24GiB", "90%", "2048 tokens". A value is a whole number of
// 1/scale; nothing is rounded, except that bytes written with a larger unit are cut to whole bytes.
// What k, M, B, T mean depends on the unit: powers of 1000, of 1024 for tokens; bytes need their unit.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/concat.hpp"

namespace memwall {

enum class NumberFault : std::uint8_t { None, NotANumber, NotFinite, Negative, Fractional, TooLarge, UnknownUnit };

struct NumberRead {
    NumberFault fault = NumberFault::None;
    std::int64_t value = 0;
};

// `unit` is the field's: "tokens", "bytes", "GB", "parameters", or any other word.
NumberRead number_from_text(std::string_view words, std::string_view unit, std::int64_t scale);

// Inverse for people and files: 16384 -> "16384"; 900 of 1/1000 -> "0.9".
std::string text_from_number(std::int64_t value, std::int64_t scale);

}  // namespace memwall
