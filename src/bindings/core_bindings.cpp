// The core as a module: strings in, strings out, no exceptions, nothing to free.
//
// estimate() returns exactly the bytes of `memwall estimate - --json` (an error too: {"error":{...}}).
// Everything else returns {"ok":true,"value":...} or {"ok":false,"error":{"code","where","message","hint"}}.
// web/memwall.mjs and web/engine.mjs are its callers.
#include <emscripten/bind.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "base/concat.hpp"
#include "base/late_texts.hpp"
#include "base/version.hpp"
#include "catalogue/catalogue.hpp"
#include "estimate/allocator.hpp"
#include "estimate/moments.hpp"
#include "export/comparison.hpp"
#include "export/json.hpp"
#include "export/json_allocator.hpp"
#include "export/json_tables.hpp"
#include "export/json_view.hpp"
#include "export/lineup.hpp"
#include "export/markdown.hpp"
#include "export/share.hpp"
#include "import/import_text.hpp"
#include "import/scenario.hpp"
#include "plan/defaults.hpp"
#include "plan/fields.hpp"
#include "search/grid.hpp"
#include "search/shortlist.hpp"
#include "search/solver.hpp"
#include "view/format.hpp"
#include "view/moments.hpp"
#include "view/present.hpp"
#include "view/reasons.hpp"

namespace memwall {
namespace {

std::string without_newline(std::string line) {
    if (!line.empty() && line.back() == '\n') line.pop_back();
    return line;
}
std::string success(std::string value) {
    return concat({"{\"ok\":true,\"value\":", without_newline(std::move(value)), "}"});
}
std::string failure(const Error& error) {
    return concat({"{\"ok\":false,", without_newline(json_from_error(error)).substr(1)});
}
template <class T>
std::string answer(const Result<T>& result, std::string (*text)(const T&)) {
    return result ? success(text(*result)) : failure(result.error());
}

Result<Scenario> read(const std::string& json) { return scenario_from_json(json, "scenario"); }

std::string estimate_call(const std::string& text) {
    Notes notes;
    const auto scenario = import_text(text, "scenario", notes);
    if (!scenario) return json_from_error(scenario.error());
    auto made = estimate(*scenario);
    if (!made) return json_from_error(made.error());
    for (const Note& note : made->notes.all())
        notes.add(note.where, note.message);
    made->notes = std::move(notes);
    return json_from_estimate(*made);
}

Result<ViewModel> view_of(const std::string& scenario_json) {
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(model, view(scenario));
    // A link says what was needed in units that do not depend on who made it.
    const bool says = shown_units() == ByteUnits::Binary;
    model.share = concat({"#", share_from_scenario(scenario, says ? model.verdict.needed : std::string())});
    return std::move(model);
}
std::string view_call(const std::string& scenario_json) { return answer(view_of(scenario_json), json_from_view); }

Result<MomentView> moment(const std::string& scenario_json, const std::string& at) {
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(made, estimate(scenario));
    MEMWALL_TRY(found, moment_of(made, std::strtoul(at.c_str(), nullptr, 10)));
    return moment_view(made, found);
}
std::string moment_call(const std::string& scenario_json, const std::string& at) {
    return answer(moment(scenario_json, at), json_from_moment);
}

// Why the numbers of the headline are what they are.
std::string why_call(const std::string& scenario_json) {
    const auto scenario = read(scenario_json);
    const auto made = scenario ? estimate(*scenario) : scenario.error();
    return made ? success(json_from_reasons(reason_views(*made, companions(*made)))) : failure(made.error());
}
// The single tensors of a row of the breakdown, by its key.
std::string tensors_call(const std::string& scenario_json, const std::string& key) {
    const auto scenario = read(scenario_json);
    const auto made = scenario ? estimate(*scenario) : scenario.error();
    return made ? success(json_from_tensors(tensor_views(*made, key))) : failure(made.error());
}

// Every instant, a part of them around one; "#3": around what the timeline shows at that place; nothing: the highest.
Result<WindowView> window(const std::string& scenario_json, const std::string& at) {
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(made, estimate(scenario));
    MEMWALL_TRY(every, every_instant(made));
    std::optional<std::size_t> around;
    if (at.substr(0, 1) == "#") {
        MEMWALL_TRY(place, place_among(every, made, std::strtoul(at.c_str() + 1, nullptr, 10)));
        around = place;
    } else if (!at.empty()) {
        around = std::strtoul(at.c_str(), nullptr, 10);
    }
    return window_view(made, every, around);
}
std::string window_call(const std::string& scenario_json, const std::string& at) {
    return answer(window(scenario_json, at), json_from_window);
}

// The rows of one of every instant.
Result<MomentView> instant(const std::string& scenario_json, const std::string& at) {
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(made, estimate(scenario));
    MEMWALL_TRY(every, every_instant(made));
    MEMWALL_TRY(found, moment_of(made, every, std::strtoul(at.c_str(), nullptr, 10)));
    return moment_view(made, found);
}
std::string instant_call(const std::string& scenario_json, const std::string& at) {
    return answer(instant(scenario_json, at), json_from_moment);
}

Result<std::string> allocator_of(const std::string& scenario_json) {
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(made, estimate(scenario));
    if (!made.has_numbers()) return Error{ErrorCode::Missing, made.missing, "No model is given", "give a model"};
    MEMWALL_TRY(runs, reserved_under(made));
    return json_from_allocator(made, runs);
}
std::string allocator_call(const std::string& scenario_json) {
    const auto made = allocator_of(scenario_json);
    return made ? success(*made) : failure(made.error());
}

std::string markdown_call(const std::string& scenario_json) {
    const auto model = view_of(scenario_json);
    return model ? success(json_from_text(markdown_from_view(*model))) : failure(model.error());
}

Result<Solution> solution(const std::string& scenario_json, const std::string& words) {
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(row, named_field(words));
    return largest_that_fits(scenario, row->id);
}
std::string solve_call(const std::string& scenario_json, const std::string& words) {
    return answer(solution(scenario_json, words), json_from_solution);
}

// "batch.micro_batch_size 1,2,4"
Result<GridAxis> axis(std::string_view text) {
    const std::size_t space = text.find(' ');
    MEMWALL_TRY(row, named_field(text.substr(0, space)));
    GridAxis out{row->id, {}};
    const std::string values(text.substr(std::min(space, text.size())));
    for (const char* at = values.c_str(); *at != '\0';) {
        char* end = nullptr;
        out.values.push_back(std::strtoll(at, &end, 10));
        if (end == at)
            return Error{ErrorCode::Malformed, row->key, "Values are whole numbers with commas between.", ""};
        at = *end == ',' ? end + 1 : end;
    }
    return out;
}
// axes: that of x, a line end, and that of y.
Result<Grid> grid_of(const std::string& scenario_json, std::string_view axes) {
    const std::size_t line = std::min(axes.find('\n'), axes.size());
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(x, axis(axes.substr(0, line)));
    MEMWALL_TRY(y, axis(axes.substr(std::min(line + 1, axes.size()))));
    return grid(scenario, x, y);
}
std::string grid_call(const std::string& scenario_json, const std::string& axes) {
    return answer(grid_of(scenario_json, axes), json_from_grid);
}

// Methods as words, "full,lora", and behind a space how many layers train under freezing.
Result<MethodComparison> comparison(const std::string& scenario_json, std::string_view words) {
    const std::size_t space = std::min(words.find(' '), words.size());
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(methods, methods_from_words(words.substr(0, space)));
    return compare(scenario, methods, std::strtoll(std::string(words.substr(space)).c_str(), nullptr, 10));
}
std::string compare_call(const std::string& scenario_json, const std::string& words) {
    return answer(comparison(scenario_json, words), json_from_comparison);
}

Result<ModelChoice> model(const std::string& scenario_json) {
    Notes notes;
    MEMWALL_TRY(scenario, read(scenario_json));
    MEMWALL_TRY(completed, complete(scenario, notes));
    return completed.model;
}
// A scenario a line.
Result<Lineup> lineup_of(std::string_view lines) {
    std::vector<Result<Scenario>> scenarios;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        scenarios.push_back(scenario_from_json(lines.substr(0, end), "scenario"));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return lineup(scenarios);
}
std::string lineup_call(const std::string& lines) { return answer(lineup_of(lines), json_from_lineup); }

std::string params_call(const std::string& scenario_json) { return answer(model(scenario_json), json_from_parameters); }

std::string shortlist_call(const std::string& scenario_json) {
    const auto scenario = read(scenario_json);
    if (!scenario) return failure(scenario.error());
    return answer(shortlist(*scenario), json_from_shortlist);
}

std::string fields_call() { return success(json_from_fields()); }
std::string names_call(const std::string& kind) { return success(json_from_names(kind)); }
std::string catalogue_call(const std::string& kind, const std::string& filter) {
    const auto rows = json_from_catalogue(kind, filter);
    return rows ? success(*rows) : failure(rows.error());
}

std::string take_texts_call(const std::string& texts) {
    if (take_late_texts(texts) || take_catalogue_texts(texts)) return success("true");
    return failure({ErrorCode::Inconsistent, "texts", "These texts belong to another core.wasm.", ""});
}

std::string import_call(const std::string& name, const std::string& text) {
    Notes notes;
    const auto scenario = import_text(text, name, notes);
    return scenario ? success(json_from_import(*scenario, notes)) : failure(scenario.error());
}

std::string needed_text(const Scenario& scenario) {
    const auto made = estimate(scenario);
    return made && made->has_numbers() ? text(made->worst().device_total, ByteUnits::Binary) : std::string();
}
std::string from_share_call(const std::string& fragment) {
    Notes notes;
    const bool marked = !fragment.empty() && fragment.front() == '#';
    const Shared shared = scenario_from_share(std::string_view(fragment).substr(marked ? 1 : 0), notes);
    note_changed_number(shared, needed_text(shared.scenario), notes);
    return success(json_from_import(shared.scenario, notes));
}
std::string share_call(const std::string& scenario_json) {
    const auto scenario = read(scenario_json);
    if (!scenario) return failure(scenario.error());
    return success(json_from_text(concat({"#", share_from_scenario(*scenario, needed_text(*scenario))})));
}

// "GB", or anything else for GiB.
std::string units_call(const std::string& name) {
    show_units(name == "GB" ? ByteUnits::Decimal : ByteUnits::Binary);
    return "";
}
std::string version_call() { return std::string(kVersion); }

}  // namespace
}  // namespace memwall

// Embind names a type without RTTI by printing its address with sprintf, for messages nobody sees here. Defined by us
// it does not bring in the C library's formatter.
extern "C" int siprintf(char* text, const char*, ...) {
    *text = '\0';
    return 0;
}

EMSCRIPTEN_BINDINGS(memwall) {
    using emscripten::function;
    function("version", &memwall::version_call);
    function("units", &memwall::units_call);
    function("fields", &memwall::fields_call);
    function("names", &memwall::names_call);
    function("catalogue", &memwall::catalogue_call);
    function("take_texts", &memwall::take_texts_call);
    function("estimate", &memwall::estimate_call);
    function("view", &memwall::view_call);
    function("moment", &memwall::moment_call);
    function("why", &memwall::why_call);
    function("tensors", &memwall::tensors_call);
    function("window", &memwall::window_call);
    function("instant", &memwall::instant_call);
    function("allocator", &memwall::allocator_call);
    function("markdown", &memwall::markdown_call);
    function("solve", &memwall::solve_call);
    function("grid", &memwall::grid_call);
    function("shortlist", &memwall::shortlist_call);
    function("compare", &memwall::compare_call);
    function("lineup", &memwall::lineup_call);
    function("params", &memwall::params_call);
    function("import_text", &memwall::import_call);
    function("share_from_scenario", &memwall::share_call);
    function("scenario_from_share", &memwall::from_share_call);
}
