// validate(): what no single field can see.
//
// Runs on a completed scenario; returns the first contradiction with the field to change, the numbers
// and a hint. Limits of single fields are held by plan/fields.hpp, shapes by check(Architecture).
#pragma once
#include "base/result.hpp"
#include "plan/scenario.hpp"

namespace memwall {

Failure validate(const Scenario& completed);

}  // namespace memwall
