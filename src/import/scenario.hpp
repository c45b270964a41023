// Our own JSON as a Scenario: nested objects by the field table's keys.
//
//   {"model": {"ref": "gpt2"}, "accelerator": {"name": "4090"}, "task": "inference", "batch": {"micro_batch_size": 4}}
//
// Everything named is given, the rest takes its default later; null means not stated. Dotted keys and
// flags ("gpu") are read too. Numbers may be texts ("8k"). An unknown key is an error that names the nearest one;
// a text that is no JSON is an error with line and column. A document with a member "scenario" is read by
// that member, so that what `estimate --json` prints can be handed back. The writer is json_from_scenario
// (export/json.hpp).
#pragma once
#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "plan/scenario.hpp"

namespace memwall {

inline constexpr std::size_t kMaxScenarioBytes = 1 << 20;

// `file` is the name to print in errors: "scenario.json:3:17".
Result<Scenario> scenario_from_json(std::string_view text, std::string_view file);

}  // namespace memwall
