// estimate, explain, solve: what is asked about one scenario.
#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "cli/estimate_text.hpp"
#include "cli/verbs.hpp"
#include "export/json.hpp"
#include "export/json_tree.hpp"
#include "export/json_view.hpp"
#include "export/markdown.hpp"
#include "export/share.hpp"
#include "search/companions.hpp"
#include "view/present.hpp"

namespace memwall {

ExitStatus status_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::Fits:
            return ExitStatus::Fits;
        case Verdict::DoesNotFit:
            return ExitStatus::DoesNotFit;
        case Verdict::Tight:
            return ExitStatus::Tight;
        case Verdict::CannotSay:
            return ExitStatus::CannotSay;
    }
    return ExitStatus::CannotSay;
}

std::string_view word(const Invocation& invocation, std::size_t at) {
    return at < invocation.words.size() ? invocation.words[at] : std::string_view();
}

// The estimate with the notes of reading in front of its own.
Result<Estimate> estimated(const Invocation& invocation, std::string_view file, const Machine& machine) {
    Notes notes;
    MEMWALL_TRY(scenario, scenario_of(invocation, file, machine, notes));
    MEMWALL_TRY(made, estimate(scenario));
    for (const Note& note : made.notes.all())
        notes.add(note.where, note.message);
    made.notes = std::move(notes);
    return std::move(made);
}

namespace {

bool is_named(const GroupView& group, const RowView& row, std::string_view words) {
    return same_word(row.key, words) || same_word(group.category, words) || contains_word(row.key, words) ||
           contains_word(row.title, words);
}

// Exact keys first: "weights.q_proj" is one row, not all that contain the word.
std::vector<RowView> rows_named(const ViewModel& view, std::string_view words) {
    std::vector<RowView> exact, near;
    for (const GroupView& group : view.groups)
        for (const RowView& row : group.rows) {
            if (same_word(row.key, words)) exact.push_back(row);
            if (is_named(group, row, words)) near.push_back(row);
        }
    return exact.empty() ? near : exact;
}

Error no_such_row(const ViewModel& view, std::string_view words) {
    std::vector<std::string_view> keys, categories;
    for (const GroupView& group : view.groups) {
        keys.push_back(group.category);
        categories.push_back(group.category);
        for (const RowView& row : group.rows)
            keys.push_back(row.key);
    }
    std::vector<std::string_view> shown = nearest(words, keys, 5);
    if (shown.empty()) shown = categories;
    std::string hint;
    for (const std::string_view key : shown)
        hint += (hint.empty() ? "rows at the worst moment: " : ", ") + std::string(key);
    return {ErrorCode::UnknownName, "", "No row is called \"" + excerpt(words, 60) + "\"", hint};
}

std::string json_from_rows(const std::vector<RowView>& rows) {
    JsonDocument document;
    JsonArray list = document.root().array("rows");
    for (const RowView& row : rows) {
        JsonObject out = list.object();
        out.text("key", row.key).text("title", row.title).text("text", row.text).text("share", row.share_text);
        out.text("formula", row.formula).text("numbers", row.numbers).text("bytes", row.bytes_text);
        out.text("because", row.because).text("source", row.source).text("source_url", row.source_url);
        out.text("confidence", row.confidence).text("live", row.live).text("field", row.field);
    }
    return document.line();
}

Error word_missing(std::string_view what, std::string_view usage) {
    return {ErrorCode::Malformed, "", "The " + std::string(what) + " is missing", "memwall " + std::string(usage)};
}

}  // namespace

Result<Answer> run_estimate(const Invocation& invocation, const Machine& machine) {
    MEMWALL_TRY(made, estimated(invocation, word(invocation, 0), machine));
    const ExitStatus status = status_of(made.verdict);
    if (invocation.format == OutputFormat::Json) return Answer{json_from_estimate(made), status};
    const ViewModel view = present(made, companions(made));
    if (invocation.format == OutputFormat::Markdown) return Answer{markdown_from_view(view), status};
    return Answer{estimate_text(view, machine.style), status};
}

// The page is generated with the answer of its default scenario in it (scripts/generate_site.py).
Result<Answer> run_view(const Invocation& invocation, const Machine& machine) {
    MEMWALL_TRY(made, estimated(invocation, word(invocation, 0), machine));
    ViewModel view = present(made, companions(made));
    view.share = "#" + share_from_scenario(made.scenario, view.verdict.needed);
    return Answer{json_from_view(view)};
}

Result<Answer> run_explain(const Invocation& invocation, const Machine& machine) {
    if (invocation.words.empty()) return word_missing("row", "explain ROW [--field value ...]");
    MEMWALL_TRY(made, estimated(invocation, word(invocation, 1), machine));
    if (!made.has_numbers())
        return Error{ErrorCode::Missing, made.missing, "No model is given", "give a model: --model NAME"};
    const ViewModel view = present(made, {});
    const std::vector<RowView> rows = rows_named(view, invocation.words[0]);
    if (rows.empty()) return no_such_row(view, invocation.words[0]);
    return Answer{invocation.format == OutputFormat::Json ? json_from_rows(rows) : rows_text(rows)};
}

Result<Answer> run_solve(const Invocation& invocation, const Machine& machine) {
    if (invocation.words.empty()) return word_missing("field", "solve FIELD [--field value ...]");
    MEMWALL_TRY(row, named_field(invocation.words[0]));
    Notes notes;
    MEMWALL_TRY(scenario, scenario_of(invocation, word(invocation, 1), machine, notes));
    MEMWALL_TRY(solution, largest_that_fits(scenario, row->id));
    for (const Note& note : solution.notes.all())
        notes.add(note.where, note.message);
    solution.notes = std::move(notes);
    const ExitStatus status = solution.bound == Bound::NothingFits ? ExitStatus::DoesNotFit : ExitStatus::Fits;
    if (invocation.format == OutputFormat::Json) return Answer{json_from_solution(solution), status};
    return Answer{solution_text(solution), status};
}

}  // namespace memwall
