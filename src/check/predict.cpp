#include "check/predict.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/checked.hpp"
#include "check/counters.hpp"
#include "memory/allocator_run.hpp"
#include "memory/evaluate.hpp"
#include "memory/lower.hpp"
#include "model/parameters.hpp"
#include "plan/defaults.hpp"
#include "plan/validate.hpp"

namespace memwall {
namespace {

std::int64_t at(const Instant& instant, Category category) {
    return instant.by_category[static_cast<std::size_t>(category)].value;
}

std::string largest_row(const Ledger& ledger) {
    const auto largest = std::max_element(ledger.rows.begin(), ledger.rows.end(),
                                          [](const LedgerRow& a, const LedgerRow& b) { return a.bytes < b.bytes; });
    return largest == ledger.rows.end() ? "" : largest->key();
}

// "bwd_peak_2.1" -> the total of the same moment, if the program has it.
std::optional<std::int64_t> phase_total(const Evaluation& evaluation, const std::string& name) {
    // The instrument reads it before a batch exists.
    if (name == "after_load" && !evaluation.instants.empty())
        return evaluation.instants.front().total.value - at(evaluation.instants.front(), Category::Inputs);
    const std::size_t last = name.rfind('_');
    const std::string moment = name.substr(0, last), number = name.substr(last + 1);
    const int step = number.empty() ? 0 : number[0] - '0';
    const std::size_t dot = number.find('.');
    const int micro_step = dot == std::string::npos ? 0 : std::atoi(number.c_str() + dot + 1);
    struct Moment {
        std::string_view name;
        Bytes PhaseTotals::*member;
    };
    static constexpr Moment kMoments[] = {
        {"fwd_peak", &PhaseTotals::forward_peak},
        {"fwd_end", &PhaseTotals::forward_end},
        {"bwd_peak", &PhaseTotals::backward_peak},
        {"bwd_end", &PhaseTotals::backward_end},
        {"opt_peak", &PhaseTotals::optimizer_peak},
        {"opt_end", &PhaseTotals::optimizer_end},
        {"iter_end", &PhaseTotals::end},
    };
    std::optional<std::int64_t> found;
    for (const PhaseTotals& phase : evaluation.phases) {
        if (phase.step != step || (micro_step != 0 && phase.micro_step != micro_step)) continue;
        for (const Moment& known : kMoments)
            if (known.name == moment) found = (phase.*known.member).value;  // the last micro-step has the step's end
    }
    return found;
}

// What the records call a category, as a sum of ours. Their activations hold logits and weight copies too.
struct RecordCategory {
    std::string_view name;
    std::array<Category, 3> ours;
};
constexpr RecordCategory kRecordCategories[] = {
    {"weights", {Category::Weights, Category::Weights, Category::Weights}},
    {"gradients", {Category::Gradients, Category::Gradients, Category::Gradients}},
    {"optimizer_state", {Category::OptimizerState, Category::OptimizerState, Category::OptimizerState}},
    {"activations", {Category::Activations, Category::Logits, Category::WeightCasts}},
    {"inputs", {Category::Inputs, Category::Inputs, Category::Inputs}},
    {"buffers", {Category::Buffers, Category::Buffers, Category::Buffers}},
};

// Of the second step: gradients at the end of backward, the rest at the end of forward.
std::optional<std::int64_t> category_total(const Evaluation& evaluation, const std::string& name) {
    const auto* category = std::find_if(std::begin(kRecordCategories), std::end(kRecordCategories),
                                        [&](const RecordCategory& known) { return known.name == name; });
    if (category == std::end(kRecordCategories)) return std::nullopt;
    const bool at_backward_end = category->ours[0] == Category::Gradients;
    const Instant* moment = nullptr;
    for (const Instant& instant : evaluation.instants) {
        if (instant.step != 2) continue;
        if (!at_backward_end && instant.segment == Segment::HeadAndLoss) moment = &instant;
        if (at_backward_end && instant.segment == Segment::OptimizerStep && !moment) moment = &instant;
    }
    if (!moment) return std::nullopt;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < category->ours.size(); ++i)
        if (i == 0 || category->ours[i] != category->ours[0]) total += at(*moment, category->ours[i]);
    return total;
}

void compare_phases(Prediction& prediction, const Record& record, const Evaluation& evaluation) {
    for (const NamedBytes& phase : record.phases)
        if (auto total = phase_total(evaluation, phase.name))
            prediction.comparisons.push_back({phase.name, *total, phase.bytes});
    for (const NamedBytes& category : record.categories)
        if (auto total = category_total(evaluation, category.name))
            prediction.comparisons.push_back({"category." + category.name, *total, category.bytes});
}

void compare_trainable(Prediction& prediction, const Record& record, Count trainable) {
    if (record.trainable_params)
        prediction.comparisons.push_back({"trainable_params", trainable.value, *record.trainable_params});
}

// A sum over devices, each of which holds the same.
std::optional<std::int64_t> in_scope(const Record& record, const Scenario& completed, std::int64_t each) {
    const std::string& scope = record.measured.scope;
    const bool all = scope == "total_all_devices" || scope == "kv_cache_total";
    return all ? checked_multiply(each, completed.mesh.world_size) : std::optional(each);
}

bool is_inside(const Estimate& estimate, std::int64_t predicted, std::int64_t measured) {
    const double scale = static_cast<double>(estimate.worst().device_total.value) / static_cast<double>(predicted);
    const double as_total = static_cast<double>(measured) * scale;
    return as_total >= static_cast<double>(estimate.interval.low.value) &&
           as_total <= static_cast<double>(estimate.interval.high.value);
}

// Of readings of the total.
void place_in_interval(Prediction& prediction, const Record& record, const Estimate& estimate) {
    if (record.measured.what == "total_peak" && record.measured.value && prediction.value && *prediction.value > 0)
        prediction.inside_interval = is_inside(estimate, *prediction.value, *record.measured.value);
}

Result<Prediction> predict_ledger(const Record& record) {
    Notes notes;
    MEMWALL_TRY(scenario, complete(record.scenario, notes));
    if (Failure failure = validate(scenario)) return *failure;
    MEMWALL_TRY(program, lower(scenario, notes, Policy::Ledger));
    const Evaluation evaluation = evaluate(program, sizes_of(scenario));
    MEMWALL_TRY(rows, rows_at(program, evaluation, evaluation.peak));
    Prediction prediction;
    MEMWALL_TRY(value, counted_raw(record.measured, evaluation));
    prediction.value = in_scope(record, scenario, value);
    prediction.dominant_row = largest_row(rows);
    compare_phases(prediction, record, evaluation);
    if (record.measured.reserved_simulated) {
        const AllocatorRun run = run_allocator(program, evaluation.sizes, {});
        prediction.reserved = {"reserved_simulated", run.reserved_peak.value, *record.measured.reserved_simulated};
    }
    if (scenario.task != Task::Inference) compare_trainable(prediction, record, program.trainable_parameters);
    if (const auto estimated = estimate(record.scenario)) place_in_interval(prediction, record, *estimated);
    return prediction;
}

// What the verdict of a case or a fit record is about.
std::optional<std::int64_t> judged(const Record& record, const Estimate& estimate) {
    const std::string& scope = record.measured.scope;
    if (!estimate.has_numbers() || scope == "extra_per_device" || scope == "compute_buffer") return std::nullopt;
    if (record.measured.scope == "kv_cache_total") return estimate.worst().device.total(Category::KvCache).value;
    return estimate.worst().device_total.value;
}

Result<Prediction> predict_estimate(const Record& record) {
    MEMWALL_TRY(estimate, memwall::estimate(record.scenario));
    Prediction prediction;
    prediction.verdict = estimate.verdict;
    prediction.dominant_row = largest_row(estimate.worst().device);
    if (record.measured.what == "verdict" || record.measured.what == "case") {
        if (const auto each = judged(record, estimate)) prediction.value = in_scope(record, estimate.scenario, *each);
        return prediction;
    }
    if (!estimate.has_numbers())
        return Error{ErrorCode::Missing, estimate.missing, "The record names no model that is known",
                     "model.ref, model.config or model.params"};
    if (estimate.scenario.task != Task::Inference) compare_trainable(prediction, record, estimate.trainable_parameters);
    MEMWALL_TRY(value, counted(record.measured, estimate));
    prediction.value = in_scope(record, estimate.scenario, value);
    place_in_interval(prediction, record, estimate);
    return prediction;
}

Result<Prediction> predict_case(const Record& record) {
    if (!record.names_model || !record.names_accelerator) {
        Prediction unknown;
        unknown.verdict = Verdict::CannotSay;
        return unknown;
    }
    if (record.expected.memory == "host")
        return Error{ErrorCode::NotYet, "expected.memory", "host memory is not predicted by this version", ""};
    if (record.refused) return *record.refused;
    return predict_estimate(record);
}

Result<Prediction> predict_operator(const Record& record) {
    MEMWALL_TRY(peak, peak_of(record.run));
    Prediction prediction;
    prediction.value = peak.value;
    return prediction;
}

Result<Prediction> predict_parameters(const Record& record) {
    if (record.refused) return *record.refused;
    Notes notes;
    MEMWALL_TRY(scenario, complete(record.scenario, notes));
    const Architecture& architecture = scenario.model.architecture;
    if (Failure failure = check(architecture)) return *failure;
    Prediction prediction;
    prediction.value = count_parameters(architecture).total.value;
    if (architecture.kind == ArchitectureKind::TotalOnly) prediction.dominant_row = "total_only";
    return prediction;
}

}  // namespace

double error_percent(std::int64_t predicted, std::int64_t measured) {
    if (predicted == measured) return 0;
    if (measured == 0) return std::numeric_limits<double>::infinity();
    return (static_cast<double>(predicted) / static_cast<double>(measured) - 1) * 100;
}

namespace {

Failure check_scope(const std::string& scope) {
    if (scope.empty() || scope == "per_device_max" || scope == "total_all_devices") return std::nullopt;
    return Error{ErrorCode::NotYet, "measured.scope", scope + " is not predicted by this version",
                 "per_device_max or total_all_devices"};
}

}  // namespace

Result<Prediction> predict(const Record& record) {
    const std::string& what = record.measured.what;
    if (record.kind == "op" || what == "op_peak" || what == "cuda_context") return predict_operator(record);
    if (what == "params") return predict_parameters(record);
    if (what == "case") return predict_case(record);
    if (record.refused) return *record.refused;
    if (Failure unknown = check_scope(record.measured.scope)) return *unknown;
    if (record.measured.counter == "category" && what != "verdict") return predict_ledger(record);
    return predict_estimate(record);
}

}  // namespace memwall
