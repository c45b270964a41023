// Sharding: over which axes of the mesh each kind of model state is divided.
//
// One row per (sharding, zero_stage); DeepSpeed stages 1 and 2 and the Megatron distributed optimizer
// divide over all data-parallel ranks (dp_replicate × dp_shard × cp), FSDP and ZeRO-3 over
// dp_shard × cp. Sources: Rajbhandari et al., ZeRO (2020); Zhao et al., PyTorch FSDP (2023);
// Megatron-LM, distributed optimizer.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "plan/scenario.hpp"

namespace memwall {

enum class StateRole : std::uint8_t { Weights, Gradients, MasterWeights, OptimizerState };

struct ShardFactor {
    std::string_view axis;  // "dp_shard": static text, fit for a named number of an expression
    std::int64_t ranks;
};

// The axes with more than one rank that divide this role; empty: every rank holds all of it.
std::vector<ShardFactor> shard_factors(const Mesh&, StateRole);
std::int64_t shard_count(const Mesh&, StateRole);  // their product

}  // namespace memwall
