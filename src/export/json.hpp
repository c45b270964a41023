// The machine-readable answers: estimate, solution, error, as JSON.
//
// Keys are public: append, never rename; "schema" counts breaking changes. Integers stay below 2^53 (estimate() refuses
// more), fractions are written with six decimals, order is fixed, so the text is byte-identical on every machine and
// in WebAssembly. One line that ends with a newline; the command line and the JS module hand out these bytes.
#pragma once
#include <string>

#include "estimate/estimate.hpp"
#include "search/grid.hpp"
#include "search/solver.hpp"

namespace memwall {

inline constexpr int kJsonSchema = 1;

std::string json_from_estimate(const Estimate&);
std::string json_from_solution(const Solution&);
std::string json_from_grid(const Grid&);  // {"needed_bytes":[row by row, -1: refused],"usable_bytes"}
// {"error":{"code","where","message","hint"}}
std::string json_from_error(const Error&);
// The fields the user stated, nested by their keys: what the scenario importer reads.
std::string json_from_scenario(const Scenario&);
// {"scenario":{...},"notes":[...]}: what was read from a file, a pasted text or a link.
std::string json_from_import(const Scenario&, const Notes&);
std::string json_from_text(std::string_view);  // a JSON string
std::string_view name(ErrorCode);              // "out_of_range"

}  // namespace memwall
