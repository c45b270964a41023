// check: measured records against predictions.
#include "check/intervals.hpp"
#include "check/reading.hpp"
#include "check/report.hpp"
#include "cli/verbs.hpp"

namespace memwall {
namespace {

std::string_view last_part(std::string_view path) {
    if (path == "-") return "standard input";
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
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
    if (value == 0) return Error{ErrorCode::OutOfRange, "worst", "--worst is 0", "a whole number from 1 to 999999"};
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
        MEMWALL_TRY(text, machine.read_file(path));
        if (check_records(text, last_part(path), filters, checked) == Readable::NoRecord) status = ExitStatus::BadInput;
    }
    if (checked.empty() && !filters.empty()) status = ExitStatus::BadInput;
    if (invocation.detail == Detail::Intervals) {
        const std::vector<Evidence> evidence = evidence_from(checked);
        return Answer{invocation.format == OutputFormat::Json ? json_from(evidence) : rows_text(evidence)};
    }
    const CheckTable table = table_from(std::move(checked));
    return Answer{invocation.format == OutputFormat::Json ? json_from(table) : text_from(table, worst), status};
}

}  // namespace memwall
