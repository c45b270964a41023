#include "check/intervals.hpp"

#include <algorithm>
#include <cmath>

#include "export/json_tree.hpp"
#include "model/parameters.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

// The enumerator behind a class, as the file writes it.
constexpr std::string_view kEnumerators[] = {
    "TrainingProgram", "TrainingElsewhere",  "TrainingAny",        "TrainingEstimated", "TrainingEstimatedRecomputing",
    "InferencePlain",  "InferenceQuantized", "InferenceElsewhere", "InferenceAny"};
static_assert(std::size(kEnumerators) == static_cast<std::size_t>(IntervalClass::InferenceAny) + 1);

// Where the interval is a multiple of the estimated part alone.
bool is_estimated(IntervalClass of) {
    return of == IntervalClass::TrainingEstimated || of == IntervalClass::TrainingEstimatedRecomputing;
}

void add(std::vector<Evidence>& into, const Record& record, const Estimate& estimate, std::int64_t predicted,
         std::int64_t measured) {
    Evidence evidence{record.id, record.scenario.model.name, interval_class(estimate.scenario), 1};
    const Bytes base =
        is_estimated(evidence.of) ? interval_base(estimate.worst().device_total, estimate.scenario) : Bytes(predicted);
    if (base.value <= 0) return;
    evidence.share = 1 + static_cast<double>(measured - predicted) / static_cast<double>(base.value);
    into.push_back(std::move(evidence));
}

// The same run, had nothing been known of the model but its size.
Scenario from_count_alone(const Scenario& scenario, Count parameters) {
    Scenario out = scenario;
    for (const FieldRow& row : fields())
        if (row.group == FieldGroup::Model || row.group == FieldGroup::Architecture) out.given.reset(index(row.id));
    out.model = {};
    [[maybe_unused]] const Failure failure = set_value(out, FieldId::ModelParams, parameters.value);
    return out;
}

void add_replay(std::vector<Evidence>& into, const Record& record) {
    const auto known = estimate(record.scenario);
    if (!known || !record.measured.reserved_simulated) return;
    add(into, record, *known, known->worst().reserved.value, *record.measured.reserved_simulated);
    if (interval_class(known->scenario) != IntervalClass::TrainingProgram) return;
    const auto counted = estimate(from_count_alone(record.scenario, known->total_parameters));
    if (counted) add(into, record, *counted, counted->worst().reserved.value, *record.measured.reserved_simulated);
}

void add_reading(std::vector<Evidence>& into, const CheckedRecord& checked) {
    const Record& record = checked.record;
    const auto known = estimate(record.scenario);
    if (!known || !checked.prediction->value || !record.measured.value) return;
    add(into, record, *known, *checked.prediction->value, *record.measured.value);
}

bool belongs(IntervalClass own, IntervalClass to) {
    return own == to || interval_classes()[static_cast<std::size_t>(own)].wider == to;
}

}  // namespace

std::vector<Evidence> evidence_from(const std::vector<CheckedRecord>& records) {
    std::vector<Evidence> out;
    for (const CheckedRecord& checked : records) {
        const Record& record = checked.record;
        if (!checked.prediction || record.doubtful || record.measured.what != "total_peak") continue;
        if (record.scenario.savers.compile) continue;  // assumed, not known
        if (record.measured.counter == "category")
            add_replay(out, record);
        else if (record.measured.counter != "unknown")
            add_reading(out, checked);
    }
    return out;
}

IntervalRow row_from(IntervalClass of, const std::vector<Evidence>& evidence) {
    std::vector<double> shares;
    for (const Evidence& one : evidence)
        if (belongs(one.of, of)) shares.push_back(one.share);
    IntervalRow row{of, static_cast<std::int32_t>(shares.size()), 1000, 1000};
    if (shares.empty()) return row;
    std::sort(shares.begin(), shares.end());
    const std::size_t k = std::max<std::size_t>(1, (shares.size() + 1) / 20);
    constexpr double kStep = 5, kPermille = 1000;
    const auto steps = [&](double share) { return share * kPermille / kStep; };
    // Within a hair of a step is on it: rounding outward must not depend on the last bit.
    constexpr double kHair = 1e-6;
    const double low = std::floor(steps(shares[k - 1]) + kHair),
                 high = std::ceil(steps(shares[shares.size() - k]) - kHair);
    row.low_permille = std::min(1000, static_cast<std::int32_t>(low * kStep));
    row.high_permille = std::max(1000, static_cast<std::int32_t>(high * kStep));
    return row;
}

std::string rows_text(const std::vector<Evidence>& evidence) {
    std::string out = "// Made by: memwall check --intervals tests/data/*.jsonl\n";
    for (const IntervalClassRow& known : interval_classes()) {
        const IntervalRow row = row_from(known.id, evidence);
        out += "{IntervalClass::" + std::string(kEnumerators[static_cast<std::size_t>(row.id)]) + ", " +
               std::to_string(row.runs) + ", " + std::to_string(row.low_permille) + ", " +
               std::to_string(row.high_permille) + "},\n";
    }
    return out;
}

std::string json_from(const std::vector<Evidence>& evidence) {
    JsonDocument document;
    JsonObject root = document.root();
    JsonArray rows = root.array("rows");
    for (const IntervalClassRow& known : interval_classes()) {
        const IntervalRow row = row_from(known.id, evidence);
        rows.object()
            .text("class", known.key)
            .text("wider", interval_classes()[static_cast<std::size_t>(known.wider)].key)
            .text("name", known.name)
            .number("runs", std::int64_t{row.runs})
            .number("low_permille", std::int64_t{row.low_permille})
            .number("high_permille", std::int64_t{row.high_permille});
    }
    JsonArray runs = root.array("evidence");
    for (const Evidence& one : evidence)
        runs.object()
            .text("id", one.id)
            .text("model", one.model)
            .text("class", interval_classes()[static_cast<std::size_t>(one.of)].key)
            .number("share_millionths", static_cast<std::int64_t>(std::llround(one.share * 1e6)));
    return document.line();
}

}  // namespace memwall
