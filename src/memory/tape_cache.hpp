// Recorded tapes, kept: what was recorded for these discrete choices is handed out again.
//
// Recording depends on the sizes only by what records_alike() compares, so every slider but those for another model
// or method finds its tape. A memo of a pure function: nothing else can be told from it.
#pragma once
#include <memory>

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

enum class Recording : std::uint8_t { Step, Prefill, Estimate, Evaluation };

struct CacheChoice {
    CacheFormat format;
    bool windows = false;  // layers with a window keep no more than it
    friend bool operator==(const CacheChoice&, const CacheChoice&) = default;
};

std::shared_ptr<const Tape> recorded(Recording, const StepInput&, CacheChoice = {});

}  // namespace memwall
