// estimate(): the one door. Scenario in, everything derived out; pure.
//
// Four numbers are kept apart: the allocated peak; reserved = allocated + the row allocator_slack;
// the device total = reserved + framework + memory in use by others; the usable memory of the
// accelerator. The verdict compares device total and usable. All totals are sums of ledger rows.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/notes.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "memory/evaluate.hpp"
#include "memory/ledger.hpp"
#include "plan/scenario.hpp"

namespace memwall {

enum class Verdict : std::uint8_t { Fits, DoesNotFit, Tight, CannotSay };
std::string_view name(Verdict);  // "fits", "does_not_fit", "tight", "cannot_say"

enum class RankClass : std::uint8_t { Only, FirstStage, MiddleStage, LastStage };

// The 90 % interval around the device total, and where its width comes from.
struct Interval {
    Bytes low, high;
    std::string_view basis;
};

struct RankEstimate {
    RankClass rank{};
    std::vector<Instant> instants;  // memory over the step (memory/evaluate.hpp), in order of time
    std::size_t peak = 0;           // index of the worst one
    Ledger device;                  // rows alive at the peak, with slack, framework and others
    Ledger host;
    Bytes allocated, reserved, device_total;
};

struct Estimate {
    Scenario scenario;  // completed: every default filled in
    Count total_parameters, active_parameters, trainable_parameters;
    std::vector<RankEstimate> ranks;
    std::size_t worst_rank = 0;
    std::optional<Bytes> usable;  // of the accelerator; nullopt: cannot say
    std::string missing;          // for CannotSay: the field without which nothing can be said
    Interval interval;
    Verdict verdict = Verdict::CannotSay;
    Notes notes;

    const RankEstimate& worst() const { return ranks[worst_rank]; }
};

Result<Estimate> estimate(const Scenario&);

}  // namespace memwall
