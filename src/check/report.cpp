#include "check/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "export/json_tree.hpp"

namespace memwall {
namespace {

std::string decimals(double value, int digits) {
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

std::optional<double> error_of(const CheckedRecord& checked) {
    if (!checked.prediction || !checked.prediction->value || !checked.record.measured.value) return std::nullopt;
    return error_percent(*checked.prediction->value, *checked.record.measured.value);
}

void write_group(JsonObject object, const CheckGroup& group) {
    object.text("name", group.name).number("count", std::int64_t{group.count});
    object.number("skipped", std::int64_t{group.skipped});
    object.fraction("median_abs_pct", group.percentile(0.5)).fraction("p90_abs_pct", group.percentile(0.9));
    object.fraction("within_0_01", group.share_within(0.01)).fraction("within_1", group.share_within(1));
    object.fraction("within_5", group.share_within(5)).fraction("within_10", group.share_within(10));
    object.fraction("within_15", group.share_within(15));
    if (group.with_interval == 0)
        object.null("inside_interval");
    else
        object.fraction("inside_interval", static_cast<double>(group.inside_interval) / group.with_interval);
}

void write_comparisons(JsonObject phases, const std::vector<Comparison>& comparisons) {
    for (const Comparison& comparison : comparisons) {
        JsonObject one = phases.object(comparison.name);
        one.number("predicted", comparison.predicted).number("measured", comparison.measured);
        one.raw("error_pct", decimals(error_percent(comparison.predicted, comparison.measured), 6));
    }
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
    if (auto error = error_of(checked))
        object.raw("error_pct", decimals(*error, 6)).raw("abs_error_pct", decimals(std::fabs(*error), 6));
    else
        object.null("error_pct").null("abs_error_pct");
    if (prediction.inside_interval)
        object.flag("inside_interval", *prediction.inside_interval);
    else
        object.null("inside_interval");
    if (prediction.verdict)
        object.text("predicted_verdict", name(*prediction.verdict));
    else
        object.null("predicted_verdict");
    if (record.expected_verdict.empty())
        object.null("expected_verdict");
    else
        object.text("expected_verdict", record.expected_verdict);
    object.text("dominant_row", prediction.dominant_row);
    write_comparisons(object.object("phases"), prediction.comparisons);
}

std::string record_line(const CheckedRecord& checked) {
    const Record& record = checked.record;
    std::string line = record.id + (record.doubtful ? " (doubtful)" : "") + ": ";
    if (!checked.prediction) return line + "skipped, " + checked.skipped.where + ": " + checked.skipped.message + "\n";
    const Prediction& prediction = *checked.prediction;
    if (auto error = error_of(checked))
        line += record.measured.what + " " + decimals(*error, 4) + " %, " + std::to_string(*prediction.value) +
                " against " + std::to_string(*record.measured.value) + ", largest row " + prediction.dominant_row;
    if (prediction.verdict && !record.expected_verdict.empty())
        line += "says " + std::string(name(*prediction.verdict)) + ", expected " + record.expected_verdict;
    for (const Comparison& comparison : prediction.comparisons)
        if (std::fabs(error_percent(comparison.predicted, comparison.measured)) > 0.01)
            line += "\n    " + comparison.name + " " +
                    decimals(error_percent(comparison.predicted, comparison.measured), 4) + " %";
    return line + "\n";
}

std::string group_line(const CheckGroup& group) {
    std::string line =
        group.name + ": " + std::to_string(group.count) + " predicted, " + std::to_string(group.skipped) + " skipped";
    if (group.absolute_errors.empty()) return line + "\n";
    line += "; median " + decimals(group.percentile(0.5), 3) + " %, 90th " + decimals(group.percentile(0.9), 3) + " %";
    static constexpr double kLimits[] = {0.01, 1, 5, 10, 15};
    line += "; within 0.01/1/5/10/15 %:";
    for (double limit : kLimits)
        line += " " + decimals(group.share_within(limit) * 100, 1);
    if (group.with_interval > 0)
        line += "; inside interval " + decimals(100.0 * group.inside_interval / group.with_interval, 1) + " %";
    return line + "\n";
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
    return document.line();
}

std::string text_from(const CheckTable& table, int worst) {
    std::string text;
    for (const CheckedRecord* checked : listed(table, worst))
        text += record_line(*checked);
    text += "\nGroups\n";
    for (const CheckGroup& group : table.groups)
        text += group_line(group);
    if (!table.confusion.empty()) text += "\nVerdicts (expected: predicted)\n";
    for (const auto& [expected, predicted] : table.confusion) {
        text += expected + ":";
        for (const auto& [verdict, count] : predicted)
            text += " " + verdict + " " + std::to_string(count);
        text += "\n";
    }
    if (!table.skip_reasons.empty()) text += "\nSkipped\n";
    for (const auto& [reason, count] : table.skip_reasons)
        text += std::to_string(count) + " × " + reason + "\n";
    return text;
}

}  // namespace memwall
