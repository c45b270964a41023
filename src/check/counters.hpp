// counted(): what a record's own counter would have read of an estimate, of one device.
//
// Known readings: total_peak, model_states, weights, kv_cache, optimizer_state, activations. Of the total:
//   category            raw bytes of tensors (the instrument's policy, memory/program.hpp)
//   allocated, active   blocks of 512 bytes, with what PyTorch's libraries take as tensors (workspaces)
//   reserved            with allocator_slack
//   driver, engine_log, unknown, none   device total
// Readings before the first batch (after_load) and between two steps (between_steps) see what stands then. A part has
// no slack, no framework and no workspace of its own: it is the same bytes in every counter but `category`.
#pragma once
#include <cstdint>

#include "base/result.hpp"
#include "check/record.hpp"
#include "estimate/estimate.hpp"

namespace memwall {

// NotYet for another reading, phase or counter.
Result<std::int64_t> counted(const Reading&, const Estimate&);

// A part at the worst instant of an evaluation: what `category` counts. NotYet for what is no part.
Result<std::int64_t> counted_raw(const Reading&, const Evaluation&);

}  // namespace memwall
