// A record of PyTorch's own accounting as a scenario, and the totals of its phases.
//
// Reads one line of tests/golden/oracle_records.jsonl (schema: words of the records, unused groups left out).
// Values go straight into a completed scenario: the engine is tested here, not the field table.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "plan/scenario.hpp"

namespace memwall::testing {

struct OraclePhase {
    std::string name;  // "bwd_peak_2", "fwd_end_1.2"
    std::int64_t total = 0;
};

struct OracleRecord {
    std::string id, source;
    Scenario scenario;
    std::vector<OraclePhase> phases;
    std::int64_t trainable = 0;  // parameters; 0: not stated
};

// Aborts on malformed lines: they are our own file.
OracleRecord read_oracle_record(std::string_view line);

// What the engine says, by the same names; empty where it has no such phase.
struct OraclePrediction {
    std::string refused;  // why there is no prediction
    std::vector<OraclePhase> phases;
    std::int64_t trainable = 0;
};
OraclePrediction predict(const OracleRecord&);

}  // namespace memwall::testing
