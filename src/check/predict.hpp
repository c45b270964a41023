// Prediction: what memwall says about a record, in the counter the record was read from.
//
// category = raw bytes under the instrument's policy (memory/program.hpp), allocated and active =
// blocks of 512 bytes, reserved = with allocator_slack, driver and unknown = device total. Records that
// cannot be predicted give the error that says why: the caller counts them as skipped.
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
    std::optional<std::int64_t> value;  // in the unit of Record::measured; none: only a verdict
    std::optional<Verdict> verdict;
    std::optional<bool> inside_interval;
    std::string dominant_row;
    std::vector<Comparison> comparisons;
};

Result<Prediction> predict(const Record&);

// predicted / measured - 1, in per cent; 0 / 0 is 0.
double error_percent(std::int64_t predicted, std::int64_t measured);

}  // namespace memwall
