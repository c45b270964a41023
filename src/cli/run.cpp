#include "cli/run.hpp"

#include <algorithm>

#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "cli/verbs.hpp"
#include "export/json.hpp"

namespace memwall {
namespace {

ExitStatus status_of(const Error& error) {
    return error.code == ErrorCode::Missing ? ExitStatus::CannotSay : ExitStatus::BadInput;
}

CliResult failed(const Error& error, OutputFormat format) {
    if (format == OutputFormat::Json) return {status_of(error), json_from_error(error), ""};
    std::string text = "memwall: " + error.where + (error.where.empty() ? "" : ": ") + error.message + "\n";
    if (!error.hint.empty()) text += "  " + error.hint + "\n";
    return {status_of(error), "", text};
}

}  // namespace

Error unknown_verb(std::string_view word) {
    std::vector<std::string_view> names;
    for (const VerbRow& verb : verbs())
        names.push_back(verb.name);
    const auto near = nearest(word, names, 1);
    std::string hint = near.empty() ? "" : "did you mean " + std::string(near[0]) + "? ";
    hint += "`memwall help` lists the verbs";
    return {ErrorCode::UnknownName, "", "No verb is called \"" + excerpt(word, 60) + "\"", hint};
}

namespace {

Result<Answer> answer(const Invocation& invocation, const Machine& machine) {
    const VerbRow* verb = find_verb(invocation.verb.empty() ? "help" : invocation.verb);
    if (verb == nullptr) return unknown_verb(invocation.verb);
    if (invocation.words.size() > verb->most_words) {
        if (Failure meant = no_value_of_a_flag(invocation, invocation.words[verb->most_words])) return *meant;
        return Error{ErrorCode::Malformed, "",
                     "\"" + excerpt(invocation.words[verb->most_words], 60) + "\" is one word more than " +
                         std::string(verb->name) + " takes",
                     "memwall " + std::string(verb->name) + " " + std::string(verb->usage)};
    }
    return verb->run(invocation, machine);
}

}  // namespace

CliResult run(std::span<const std::string_view> arguments, const Machine& machine) {
    const bool json = std::any_of(arguments.begin(), arguments.end(), [](std::string_view argument) {
        return argument.substr(0, argument.find('=')) == "--json";
    });
    const OutputFormat errors = json ? OutputFormat::Json : OutputFormat::Text;
    const auto invocation = invocation_from(arguments);
    if (!invocation) return failed(invocation.error(), errors);
    auto result = answer(*invocation, machine);
    if (!result) return failed(result.error(), errors);
    return {result->status, std::move(result->text), ""};
}

}  // namespace memwall
