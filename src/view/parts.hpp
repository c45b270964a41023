// The parts of present(), one per area of the page; only view/*.cpp includes this.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "search/companions.hpp"
#include "view/view_model.hpp"

namespace memwall {

// headline.cpp
std::string title(const Scenario&);
VerdictView verdict_view(const Estimate&);
GaugeView gauge_view(const Estimate&);
MultipleView multiple_view(const Estimate&);
PairView pair_view(const Companions&);
LargestView largest_view(const Companions&);
std::vector<NumberView> number_views(const Estimate&);
ThroughputView throughput_view(const Estimate&);
std::string efficiency_text(const Throughput&);  // "40.0 % of the peak arithmetic rate"
std::string_view role(Verdict);

// breakdown.cpp
std::vector<GroupView> group_views(const Ledger&);
std::vector<BarView> bar_views(const std::vector<GroupView>&);
std::string describe_bar(const std::vector<BarView>&, std::string_view total);
std::vector<AssumptionView> assumption_views(const Estimate&);

// timeline.cpp
std::string_view stage_text(std::int32_t step);  // "first step", "evaluation"
bool is_still(std::int32_t step);                // nothing is computed in it
TimelineView timeline_view(const Estimate&);
std::string instant_label(const Estimate&, const Instant&);

// parameter_tree.cpp
ParametersView parameters_view(const Estimate&);

// form.cpp
std::vector<FormFieldView> form_views(const Scenario&);
std::vector<NoteView> note_views(const Notes&);

}  // namespace memwall
