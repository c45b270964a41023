#include "view/present.hpp"

#include <utility>

#include "base/version.hpp"
#include "view/parts.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

struct Named {
    const GroupView* group = nullptr;
    const RowView* row = nullptr;
};
std::string row_text(const Named& one) {
    return filled(Text::PeakRow, {one.row->title, one.group->label, one.row->text});
}

// Where in the step the worst instant is, and the two largest rows then.
std::string peak_with_rows(const std::string& peak, const std::vector<GroupView>& groups) {
    Named first, second;
    for (const GroupView& group : groups)
        for (const RowView& row : group.rows) {
            if (first.row == nullptr || row.fraction > first.row->fraction) {
                second = first;
                first = {&group, &row};
            } else if (second.row == nullptr || row.fraction > second.row->fraction) {
                second = {&group, &row};
            }
        }
    return second.row == nullptr ? peak : filled(Text::PeakRows, {peak, row_text(first), row_text(second)});
}

}  // namespace

ViewModel present(const Estimate& e, const Companions& neighbours) {
    ViewModel out;
    out.version = kVersion;
    out.title = title(e.scenario);
    out.verdict = verdict_view(e);
    out.gauge = gauge_view(e);
    out.multiple = multiple_view(e);
    out.pair = pair_view(neighbours);
    out.largest = largest_view(neighbours);
    out.numbers = number_views(e);
    out.groups = group_views(e.worst().device);
    out.verdict.peak = peak_with_rows(out.verdict.peak, out.groups);
    out.bar = bar_views(out.groups);
    out.bar_description = describe_bar(out.bar, out.verdict.needed);
    out.timeline = timeline_view(e);
    out.parameters = parameters_view(e);
    out.throughput = throughput_view(e);
    out.form = form_views(e.scenario);
    out.notes = note_views(e.notes);
    out.assumptions = assumption_views(e);
    return out;
}

Result<ViewModel> view(const Scenario& scenario) {
    MEMWALL_TRY(made, estimate(scenario));
    return present(made, companions(made));
}

}  // namespace memwall
