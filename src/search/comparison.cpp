#include "search/comparison.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "memory/lower.hpp"
#include "memory/residents.hpp"
#include "model/architecture.hpp"
#include "model/model_program.hpp"
#include "plan/defaults.hpp"
#include "plan/fields.hpp"
#include "plan/methods.hpp"
#include "plan/validate.hpp"
#include "search/companions.hpp"
#include "search/solver.hpp"

namespace memwall {
namespace {

using M = MethodName;
constexpr M kOrder[] = {M::Full,         M::Freeze,  M::Bitfit,  M::LnTuning, M::Houlsby, M::Pfeiffer,
                        M::Ia3,          M::LoraFa,  M::Lora,    M::Rslora,   M::Dora,    M::Vera,
                        M::Loha,         M::Qlora,   M::Adalora, M::Lokr,     M::Oft,     M::Boft,
                        M::PromptTuning, M::Ptuning, M::Lisa,    M::Badam};

constexpr MethodSet bit(M method) { return MethodSet{1} << static_cast<unsigned>(method); }

// All but what needs as much as another.
constexpr MethodSet usual() {
    MethodSet out = 0;
    for (const M method : kOrder)
        if (method != M::Rslora) out |= bit(method);
    return out;
}

bool has_low_rank(M method) { return memwall::has_low_rank(traits(method).adapter); }

void set(Scenario& s, FieldId id, std::int64_t value) {
    [[maybe_unused]] const Failure failure = set_value(s, id, value);
    assert(!failure);
}

// ---- scenarios ---------------------------------------------------------------------------------

bool describes_base(FieldId id) {
    return id == FieldId::Weights || id == FieldId::QuantizedModules || id == FieldId::UnquantizedDtype;
}

// ---- what it costs -----------------------------------------------------------------------------

void count_layers(const ResidentTensors& tensors, MethodCost& out) {
    for (const ResidentTensor& t : tensors.list) {
        if (!t.parameter || t.parameter->stack == Stack::Outside) continue;
        const Count all = t.copies.value * size_of(t);
        out.layer_parameters += all;
        if (t.trainable) out.trained_layer_parameters += all;
    }
}

// All tensors have the type of the model, so nothing is cast, and a batch of no special size.
Scenario for_counting(Scenario s) {
    constexpr std::int64_t kBatch = 2, kTokens = 64;
    for (const FieldRow& row : fields())
        if (row.group != FieldGroup::Model && row.group != FieldGroup::Architecture && row.group != FieldGroup::Method)
            clear_field(s, row.id);
    set(s, FieldId::Task, static_cast<std::int64_t>(Task::Finetune));
    set(s, FieldId::PrecisionRecipe, static_cast<std::int64_t>(PrecisionRecipe::Bf16));
    set(s, FieldId::MicroBatchSize, kBatch);
    if (s.model.architecture.kind != ArchitectureKind::Vision) set(s, FieldId::SequenceLength, kTokens);
    set(s, FieldId::AdapterDtype, static_cast<std::int64_t>(AdapterDtype::Bf16));
    set(s, FieldId::MethodDropout, 0);
    return s;
}

// Operators of the blocks that make a tensor, in one forward pass.
std::int64_t operators_of(const Scenario& s) {
    Notes ignored;
    const auto completed = complete(s, ignored);
    if (!completed || validate(*completed) || !has_block_program(completed->model.architecture)) return 0;
    const auto program = lower(*completed, ignored);
    if (!program) return 0;
    std::int64_t out = 0;
    for (const TapeSegment& segment : program->tape->segments) {
        if (segment.phase != Phase::Forward || segment.step != 1 || segment.micro_step != 1) continue;
        for (std::int32_t i = segment.begin; i < segment.end; ++i)
            out += std::max(program->tape->events[static_cast<std::size_t>(i)].tensors, 0) * segment.copies;
    }
    return out;
}

std::optional<std::int64_t> added_operators(const Scenario& s) {
    Scenario with = for_counting(s);
    if (traits(with.method.name).adapter == AdapterVariant::None) return 0;
    if (with.method.name == M::Qlora) set(with, FieldId::MethodName, static_cast<std::int64_t>(M::Lora));
    const std::int64_t total = operators_of(with);
    if (total == 0) return std::nullopt;
    return total - operators_of(with_method(with, M::Full));
}

// ---- the cheapest accelerator ------------------------------------------------------------------

bool runs(const AcceleratorRow& row, const Scenario& s) {
    constexpr std::int32_t kFirstWithBf16 = 80;  // compute capability 8.0
    const bool bf16 = s.precision.compute == ComputeDtype::Bf16;
    return row.vendor == "NVIDIA" && (!bf16 || row.compute_capability_tenths >= kFirstWithBf16);
}

// Those with a price by what an hour costs at least, then the others by their memory.
std::int64_t dearness(const AcceleratorRow& row) {
    constexpr std::int64_t kUnpriced = 1'000'000;
    return row.price_low_cents > 0 ? row.price_low_cents : kUnpriced + row.memory_gb_permille;
}

const AcceleratorRow* cheapest(Scenario s, const Estimate& made) {
    for (const FieldRow& row : fields())
        if (row.group == FieldGroup::Accelerator && row.id != FieldId::AcceleratorCount) clear_field(s, row.id);
    const AcceleratorRow* last = nullptr;
    const auto is_behind = [](const AcceleratorRow& row, const AcceleratorRow* other) {
        if (other == nullptr) return true;
        const std::int64_t more = dearness(row) - dearness(*other);
        return more > 0 || (more == 0 && &row > other);
    };
    for (;;) {
        const AcceleratorRow* next = nullptr;
        for (const AcceleratorRow& row : accelerators())
            if (runs(row, made.scenario) && usable_memory(row).bytes >= made.worst().allocated &&
                is_behind(row, last) && (next == nullptr || !is_behind(row, next)))
                next = &row;
        if (next == nullptr) return nullptr;
        last = next;
        if (set_field(s, FieldId::AcceleratorName, next->name)) continue;
        const auto there = estimate(s);
        if (there && there->verdict == Verdict::Fits) return next;
    }
}

// transformers writes the whole model; peft what it added or, of trained norms, what it trained. From all ranks,
// without optimizer states.
Failure add_checkpoint(Scenario s, const ResidentTensors& tensors, MethodCost& out) {
    s.mesh = {};
    Ledger device, host;
    if (Failure failure = add_residents(s, tensors, GradientRows::OnTape, Policy::Ledger, {device, host}))
        return failure;
    const TrainVariant train = traits(s.method.name).train;
    for (const LedgerRow& row : device.rows)
        if (row.category == Category::Weights &&
            (train == TrainVariant::Adapters ? row.rule == RuleId::Adapters
                                             : train != TrainVariant::Norms || row.group == "weights"))
            out.checkpoint += row.bytes;
    return std::nullopt;
}

void add_numbers(const Estimate& made, MethodCost& out) {
    out.verdict = made.verdict;
    out.needed = made.worst().device_total;
    for (const LedgerRow& row : made.worst().device.rows)
        out.categories[static_cast<std::size_t>(row.category)] += row.bytes;
    out.all_parameters = made.total_parameters;
    out.trained_parameters = made.trainable_parameters;
}

Failure add_cost(ComparedMethod& to, const Scenario& s) {
    MEMWALL_TRY(made, estimate(s));
    MethodCost out;
    add_numbers(made, out);
    const ResidentTensors tensors = resident_tensors(made.scenario);
    count_layers(tensors, out);
    if (to.method) {
        if (Failure failure = add_checkpoint(made.scenario, tensors, out)) return failure;
        out.kept = kept_for_backward(made);
        out.added_operators = added_operators(s);
    }
    const auto largest = largest_that_fits(s, to.method ? FieldId::MicroBatchSize : FieldId::ConcurrentSequences);
    if (largest && largest->bound != Bound::NothingFits) out.largest = largest->value;
    out.cheapest = cheapest(s, made);
    to.cost = out;
    return std::nullopt;
}

// How many layers freezing trains: as asked, as stated, or a quarter.
std::int64_t set_last_layers(Scenario& s, std::int64_t asked, std::int64_t layers) {
    if (s.method.name != M::Freeze || layers == 0) return 0;
    if (asked <= 0 && is_given(s, FieldId::FirstTrainableLayer)) return layers - s.method.first_trainable_layer;
    const std::int64_t last = std::min(asked > 0 ? asked : (layers + 3) / 4, layers);
    set(s, FieldId::FirstTrainableLayer, layers - last);
    return last;
}

}  // namespace

Scenario with_method(Scenario s, M method) {
    const bool alike = s.method.name == method || (has_low_rank(s.method.name) && has_low_rank(method));
    const bool quantized =
        is_given(s, FieldId::Weights) ? s.precision.weights > WeightFormat::F16 : s.method.name == M::Qlora;
    for (const FieldRow& row : fields()) {
        const bool other_method = row.group == FieldGroup::Method && row.id != FieldId::MethodName && !alike;
        if (other_method || (describes_base(row.id) && quantized != (method == M::Qlora))) clear_field(s, row.id);
    }
    set(s, FieldId::MethodName, static_cast<std::int64_t>(method));
    return s;
}

Result<MethodSet> methods_from_words(std::string_view words) {
    MethodSet out = words.empty() ? usual() : 0;
    Scenario read;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(','), words.size());
        if (Failure wrong = set_field(read, FieldId::MethodName, words.substr(0, end))) return *wrong;
        out |= bit(read.method.name);
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return out;
}

Result<MethodComparison> compare(const Scenario& given, MethodSet methods, std::int64_t last_layers) {
    MEMWALL_TRY(training, under_task(given, Task::Finetune));
    if (!training.has_numbers())
        return Error{ErrorCode::Missing, training.missing, "No model is given", "give a model, or its dimensions"};
    MethodComparison out;
    out.usable = training.usable;
    out.usable_trust = training.scenario.accelerator.usable_trust;
    out.layers = stacked_layers(training.scenario.model.architecture);
    out.rows.reserve(std::size(kOrder) + 1);
    ComparedMethod& none = out.rows.emplace_back();
    const auto running = under_task(given, Task::Inference);
    if (const Failure refused = running ? add_cost(none, running->scenario) : Failure(running.error()))
        none.refusal = refused->message;
    for (const M method : kOrder) {
        if ((methods & bit(method)) == 0) continue;
        ComparedMethod& row = out.rows.emplace_back();
        row.method = method;
        Scenario s = with_method(training.scenario, method);
        row.last_layers = set_last_layers(s, last_layers, out.layers);
        if (const Failure refused = add_cost(row, s)) row.refusal = refused->message;
    }
    out.scenario = std::move(training.scenario);
    return out;
}

Bytes kept_for_backward(const Estimate& e) {
    Bytes kept;
    for (const Instant& instant : e.worst().instants)
        if (instant.segment == Segment::HeadAndLoss && instant.step == 1 && instant.micro_step == 1)
            kept = instant.by_category[static_cast<std::size_t>(Category::Activations)] +
                   instant.by_category[static_cast<std::size_t>(Category::Logits)];
    return kept;
}

}  // namespace memwall
