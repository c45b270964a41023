#include "cli/verbs.hpp"

#include "base/version.hpp"
#include "cli/text_table.hpp"
#include "export/json_tree.hpp"
#include "search/lineup.hpp"

namespace memwall {
namespace {

Result<Answer> run_version(const Invocation& invocation, const Machine&) {
    if (invocation.format == OutputFormat::Json) {
        JsonText text;
        JsonObject(text).text("version", kVersion);
        return Answer{text.finish()};
    }
    return Answer{"memwall " + std::string(kVersion) + "\n"};
}

std::string json_from_verbs() {
    JsonText text;
    JsonObject out(text);
    JsonArray rows = out.array("verbs");
    for (const VerbRow& verb : verbs())
        rows.object().text("name", verb.name).text("usage", verb.usage).text("meaning", verb.meaning);
    return text.finish();
}

Result<Answer> run_help(const Invocation& invocation, const Machine&) {
    const VerbRow* verb = invocation.words.empty() ? nullptr : find_verb(invocation.words[0]);
    if (verb == nullptr && !invocation.words.empty()) return unknown_verb(invocation.words[0]);
    if (invocation.format == OutputFormat::Json) return Answer{json_from_verbs()};
    if (verb == nullptr) return Answer{usage_text()};
    return Answer{"memwall " + std::string(verb->name) + " " + std::string(verb->usage) + "\n  " +
                  std::string(verb->meaning) + "\n"};
}

constexpr std::size_t kAnyWords = 64;

constexpr VerbRow kVerbs[] = {
    {"estimate", "[SCENARIO.json | - | LINK] [--field value ...] [--config config.json] [--json | --markdown]",
     "does it fit, how much room is left, and why", 1, run_estimate},
    {"view", "[SCENARIO.json | - | LINK] [--field value ...]", "what the page shows of it, as JSON", 1, run_view},
    {"timeline",
     "[SCENARIO.json | - | LINK] [--field value ...] [--step first|steady|evaluation|... | --every | --at N] [--json]",
     "the highest moments of a step and the rows alive in each; --every: all instants of all layers; --at: rows of one",
     1, run_timeline},
    {"allocator", "[SCENARIO.json | - | LINK] [--field value ...] [--max-split-size-mb N] [--json]",
     "what PyTorch's caching allocator would reserve, simulated over two steps", 1, run_allocator_verb},
    {"explain", "ROW [SCENARIO.json | - | LINK] [--field value ...] [--json]",
     "formula, numbers, reason and source of the rows named so", 2, run_explain},
    {"compare",
     "[SCENARIO.json | - | LINK] [--methods NAME,...] [--last-layers K] [--field value ...] [--json | --markdown]; or "
     "two "
     "and more scenarios or links",
     "the methods of finetuning side by side, and not to finetune; or some scenarios", kMostInLineup, run_compare},
    {"solve", "FIELD [SCENARIO.json | - | LINK] [--field value ...] [--json]",
     "the largest value of a field that still fits", 2, run_solve},
    {"shortlist", "[SCENARIO.json | - | LINK] [--field value ...] [--json]",
     "on which accelerators it fits, the cheapest first, and what the others lack", 1, run_shortlist},
    {"params", "[SCENARIO.json | - | LINK] [--model NAME | --config config.json] [--tree] [--json]",
     "the model's parameters, counted by module or tensor by tensor", 1, run_params},
    {"catalogue", "models | accelerators | formats | optimizers | methods [FILTER] [--json]", "what is known by name",
     kAnyWords, run_catalogue},
    {"fields", "[FILTER] [--json]", "everything that can be set, with defaults and limits", 1, run_fields},
    {"rules", "[FILTER] [--json]", "why rows of the answer exist, with their sources", 1, run_rules},
    {"check", "RECORDS.jsonl ... | - [--only kind=train,implementation=NAME,...] [--worst N | --intervals] [--json]",
     "predicts measured records and prints the errors", kAnyWords, run_check},
    {"version", "", "the version", 1, run_version},
    {"help", "[VERB]", "this text", kAnyWords, run_help},
};

}  // namespace

std::span<const VerbRow> verbs() { return kVerbs; }

const VerbRow* find_verb(std::string_view name) {
    for (const VerbRow& verb : kVerbs)
        if (verb.name == name) return &verb;
    return nullptr;
}

std::string usage_text() {
    std::string out =
        "memwall: will it fit, how much room is left, and if not, what is the smallest change that makes it fit?\n\n";
    TextTable table({TextAlign::Left, TextAlign::Left});
    for (const VerbRow& verb : kVerbs)
        table.add({std::string(verb.name), std::string(verb.meaning)});
    out += table.text();
    out +=
        "\nusage: memwall VERB [...] [--field value ...]; `memwall help VERB` says more, `memwall fields` lists the "
        "fields\n"
        "  memwall estimate --model meta-llama/Llama-3.1-8B --gpu \"H100 SXM5 80GB\" --task finetune\n"
        "  memwall solve batch --model gpt2 --gpu 4090\n"
        "  memwall explain weights --model gpt2 --gpu 4090 --task inference\n"
        "\nexit status: 0 fits, 1 does not fit, 3 tight, 4 cannot say, 2 bad input\n";
    return out;
}

}  // namespace memwall
