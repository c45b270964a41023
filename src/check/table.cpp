#include "check/table.hpp"

#include <algorithm>
#include <cmath>

namespace memwall {
namespace {

CheckGroup& group(std::map<std::string, CheckGroup>& groups, const std::string& name) {
    CheckGroup& found = groups[name];
    found.name = name;
    return found;
}

std::string group_name(const Record& record) {
    std::string name = record.file + " | " + record.kind;
    if (!record.implementation.empty()) name += " | " + record.implementation;
    name += " | " + record.measured.what;
    if (record.measured.counter == "unknown") name += " | counter unknown";
    return name;
}

void add_error(CheckGroup& into, std::int64_t predicted, std::int64_t measured) {
    into.absolute_errors.push_back(std::fabs(error_percent(predicted, measured)));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_in_word(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "Tensor parallel 8 ..." and "Tensor parallel 2 ..." are one reason; "fp8 ..." is another than "fp16 ...".
std::string reason_of(const Error& skipped) {
    std::string out = skipped.where + ": ";
    const std::string& text = skipped.message;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += is_digit(text[i]) && !(i > 0 && is_in_word(text[i - 1])) ? 'N' : text[i];
        if (out.back() != 'N' || !is_digit(text[i])) continue;
        while (i + 1 < text.size() && (is_digit(text[i + 1]) || text[i + 1] == ',' || text[i + 1] == '.'))
            ++i;
    }
    return out;
}

void add_range(CheckTable& table, const Record& record, const Prediction& prediction) {
    const Expectation& expected = record.expected;
    if (!prediction.value || (!expected.low && !expected.high)) return;
    table.ranges += 1;
    const bool inside =
        *prediction.value >= expected.low.value_or(0) && (!expected.high || *prediction.value <= *expected.high);
    table.inside_range += inside ? 1 : 0;
}

// Tight is beside both; that nothing can be said is right where the record says so, and beside nothing.
bool are_adjacent(Verdict said, const std::string& expected) {
    if (said == Verdict::CannotSay || expected == name(Verdict::CannotSay)) return false;
    return said == Verdict::Tight || expected == name(Verdict::Tight);
}

void add_user_case(UserCases& cases, const CheckedRecord& checked) {
    cases.ids.push_back(checked.record.id);
    if (!checked.prediction || !checked.prediction->verdict) return;
    const Verdict said = *checked.prediction->verdict;
    const bool exact = name(said) == checked.record.expected.verdict;
    cases.exact += exact ? 1 : 0;
    cases.adjacent += exact || are_adjacent(said, checked.record.expected.verdict) ? 1 : 0;
    cases.tight += said == Verdict::Tight ? 1 : 0;
}

void add_record(CheckTable& table, std::map<std::string, CheckGroup>& groups, const CheckedRecord& checked) {
    const Record& record = checked.record;
    CheckGroup& own = group(groups, group_name(record));
    if (record.trains_on_one) add_user_case(table.user_cases, checked);
    if (!checked.prediction) {
        own.skipped += record.doubtful ? 0 : 1;
        table.skip_reasons[reason_of(checked.skipped)] += 1;
        return;
    }
    if (record.doubtful) return;
    const Prediction& prediction = *checked.prediction;
    own.count += 1;
    if (prediction.value && record.measured.value) add_error(own, *prediction.value, *record.measured.value);
    if (prediction.inside_interval) {
        own.with_interval += 1;
        own.inside_interval += *prediction.inside_interval ? 1 : 0;
    }
    const auto add_phase = [&](const Comparison& comparison) {
        CheckGroup& phase = group(groups, record.file + " | phase " + comparison.name);
        phase.count += 1;
        add_error(phase, comparison.predicted, comparison.measured);
    };
    for (const Comparison& comparison : prediction.comparisons)
        add_phase(comparison);
    if (prediction.reserved) add_phase(*prediction.reserved);
    if (prediction.verdict && !record.expected.verdict.empty())
        table.confusion[record.kind][record.expected.verdict][std::string(name(*prediction.verdict))] += 1;
    add_range(table, record, prediction);
}

}  // namespace

double CheckGroup::percentile(double share) const {
    if (absolute_errors.empty()) return 0;
    const double rank = std::ceil(share * static_cast<double>(absolute_errors.size()));
    return absolute_errors[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

double CheckGroup::share_within(double percent) const {
    if (absolute_errors.empty()) return 0;
    const auto end = std::upper_bound(absolute_errors.begin(), absolute_errors.end(), percent);
    return static_cast<double>(end - absolute_errors.begin()) / static_cast<double>(absolute_errors.size());
}

CheckedRecord check_record(Record record) {
    CheckedRecord checked{std::move(record), std::nullopt, {}};
    auto prediction = predict(checked.record);
    if (prediction)
        checked.prediction = std::move(*prediction);
    else
        checked.skipped = prediction.error();
    return checked;
}

CheckedRecord unreadable(std::string_view file, std::string place, Error error) {
    Record record;
    record.file = file;
    record.id = std::move(place);
    record.kind = "unreadable";
    return {std::move(record), std::nullopt, std::move(error)};
}

CheckTable table_from(std::vector<CheckedRecord> records) {
    CheckTable table;
    std::map<std::string, CheckGroup> groups;
    for (const CheckedRecord& checked : records)
        add_record(table, groups, checked);
    for (auto& [name, found] : groups) {
        std::sort(found.absolute_errors.begin(), found.absolute_errors.end());
        table.groups.push_back(std::move(found));
    }
    table.records = std::move(records);
    return table;
}

}  // namespace memwall
