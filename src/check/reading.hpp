// Files of records: a line each, read, filtered and predicted.
#pragma once
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "check/table.hpp"

namespace memwall {

struct RecordFilter {
    std::string_view key, value;  // of kind, implementation, method, what, counter, id
};
// "kind=train,implementation=hf_transformers"; values of one key are alternatives. Views into the text.
Result<std::vector<RecordFilter>> filters_from(std::string_view text);

enum class Readable : bool { NoRecord, Yes };
// The records of a text that pass, predicted, behind those that are there. A line that is no record is skipped like a
// record. NoRecord: there are lines, but none is a record. `file` is its name in groups and places.
Readable check_records(std::string_view text, std::string_view file, const std::vector<RecordFilter>&,
                       std::vector<CheckedRecord>& into);

}  // namespace memwall
