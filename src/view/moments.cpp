#include "view/moments.hpp"

#include <algorithm>

#include "view/format.hpp"
#include "view/parts.hpp"

namespace memwall {

std::vector<MomentView> moment_views(const Estimate& e, std::span<const Moment> moments) {
    std::vector<MomentView> out;
    for (const Moment& moment : moments) {
        MomentView view{instant_label(e, moment.instant), text(moment.instant.total), moment.worst, {}};
        for (GroupView& group : group_views(moment.rows))
            view.rows.insert(view.rows.end(), std::make_move_iterator(group.rows.begin()),
                             std::make_move_iterator(group.rows.end()));
        std::stable_sort(view.rows.begin(), view.rows.end(),
                         [](const RowView& a, const RowView& b) { return a.fraction > b.fraction; });
        out.push_back(std::move(view));
    }
    return out;
}

}  // namespace memwall
