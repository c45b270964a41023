// Moments: every instant of a step with the rows that exist in it, not only the worst one.
//
// The same program and the same rows_at() as the headline; rows add up to the instant's total, exactly.
#pragma once
#include <optional>
#include <vector>

#include "estimate/estimate.hpp"

namespace memwall {

struct Moment {
    Instant instant;
    Ledger rows;
    bool worst = false;
};

// Of an estimate that has numbers, in the order of its worst rank's instants.
Result<std::vector<Moment>> moments_of(const Estimate&);
// The one at that place of the list.
Result<Moment> moment_of(const Estimate&, std::size_t at);

// Every instant of the worst rank, and one of them with its rows.
Result<std::vector<Instant>> every_instant(const Estimate&);
Result<Moment> moment_of(const Estimate&, const std::vector<Instant>& every, std::size_t at);
// Where among them the one is that stands at that place of the worst rank's own list; where it is none of them, the
// nearest of its segment.
Result<std::size_t> place_among(const std::vector<Instant>& every, const Estimate&, std::size_t at);

// The layer in which an instant is, counted from 0. Equal layers are recorded once: `layer` is the first that the
// segment stands for, `copy` counts in the order of time, so from the last one down in backward. Nothing outside
// layers, in models of two stacks, where layers differ and the run's end is not known, and where several blocks are
// checkpointed together.
std::optional<std::int64_t> layer_at(const Estimate&, const Instant&);

}  // namespace memwall
