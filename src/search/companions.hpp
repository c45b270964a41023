// Companions: the neighbours of a scenario that the headline is read against.
//
// "Run it" is the same model and accelerator with task inference, "train it" with task finetune (or the
// scenario itself); all that the user stated and that has a meaning there is kept.
#pragma once
#include <optional>

#include "estimate/estimate.hpp"
#include "search/solver.hpp"

namespace memwall {

// What one task needs.
struct Companion {
    Verdict verdict{};
    Bytes needed;
    std::optional<Bytes> usable;
    Trust usable_trust{};
};

struct Companions {
    std::optional<Companion> run, train;  // nullopt: the other task is refused for this scenario
    std::optional<Solution> largest;      // micro-batch, or sequences for inference
};

Companions companions(const Estimate&);
// What the same statements give under a task; without those that mean something else there if it refuses them.
Result<Estimate> under_task(Scenario, Task);
// The device total in multiples of the bare weights in 16 bits, the size a download page shows.
Bytes weights_16bit(const Estimate&);

}  // namespace memwall
