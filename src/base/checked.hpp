// Arithmetic that reports leaving 63 bits instead of wrapping.
//
// Used where numbers from outside are multiplied: expressions (memory/expression.hpp), importers.
// Arguments are non-negative; a negative one is a bug of the caller.
#pragma once
#include <cassert>
#include <cstdint>
#include <optional>

namespace memwall {

constexpr std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
    return out;
}

constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
    return out;
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    assert(a >= 0 && b > 0);
    return a / b + (a % b != 0 ? 1 : 0);
}

// The smallest multiple of `step` that is not below `a`; the caller keeps a + step below 2^63.
constexpr std::int64_t round_up(std::int64_t a, std::int64_t step) { return ceil_div(a, step) * step; }

}  // namespace memwall
