// A tape's size as a printed expression, and a count of layers as people say it.
#pragma once
#include "memory/expression.hpp"
#include "model/size.hpp"

namespace memwall {

// The factors of a size: "micro_batch_size × sequence_length × hidden_size". Never empty.
std::vector<Expression> factors_of(const Size&, const SymbolValues&);

// 239 of 80 layers = 3 × num_hidden_layers − 1; counts below half the layers stay numbers.
Expression count_of_layers(std::int64_t count, std::int64_t layers);

}  // namespace memwall
