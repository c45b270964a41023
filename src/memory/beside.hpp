// Beside: what happens beside the steps, as programs of their own: loading, evaluation, generation, saving.
//
// Each is off until its field (phases.*) asks for it, and enters the peak as any instant of a step does. Evaluation and
// generation run the model without gradients and without dropout, for a batch of their own; loading and saving are
// rows alone, which stand beside the weights.
#pragma once
#include "base/notes.hpp"
#include "memory/program.hpp"
#include "memory/residents.hpp"
#include "model/model_program.hpp"
#include "plan/scenario.hpp"

namespace memwall {

bool has_beside(const Scenario&);
// `program` is complete but for them; `step` is what it was recorded with.
Failure add_beside(const Scenario&, const ResidentTensors&, const StepInput& step, Program& program, Notes&);

}  // namespace memwall
