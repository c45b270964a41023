#include "estimate/allocator.hpp"

#include "memory/lower.hpp"

namespace memwall {

Result<std::vector<ReservedUnder>> reserved_under(const Estimate& e, std::int64_t max_split_bytes) {
    Notes said_before;
    MEMWALL_TRY(program, lower(e.scenario, said_before));
    const Sizes sizes = sizes_of(e.scenario);
    std::vector<ReservedUnder> out;
    out.push_back({"default", run_allocator(program, sizes, {})});
    out.push_back({"expandable_segments", run_allocator(program, sizes, {.growth = SegmentGrowth::Expandable})});
    if (max_split_bytes > 0)
        out.push_back({"max_split_size_mb", run_allocator(program, sizes, {.max_split_bytes = max_split_bytes})});
    return out;
}

}  // namespace memwall
