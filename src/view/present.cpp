#include "view/present.hpp"

#include <utility>

#include "base/version.hpp"
#include "view/parts.hpp"

namespace memwall {

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
