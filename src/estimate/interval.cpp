#include "estimate/interval.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "model/model_program.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

constexpr IntervalRow kRows[] = {
#include "estimate/interval_rows.inc"
};

using Class = IntervalClass;
constexpr IntervalClassRow kClasses[] = {
    {Class::TrainingProgram, Class::TrainingAny, "training_program", "training in transformers on one accelerator"},
    {Class::TrainingElsewhere, Class::TrainingAny, "training_elsewhere",
     "training in other libraries or on several accelerators"},
    {Class::TrainingAny, Class::TrainingAny, "training", "training"},
    {Class::TrainingEstimated, Class::TrainingEstimated, "training_estimated",
     "training with activations estimated from the size of the model"},
    {Class::TrainingEstimatedRecomputing, Class::TrainingEstimatedRecomputing, "training_estimated_recomputing",
     "training under checkpointing with activations estimated from the size of the model"},
    {Class::InferencePlain, Class::InferenceAny, "inference_plain", "inference in transformers on one accelerator"},
    {Class::InferenceQuantized, Class::InferenceAny, "inference_quantized", "inference with quantised weights"},
    {Class::InferenceElsewhere, Class::InferenceAny, "inference_elsewhere",
     "inference in other libraries or on several accelerators"},
    {Class::InferenceAny, Class::InferenceAny, "inference", "inference"},
};

constexpr bool each_at_its_index() {
    for (std::size_t i = 0; i < std::size(kClasses); ++i)
        if (static_cast<std::size_t>(kClasses[i].id) != i || static_cast<std::size_t>(kRows[i].id) != i) return false;
    return std::size(kClasses) == std::size(kRows);
}
static_assert(each_at_its_index());

const IntervalRow& row_of(Class id) { return kRows[static_cast<std::size_t>(id)]; }
const IntervalClassRow& class_of(Class id) { return kClasses[static_cast<std::size_t>(id)]; }

// Division first: a device total may be close to 2^63.
Bytes part_of(Bytes base, std::int64_t permille) {
    auto out = checked_multiply(base.value / 1000, permille);
    if (out) out = checked_add(*out, base.value % 1000 * permille / 1000);
    return Bytes(out.value_or(INT64_MAX));
}

// What is stated and not predicted.
Bytes known_bytes(const Scenario& s) {
    const bool says_framework = is_given(s, FieldId::FrameworkBytes);
    return Bytes(s.overhead.in_use_by_others_bytes + (says_framework ? s.overhead.framework_bytes : 0));
}

std::string basis(const IntervalRow& row, Class own) {
    const IntervalClassRow& taken = class_of(row.id);
    std::string out = "holds 90 % of " + std::to_string(row.runs) + " known runs: " + std::string(taken.name);
    if (row.id == own) return out;
    const std::int32_t runs = row_of(own).runs;
    return out + " (" + (runs == 0 ? "none" : std::to_string(runs)) + " of them: " + std::string(class_of(own).name) +
           ")";
}

}  // namespace

std::span<const IntervalClassRow> interval_classes() { return kClasses; }

IntervalClass interval_class(const Scenario& s) {
    const bool elsewhere = s.implementation.name != ImplementationName::HfTransformers || s.mesh.world_size > 1;
    if (s.task == Task::Inference) {
        if (elsewhere) return Class::InferenceElsewhere;
        return s.precision.weights > WeightFormat::F16 ? Class::InferenceQuantized : Class::InferencePlain;
    }
    if (!has_block_program(s.model.architecture))
        return s.savers.activation_checkpointing == Checkpointing::None ? Class::TrainingEstimated
                                                                        : Class::TrainingEstimatedRecomputing;
    return elsewhere ? Class::TrainingElsewhere : Class::TrainingProgram;
}

Bytes interval_base(Bytes device_total, const Scenario& s) {
    if (s.task == Task::Inference || has_block_program(s.model.architecture))
        return device_total - std::min(known_bytes(s), device_total);
    auto estimated = checked_multiply(s.overhead.activation_bytes_per_token, s.batch.micro_batch_size);
    if (estimated) estimated = checked_multiply(*estimated, s.batch.sequence_length);
    return std::min(device_total, Bytes(estimated.value_or(device_total.value)));
}

Interval interval_around(Bytes device_total, Bytes certain, const Scenario& completed) {
    const Class own = interval_class(completed);
    const IntervalRow& row = row_of(row_of(own).runs < kFewestRuns ? class_of(own).wider : own);
    const Bytes base = interval_base(device_total, completed);
    Bytes below = part_of(base, 1000 - row.low_permille);
    Bytes above = part_of(base, row.high_permille - 1000);
    std::string from = basis(row, own);
    if (own == Class::TrainingEstimated || own == Class::TrainingEstimatedRecomputing) {
        // What is beside the activations is as uncertain as where they are known.
        const IntervalRow& known = row_of(Class::TrainingAny);
        const Bytes whole = device_total - std::min(known_bytes(completed), device_total);
        const Bytes least_below = part_of(whole, 1000 - known.low_permille);
        const Bytes least_above = part_of(whole, known.high_permille - 1000);
        const bool stated = is_given(completed, FieldId::ActivationBytesPerToken);
        below = stated ? least_below : std::max(below, least_below);
        above = stated ? least_above : std::max(above, least_above);
        if (stated) from = basis(known, Class::TrainingAny) + ", if the activations are as stated";
    }
    above = std::min(above, Bytes(INT64_MAX - device_total.value));
    const Bytes low = device_total - std::min(below, device_total);
    return {std::min(std::max(low, certain), device_total), device_total + above, std::move(from),
            class_of(row.id).key};
}

}  // namespace memwall
