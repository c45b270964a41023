// Reasons: why the numbers of the headline are what they are, each as a row of the breakdown is explained: formula,
// numbers, result, reason, source, confidence. And the single tensors behind a row.
#pragma once
#include <string_view>
#include <vector>

#include "search/companions.hpp"
#include "view/view_model.hpp"

namespace memwall {

// By the keys "allocated", "reserved", "device_total", "usable", "interval", "baseline", "multiple", "run", "train",
// "largest", "throughput"; those that the estimate has.
std::vector<RowView> reason_views(const Estimate&, const Companions&);

// Of a row at the worst instant, by its key: one a layer where the row has all of them, otherwise one with how many
// there are. Nothing where a row stands for no tensors.
std::vector<ParameterView> tensor_views(const Estimate&, std::string_view row_key);

}  // namespace memwall
