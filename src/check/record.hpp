// Record: one line of a records file as a Scenario and what was measured.
//
// Reads the schema of the facts (records, params records and cases in any mix). The groups of a record
// are the groups of a Scenario, so every value is set through the field table by its own key; null
// means "not stated" and takes the default. A value this version cannot compute makes the record
// `refused`: it is kept, and skipped with that sentence. What is no input of a scenario (notes, the
// trainable count, outcome) is not set. No text makes reading fail otherwise than with an Error.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "check/operator_runs.hpp"
#include "plan/scenario.hpp"

namespace memwall {

struct Reading {
    std::optional<std::int64_t> value;  // bytes; parameters for params records
    std::string counter;                // allocated, active, reserved, driver, category, engine_log, unknown
    std::string what;                   // total_peak, weights, kv_cache ...; "params", "case"
    std::string phase;                  // after_load, between_steps ...; empty: the peak
    std::string scope;                  // per_device_max, total_all_devices
    std::optional<std::int64_t> reserved_simulated;  // the allocator replayed over the run's own trace
};

// What a case or a fit record says should come out.
struct Expectation {
    std::string verdict;  // empty: none
    std::string memory;   // gpu, host
    std::optional<std::int64_t> low, high;
};

struct NamedBytes {
    std::string name;
    std::int64_t bytes = 0;
};

struct Record {
    std::string file, id, kind, implementation, method;
    bool doubtful = false;
    Scenario scenario;
    Failure refused;
    bool names_model = false, names_accelerator = false;
    bool trains_on_one = false;  // a complete case of training on one card whose memory is stated
    Reading measured;
    Expectation expected;
    std::vector<NamedBytes> phases;      // totals by phase name: "fwd_end_2"
    std::vector<NamedBytes> categories;  // of the steady step: "weights"
    std::optional<std::int64_t> trainable_params;
    OperatorRun run;  // of a record of one operator
};

// What a line that is no record calls itself, as far as it can be read; empty: nothing.
std::string id_in(std::string_view line);

// `where` of errors is file:line.
Result<Record> record_from_line(std::string_view line, std::string_view file, std::int64_t line_number);

}  // namespace memwall
