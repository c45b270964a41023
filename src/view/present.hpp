// present(): an Estimate as finished strings.
//
// Pure; derives nothing that the ledger does not say. Groups are by category in ledger order, rows in
// them by size. The baseline mark is the standard rule: bytes per parameter by recipe × parameters.
#pragma once
#include "base/result.hpp"
#include "search/companions.hpp"
#include "view/view_model.hpp"

namespace memwall {

ViewModel present(const Estimate&, const Companions&);
// estimate, companions, present: what the page asks for after every change.
Result<ViewModel> view(const Scenario&);

}  // namespace memwall
