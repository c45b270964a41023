#include "memory/creation.hpp"

#include <utility>
#include <vector>

#include "memory/evaluate.hpp"
#include "memory/lower.hpp"
#include "memory/tape_cache.hpp"

namespace memwall {

namespace {

// Whether the first step leaves the states that stay.
bool creates_all(const Program& program, const Sizes& sizes) {
    Bytes stays, created;
    for (const LedgerRow& row : program.residents.rows)
        if (row.presence != Presence::Always) stays += row.bytes;
    for (const Instant& instant : evaluate(program, sizes).instants)
        if (instant.step == number(RunStage::FirstStep))
            created = instant.by_category[static_cast<std::size_t>(Category::OptimizerState)];
    return created == stays;
}

}  // namespace

void record_creation(const Scenario& s, const ResidentTensors& tensors, StepInput in, Program& program, Notes& notes) {
    const std::vector<CreatedState> created = created_states(s, tensors, program.policy);
    if (created.empty()) return;
    in.created = created;
    std::shared_ptr<const Tape> at_once = std::exchange(program.tape, recorded(Recording::Step, in));
    if (creates_all(program, sizes_of(s))) return;
    notes.add("optimizer.name", "The first step counts states at its end");
    program.tape = std::move(at_once);
}

}  // namespace memwall
