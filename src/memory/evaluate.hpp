// lower() and evaluate(): a scenario as a recorded program, and that program replayed with numbers.
//
// lower() decides everything discrete (family, kernel, precision, checkpointing, mesh) and records the
// step once as a tape of allocations and releases with symbolic sizes. evaluate() replays it: one
// Instant per dominant moment of every segment. rows_at() builds the explained ledger of one instant.
// The owner of memory/ defines Program and Sizes in memory/program.hpp.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "memory/ledger.hpp"

namespace memwall {

enum class Segment : std::uint8_t {
    Load, Embedding, Forward, HeadAndLoss, HeadBackward, Backward, EmbeddingBackward, GradientSum, OptimizerStep, Idle,
    Prefill, Decode,
};
std::string_view name(Segment);

struct Instant {
    Segment segment{};
    std::int32_t step = 1;               // 1 = first step, 2 = steady step
    std::int32_t layer = -1;             // of a run of blocks, or -1
    std::string_view operator_name;      // at the moment: "softmax", "q_proj"
    Bytes total;                         // allocated
    std::array<Bytes, kCategories> by_category{};
};

}  // namespace memwall
