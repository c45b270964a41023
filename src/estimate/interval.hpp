// The 90 % interval around a device total, by kind of scenario.
//
// Until `memwall check` derives the table from records, its widths are cautious defaults and say so:
// narrower where a block program runs on one accelerator, widest where only a parameter count is known.
#pragma once
#include "estimate/estimate.hpp"

namespace memwall {

// `completed` scenario; low and high never leave [0, 2^63).
Interval interval_around(Bytes device_total, const Scenario& completed);

}  // namespace memwall
