// The simulated allocator as JSON.
#pragma once
#include <span>
#include <string>

#include "estimate/allocator.hpp"

namespace memwall {

// {"schema","version","allocated_bytes","reserved_bytes","over","requests","runs":[{"policy","allocated_bytes",
// "reserved_bytes","text","over","segments"}]}: first what the estimate says, then the simulations. "over": what is
// reserved beyond what is allocated, as text.
std::string json_from_allocator(const Estimate&, std::span<const ReservedUnder>);

}  // namespace memwall
