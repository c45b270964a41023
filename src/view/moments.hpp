// A step's instants in words: where each is, what it holds, and its rows by size.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "estimate/moments.hpp"
#include "view/view_model.hpp"

namespace memwall {

struct MomentView {
    std::string label;  // "steady step, backward, layer 31 of 32, q_proj"
    std::string text;   // "14.96 GiB"
    bool worst = false;
    std::vector<RowView> rows;  // largest first
    std::vector<BarView> bar;   // the categories, in ledger order
};

MomentView moment_view(const Estimate&, const Moment&);
std::vector<MomentView> moment_views(const Estimate&, std::span<const Moment>);

// What happens beside the steps, in words: "loading, evaluation"; the allocator replays none of it.
std::string stages_beside(const Estimate&);

// A part of every instant of a step: so many of them, on the scale of the whole step.
inline constexpr std::size_t kInstantsInWindow = 240;
struct WindowView {
    std::size_t count = 0, first = 0, peak = 0;  // of all; the part's first; the highest of all
    TimelineView timeline;                       // worst: the highest of the part
};
// `every` as every_instant() gives it; around an instant, or the peak.
WindowView window_view(const Estimate&, const std::vector<Instant>& every, std::optional<std::size_t> around);

}  // namespace memwall
