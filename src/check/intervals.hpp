// Intervals: the table of estimate/interval_rows.inc, from records.
//
// Evidence is one known run against its prediction, as a share of what the run's class is a multiple of
// (estimate/interval.hpp): published readings of a total, and runs of PyTorch's ledger with the caching allocator
// replayed over their own trace, which is what a card would have reserved. Each of the latter is predicted a second
// time from its number of parameters alone: that is how far the estimate for models without a block program is off.
// Doubtful records and unknown counters are no evidence.
#pragma once
#include <string>
#include <vector>

#include "check/table.hpp"
#include "estimate/interval.hpp"

namespace memwall {

struct Evidence {
    std::string id, model;
    IntervalClass of{};
    double share = 1;  // 1 + (measured - predicted) / base
};

std::vector<Evidence> evidence_from(const std::vector<CheckedRecord>&);
// The central 90 %: the k-th from either end, k = ⌊(n + 1) / 20⌋ but at least 1, rounded outward to half a per cent.
IntervalRow row_from(IntervalClass, const std::vector<Evidence>&);

std::string rows_text(const std::vector<Evidence>&);  // the file itself
std::string json_from(const std::vector<Evidence>&);

}  // namespace memwall
