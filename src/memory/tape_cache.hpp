// Recorded steps, kept: what a step allocates depends on everything discrete, not on batch or sequence length.
//
// The last few recordings are remembered by architecture, variant and the few predicates of the sizes that change
// which copies are made (covers()). An answer from here is the answer a new recording gives.
#pragma once
#include "memory/program.hpp"
#include "model/model_program.hpp"

namespace memwall {

// What of a program its sizes can change.
struct Recorded {
    std::int64_t window = 0;  // of sliding attention
    bool chunked = false;     // the loss
};

// The same events for both: one sequence or more, one token or more, multiples of 8, windows shorter or not; a chunked
// loss has as many chunks as the sizes make.
bool records_alike(const Recorded&, const Sizes& a, const Sizes& b);

const Tape& recorded_step(const StepInput&);

}  // namespace memwall
