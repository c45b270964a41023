#include "check/predict.hpp"

#include <algorithm>
#include <array>

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
    return largest == ledger.rows.end() ? "" : largest->key;
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

// What the records call a category, as a sum of ours, at the moment they read it.
std::optional<std::int64_t> category_total(const Evaluation& evaluation, const std::string& name) {
    const Instant* forward_end = nullptr;
    const Instant* backward_end = nullptr;
    for (const Instant& instant : evaluation.instants) {
        if (instant.step != 2) continue;
        if (instant.segment == Segment::HeadAndLoss) forward_end = &instant;
        if (instant.segment == Segment::OptimizerStep && !backward_end) backward_end = &instant;
    }
    if (!forward_end) return std::nullopt;
    if (name == "weights") return at(*forward_end, Category::Weights);
    if (name == "optimizer_state") return at(*forward_end, Category::OptimizerState);
    if (name == "inputs") return at(*forward_end, Category::Inputs);
    if (name == "gradients" && backward_end) return at(*backward_end, Category::Gradients);
    return std::nullopt;
}

void compare_phases(Prediction& prediction, const Record& record, const Evaluation& evaluation) {
    for (const NamedBytes& phase : record.phases)
        if (auto total = phase_total(evaluation, phase.name))
            prediction.comparisons.push_back({phase.name, *total, phase.bytes});
    for (const NamedBytes& category : record.categories)
        if (auto total = category_total(evaluation, category.name))
            prediction.comparisons.push_back({"category." + category.name, *total, category.bytes});
}

Result<Prediction> predict_ledger(const Record& record) {
    Notes notes;
    MEMWALL_TRY(scenario, complete(record.scenario, notes));
    if (Failure failure = validate(scenario)) return *failure;
    MEMWALL_TRY(program, lower(scenario, notes, Policy::Ledger));
    const Evaluation evaluation = evaluate(program, sizes_of(scenario));
    MEMWALL_TRY(rows, rows_at(program, evaluation, evaluation.peak));
    Prediction prediction;
    prediction.value = evaluation.instants[evaluation.peak].total.value;
    prediction.dominant_row = largest_row(rows);
    compare_phases(prediction, record, evaluation);
    return prediction;
}

std::int64_t between_steps(const RankEstimate& rank) {
    for (auto instant = rank.instants.rbegin(); instant != rank.instants.rend(); ++instant)
        if (instant->segment == Segment::Idle) return instant->total.value;
    return rank.allocated.value;
}

Result<std::int64_t> value_of(const Record& record, const Estimate& estimate) {
    const RankEstimate& rank = estimate.worst();
    const std::string& what = record.measured.what;
    const std::string& counter = record.measured.counter;
    if (what == "total_peak") {
        if (counter == "category" || counter == "allocated" || counter == "active") return rank.allocated.value;
        if (counter == "reserved") return rank.reserved.value;
        return rank.device_total.value;
    }
    if (what == "weights") return rank.device.total(Category::Weights).value;
    if (what == "kv_cache") return rank.device.total(Category::KvCache).value;
    if (what == "optimizer_state") return rank.device.total(Category::OptimizerState).value;
    if (what == "activations")
        return (rank.device.total(Category::Activations) + rank.device.total(Category::Logits) +
                rank.device.total(Category::WeightCasts))
            .value;
    if (what == "model_states") return between_steps(rank);
    return Error{ErrorCode::NotYet, "measured.what", what + " is not predicted by this version",
                 "total_peak, weights, kv_cache, optimizer_state, activations, model_states, verdict"};
}

Result<Prediction> predict_estimate(const Record& record) {
    MEMWALL_TRY(estimate, memwall::estimate(record.scenario));
    Prediction prediction;
    prediction.verdict = estimate.verdict;
    prediction.dominant_row = largest_row(estimate.worst().device);
    if (record.measured.what == "verdict" || record.measured.what == "case") return prediction;
    MEMWALL_TRY(value, value_of(record, estimate));
    const bool all = record.measured.scope == "total_all_devices";
    prediction.value = all ? value * estimate.scenario.mesh.world_size : value;
    const double total = static_cast<double>(estimate.worst().device_total.value);
    const double low = static_cast<double>(estimate.interval.low.value) / total;
    const double high = static_cast<double>(estimate.interval.high.value) / total;
    if (record.measured.value) {
        const double ratio = static_cast<double>(*record.measured.value) / static_cast<double>(*prediction.value);
        prediction.inside_interval = ratio >= low && ratio <= high;
    }
    return prediction;
}

Result<Prediction> predict_parameters(const Record& record) {
    Notes notes;
    MEMWALL_TRY(scenario, complete(record.scenario, notes));
    if (Failure failure = check(scenario.model.architecture)) return *failure;
    Prediction prediction;
    prediction.value = count_parameters(scenario.model.architecture).total.value;
    return prediction;
}

}  // namespace

double error_percent(std::int64_t predicted, std::int64_t measured) {
    if (predicted == measured) return 0;
    return (static_cast<double>(predicted) / static_cast<double>(measured) - 1) * 100;
}

Result<Prediction> predict(const Record& record) {
    if (record.kind == "op" || record.measured.what == "op_peak" || record.measured.what == "cuda_context")
        return Error{ErrorCode::NotYet, "op", "single operators are not predicted by this version", ""};
    if (record.refused) return *record.refused;
    if (record.measured.what == "params") return predict_parameters(record);
    if (record.measured.counter == "category" && record.measured.what == "total_peak") return predict_ledger(record);
    auto prediction = predict_estimate(record);
    // A case without a model is a question nobody can answer yet, which is an answer.
    if (!prediction && prediction.error().code == ErrorCode::Missing && record.measured.what == "case") {
        Prediction unknown;
        unknown.verdict = Verdict::CannotSay;
        return unknown;
    }
    return prediction;
}

}  // namespace memwall
