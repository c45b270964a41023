#include "ui/explain.hpp"
#include "ui/parts.hpp"
#include "ui/views.hpp"

namespace memwall {
void draw_parameters(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    const ParametersView& parameters = stage.view.parameters;
    if (parameters.groups.empty()) return;
    heading(widgets, where, stage.words[Word::Parameters], "parameters");
    Column exact = where.part(0, where.width);
    paint.paragraph(exact, kSmall, Ink::Quiet,
                    parameters.exact + " " + stage.words[Word::ParametersUnit] +
                        (parameters.trainable.empty() ? "" : ". " + parameters.trainable));
    where.y = exact.y + 8;
    for (const ParameterGroupView& group : parameters.groups) {
        const std::string key = "parameters:" + group.label;
        paint.rule(where.x, where.y, where.width);
        if (widgets.press(key, {where.x, where.y, where.width, 40})) stage.toggle(key);
        const bool open = stage.is_open(key);
        Column line{where.x, where.y + 10, where.width};
        const Ink ink = widgets.hovered() ? Ink::Accent : Ink::Ink;
        paint.at(line.x, line.y, kBody, ink, group.label);
        paint.chevron(line.x + paint.width(kBody, group.label) + 12, line.y + 10, Ink::Edge, open);
        Column share = line.part(line.width - 176, 72);
        paint.line(share, kSmall, Ink::Quiet, group.share_text, Align::Right);
        paint.line(line, kBodyBold, Ink::Ink, group.text, Align::Right);
        where.skip(40);
        if (open) draw_tensors(stage, paint, where, group.tensors);
    }
    paint.rule(where.x, where.y, where.width);
}

void draw_assumptions(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    if (stage.view.assumptions.empty()) return;
    heading(widgets, where, stage.words[Word::Assumptions], "assumptions");
    paint.paragraph(where, kSmall, Ink::Quiet, stage.words[Word::AssumptionsHelp]);
    where.skip(8);
    for (const AssumptionView& row : stage.view.assumptions) {
        paint.rule(where.x, where.y, where.width);
        where.skip(8);
        const float change = row.field.empty() ? 0 : paint.width(kBody, stage.words[Word::Change]) + 16;
        const float amount = paint.width(kBodyBold, row.text);
        const bool below = amount + change + paint.width(kBody, row.label) + 16 > where.width;
        paint.at(where.x, where.y, kBody, Ink::Ink, capital(row.label));
        if (below) where.skip(kBody.leading);
        paint.at(below ? where.x : where.right() - change - amount, where.y, kBodyBold, Ink::Ink, row.text);
        if (!row.field.empty() &&
            widgets.link("assume:" + row.field, where.right() - change + 16, where.y, kBody, stage.words[Word::Change]))
            stage.go(row.field);
        where.skip(kBody.leading + 8);
    }
}

void draw_notes(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    if (stage.view.notes.empty()) return;
    heading(widgets, where, stage.words[Word::Notes]);
    for (const NoteView& note : stage.view.notes) {
        paint.rule(where.x, where.y, where.width);
        where.skip(8);
        paint.paragraph(where, kBody, Ink::Quiet, note.message);
        where.skip(8);
    }
}

}  // namespace memwall
