// The tables behind ModelRow::facts: what the numbers of a packed row stand for.
//
// A packed row is a list of (key, value), both as LEB128 numbers. A key is an index into packed_keys(); the
// value of a fact with words is an index into packed_words(), any other value is the number itself.
// Two keys are no facts: layer_pattern (a word) and intermediate_sizes (a count, then that many numbers).
#pragma once
#include <span>
#include <string_view>

namespace memwall {

std::span<const std::string_view> packed_keys();
std::span<const std::string_view> packed_words();

}  // namespace memwall
