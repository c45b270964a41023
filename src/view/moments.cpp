#include "view/moments.hpp"

#include <utility>

#include "view/format.hpp"
#include "view/parts.hpp"

namespace memwall {

MomentView moment_view(const Estimate& e, const Moment& moment) {
    MomentView view{instant_label(e, moment.instant), text(moment.instant.total), moment.worst, {}, {}};
    std::vector<GroupView> groups = group_views(moment.rows);
    view.bar = bar_views(groups);
    for (GroupView& group : groups) {
        for (RowView& row : group.rows) {
            auto place = view.rows.end();  // behind all that are as large
            while (place != view.rows.begin() && (place - 1)->fraction < row.fraction)
                --place;
            view.rows.insert(place, std::move(row));
        }
    }
    return view;
}

std::string stages_beside(const Estimate& e) {
    std::string out;
    std::int32_t last = number(RunStage::FirstStep);
    for (const Instant& instant : e.worst().instants) {
        const bool of_a_step =
            instant.step == number(RunStage::FirstStep) || instant.step == number(RunStage::SteadyStep);
        if (instant.step == std::exchange(last, instant.step) || of_a_step) continue;
        out.append(out.empty() ? "" : ", ").append(stage_text(instant.step));
    }
    return out;
}

std::vector<MomentView> moment_views(const Estimate& e, std::span<const Moment> moments) {
    std::vector<MomentView> out;
    for (const Moment& moment : moments)
        out.push_back(moment_view(e, moment));
    return out;
}

}  // namespace memwall
