// timeline: every instant of a step, with the rows that are alive in it.
#include <algorithm>

#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "cli/text_table.hpp"
#include "cli/verbs.hpp"
#include "estimate/moments.hpp"
#include "export/json_timeline.hpp"
#include "view/moments.hpp"
#include "view/present.hpp"

namespace memwall {
namespace {

constexpr std::size_t kRowsShown = 3;

constexpr std::int32_t kFirstStep = 1, kSteadyStep = 2;

Failure keep_step(std::vector<Moment>& moments, std::string_view step) {
    if (step.empty()) return std::nullopt;
    const bool first = same_word(step, "first");
    if (!first && !same_word(step, "steady"))
        return Error{ErrorCode::UnknownName, "step", "There is no step \"" + excerpt(step, 60) + "\"",
                     "allowed: first, steady"};
    std::erase_if(moments, [&](const Moment& m) { return m.instant.step != (first ? kFirstStep : kSteadyStep); });
    if (!moments.empty()) return std::nullopt;
    return Error{ErrorCode::UnknownName, "step", "Inference has no steady step: it has one pass", "allowed: first"};
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

}  // namespace

Result<Answer> run_timeline(const Invocation& invocation, const Machine& machine) {
    MEMWALL_TRY(made, estimated(invocation, word(invocation, 0), machine));
    if (!made.has_numbers())
        return Error{ErrorCode::Missing, made.missing, "No model is given", "give a model: --model NAME"};
    MEMWALL_TRY(moments, moments_of(made));
    if (Failure wrong = keep_step(moments, invocation.step)) return *wrong;
    const ExitStatus status = status_of(made.verdict);
    if (invocation.format == OutputFormat::Json) return Answer{json_from_timeline(made, moments), status};
    const ViewModel view = present(made, {});
    return Answer{view.title + "\n" + view.verdict.sentence + "\n\n" + timeline_text(moment_views(made, moments)),
                  status};
}

}  // namespace memwall
