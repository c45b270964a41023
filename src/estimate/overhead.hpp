// Overhead: what the device holds beside the allocated tensors, as ledger rows.
//
// device total = allocated + allocator_slack + framework + in_use_by_others. Slack is a share of the
// allocated peak and therefore does not fall when that grows. The values are the scenario's
// overhead.* fields (plan/defaults.hpp fills them); reasons and sources stand in the rule table.
#pragma once
#include <vector>

#include "base/result.hpp"
#include "memory/ledger.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// Rows of no bytes are left out. Overflow when the share leaves 63 bits.
Failure add_overhead(const Overhead&, Bytes allocated, Ledger& to);
// What those rows and `allocated` add up to, for who needs no rows.
Result<Bytes> device_total(const Overhead&, Bytes allocated);

}  // namespace memwall
