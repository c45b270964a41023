// Target modules: which matrices of a model the words of method.target_modules mean.
//
// One row per pair of word and role; several roles may share a word (a joint gate and up projection is an
// "up_proj"). Where peft follows the matrices of experts into the parameters that transformers 5 joined them in, the
// words of the MLP mean those, and neither dense layers nor shared experts. Source: peft's
// utils/transformers_weight_conversion.py, and the linears that it wraps in the model code of transformers 5.
#pragma once
#include <cstdint>
#include <string>

#include "model/adapters.hpp"
#include "model/parameters.hpp"
#include "plan/choices.hpp"

namespace memwall {

constexpr std::uint64_t target_bit(TargetModule module) { return std::uint64_t{1} << static_cast<unsigned>(module); }
constexpr bool has_target(std::uint64_t modules, TargetModule module) { return (modules & target_bit(module)) != 0; }
// Whether gate_proj, up_proj and down_proj mean the matrices of all experts.
bool adapts_experts(const Architecture&);
bool adapts_router(const Architecture&);  // peft can wrap it, and the model code uses the wrapper: not deepseek's
// Whether a matrix of this role gets an adapter under these bits of TargetModule.
bool is_target(const Architecture&, std::uint64_t modules, const ParameterTensor&);
// Bits of the words that mean at least one matrix of the model.
std::uint64_t existing_targets(const Architecture&);
// Words of modules as a whole, for what trains or stays frozen, and the roles that they mean as bits.
std::uint64_t existing_modules(const Architecture&);
std::uint64_t roles_of(std::uint64_t modules);
std::uint64_t all_linear(const Architecture&);  // peft's word: every linear but the output layer
// What peft takes for a family where the user names none; `usual` for most.
std::uint64_t wanted_targets(const Architecture&, AdapterVariant, std::uint64_t usual);
// Those of `wanted` that the model has; for separate projections of attention the joint one where they are joined.
std::uint64_t default_targets(const Architecture&, std::uint64_t wanted);

}  // namespace memwall
