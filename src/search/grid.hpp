// Grid: what a scenario needs at every pair of values of two fields; the data of the fit map.
#pragma once
#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "plan/fields.hpp"

namespace memwall {

struct GridAxis {
    FieldId field{};
    std::vector<std::int64_t> values;
};
inline constexpr std::size_t kMostGridValues = 256;  // on each axis
inline constexpr std::int64_t kRefused = -1;

struct Grid {
    std::vector<std::int64_t> needed_bytes;  // device totals, row by row: every x of the first y, then of the next
    std::int64_t usable_bytes = 0;           // of the accelerator; 0: none is given
};

// A pair of values that is refused (longer than the model's positions, say) has kRefused. Errors: OutOfRange for a
// field that is no whole number or stands on both axes, for no value and for more than kMostGridValues; the error of
// the scenario itself when every pair is refused.
Result<Grid> grid(const Scenario&, const GridAxis& x, const GridAxis& y);

}  // namespace memwall
