// Prediction: what memwall says about a record, in the counter the record was read from.
//
// category = raw bytes under the instrument's policy (memory/program.hpp), allocated and active = workspaces of cuBLAS
// and blocks of 512 bytes, reserved = with allocator_slack, driver and unknown = device total. Records that cannot be
// predicted give the error that says why: the caller counts them as skipped. A case without a model or a card is
// predicted: as one of which nothing can be said.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "check/record.hpp"
#include "estimate/estimate.hpp"

namespace memwall {

struct Comparison {
    std::string name;  // "bwd_peak_2", "category.weights"
    std::int64_t predicted = 0, measured = 0;
};

struct Prediction {
    std::optional<std::int64_t> value;  // in the unit of Record::measured; none: nothing can be said
    std::optional<Verdict> verdict;
    std::optional<bool> inside_interval;  // of readings of the total
    std::string dominant_row;             // "total_only" for a count without a formula
    std::vector<Comparison> comparisons;
    std::optional<Comparison> reserved;  // the allocator simulated by both; no moment of the ledger, so it stands apart
};

Result<Prediction> predict(const Record&);

// predicted / measured - 1, in per cent; 0 / 0 is 0; infinite where only the measured one is 0.
double error_percent(std::int64_t predicted, std::int64_t measured);

}  // namespace memwall
