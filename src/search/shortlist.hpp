// Shortlist: one scenario on every accelerator of the catalogue.
#pragma once
#include <vector>

#include "base/result.hpp"
#include "catalogue/catalogue.hpp"
#include "estimate/estimate.hpp"

namespace memwall {

struct ShortlistRow {
    const AcceleratorRow* accelerator = nullptr;
    Verdict verdict{};
    Bytes needed, usable;  // on each of them; `needed` has the framework's share of this one
    Trust usable_trust{};
};

// Those that fit first, by what an hour costs at least and then by memory; the others by what they lack, the least
// first. What was stated about the memory of the accelerator is not asked of others; how many there are is.
// Errors: those of estimate(); Missing without a model.
Result<std::vector<ShortlistRow>> shortlist(const Scenario&);

}  // namespace memwall
