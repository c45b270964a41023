#include "plan/sharding.hpp"

#include <cassert>

namespace memwall {
namespace {

using AxisSet = std::uint8_t;
constexpr AxisSet kNone = 0, kReplicate = 1, kShard = 2, kContext = 4;
constexpr AxisSet kAllDataParallel = kReplicate | kShard | kContext, kShardGroup = kShard | kContext;

// From which zero_stage on a role is divided.
struct RoleRow {
    StateRole role;
    std::int64_t from_stage;
};
constexpr RoleRow kRoles[] = {
    {StateRole::Weights, 3}, {StateRole::Gradients, 2}, {StateRole::MasterWeights, 1}, {StateRole::OptimizerState, 1}};

// Over which axes, by library; stage 3 has its own column because ZeRO-3 divides inside the shard group.
struct ShardingRow {
    Sharding id;
    AxisSet below_stage_3, stage_3;
};
constexpr ShardingRow kRows[] = {
    {Sharding::Fsdp1, kShardGroup, kShardGroup},
    {Sharding::Fsdp2, kShardGroup, kShardGroup},
    {Sharding::Deepspeed, kAllDataParallel, kShardGroup},
    {Sharding::MegatronDistopt, kAllDataParallel, kShardGroup},
    {Sharding::Ddp, kNone, kNone},
    {Sharding::Tensor, kNone, kNone},
    {Sharding::LayerSplit, kNone, kNone},
};

constexpr bool each_row_at_its_id() {
    for (std::size_t i = 0; i < std::size(kRows); ++i)
        if (static_cast<std::size_t>(kRows[i].id) != i) return false;
    return std::size(kRows) == static_cast<std::size_t>(Sharding::LayerSplit) + 1;
}
static_assert(each_row_at_its_id());

AxisSet axes(const Mesh& mesh, StateRole role) {
    if (mesh.zero_stage < kRoles[static_cast<std::size_t>(role)].from_stage) return kNone;
    const ShardingRow& row = kRows[static_cast<std::size_t>(mesh.sharding)];
    return mesh.zero_stage >= 3 ? row.stage_3 : row.below_stage_3;
}

}  // namespace

std::vector<ShardFactor> shard_factors(const Mesh& mesh, StateRole role) {
    const AxisSet set = axes(mesh, role);
    std::vector<ShardFactor> out;
    if ((set & kReplicate) != 0 && mesh.dp_replicate > 1) out.push_back({"dp_replicate", mesh.dp_replicate});
    if ((set & kShard) != 0 && mesh.dp_shard > 1) out.push_back({"dp_shard", mesh.dp_shard});
    if ((set & kContext) != 0 && mesh.cp > 1) out.push_back({"cp", mesh.cp});
    return out;
}

std::int64_t shard_count(const Mesh& mesh, StateRole role) {
    std::int64_t out = 1;
    for (const ShardFactor& factor : shard_factors(mesh, role))
        out *= factor.ranks;
    return out;
}

}  // namespace memwall
