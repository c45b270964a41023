#include "check/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "export/json_tree.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

std::string decimals(double value, int digits) {
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

// Infinite errors (nothing was measured) have no number in JSON.
std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

std::optional<double> error_of(const CheckedRecord& checked) {
    if (!checked.prediction || !checked.prediction->value || !checked.record.measured.value) return std::nullopt;
    return finite(error_percent(*checked.prediction->value, *checked.record.measured.value));
}

void write_percent(JsonObject& object, std::string_view key, const std::optional<double>& value) {
    if (value)
        object.raw(key, decimals(*value, 6));
    else
        object.null(key);
}

struct Limit {
    double percent;
    std::string_view key;
};
constexpr Limit kLimits[] = {
    {0.01, "within_0_01"}, {1, "within_1"}, {5, "within_5"}, {10, "within_10"}, {15, "within_15"}};

void write_group(JsonObject object, const CheckGroup& group) {
    const bool compares = !group.absolute_errors.empty();
    const auto error = [&](double share) { return compares ? finite(group.percentile(share)) : std::nullopt; };
    object.text("name", group.name).number("count", std::int64_t{group.count});
    object.number("skipped", std::int64_t{group.skipped});
    write_percent(object, "median_abs_pct", error(0.5));
    write_percent(object, "p90_abs_pct", error(0.9));
    for (const Limit& limit : kLimits)
        write_percent(object, limit.key, compares ? std::optional(group.share_within(limit.percent)) : std::nullopt);
    write_percent(object, "inside_interval",
                  group.with_interval == 0
                      ? std::nullopt
                      : std::optional(static_cast<double>(group.inside_interval) / group.with_interval));
}

void write_comparison(JsonObject one, const Comparison& comparison) {
    one.number("predicted", comparison.predicted).number("measured", comparison.measured);
    write_percent(one, "error_pct", finite(error_percent(comparison.predicted, comparison.measured)));
}

void write_comparisons(JsonObject phases, const std::vector<Comparison>& comparisons) {
    for (const Comparison& comparison : comparisons)
        write_comparison(phases.object(comparison.name), comparison);
}

void write_number_or_null(JsonObject& object, std::string_view key, const std::optional<std::int64_t>& value) {
    if (value)
        object.number(key, *value);
    else
        object.null(key);
}

void write_record(JsonObject object, const CheckedRecord& checked) {
    const Record& record = checked.record;
    const Prediction none;
    const Prediction& prediction = checked.prediction ? *checked.prediction : none;
    object.text("id", record.id).text("kind", record.kind).text("what", record.measured.what);
    write_number_or_null(object, "predicted_bytes", prediction.value);
    write_number_or_null(object, "measured_bytes", record.measured.value);
    const std::optional<double> error = error_of(checked);
    write_percent(object, "error_pct", error);
    write_percent(object, "abs_error_pct", error ? std::optional(std::fabs(*error)) : std::nullopt);
    if (prediction.inside_interval)
        object.flag("inside_interval", *prediction.inside_interval);
    else
        object.null("inside_interval");
    if (prediction.verdict)
        object.text("predicted_verdict", name(*prediction.verdict));
    else
        object.null("predicted_verdict");
    if (record.expected.verdict.empty())
        object.null("expected_verdict");
    else
        object.text("expected_verdict", record.expected.verdict);
    object.text("dominant_row", prediction.dominant_row);
    write_comparisons(object.object("phases"), prediction.comparisons);
    if (prediction.reserved) write_comparison(object.object(prediction.reserved->name), *prediction.reserved);
}

// What a case leaves open and a default fills: the groups every estimate depends on.
std::string defaults_of(const Record& record) {
    if (record.kind != "case") return "";
    std::string out;
    for (const FieldId id : {FieldId::Task, FieldId::MethodName, FieldId::Weights, FieldId::OptimizerName,
                             FieldId::MicroBatchSize, FieldId::SequenceLength, FieldId::ContextTokens})
        if (!is_given(record.scenario, id)) out += (out.empty() ? "; by default: " : ", ") + std::string(field(id).key);
    return out;
}

std::string verdict_text(const CheckedRecord& checked) {
    const Prediction& prediction = *checked.prediction;
    if (!prediction.verdict || checked.record.expected.verdict.empty()) return "";
    std::string out =
        "says " + std::string(name(*prediction.verdict)) + ", expected " + checked.record.expected.verdict;
    if (prediction.value) out += ", " + std::to_string(*prediction.value) + " bytes";
    return out + defaults_of(checked.record);
}

// One line: what no eye sees becomes a question mark.
std::string printable(std::string_view words) {
    std::string out(words);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    return out;
}

std::string record_line(const CheckedRecord& checked) {
    const Record& record = checked.record;
    std::string line = printable(record.id) + (record.doubtful ? " (doubtful)" : "") + ": ";
    if (!checked.prediction) return line + "skipped, " + checked.skipped.where + ": " + checked.skipped.message + "\n";
    const Prediction& prediction = *checked.prediction;
    if (auto error = error_of(checked)) {
        line += record.measured.what + " " + decimals(*error, 4) + " %, " + std::to_string(*prediction.value) +
                " against " + std::to_string(*record.measured.value);
        if (!prediction.dominant_row.empty()) line += ", largest row " + prediction.dominant_row;
    } else if (prediction.value && record.expected.verdict.empty()) {
        line += record.measured.what + " " + std::to_string(*prediction.value) + ", nothing measured";
    }
    line += verdict_text(checked);
    for (const Comparison& comparison : prediction.comparisons)
        if (const double error = error_percent(comparison.predicted, comparison.measured); std::fabs(error) > 0.01)
            line += "; " + comparison.name + " " + decimals(error, 4) + " %";
    return line + "\n";
}

std::string group_line(const CheckGroup& group) {
    std::string line =
        group.name + ": " + std::to_string(group.count) + " predicted, " + std::to_string(group.skipped) + " skipped";
    if (group.absolute_errors.empty()) return line + "\n";
    line += "; median " + decimals(group.percentile(0.5), 3) + " %, 90th " + decimals(group.percentile(0.9), 3) + " %";
    line += "; within 0.01/1/5/10/15 %:";
    for (const Limit& limit : kLimits)
        line += " " + decimals(group.share_within(limit.percent) * 100, 1);
    if (group.with_interval > 0)
        line += "; inside interval " + decimals(100.0 * group.inside_interval / group.with_interval, 1) + " %";
    return line + "\n";
}

std::string verdicts_text(const CheckTable& table) {
    std::string text;
    for (const auto& [kind, expected] : table.confusion) {
        text += "\nVerdicts of kind " + kind + " (expected: predicted)\n";
        for (const auto& [word, predicted] : expected) {
            text += word + ":";
            for (const auto& [verdict, count] : predicted)
                text += " " + verdict + " " + std::to_string(count);
            text += "\n";
        }
    }
    if (table.ranges > 0)
        text += "bytes inside the expected range: " + std::to_string(table.inside_range) + " of " +
                std::to_string(table.ranges) + "\n";
    return text;
}

std::string user_cases_text(const UserCases& cases) {
    if (cases.ids.empty()) return "";
    const auto share = [&](int count) { return decimals(100.0 * count / static_cast<double>(cases.ids.size()), 1); };
    std::string text = "\nUser cases of training on one GPU: " + std::to_string(cases.ids.size()) + "; exactly right " +
                       share(cases.exact) + " %, right or adjacent " + share(cases.adjacent) + " %, tight said in " +
                       share(cases.tight) + " %\n";
    for (const std::string& id : cases.ids)
        text += (&id == &cases.ids.front() ? "" : ", ") + id;
    return text + "\n";
}

std::vector<const CheckedRecord*> listed(const CheckTable& table, int worst) {
    std::vector<const CheckedRecord*> all;
    for (const CheckedRecord& checked : table.records)
        all.push_back(&checked);
    if (worst <= 0) return all;
    std::stable_sort(all.begin(), all.end(), [](const CheckedRecord* a, const CheckedRecord* b) {
        return std::fabs(error_of(*a).value_or(-1)) > std::fabs(error_of(*b).value_or(-1)) && error_of(*a);
    });
    if (all.size() > static_cast<std::size_t>(worst)) all.resize(static_cast<std::size_t>(worst));
    return all;
}

}  // namespace

std::string json_from(const CheckTable& table) {
    JsonDocument document;
    JsonObject root = document.root();
    JsonArray groups = root.array("groups");
    for (const CheckGroup& group : table.groups)
        write_group(groups.object(), group);
    JsonArray records = root.array("records");
    for (const CheckedRecord& checked : table.records)
        write_record(records.object(), checked);
    JsonArray skipped = root.array("skipped");
    for (const CheckedRecord& checked : table.records)
        if (!checked.prediction)
            skipped.object()
                .text("id", checked.record.id)
                .text("reason", checked.skipped.where + ": " + checked.skipped.message);
    JsonObject cases = root.object("user_cases");
    cases.number("count", static_cast<std::int64_t>(table.user_cases.ids.size()));
    cases.number("exact", std::int64_t{table.user_cases.exact});
    cases.number("adjacent", std::int64_t{table.user_cases.adjacent});
    cases.number("tight", std::int64_t{table.user_cases.tight});
    JsonArray ids = cases.array("ids");
    for (const std::string& id : table.user_cases.ids)
        ids.text(id);
    return document.line();
}

std::string text_from(const CheckTable& table, int worst) {
    if (table.records.empty()) return "No record\n";
    std::string text;
    for (const CheckedRecord* checked : listed(table, worst))
        text += record_line(*checked);
    text += "\nGroups\n";
    for (const CheckGroup& group : table.groups)
        text += group_line(group);
    text += verdicts_text(table);
    text += user_cases_text(table.user_cases);
    if (!table.skip_reasons.empty()) text += "\nSkipped\n";
    for (const auto& [reason, count] : table.skip_reasons)
        text += std::to_string(count) + " × " + reason + "\n";
    return text;
}

}  // namespace memwall
