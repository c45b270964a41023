// timeline: the highest moments of a step with the rows that are alive in them; or every instant, and one with its
// rows.
#include <algorithm>

#include "base/concat.hpp"
#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "base/word_list.hpp"
#include "cli/text_table.hpp"
#include "cli/verbs.hpp"
#include "estimate/moments.hpp"
#include "export/json_timeline.hpp"
#include "plan/fields.hpp"
#include "view/moments.hpp"
#include "view/parts.hpp"
#include "view/present.hpp"

namespace memwall {
namespace {

constexpr std::size_t kRowsShown = 3;

constexpr WordList kStages = "loading|first|steady|evaluation|generation|saving";
static_assert(kStages.size() == static_cast<std::size_t>(RunStage::Saving) + 1);

Result<std::int32_t> step_from(std::string_view step) {
    std::int32_t number = 0;
    for (const std::string_view stage : kStages) {
        if (same_word(step, stage)) return number;
        ++number;
    }
    return Error{ErrorCode::UnknownName, "step", "There is no step \"" + excerpt(step, 60) + "\"",
                 "allowed: loading, first, steady, evaluation, generation, saving"};
}

// Why a stage has no instants: its field is off, or a note says why it is not used.
std::string hint_for(const Estimate& e, std::int32_t step) {
    constexpr FieldId kFields[] = {FieldId::PhaseLoading,        FieldId::OptimizerName,    FieldId::OptimizerName,
                                   FieldId::EvaluationBatchSize, FieldId::GenerationTokens, FieldId::PhaseSaving};
    const FieldId id = kFields[static_cast<std::size_t>(step)];
    const std::string key(field(id).key), given = text(e.scenario, id);
    if (id == FieldId::OptimizerName) return "inference has one pass: --step first";
    if (given == text(Scenario{}, id))
        return key + " is " + given + ", which is off; memwall fields lists what it takes";
    return "memwall estimate says in a note why " + key + " is not used";
}

Failure keep_step(std::vector<Moment>& moments, const Estimate& e, std::string_view step) {
    if (step.empty()) return std::nullopt;
    MEMWALL_TRY(kept, step_from(step));
    std::erase_if(moments, [&](const Moment& m) { return m.instant.step != kept; });
    if (!moments.empty()) return std::nullopt;
    return Error{ErrorCode::UnknownName, "step", {"Nothing happens in \"", step, "\""}, hint_for(e, kept)};
}

// Rows that are in every instant say nothing about any of them.
bool stays(const RowView& row, const std::vector<MomentView>& moments) {
    return std::all_of(moments.begin(), moments.end(), [&](const MomentView& moment) {
        return std::any_of(moment.rows.begin(), moment.rows.end(), [&](const RowView& other) {
            return other.key == row.key && other.bytes_text == row.bytes_text;
        });
    });
}

std::string timeline_text(const std::vector<MomentView>& moments) {
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Left, TextAlign::Left});
    table.add({"", "allocated", "instant", "largest rows that come and go"});
    for (const MomentView& moment : moments) {
        std::string rows;
        std::size_t shown = 0;
        for (const RowView& row : moment.rows) {
            if (shown == kRowsShown) break;
            if (stays(row, moments)) continue;
            rows.append(shown++ == 0 ? "" : "; ").append(row.title + " " + row.text);
        }
        table.add({moment.worst ? "peak" : "", moment.text, moment.label, rows});
    }
    return table.text();
}

std::string every_text(const Estimate& e, const std::vector<Instant>& every) {
    TextTable table({TextAlign::Right, TextAlign::Right, TextAlign::Right, TextAlign::Left});
    table.add({"", "allocated", "change", "instant"});
    Bytes before;
    for (std::size_t i = 0; i < every.size(); ++i) {
        const Bytes total = every[i].total;
        const std::int64_t change = total.value - before.value;
        table.add({std::to_string(i), with_commas(total.value), (change > 0 ? "+" : "") + with_commas(change),
                   instant_label(e, every[i])});
        before = total;
    }
    return table.text();
}

std::string rows_text(const MomentView& moment) {
    TextTable table({TextAlign::Right, TextAlign::Left, TextAlign::Left});
    for (const RowView& row : moment.rows)
        table.add({row.text, row.title, row.key});
    return moment.label + ": " + moment.text + "\n\n" + table.text();
}

Result<std::size_t> number_from(std::string_view words) {
    constexpr std::size_t kMost = 100'000'000;
    std::size_t out = 0;
    for (const char c : words) {
        if (c < '0' || c > '9' || out > kMost)
            return Error{ErrorCode::Malformed, "at", "\"" + excerpt(words, 60) + "\" is no number of an instant",
                         "memwall timeline --every lists them"};
        out = out * 10 + static_cast<std::size_t>(c - '0');
    }
    return out;
}

Result<std::string> every_answer(const Invocation& invocation, const Estimate& made) {
    MEMWALL_TRY(every, every_instant(made));
    const bool json = invocation.format == OutputFormat::Json;
    if (invocation.at.empty()) return json ? json_from_instants(made, every, 0) : every_text(made, every);
    MEMWALL_TRY(at, number_from(invocation.at));
    MEMWALL_TRY(moment, moment_of(made, every, at));
    const Moment moments[] = {std::move(moment)};
    return json ? json_from_timeline(made, moments) : rows_text(moment_view(made, moments[0]));
}

}  // namespace

Result<Answer> run_timeline(const Invocation& invocation, const Machine& machine) {
    MEMWALL_TRY(made, estimated(invocation, word(invocation, 0), machine));
    if (!made.has_numbers())
        return Error{ErrorCode::Missing, made.missing, "No model is given", "give a model: --model NAME"};
    const bool all = invocation.detail == Detail::Every || !invocation.at.empty();
    if (all && !invocation.step.empty())
        return Error{ErrorCode::Inconsistent, "step",
                     "--every and --at number the instants of all steps and stages, and take no part of them",
                     "leave --step out; with --step the highest moments of that step are listed"};
    if (all) {
        MEMWALL_TRY(text, every_answer(invocation, made));
        return Answer{std::move(text), status_of(made.verdict)};
    }
    MEMWALL_TRY(moments, moments_of(made));
    if (Failure wrong = keep_step(moments, made, invocation.step)) return *wrong;
    const ExitStatus status = status_of(made.verdict);
    if (invocation.format == OutputFormat::Json) return Answer{json_from_timeline(made, moments), status};
    const ViewModel view = present(made, {});
    return Answer{view.title + "\n" + view.verdict.sentence + "\n\n" + timeline_text(moment_views(made, moments)),
                  status};
}

}  // namespace memwall
