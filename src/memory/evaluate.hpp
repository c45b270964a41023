// evaluate(): the recorded program replayed with numbers; rows_at(): the explained ledger of one instant.
//
// evaluate() gives one Instant per dominant moment of every segment, in order of time: the highest total of the
// segment, and its end where that differs. Rows of an instant add up to its total exactly.
// Composition over equal layers: at the end of a segment with `copies` m and net change d the running total moves
// by (m-1)·d, and the segment's own peak is met by copy 0 (d <= 0) or copy m-1 (d > 0).
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "memory/ledger.hpp"
#include "memory/program.hpp"

namespace memwall {

enum class Segment : std::uint8_t {
    Load,
    Embedding,
    Forward,
    HeadAndLoss,
    HeadBackward,
    Backward,
    EmbeddingBackward,
    GradientSum,
    OptimizerStep,
    Idle,
    Prefill,
    Decode,
};
std::string_view name(Segment);  // "forward", "optimizer step"

struct Instant {
    Segment segment{};
    std::int32_t step = 1;           // the number of its RunStage: 1 = first step, 2 = steady step
    std::int32_t micro_step = 1;     // under gradient accumulation
    std::int32_t layer = -1;         // of a run of blocks, or -1
    std::string_view operator_name;  // at the moment: "softmax", "linear"
    std::string_view module;         // "q_proj"
    Bytes total;                     // allocated
    std::array<Bytes, kCategories> by_category{};
    std::int32_t event = 0;  // position in the tape: events before it have happened
    std::int32_t copy = 0;   // of the segment's equal layers
};

// The moments that instruments report, of one (micro-)step.
struct PhaseTotals {
    std::int32_t step = 1, micro_step = 1;
    Bytes forward_peak, forward_end, backward_peak, backward_end, optimizer_peak, optimizer_end, end;
};

struct Evaluation {
    Sizes sizes;
    std::vector<Instant> instants;
    std::size_t peak = 0;  // index of the worst one
    std::vector<PhaseTotals> phases;
};

Evaluation evaluate(const Program&, const Sizes&);

// Not only the dominant ones: where a segment begins, behind each allocation and each release, of every layer. What was
// released is part of the operator that runs. rows_at() takes these instants too.
std::vector<Instant> every_instant(const Program&, const Sizes&);

// What stays through every step, and what others hold of the device.
Bytes certain_bytes(const Program&, Bytes in_use_by_others);

// The highest total alone: what solver and fit map ask for.
Bytes peak(const Program&, const Sizes&);

// Overflow when a product leaves 63 bits.
Result<Ledger> rows_at(const Program&, const Evaluation&, std::size_t instant);

}  // namespace memwall
