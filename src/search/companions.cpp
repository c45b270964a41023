#include "search/companions.hpp"

#include <utility>

#include "plan/fields.hpp"

namespace memwall {
namespace {

// Statements about one task that mean something else in the other.
bool belongs_to_task(const FieldRow& row) {
    switch (row.group) {
        case FieldGroup::Method:
        case FieldGroup::Precision:
        case FieldGroup::Optimizer:
        case FieldGroup::Savers:
        case FieldGroup::Serving:
        case FieldGroup::Phases:
            return true;
        case FieldGroup::Batch:
            return row.id != FieldId::SequenceLength;
        case FieldGroup::Model:
        case FieldGroup::Architecture:
        case FieldGroup::Task:
        case FieldGroup::Mesh:
        case FieldGroup::Offload:
        case FieldGroup::Implementation:
        case FieldGroup::Accelerator:
        case FieldGroup::Overhead:
            return false;
    }
    return false;
}

Companion companion(const Estimate& e) {
    return {e.verdict, e.worst().device_total, e.usable, e.scenario.accelerator.usable_trust};
}

std::optional<Companion> with_task(const Scenario& scenario, Task task) {
    const auto made = under_task(scenario, task);
    return made ? std::optional(companion(*made)) : std::nullopt;
}

}  // namespace

Result<Estimate> under_task(Scenario scenario, Task task) {
    if (Failure wrong = set_value(scenario, FieldId::Task, static_cast<std::int64_t>(task))) return *wrong;
    if (auto made = estimate(scenario)) return made;
    for (const FieldRow& row : fields())
        if (belongs_to_task(row)) clear_field(scenario, row.id);
    return estimate(scenario);
}

Companions companions(const Estimate& e) {
    Companions out;
    if (!e.has_numbers()) return out;
    const bool runs = e.scenario.task == Task::Inference;
    out.run = runs ? companion(e) : with_task(e.scenario, Task::Inference);
    out.train = runs ? with_task(e.scenario, Task::Finetune) : companion(e);
    auto largest = largest_that_fits(e.scenario, runs ? FieldId::ConcurrentSequences : FieldId::MicroBatchSize);
    // Where growth costs nothing (no cache is known of a bare parameter count) "everything fits" would be no answer.
    const bool grows = largest && (largest->bound != Bound::FieldLimit || largest->needed != e.worst().device_total);
    if (grows) out.largest = std::move(*largest);
    return out;
}

Bytes weights_16bit(const Estimate& e) { return Bytes(e.total_parameters.value * 2); }

}  // namespace memwall
