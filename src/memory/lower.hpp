// lower(): decides everything discrete (family, kernel, precision, checkpointing, mesh) and records the step.
//
// Input is a completed, valid scenario (plan/defaults.hpp, plan/validate.hpp). What had to be guessed becomes a
// note. What no rule covers yet is Error{NotYet} with the field's key. Pure; no state is kept between calls.
#pragma once
#include "base/notes.hpp"
#include "base/result.hpp"
#include "memory/program.hpp"
#include "plan/scenario.hpp"

namespace memwall {

Result<Program> lower(const Scenario& completed, Notes& notes, Policy policy = Policy::Device);

Sizes sizes_of(const Scenario& completed);

// Whether the recorded events are those of these sizes as well (batch of one, multiples of 8 and of 32 tokens).
bool covers(const Program&, const Sizes&);

}  // namespace memwall
