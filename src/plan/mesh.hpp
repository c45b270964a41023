// Mesh: how many ranks work together, and along which axes.
//
// world_size = dp_replicate × dp_shard × cp × tp × pp. `ep` divides the data-parallel ranks and is
// never a factor of the world size.
#pragma once
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "plan/scenario.hpp"

namespace memwall {

constexpr std::int64_t data_parallel_ranks(const Mesh& m) { return m.dp_replicate * m.dp_shard * m.cp; }
// "dp_replicate (2) × dp_shard (2) × cp (1) × tp (1) × pp (1) = 4"
std::string equation(const Mesh&);
Failure check(const Mesh&);

}  // namespace memwall
