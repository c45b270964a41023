// Invocation: the arguments, sorted; and the scenario they describe.
//
//   memwall VERB [WORD ...] [--field value | --field=value ...] [--json | --markdown] [--config FILE] [--tree]
//
// Every field of the field table is an option, by flag, alias or key. A flag field may stand alone
// (--tied) or be denied (--no-tied). Files are read first, options stand over them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/notes.hpp"
#include "cli/run.hpp"
#include "plan/fields.hpp"

namespace memwall {

enum class OutputFormat : std::uint8_t { Text, Json, Markdown };
enum class Detail : std::uint8_t { Summary, Tree, Intervals, Every };

struct Invocation {
    std::string_view verb;
    std::vector<std::string_view> words;  // that are not options, without the verb
    // Words right behind a flag field that might have been meant as its value: "--tied maybe".
    std::vector<std::pair<std::string_view, FieldId>> doubtful;
    std::vector<std::pair<FieldId, std::string>> settings;
    std::string_view config;       // path of a config.json
    std::string_view only;         // check: "kind=train,implementation=hf_transformers"
    std::string_view worst;        // check: how many records to list
    std::string_view methods;      // compare: "full,lora"
    std::string_view last_layers;  // compare: how many layers train under freezing
    std::string_view step;         // timeline: "first" or "steady"
    std::string_view at;           // timeline: one instant of all, by its number
    std::string_view max_split;    // allocator: a limit of splitting, in MiB
    OutputFormat format = OutputFormat::Text;
    Detail detail = Detail::Summary;
};

Result<Invocation> invocation_from(std::span<const std::string_view> arguments);

// That a word behind a flag field is no value of it, where the word turned out to be nothing else either.
Failure no_value_of_a_flag(const Invocation&, std::string_view word);

// `file`: path of a scenario, "-", or a share link; empty: options only.
Result<Scenario> scenario_of(const Invocation&, std::string_view file, const Machine&, Notes&);

}  // namespace memwall
