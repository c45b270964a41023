// Target modules: which matrices of a model the words of method.target_modules mean.
//
// One row per pair of word and role; several roles may share a word (a joint gate and up projection is an
// "up_proj"). Source: the linears that peft wraps in the model code of transformers 5.
#pragma once
#include <cstdint>
#include <string>

#include "model/parameters.hpp"
#include "plan/choices.hpp"

namespace memwall {

// Whether a matrix of this role gets an adapter under these bits of TargetModule.
bool is_target(std::uint32_t modules, const ParameterTensor&);
// Bits of the words that mean at least one matrix of the model.
std::uint32_t existing_targets(const Architecture&);
// What peft takes when nothing is said: query and value projections, or the joint one.
std::uint32_t default_targets(const Architecture&);

}  // namespace memwall
