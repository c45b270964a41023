// estimate(): the one door. Scenario in, everything derived out; pure.
//
// Four numbers are kept apart: the allocated peak; reserved = allocated + the row allocator_slack;
// the device total = reserved + framework + memory in use by others; the usable memory of the
// accelerator. The verdict compares device total and usable. All totals are sums of ledger rows.
// A missing input is not an error: the verdict is CannotSay and `missing` names the field; what is
// known without it is there all the same. Every byte count stays below 2^53 (kLargestExact).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/notes.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "memory/evaluate.hpp"
#include "memory/ledger.hpp"
#include "perf/throughput.hpp"
#include "plan/scenario.hpp"

namespace memwall {

enum class Verdict : std::uint8_t { Fits, DoesNotFit, Tight, CannotSay };
std::string_view name(Verdict);  // "fits", "does_not_fit", "tight", "cannot_say"

enum class RankClass : std::uint8_t { Only, FirstStage, MiddleStage, LastStage };
std::string_view name(RankClass);  // "only", "first_stage" ...

// The 90 % interval around the device total, and where its width comes from.
struct Interval {
    Bytes low, high;
    std::string basis;
    std::string_view kind;  // key of the class of runs it rests on (estimate/interval.hpp)
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
    std::vector<RankEstimate> ranks;  // never empty
    std::size_t worst_rank = 0;
    std::optional<Bytes> usable;  // of the accelerator; nullopt: cannot say
    std::string missing;          // for CannotSay: the field without which nothing can be said
    Interval interval;
    Verdict verdict = Verdict::CannotSay;
    std::optional<Throughput> throughput;  // nullopt: a rate of the accelerator is not known
    Notes notes;

    const RankEstimate& worst() const { return ranks[worst_rank]; }
    bool has_numbers() const { return !worst().instants.empty(); }  // false without a model
};

// What a double, and so JavaScript, still counts one by one.
inline constexpr Bytes kLargestExact{(std::int64_t{1} << 53) - 1};

Result<Estimate> estimate(const Scenario&);

Verdict verdict_of(const Interval&, Bytes usable);

}  // namespace memwall
