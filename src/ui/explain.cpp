#include "ui/explain.hpp"

#include <algorithm>
#include <string>

#include "ui/parts.hpp"

namespace memwall {
namespace {

std::string confidence_text(const Words& words, std::string_view confidence) {
    for (const Word word :
         {Word::ConfidenceExact, Word::ConfidencePublished, Word::ConfidenceMeasured, Word::ConfidenceAssumed})
        if (word_key(word).substr(11) == confidence) return words[word];
    return std::string(confidence);
}

Ink confidence_ink(std::string_view confidence) {
    return confidence == "exact" ? Ink::Good : confidence == "assumed" ? Ink::Warning : Ink::Quiet;
}

std::string joined(std::string_view place, std::string_view what, std::string_view key) {
    return std::string(what).append(place).append(":").append(key);
}

// Asks the page once for what belongs to this view.
void want(Stage& stage, std::string_view what, std::string_view key) {
    const std::string name = joined(key, what, "");
    if (std::find(stage.state.asked_for.begin(), stage.state.asked_for.end(), name) != stage.state.asked_for.end())
        return;
    stage.state.asked_for.push_back(name);
    stage.actions.add(what, key);
}

// The links below the terms: to the source, to what confidence means, to the field.
void draw_ways(Stage& stage, const Widgets& widgets, const Column& where, std::string_view place, const RowView& row) {
    const Words& words = stage.words;
    const std::string key = joined(place, "", row.key);
    float x = where.x;
    const auto link = [&](std::string_view name, Word word) {
        const bool pressed = widgets.link(std::string(name).append(key), x, where.y, kSmall, words[word]);
        x += widgets.paint().width(kSmall, words[word]) + 24;
        return pressed;
    };
    if (!row.source_url.empty() && link("open:", Word::Source)) stage.actions.add("open", row.source_url);
    if (link("learn:confidence:", Word::Confidence)) stage.actions.add("learn", "confidence");
    if (!row.field.empty() && link("change:", Word::Change)) stage.go(row.field);
}

const std::vector<ParameterView>* tensors_of(Stage& stage, const RowView& row) {
    for (const RowTensors& each : stage.tensors)
        if (each.key == row.key) return &each.tensors;
    want(stage, "tensors", row.key);
    return nullptr;
}

}  // namespace

void draw_tensors(Stage& stage, const Paint& paint, Column& where, const std::vector<ParameterView>& tensors) {
    float amount = 80;
    for (const ParameterView& tensor : tensors)
        amount = std::max(amount, paint.width(kSmall, tensor.text));
    amount += 8;
    const float shape = stage.room == Room::Phone ? 0 : std::min(200.0f, where.width * 0.3f);
    const float name = where.width - amount - shape;
    for (const ParameterView& tensor : tensors) {
        const std::string shapes = tensor.shape + (tensor.copies.empty() ? "" : " " + tensor.copies);
        Column left = where.part(0, name - 8);
        paint.paragraph(left, kSmall, Ink::Ink, tensor.name);
        Column middle = shape == 0 ? left : where.part(name, shape - 8);
        paint.paragraph(middle, kSmall, Ink::Quiet, shapes);
        Column right = where.part(where.width - amount, amount);
        paint.line(right, kSmall, Ink::Ink, tensor.text, Align::Right);
        where.y = std::max(middle.y, left.y) + 6;
    }
}

void draw_reasons(Stage& stage, const Widgets& widgets, Column& where, std::string_view place, const RowView& row,
                  Ink category, Behind behind) {
    const Paint& paint = widgets.paint();
    const Words& words = stage.words;
    const std::string confidence = confidence_text(words, row.confidence);
    const Terms terms(paint, stage.room == Room::Phone);
    std::vector<Terms::Row> rows{{words[Word::Formula], row.formula}, {words[Word::InNumbers], row.numbers}};
    if (!row.bytes_text.empty() && row.bytes_text != row.numbers) rows.push_back({words[Word::Result], row.bytes_text});
    rows.push_back({words[Word::Because], row.because});
    if (!row.live.empty()) rows.push_back({words[Word::Lives], row.live});
    rows.push_back({words[Word::Source], row.source});
    rows.push_back({words[Word::Confidence], confidence, confidence_ink(row.confidence)});
    Column inner{where.x + 16, where.y + 12, where.width - 32};
    float height = 20 + 28;  // 28: of the links
    for (const Terms::Row& each : rows)
        height += terms.height(each, inner.width);
    paint.fill({where.x, where.y, where.width, height}, Ink::Panel);
    paint.fill({where.x, where.y, 2, height}, category);
    for (const Terms::Row& each : rows)
        terms.draw(inner, each);
    inner.skip(4);
    draw_ways(stage, widgets, inner, place, row);
    where.skip(height + 12);
    if (behind == Behind::Reasons) return;
    if (const auto* tensors = tensors_of(stage, row); tensors != nullptr && !tensors->empty()) {
        Column lines = where.part(16, where.width - 16);
        draw_tensors(stage, paint, lines, *tensors);
        where.y = lines.y + 4;
    }
}

void explainable(Stage& stage, const Widgets& widgets, std::string_view place, std::string_view key, Box box) {
    const std::string name = joined(place, "why:", key);
    if (widgets.press(name, box)) stage.toggle(name);
    const bool marked = widgets.hovered() || stage.is_open(name);
    widgets.paint().fill({box.x, box.y + box.height - 2, box.width, 1}, marked ? Ink::Accent : Ink::Edge);
}

void draw_explained(Stage& stage, const Widgets& widgets, Column& where, std::string_view place,
                    std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (!stage.is_open(joined(place, "why:", key))) continue;
        want(stage, "why", "");
        for (const RowView& row : stage.reasons.rows) {
            if (row.key != key) continue;
            where.skip(8);
            draw_reasons(stage, widgets, where, place, row, Ink::Accent, Behind::Reasons);
        }
    }
}

}  // namespace memwall
