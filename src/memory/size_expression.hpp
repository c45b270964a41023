// A tape's size as a printed expression, and a count of layers as people say it.
#pragma once
#include "memory/expression.hpp"
#include "memory/program.hpp"
#include "model/size.hpp"

namespace memwall {

// The factors of a size: "micro_batch_size × sequence_length × hidden_size"; returns how many, never none. What is kept
// for a token of a sequence comes before how many there are: "num_key_value_heads × head_dim × sequences × tokens".
enum class FactorOrder : std::uint8_t { BatchFirst, BatchLast };
int write_factors(Formulas&, const Size&, const SymbolValues&, SizeWords, FactorOrder);

// Tensors that exist in every layer of a stack: 239 in 80 layers = 3 × num_hidden_layers − 1. A count below half the
// layers stays a number of tensors.
struct LayerCount {
    std::string_view stack;  // "num_hidden_layers"
    std::int64_t layers;
};
void write_count(Formulas&, std::int64_t count, const LayerCount&);

}  // namespace memwall
