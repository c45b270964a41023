#include "search/solver.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/concat.hpp"
#include "estimate/interval.hpp"
#include "search/probe.hpp"

namespace memwall {
namespace {

constexpr std::array kGrowing{
    FieldId::MicroBatchSize,     FieldId::SequenceLength, FieldId::ContextTokens,   FieldId::ConcurrentSequences,
    FieldId::InUseByOthersBytes, FieldId::ModelParams,    FieldId::NumHiddenLayers, FieldId::VocabSize,
    FieldId::IntermediateSize,   FieldId::MethodRank,
};
struct Seen {
    std::int64_t value;
    Bytes needed;
};

// What a scenario needs with one field at a given value; nothing is asked twice.
class Line {
  public:
    Line(const Scenario& scenario, FieldId field) : probe_(scenario, {field}) {}

    Result<Bytes> needed(std::int64_t value) {
        if (const auto place = place_of(value); place != seen_.end() && place->value == value) return place->needed;
        MEMWALL_TRY(total, probe_.needed({&value, 1}));
        seen_.insert(place_of(value), {value, total});
        return total;
    }

    const MemoryProbe& probe() const { return probe_; }
    const std::vector<Seen>& seen() const { return seen_; }  // by value

  private:
    std::vector<Seen>::const_iterator place_of(std::int64_t value) const {
        return std::find_if(seen_.begin(), seen_.end(), [&](const Seen& s) { return s.value >= value; });
    }

    MemoryProbe probe_;
    std::vector<Seen> seen_;
};

// A value that is refused (beyond the model's positions, say) does not fit either.
bool fits(Line& line, std::int64_t value, Bytes usable) {
    const Result<Bytes> needed = line.needed(value);
    return needed && *needed <= usable;
}

// `low` fits; the largest value up to `limit` that does.
std::int64_t climb(Line& line, std::int64_t low, std::int64_t limit, Bytes usable) {
    std::int64_t step = 1, high = limit;
    for (; low < limit; step *= 2) {
        const std::int64_t next = std::min(limit, low + std::min(step, limit - low));
        if (!fits(line, next, usable)) {
            high = next;
            break;
        }
        low = next;
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(line, middle, usable) ? low : high) = middle;
    }
    return low;
}

void report_falls(const Line& line, Solution& solution) {
    Bytes before;
    for (const auto& [value, needed] : line.seen()) {
        if (needed < before)
            solution.notes.add(std::string(field(solution.field).key),
                               {"Memory falls at ", std::to_string(value), ", so larger values may fit again."});
        before = needed;
    }
}

Failure check_solvable(const FieldRow& row) {
    if (std::find(kGrowing.begin(), kGrowing.end(), row.id) != kGrowing.end()) return std::nullopt;
    std::string hint = "One of ";
    for (const FieldId id : kGrowing)
        hint.append(hint.size() > 7 ? ", " : "").append(field(id).key);
    return Error{ErrorCode::OutOfRange, row.key, {row.key, " is not a number whose growth costs memory."}, hint};
}

}  // namespace

std::span<const FieldId> solvable_fields() { return kGrowing; }

Result<Solution> largest_that_fits(const Scenario& scenario, FieldId id) {
    const FieldRow& row = field(id);
    if (Failure wrong = check_solvable(row)) return *wrong;
    const std::int64_t limit = std::min(row.maximum, row.computed_maximum);
    const bool counted = is_given(scenario, FieldId::ModelRef) || is_given(scenario, FieldId::HiddenSize);
    if (id == FieldId::ModelParams && counted)
        return Error{ErrorCode::Inconsistent, row.key, "The parameters of this model are counted.",
                     "Leave the model out."};
    Line line(scenario, id);
    Solution out;
    out.field = id;
    out.value = std::max<std::int64_t>(row.minimum, 1);  // 0 stands for "not set" in some fields
    MEMWALL_TRY(smallest, line.needed(out.value));
    if (line.probe().completed().accelerator.usable_bytes == 0)
        return Error{ErrorCode::Missing, "accelerator.name", "Without an accelerator there is no largest value.",
                     "Choose an accelerator, or give accelerator.usable_bytes."};
    out.usable = Bytes(line.probe().completed().accelerator.usable_bytes);
    out.usable_trust = line.probe().completed().accelerator.usable_trust;
    if (smallest > out.usable) {
        out.bound = Bound::NothingFits;
    } else {
        out.value = climb(line, out.value, limit, out.usable);
        if (out.value < limit) {
            const Result<Bytes> next = line.needed(out.value + 1);
            out.bound = next ? Bound::Memory : Bound::FieldLimit;
            if (next) {
                out.next = out.value + 1;
                out.next_needed = *next;
            }
        } else {
            out.bound = Bound::FieldLimit;
        }
    }
    out.needed = *line.needed(out.value);
    out.verdict = verdict_of(interval_around(out.needed, line.probe().certain(), line.probe().completed()), out.usable);
    out.evaluations = static_cast<int>(line.seen().size());
    report_falls(line, out);
    return out;
}

}  // namespace memwall
