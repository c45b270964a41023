// A step as JSON: every instant with all its rows.
#pragma once
#include <span>
#include <string>

#include "estimate/moments.hpp"

namespace memwall {

// {"schema","version","verdict","peak","instants":[{"segment","step",...,"bytes","categories","rows":[...]}],"notes"}.
// "peak" is the place of the worst instant in the list, or null where it is not among them.
std::string json_from_timeline(const Estimate&, std::span<const Moment>);
// The same without rows: all instants, each with its number.
std::string json_from_instants(const Estimate&, std::span<const Instant>, std::size_t first_number);

}  // namespace memwall
