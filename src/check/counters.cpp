#include "check/counters.hpp"

#include <algorithm>
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

// Before the first batch, at the highest instant, or at one with a name.
enum class When : std::uint8_t { Peak, AfterLoad, Named };

struct PhaseWord {
    std::string_view word;
    When when;
};
// Counters of the device and of peaks still show the peak when training is over. The phase of a peak says where the
// record met it.
constexpr PhaseWord kPhases[] = {
    {"", When::Peak},         {"peak", When::Peak},           {"profiling", When::Peak},
    {"training", When::Peak}, {"after_training", When::Peak}, {"after_load", When::AfterLoad},
};

struct ReadAt {
    const Instant* instant = nullptr;
    When when = When::Peak;
};

bool ends_forward(const Instant& i) { return i.segment == Segment::HeadAndLoss || i.segment == Segment::Prefill; }
bool ends_backward(const Instant& i) {
    return i.segment == Segment::HeadBackward || i.segment == Segment::Backward ||
           i.segment == Segment::EmbeddingBackward || i.segment == Segment::GradientSum;
}
bool ends_update(const Instant& i) { return i.segment == Segment::OptimizerStep; }
bool ends_step(const Instant& i) { return i.segment == Segment::Idle || i.segment == Segment::Decode; }

struct EndWord {
    std::string_view word;
    bool (*ends)(const Instant&);
};
constexpr EndWord kEnds[] = {
    {"fwd_end", ends_forward}, {"bwd_end", ends_backward}, {"opt_end", ends_update}, {"iter_end", ends_step}};

// "bwd_end_2", "bwd_end_2.1": the last instant of that part of a step; nothing for other words.
const Instant* end_of(const std::vector<Instant>& instants, std::string_view phase) {
    const std::size_t last = phase.rfind('_');
    if (last == std::string_view::npos || last + 1 >= phase.size()) return nullptr;
    const std::string_view number = phase.substr(last + 1);
    const int step = number[0] - '0', micro_step = number.size() == 3 && number[1] == '.' ? number[2] - '0' : 0;
    const Instant* found = nullptr;
    for (const EndWord& end : kEnds)
        if (end.word == phase.substr(0, last))
            for (const Instant& instant : instants)
                if (end.ends(instant) && instant.step == step && (micro_step == 0 || instant.micro_step == micro_step))
                    found = &instant;
    return found;
}

Result<ReadAt> read_at(const std::string& phase, const std::vector<Instant>& instants, std::size_t peak) {
    for (const PhaseWord& known : kPhases)
        if (known.word == phase) return ReadAt{&instants[known.when == When::Peak ? peak : 0], known.when};
    if (phase.find("_peak_") != std::string::npos) return ReadAt{&instants[peak], When::Peak};
    if (phase == "between_steps") return ReadAt{&instants.back(), When::Named};
    if (const Instant* end = end_of(instants, phase)) return ReadAt{end, When::Named};
    return Error{ErrorCode::NotYet, "measured.phase", phase + " is not predicted by this version",
                 "after_load, between_steps, fwd_end_N, bwd_end_N, opt_end_N, iter_end_N or none: the peak"};
}

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
const Instant& states_moment(const std::vector<Instant>& instants, const ReadAt& read) {
    const bool between = read.when == When::Peak || read.instant == &instants.back();
    if (between)
        for (auto instant = instants.rbegin(); instant != instants.rend(); ++instant)
            if (instant->segment == Segment::OptimizerStep) return *instant;
    return *read.instant;
}

// What a reading says of tensors. Nothing of a batch is there before the first one.
Result<std::int64_t> tensors_in(const Reading& reading, const std::vector<Instant>& instants, const ReadAt& read) {
    const Instant& instant = *read.instant;
    if (reading.what == "total_peak")
        return instant.total.value - (read.when == When::AfterLoad ? at(instant, Category::Inputs) : 0);
    const Part* part = find(kParts, &Part::what, reading.what);
    if (!part) return unknown_part(reading.what);
    return sum(*part, reading.what == "model_states" ? states_moment(instants, read) : instant);
}

// What PyTorch's counters see beside tensors, in training: the ledger has it in its row for context and libraries.
std::int64_t workspaces(const Estimate& estimate) {
    if (estimate.scenario.task == Task::Inference) return 0;
    constexpr std::int32_t kHopper = 90;
    const auto row = find_accelerator(estimate.scenario.accelerator.name);
    return 2 * (row && (*row)->compute_capability_tenths == kHopper ? kWorkspaceOfHopper : kWorkspace);
}

// From tensors to the counter. Workspaces come with the first product; the device has them in its own row. Slack is the
// same share of what is allocated at every moment.
std::int64_t in_counter(Counter counter, const Estimate& estimate, When when, std::int64_t tensors) {
    const RankEstimate& rank = estimate.worst();
    const Ledger& device = rank.device;
    const std::int64_t libraries = when == When::AfterLoad ? 0 : workspaces(estimate);
    const double share =
        rank.allocated.value > 0 ? static_cast<double>(tensors) / static_cast<double>(rank.allocated.value) : 0;
    const auto slack = static_cast<std::int64_t>(static_cast<double>(device.total(Category::AllocatorSlack).value) *
                                                 std::min(share, 1.0));
    switch (counter) {
        case Counter::Category:
            return tensors;
        case Counter::Tensors:
            return tensors + libraries;
        case Counter::Reserved:
            return tensors + slack + libraries;
        case Counter::Device:
            break;
    }
    return tensors + slack + device.total(Category::Framework).value + device.total(Category::InUseByOthers).value;
}

}  // namespace

Result<std::int64_t> counted(const Reading& reading, const Estimate& estimate) {
    const CounterWord* counter = find(kCounters, &CounterWord::word, reading.counter);
    if (!counter) return unknown("measured.counter", reading.counter, "allocated, active, reserved, driver, category");
    const RankEstimate& rank = estimate.worst();
    MEMWALL_TRY(read, read_at(reading.phase, rank.instants, rank.peak));
    MEMWALL_TRY(tensors, tensors_in(reading, rank.instants, read));
    const bool whole = reading.what == "total_peak" || reading.what == "model_states";
    return whole ? in_counter(counter->counter, estimate, read.when, tensors) : tensors;
}

Result<std::int64_t> counted_raw(const Reading& reading, const Evaluation& evaluation) {
    MEMWALL_TRY(read, read_at(reading.phase, evaluation.instants, evaluation.peak));
    return tensors_in(reading, evaluation.instants, read);
}

}  // namespace memwall
