// The error table: records against predictions, summarised by file, kind, implementation and counter.
//
// A group's shares are over its predicted records that gate (doubtful ones are listed and gate nothing);
// skips are counted beside them. Percentiles are the nearest rank of the absolute error.
#pragma once
#include <array>
#include <map>
#include <string>
#include <vector>

#include "check/predict.hpp"
#include "check/record.hpp"

namespace memwall {

struct CheckedRecord {
    Record record;
    std::optional<Prediction> prediction;
    Error skipped;  // why, where there is no prediction
};

struct CheckGroup {
    std::string name;
    int count = 0, skipped = 0;
    std::vector<double> absolute_errors;  // per cent, ascending
    int with_interval = 0, inside_interval = 0;

    double percentile(double share) const;      // 0.5, 0.9; 0 when empty
    double share_within(double percent) const;  // of absolute_errors
};

// expected verdict -> predicted verdict -> how many
using Confusion = std::map<std::string, std::map<std::string, int>>;

struct CheckTable {
    std::vector<CheckedRecord> records;
    std::vector<CheckGroup> groups;  // by name
    Confusion confusion;
    std::map<std::string, int> skip_reasons;
};

CheckedRecord check_record(Record);
CheckTable table_from(std::vector<CheckedRecord>);

}  // namespace memwall
