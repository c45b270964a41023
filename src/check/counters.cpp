#include "check/counters.hpp"

#include <iterator>
#include <string>

#include "catalogue/catalogue.hpp"

namespace memwall {
namespace {

enum class Counter : std::uint8_t { Category, Tensors, Reserved, Device };

struct CounterWord {
    std::string_view word;
    Counter counter;
};
constexpr CounterWord kCounters[] = {
    {"category", Counter::Category}, {"allocated", Counter::Tensors}, {"active", Counter::Tensors},
    {"reserved", Counter::Reserved}, {"driver", Counter::Device},     {"engine_log", Counter::Device},
    {"unknown", Counter::Device},    {"", Counter::Device},
};

enum class Moment : std::uint8_t { Peak, AfterLoad, BetweenSteps };

struct PhaseWord {
    std::string_view word;
    Moment moment;
};
// Counters of the device and of peaks still show the peak when training is over.
constexpr PhaseWord kPhases[] = {
    {"", Moment::Peak},
    {"peak", Moment::Peak},
    {"profiling", Moment::Peak},
    {"training", Moment::Peak},
    {"after_training", Moment::Peak},
    {"after_load", Moment::AfterLoad},
    {"between_steps", Moment::BetweenSteps},
};

constexpr std::size_t kMostTogether = 4;

struct Part {
    std::string_view what;
    std::size_t count;
    Category categories[kMostTogether];
};
// Weights, gradients and optimizer states are the model's (Rajbhandari et al., ZeRO).
constexpr Part kParts[] = {
    {"weights", 1, {Category::Weights}},
    {"kv_cache", 1, {Category::KvCache}},
    {"optimizer_state", 1, {Category::OptimizerState}},
    {"activations", 3, {Category::Activations, Category::Logits, Category::WeightCasts}},
    {"model_states", 4, {Category::Weights, Category::Gradients, Category::MasterWeights, Category::OptimizerState}},
};

template <class Row, std::size_t kRows>
const Row* find(const Row (&rows)[kRows], std::string_view Row::*member, std::string_view word) {
    for (const Row& row : rows)
        if (row.*member == word) return &row;
    return nullptr;
}

Error unknown(std::string_view field, const std::string& word, std::string_view known) {
    return Error{ErrorCode::NotYet, std::string(field), word + " is not predicted by this version", std::string(known)};
}

Error unknown_part(const std::string& what) {
    return unknown("measured.what", what,
                   "total_peak, weights, kv_cache, optimizer_state, activations, model_states, verdict");
}

std::int64_t at(const Instant& instant, Category category) {
    return instant.by_category[static_cast<std::size_t>(category)].value;
}

std::int64_t sum(const Part& part, const Instant& instant) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < part.count; ++i)
        total += at(instant, part.categories[i]);
    return total;
}

// Loops that empty the gradients before the next forward pass still hold them between two steps, so states are read as
// the optimizer's step leaves them.
const Instant& states_moment(const std::vector<Instant>& instants, std::size_t peak) {
    for (auto instant = instants.rbegin(); instant != instants.rend(); ++instant)
        if (instant->segment == Segment::OptimizerStep) return *instant;
    return instants[peak];
}

// What PyTorch's counters see beside tensors, in training: the ledger has it in its row for context and libraries.
std::int64_t workspaces(const Estimate& estimate) {
    if (estimate.scenario.task == Task::Inference) return 0;
    constexpr std::int32_t kHopper = 90;
    const auto row = find_accelerator(estimate.scenario.accelerator.name);
    return 2 * (row && (*row)->compute_capability_tenths == kHopper ? kWorkspaceOfHopper : kWorkspace);
}

// From tensors at a moment to the counter. Workspaces come with the first product; the device has them in its own row.
std::int64_t in_counter(Counter counter, const Estimate& estimate, Moment moment, std::int64_t tensors) {
    const Ledger& device = estimate.worst().device;
    switch (counter) {
        case Counter::Category:
            return tensors;
        case Counter::Tensors:
            return tensors + (moment == Moment::AfterLoad ? 0 : workspaces(estimate));
        case Counter::Reserved:
            return tensors + device.total(Category::AllocatorSlack).value;
        case Counter::Device:
            break;
    }
    return tensors + device.total(Category::Framework).value + device.total(Category::InUseByOthers).value;
}

// What stands on the device before a batch exists.
std::int64_t loaded(const Estimate& estimate) {
    const Instant& first = estimate.worst().instants.front();
    return first.total.value - (estimate.scenario.task == Task::Inference ? 0 : at(first, Category::Inputs));
}

std::int64_t total_at(Moment moment, Counter counter, const Estimate& estimate) {
    const RankEstimate& rank = estimate.worst();
    if (moment == Moment::AfterLoad) return in_counter(counter, estimate, moment, loaded(estimate));
    if (moment == Moment::BetweenSteps) return in_counter(counter, estimate, moment, rank.instants.back().total.value);
    switch (counter) {
        case Counter::Category:
        case Counter::Tensors:
            return in_counter(counter, estimate, moment, rank.allocated.value);
        case Counter::Reserved:
            return rank.reserved.value;
        case Counter::Device:
            break;
    }
    return rank.device_total.value;
}

}  // namespace

Result<std::int64_t> counted(const Reading& reading, const Estimate& estimate) {
    const CounterWord* counter = find(kCounters, &CounterWord::word, reading.counter);
    if (!counter) return unknown("measured.counter", reading.counter, "allocated, active, reserved, driver, category");
    const PhaseWord* phase = find(kPhases, &PhaseWord::word, reading.phase);
    if (reading.what == "total_peak") {
        if (!phase) return unknown("measured.phase", reading.phase, "after_load, between_steps or none: the peak");
        return total_at(phase->moment, counter->counter, estimate);
    }
    const Part* part = find(kParts, &Part::what, reading.what);
    if (!part) return unknown_part(reading.what);
    const RankEstimate& rank = estimate.worst();
    if (reading.what != "model_states") {
        std::int64_t total = 0;
        for (std::size_t i = 0; i < part->count; ++i)
            total += rank.device.total(part->categories[i]).value;
        return total;
    }
    return in_counter(counter->counter, estimate, Moment::BetweenSteps,
                      sum(*part, states_moment(rank.instants, rank.peak)));
}

Result<std::int64_t> counted_raw(const Reading& reading, const Evaluation& evaluation) {
    const Part* part = find(kParts, &Part::what, reading.what);
    if (!part) return unknown_part(reading.what);
    return sum(*part, reading.what == "model_states" ? states_moment(evaluation.instants, evaluation.peak)
                                                     : evaluation.instants[evaluation.peak]);
}

}  // namespace memwall
