// Estimates, rows and solutions for a terminal: the answer first, the breakdown, notes last.
#pragma once
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "search/solver.hpp"
#include "view/view_model.hpp"

namespace memwall {

std::string estimate_text(const ViewModel&, Style);
std::string rows_text(const std::vector<RowView>&);
std::string solution_text(const Solution&);

}  // namespace memwall
