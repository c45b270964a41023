// Verbs of the command line: one row each.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cli/invocation.hpp"
#include "cli/run.hpp"
#include "estimate/estimate.hpp"

namespace memwall {

struct Answer {
    std::string text;
    ExitStatus status = kDone;
};

struct VerbRow {
    std::string_view name;
    std::string_view usage;    // "FIELD [SCENARIO] [--field value ...]"
    std::string_view meaning;  // one line
    std::size_t most_words;    // words it takes
    Result<Answer> (*run)(const Invocation&, const Machine&);
};

std::span<const VerbRow> verbs();
const VerbRow* find_verb(std::string_view name);
std::string usage_text();
Error unknown_verb(std::string_view word);  // run.cpp

// verb_estimate.cpp
Result<Answer> run_estimate(const Invocation&, const Machine&);
Result<Answer> run_view(const Invocation&, const Machine&);
Result<Answer> run_explain(const Invocation&, const Machine&);
Result<Answer> run_solve(const Invocation&, const Machine&);
// The estimate with the notes of reading in front of its own; its exit status.
Result<Estimate> estimated(const Invocation&, std::string_view file, const Machine&);
ExitStatus status_of(Verdict);
std::string_view word(const Invocation&, std::size_t at);  // empty beyond the last
// verb_compare.cpp
Result<Answer> run_compare(const Invocation&, const Machine&);
// verb_timeline.cpp
Result<Answer> run_timeline(const Invocation&, const Machine&);
// verb_allocator.cpp
Result<Answer> run_allocator_verb(const Invocation&, const Machine&);
// verb_tables.cpp
Result<Answer> run_params(const Invocation&, const Machine&);
Result<Answer> run_catalogue(const Invocation&, const Machine&);
Result<Answer> run_fields(const Invocation&, const Machine&);
Result<Answer> run_rules(const Invocation&, const Machine&);
Result<Answer> run_shortlist(const Invocation&, const Machine&);
// verb_check.cpp
Result<Answer> run_check(const Invocation&, const Machine&);

}  // namespace memwall
