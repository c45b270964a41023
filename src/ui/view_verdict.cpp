#include <algorithm>

#include "ui/charts.hpp"
#include "ui/explain.hpp"
#include "ui/parts.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr TextStyle sentence_style(Room room) {
    switch (room) {
        case Room::Phone:
            return {Weight::SemiBold, 20, 28};
        case Room::Narrow:
        case Room::Medium:
            return {Weight::SemiBold, 22, 32};
        case Room::Wide:
            break;
    }
    return {Weight::SemiBold, 26, 36};
}

void draw_stale(Stage& stage, const Paint& paint, Column& where) {
    if (stage.inputs.stale.empty()) return;
    const std::string text = stage.words[Word::Stale] + ". " + stage.inputs.stale;
    where.skip(12);
    const float height = paint.height(kBody, text, where.width - 24) + 16;
    paint.fill({where.x, where.y, where.width, height}, Ink::WarningWash);
    paint.fill({where.x, where.y, 2, height}, Ink::Warning);
    Column inner{where.x + 12, where.y + 8, where.width - 24};
    paint.paragraph(inner, kBody, Ink::Ink, text);
    where.skip(height);
}

void draw_gauge_part(Stage& stage, const Widgets& widgets, Column& where) {
    const Paint& paint = widgets.paint();
    const ViewModel& view = stage.view;
    if (view.verdict.needed.empty()) return;
    where.skip(20);
    draw_gauge(paint, {where.x, where.y, where.width, kGaugeHeight}, view);
    where.skip(kGaugeHeight + 8);
    Legend legend(paint, where);
    const auto item = [&](Sign sign, Ink ink, std::string_view number, Word word, std::string_view key) {
        explainable(stage, widgets, "gauge", key, legend.item(sign, ink, number, stage.words[word]));
    };
    item(Sign::Square, role_ink(view.verdict.role), view.verdict.needed, Word::Needed, "device_total");
    if (!view.verdict.usable.empty()) item(Sign::Wall, Ink::Ink, view.verdict.usable, Word::Usable, "usable");
    item(Sign::Interval, Ink::Ink, view.verdict.interval, Word::Interval, "interval");
    if (view.gauge.baseline > 0)
        explainable(stage, widgets, "gauge", "baseline",
                    legend.item(Sign::Dashed, Ink::Ink, "", view.gauge.baseline_text));
    legend.finish();
    draw_explained(stage, widgets, where, "gauge", {"device_total", "usable", "interval", "baseline"});
    where.skip(4);
    widgets.term("interval", where, kSmall, Ink::Quiet, capital(view.verdict.interval_basis));
}

// One of the facts beside the verdict.
struct Fact {
    std::string title, role, figure, sentence;
    const char* key;         // of what explains its number
    const char* about = "";  // the term that the page explains
};

float draw_fact(Stage& stage, const Widgets& widgets, Column where, const Fact& fact) {
    const Paint& paint = widgets.paint();
    const float top = where.y;
    where.skip(12);
    if (*fact.about == '\0')
        paint.paragraph(where, kSmall, Ink::Quiet, capital(fact.title));
    else
        widgets.term(fact.about, where, kSmall, Ink::Quiet, capital(fact.title));
    where.skip(4);
    float shift = 0;
    if (!fact.role.empty()) {
        paint.mark(where.x, where.y + 6, 16, fact.role);
        shift = 24;
    }
    Column figure = where.part(shift, where.width - shift);
    const Box number{figure.x, figure.y, paint.width(kFigure, fact.figure), kFigure.leading};
    paint.line(figure, kFigure, Ink::Ink, fact.figure.empty() ? "–" : fact.figure);
    if (!fact.figure.empty()) explainable(stage, widgets, "fact", fact.key, number);
    where.y = figure.y + 4;
    paint.paragraph(where, kSmall, Ink::Quiet, fact.sentence);
    return where.y - top;
}

void draw_facts(Stage& stage, const Widgets& widgets, Column& where) {
    const ViewModel& view = stage.view;
    std::vector<Fact> facts;
    facts.push_back({view.pair.run.label, view.pair.run.role, view.pair.run.needed, view.pair.run.sentence, "run"});
    facts.push_back(
        {view.pair.train.label, view.pair.train.role, view.pair.train.needed, view.pair.train.sentence, "train"});
    if (!view.multiple.sentence.empty()) {
        // A multiple stands with its sign, as on the page.
        const std::string figure = view.multiple.value.empty() ? "" : view.multiple.value + " ×";
        facts.push_back({stage.words[Word::Multiple], "", figure, view.multiple.sentence, "multiple", "multiple"});
    }
    if (!view.largest.sentence.empty())
        facts.push_back(
            {stage.words[Word::LargestTitle], "", view.largest.value, view.largest.sentence, "largest", "largest"});
    const int columns = stage.room == Room::Wide ? 4 : 2;
    const float gap = 24, width = (where.width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    for (std::size_t first = 0; first < facts.size(); first += static_cast<std::size_t>(columns)) {
        float highest = 0;
        for (std::size_t i = first; i < facts.size() && i < first + static_cast<std::size_t>(columns); ++i) {
            const float height =
                draw_fact(stage, widgets, where.part(static_cast<float>(i - first) * (width + gap), width), facts[i]);
            highest = height > highest ? height : highest;
        }
        where.skip(highest);
    }
    draw_explained(stage, widgets, where, "fact", {"run", "train", "multiple", "largest"});
}

void draw_actions(Stage& stage, const Widgets& widgets, Column& where) {
    struct Row {
        Word word;
        const char* action;
    };
    where.skip(24);
    float x = where.x, y = where.y;
    for (const Row& row : {Row{Word::CopyLink, "copy-link"}, Row{Word::Pin, "pin"},
                           Row{Word::CopyMarkdown, "copy-markdown"}, Row{Word::DownloadJson, "download-json"}}) {
        if (row.word == Word::Pin && stage.panels.all.empty()) continue;  // an element keeps no pins
        const std::string& text = stage.words[row.word];
        if (x > where.x && x + widgets.paint().width(kBody, text) + 24 > where.right()) {
            x = where.x;
            y += widgets.control_height();
        }
        if (widgets.button(row.action, x, y, text)) stage.actions.add(row.action);
    }
    Column done{x + 8, y + 6, where.right() - x - 8};
    widgets.paint().paragraph(done, kBody, Ink::Good, stage.inputs.done);
    where.y = y + widgets.control_height();
}

}  // namespace

void draw_verdict(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    const ViewModel& view = stage.view;
    {
        const StandsBack back(stage, where);
        paint.paragraph(where, kBody, Ink::Quiet, view.title);
        where.skip(12);
        const TextStyle style = sentence_style(stage.room);
        paint.mark(where.x, where.y + (style.leading - 24) / 2, 24, view.verdict.role);
        Column sentence = where.part(36, where.width - 36);
        paint.paragraph(sentence, style, Ink::Ink, view.verdict.sentence);
        where.y = sentence.y;
    }
    draw_stale(stage, paint, where);
    const StandsBack back(stage, where);
    draw_gauge_part(stage, widgets, where);
    if (!view.verdict.peak.empty()) paint.paragraph(where, kSmall, Ink::Quiet, capital(view.verdict.peak));
}

void draw_beside(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    const StandsBack back(stage, where);
    where.skip(28);
    paint.rule(where.x, where.y, where.width);
    draw_facts(stage, widgets, where);
    const ThroughputView& speed = stage.view.throughput;
    if (!speed.sentence.empty()) {
        std::string text = speed.sentence;
        if (!speed.time.empty()) text += " " + speed.time;
        if (!speed.cost.empty()) text += ", " + speed.cost;
        where.skip(16);
        const float top = where.y;
        paint.paragraph(where, kSmall, Ink::Quiet, text);
        const float wide = std::min(paint.width(kSmall, text), where.width);
        explainable(stage, widgets, "speed", "throughput", {where.x, top, wide, where.y - top});
        draw_explained(stage, widgets, where, "speed", {"throughput"});
    }
    draw_actions(stage, widgets, where);
}

void draw_numbers(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    if (stage.view.numbers.empty()) return;
    heading(widgets, where, stage.words[Word::Numbers], "numbers");
    paint.rule(where.x, where.y, where.width);
    where.skip(12);
    const std::size_t columns = stage.room == Room::Wide ? 4 : 2;
    const float width = where.width / static_cast<float>(columns);
    for (std::size_t i = 0; i < stage.view.numbers.size(); ++i) {
        const NumberView& number = stage.view.numbers[i];
        const bool first = i % columns == 0;
        Column cell = where.part(static_cast<float>(i % columns) * width + (first ? 0 : 16), width - 16);
        if (!first) paint.fill({cell.x - 16, cell.y - 8, 1, 68}, Ink::Rule);
        widgets.term(number.key, cell, kSmall, Ink::Quiet, capital(number.label));
        const Box figure{cell.x, cell.y, paint.width(kFigure, number.text), kFigure.leading};
        paint.line(cell, kFigure, Ink::Ink, number.text);
        explainable(stage, widgets, "number", number.key, figure);
        paint.paragraph(cell, kTiny, Ink::Quiet, number.exact);
        if (i % columns == columns - 1 || i + 1 == stage.view.numbers.size()) where.y = cell.y + 12;
    }
    draw_explained(stage, widgets, where, "number", {"allocated", "reserved", "device_total", "usable"});
}

}  // namespace memwall
