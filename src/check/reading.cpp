#include "check/reading.hpp"

#include <algorithm>
#include <string>

namespace memwall {
namespace {

std::string_view value_of(const Record& record, std::string_view key) {
    if (key == "kind") return record.kind;
    if (key == "implementation") return record.implementation;
    if (key == "method") return record.method;
    if (key == "what") return record.measured.what;
    if (key == "counter") return record.measured.counter;
    return record.id;
}

// Values of one key are alternatives: "kind=train,kind=op" are both kinds.
bool passes(const Record& record, const std::vector<RecordFilter>& filters) {
    return std::all_of(filters.begin(), filters.end(), [&](const RecordFilter& asked) {
        return std::any_of(filters.begin(), filters.end(), [&](const RecordFilter& other) {
            return other.key == asked.key && value_of(record, other.key) == other.value;
        });
    });
}

}  // namespace

Result<std::vector<RecordFilter>> filters_from(std::string_view text) {
    std::vector<RecordFilter> filters;
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

Readable check_records(std::string_view text, std::string_view file, const std::vector<RecordFilter>& filters,
                       std::vector<CheckedRecord>& into) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::string_view rest = text;
    bool any = false, lines = false;
    for (std::int64_t line_number = 1; !rest.empty(); ++line_number) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        lines = true;
        auto record = record_from_line(line, file, line_number);
        if (record) {
            any = true;
            if (passes(*record, filters)) into.push_back(check_record(std::move(*record)));
            continue;
        }
        std::string id = id_in(line);
        if (id.empty()) id = std::string(file) + ":" + std::to_string(line_number);
        if (filters.empty() || !any) into.push_back(unreadable(file, std::move(id), record.error()));
    }
    return any || !lines ? Readable::Yes : Readable::NoRecord;
}

}  // namespace memwall
