// The caching allocator under an estimate: what it would reserve, beside the row allocator_slack, which decides.
#pragma once
#include <string_view>
#include <vector>

#include "estimate/estimate.hpp"
#include "memory/allocator_run.hpp"

namespace memwall {

// Of an estimate that has numbers, its worst rank.
struct ReservedUnder {
    std::string_view policy;  // "default", "expandable_segments", "max_split_size_mb"
    AllocatorRun run;
};
// PyTorch's defaults and expandable segments, and with a limit of splitting (in bytes; 0: none asked) that too.
Result<std::vector<ReservedUnder>> reserved_under(const Estimate&, std::int64_t max_split_bytes = 0);

}  // namespace memwall
