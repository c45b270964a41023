#include "export/json_allocator.hpp"

#include "export/json_parts.hpp"
#include "view/format.hpp"
#include "view/moments.hpp"

namespace memwall {

std::string json_from_allocator(const Estimate& e, std::span<const ReservedUnder> runs) {
    JsonDocument document;
    JsonObject root = document.root();
    add_head(root);
    const RankEstimate& rank = e.worst();
    root.number("allocated_bytes", rank.allocated)
        .number("reserved_bytes", rank.reserved)
        .text("text", text(rank.reserved))
        .text("over", percent(rank.reserved - rank.allocated, rank.allocated))
        .text("left_out", stages_beside(e))
        .number("requests", runs.empty() ? 0 : runs.front().run.allocations);
    JsonArray out = root.array("runs");
    for (const auto& [policy, run] : runs)
        out.object()
            .text("policy", policy)
            .number("allocated_bytes", run.allocated_peak)
            .number("reserved_bytes", run.reserved_peak)
            .text("text", text(run.reserved_peak))
            .text("over", percent(run.reserved_peak - run.allocated_peak, run.allocated_peak))
            .number("segments", run.segments);
    return document.line();
}

}  // namespace memwall
