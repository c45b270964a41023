// Solver: the largest value of a field that still fits.
//
// "Fits" here is: device total (the point estimate) <= usable memory, by the same ledger rows as the
// headline. The promise is exact: the value found fits, the next one does not (or is beyond the field's
// limit). Search is by doubling and halving, and relies on memory not falling when the value grows;
// both neighbours of the answer are evaluated, and a fall that was seen is reported as a note.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.hpp"
#include "estimate/estimate.hpp"
#include "plan/fields.hpp"

namespace memwall {

enum class Bound : std::uint8_t {
    Memory,       // the next value does not fit
    FieldLimit,   // the largest value allowed still fits
    NothingFits,  // not even the smallest value
};

struct Solution {
    FieldId field{};
    Bound bound{};
    std::int64_t value = 0;            // largest that fits; with NothingFits the smallest allowed
    Bytes needed;                      // device total at `value`
    Verdict verdict{};                 // at `value`
    std::optional<std::int64_t> next;  // value + 1 where that is allowed, and what it needs
    Bytes next_needed;
    Bytes usable;
    Trust usable_trust{};
    int evaluations = 0;
    Notes notes;
};

// Whole numbers of which one more costs memory, and every one is allowed between the field's limits.
std::span<const FieldId> solvable_fields();

// Missing when model or accelerator are not known; OutOfRange when the field is not a whole number
// whose growth costs memory.
Result<Solution> largest_that_fits(const Scenario&, FieldId);

}  // namespace memwall
