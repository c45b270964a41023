// Creation: a first step whose optimizer makes the states of a weight when it meets it, not all of them at once.
//
// So do steps inside backward, and loops like that of transformers' Adafactor. What each weight gets is what the ledger
// says of its shape (created_states()), so the step ends with the states that stay. Where it does not, a weight is not
// what its family's program makes of it: a note says that all states are counted at the step's end.
#pragma once
#include "base/notes.hpp"
#include "memory/residents.hpp"
#include "model/model_program.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// Puts another tape into the program, one that Tape::creates_states.
void record_creation(const Scenario&, const ResidentTensors&, StepInput, Program&, Notes&);

}  // namespace memwall
