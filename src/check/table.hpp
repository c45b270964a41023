// The error table: records against predictions, summarised by file, kind, implementation and counter.
//
// A group's shares are over its predicted records that gate (doubtful ones are listed and gate nothing);
// skips are counted beside them. Percentiles are the nearest rank of the absolute error. Groups named
// "phase ..." hold the single moments and categories of a file's records. Two tables of verdicts, of cases
// and of runs that fitted or did not, compare what should come out with what does.
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
    int count = 0, skipped = 0;           // records (or moments) predicted, and not
    std::vector<double> absolute_errors;  // per cent, ascending; of those with a number to compare
    int with_interval = 0, inside_interval = 0;

    double percentile(double share) const;      // 0.5, 0.9; 0 when empty
    double share_within(double percent) const;  // of absolute_errors
};

// kind of record -> expected verdict -> predicted verdict -> how many
using Confusion = std::map<std::string, std::map<std::string, std::map<std::string, int>>>;

// Verdicts of the cases of training on one card: a skip is none that is right.
struct UserCases {
    std::vector<std::string> ids;
    int exact = 0, adjacent = 0, tight = 0;  // adjacent: right, or one step from it; tight: said
};

struct CheckTable {
    std::vector<CheckedRecord> records;
    std::vector<CheckGroup> groups;  // by name
    Confusion confusion;
    UserCases user_cases;
    std::map<std::string, int> skip_reasons;  // with N for every number
    int ranges = 0, inside_range = 0;         // cases that say how many bytes to expect, and how many are met
};

CheckedRecord check_record(Record);
// A line that is no record: it is listed under `place`, and skipped.
CheckedRecord unreadable(std::string_view file, std::string place, Error);
CheckTable table_from(std::vector<CheckedRecord>);

}  // namespace memwall
