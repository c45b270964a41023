// check: measured records against predictions.
#include <algorithm>

#include "check/intervals.hpp"
#include "check/report.hpp"
#include "cli/verbs.hpp"

namespace memwall {
namespace {

struct Filter {
    std::string_view key, value;
};

Result<std::vector<Filter>> filters_from(std::string_view text) {
    std::vector<Filter> filters;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        const std::string_view key = part.substr(0, equals);
        const bool known = key == "kind" || key == "implementation" || key == "method" || key == "what" ||
                           key == "counter" || key == "id";
        if (equals == std::string_view::npos || !known)
            return Error{ErrorCode::UnknownName, "only", "--only does not know \"" + std::string(part) + "\"",
                         "kind=, implementation=, method=, what=, counter= or id="};
        filters.push_back({key, part.substr(equals + 1)});
    }
    return filters;
}

std::string_view value_of(const Record& record, std::string_view key) {
    if (key == "kind") return record.kind;
    if (key == "implementation") return record.implementation;
    if (key == "method") return record.method;
    if (key == "what") return record.measured.what;
    if (key == "counter") return record.measured.counter;
    return record.id;
}

bool passes(const Record& record, const std::vector<Filter>& filters) {
    return std::all_of(filters.begin(), filters.end(),
                       [&](const Filter& filter) { return value_of(record, filter.key) == filter.value; });
}

std::string_view last_part(std::string_view path) {
    if (path == "-") return "standard input";
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// A line that is no record is skipped like a record. Whether the file has any: lines, but no record, are bad input.
Result<bool> read_records(std::string_view path, const Machine& machine, const std::vector<Filter>& filters,
                          std::vector<CheckedRecord>& into) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    MEMWALL_TRY(text, machine.read_file(path));
    std::string_view rest = text;
    if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
    bool any = false, lines = false;
    for (std::int64_t line_number = 1; !rest.empty(); ++line_number) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        lines = true;
        auto record = record_from_line(line, last_part(path), line_number);
        if (record) {
            any = true;
            if (passes(*record, filters)) into.push_back(check_record(std::move(*record)));
            continue;
        }
        std::string id = id_in(line);
        if (id.empty()) id = std::string(last_part(path)) + ":" + std::to_string(line_number);
        if (filters.empty() || !any) into.push_back(unreadable(last_part(path), std::move(id), record.error()));
    }
    return any || !lines;
}

Result<int> worst_from(std::string_view text) {
    if (text.empty()) return 0;
    int value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || value > 99'999)
            return Error{ErrorCode::OutOfRange, "worst", "--worst is \"" + std::string(text) + "\"",
                         "a whole number from 1 to 999999"};
        value = value * 10 + (c - '0');
    }
    return value;
}

}  // namespace

Result<Answer> run_check(const Invocation& invocation, const Machine& machine) {
    if (invocation.words.empty())
        return Error{ErrorCode::Missing, "check", "check needs a file of records", "memwall check RECORDS.jsonl"};
    MEMWALL_TRY(filters, filters_from(invocation.only));
    MEMWALL_TRY(worst, worst_from(invocation.worst));
    std::vector<CheckedRecord> checked;
    ExitStatus status = ExitStatus::Fits;
    for (const std::string_view path : invocation.words) {
        MEMWALL_TRY(readable, read_records(path, machine, filters, checked));
        if (!readable) status = ExitStatus::BadInput;
    }
    if (invocation.detail == Detail::Intervals) {
        const std::vector<Evidence> evidence = evidence_from(checked);
        return Answer{invocation.format == OutputFormat::Json ? json_from(evidence) : rows_text(evidence)};
    }
    const CheckTable table = table_from(std::move(checked));
    return Answer{invocation.format == OutputFormat::Json ? json_from(table) : text_from(table, worst), status};
}

}  // namespace memwall
