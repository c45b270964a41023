#include <algorithm>

#include "ui/parts.hpp"
#include "ui/search_field.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr float kBesideWidth = 160, kGap = 12;

int index_of(const std::vector<std::string>& list, std::string_view value) {
    const auto found = std::find(list.begin(), list.end(), value);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

bool is_wide(const Paint& paint, const FieldInput& field) {
    if (field.kind == "segments") return true;
    return std::any_of(field.choice_labels.begin(), field.choice_labels.end(),
                       [&](const std::string& label) { return paint.width(kBody, label) > kBesideWidth - 44; });
}

// How wide draw_state() will be in one line.
float state_width(Stage& stage, const Paint& paint, const FieldInput& field) {
    constexpr float kBetween = 6;
    float width = paint.width(kTiny, stage.words[field.given ? Word::Reset : Word::Default]);
    if (!field.unit.empty()) width += paint.width(kTiny, field.unit) + kBetween;
    if (!field.largest.empty())
        width += paint.width(kTiny, stage.words.filled(Word::Largest, field.largest)) + kBetween;
    return width;
}

// The field's unit, and whether its value is the default or can be reset; the largest value that fits.
void draw_state(Stage& stage, const Widgets& widgets, Column& where, const FieldInput& field) {
    if (field.kind == "fixed") return;
    const Paint& paint = widgets.paint();
    float x = where.x;
    const auto text = [&](std::string_view word) {
        paint.at(x, where.y, kTiny, Ink::Quiet, word);
        x += paint.width(kTiny, word) + 6;
    };
    if (!field.unit.empty()) text(field.unit);
    if (field.given) {
        if (widgets.link("reset:" + field.key, x, where.y, kTiny, stage.words[Word::Reset]))
            stage.actions.add("reset", field.key);
        x += paint.width(kTiny, stage.words[Word::Reset]) + 6;
    } else {
        text(stage.words[Word::Default]);
    }
    if (!field.largest.empty()) {
        const std::string largest = stage.words.filled(Word::Largest, field.largest);
        if (x + paint.width(kTiny, largest) > where.right() + 1) {
            x = where.x;
            where.skip(kTiny.leading);
        }
        if (widgets.link("largest:" + field.key, x, where.y, kTiny, largest)) {
            std::string plain = field.largest;
            const auto is_no_digit = [](char c) { return c < '0' || c > '9'; };
            plain.erase(std::remove_if(plain.begin(), plain.end(), is_no_digit), plain.end());
            stage.actions.add("set", field.key, plain);
        }
    }
    where.skip(kTiny.leading);
}

Ink edge_ink(const FieldInput& field) { return !field.error.empty() ? Ink::Bad : field.given ? Ink::Edge : Ink::Rule; }

void draw_text(Stage& stage, const Widgets& widgets, const FieldInput& field, Box box, Align align) {
    UiState& state = stage.state;
    std::string text = state.editing == field.key ? state.draft : field.value;
    const Widgets::Typed typed = widgets.text_field("field:" + field.key, box, text, {edge_ink(field), align, 0});
    if (typed.edited) {
        state.editing = field.key;
        state.draft = text;
        if (text.find_first_not_of(' ') == std::string::npos)
            stage.actions.add("reset", field.key);
        else
            stage.actions.add("set", field.key, text);
    }
    if (typed.left && state.editing == field.key) state.editing.clear();
    if (field.stepper && (typed.up || typed.down)) {
        state.editing.clear();
        stage.actions.add("step", field.key, typed.up ? "1" : "-1");
    }
}

void draw_stepper(Stage& stage, const Widgets& widgets, const FieldInput& field, Box box) {
    const Paint& paint = widgets.paint();
    const float side = box.height < 40 ? 32 : 40;
    draw_text(stage, widgets, field, {box.x + side - 1, box.y, box.width - 2 * side + 2, box.height}, Align::Centre);
    for (const bool more : {false, true}) {
        const Box part{more ? box.x + box.width - side : box.x, box.y, side, box.height};
        // Arrow keys in the field do the same, so the buttons are no stops for Tab.
        ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
        if (widgets.press((more ? "more:" : "less:") + field.key, part))
            stage.actions.add("step", field.key, more ? "1" : "-1");
        ImGui::PopItemFlag();
        const Ink ink = widgets.hovered() ? Ink::Accent : Ink::Ink;
        if (widgets.hovered()) paint.fill(part, Ink::AccentWash, 4);
        paint.frame(part, Ink::Rule);
        const float x = part.x + part.width / 2, y = part.y + part.height / 2;
        paint.fill({x - 5, y - 0.75f, 10, 1.5f}, ink);
        if (more) paint.fill({x - 0.75f, y - 5, 1.5f, 10}, ink);
    }
}

// What cannot be changed here.
void draw_fixed(const Paint& paint, const FieldInput& field, Box box, int chosen) {
    Column text{box.x, box.y, box.width};
    const std::string& words = chosen < 0 ? field.value : field.choice_labels[static_cast<std::size_t>(chosen)];
    paint.line(text, kBody, Ink::Ink, words, field.label.empty() ? Align::Left : Align::Right);
}

void draw_control(Stage& stage, const Widgets& widgets, const FieldInput& field, Box box) {
    int chosen = index_of(field.choices, field.value);
    if (field.kind == "fixed") return draw_fixed(widgets.paint(), field, box, chosen);
    if (stage.state.wanted == field.key) {
        stage.state.wanted.clear();
        ImGui::SetKeyboardFocusHere();
    }
    bool changed = false;
    if (field.kind == "segments")
        changed = widgets.segments("field:" + field.key, box, field.choice_labels, chosen);
    else if (field.kind == "select")
        changed = widgets.select("field:" + field.key, box, field.choice_labels, chosen, edge_ink(field));
    else if (field.kind == "search")
        draw_search_field(stage, widgets, field, box);
    else if (field.stepper)
        draw_stepper(stage, widgets, field, box);
    else
        draw_text(stage, widgets, field, box, Align::Left);
    if (changed) stage.actions.add("set", field.key, field.choices[static_cast<std::size_t>(chosen)]);
}

// What the field means, while the pointer is on its name.
void draw_help(Stage& stage, const FieldInput& field, Box name) {
    const ImVec2 end(name.x + name.width, name.y + name.height);
    if (field.help.empty() || !ImGui::IsMouseHoveringRect(ImVec2(name.x, name.y), end)) return;
    constexpr float kWidest = 280;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12, 8));
    if (ImGui::BeginTooltip()) {
        const Paint paint(stage);
        const ImVec2 top = ImGui::GetCursorScreenPos();
        const float width = std::min(kWidest, paint.width(kSmall, field.help) + 1);
        Column text{top.x, top.y, width};
        paint.paragraph(text, kSmall, Ink::Ink, field.help);
        ImGui::Dummy(ImVec2(width, text.y - top.y));
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
}

// The field's name; keys reach it by arrows, Tab goes from field to field.
void draw_label(const Widgets& widgets, Column& where, const FieldInput& field) {
    const Ink ink = field.given ? Ink::Ink : Ink::Quiet;
    if (!field.about) return widgets.paint().paragraph(where, kSmall, ink, field.label);
    ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
    widgets.term(field.key, where, kSmall, ink, field.label);
    ImGui::PopItemFlag();
}

void draw_field(Stage& stage, const Widgets& widgets, Column& where, const FieldInput& field) {
    const Paint& paint = widgets.paint();
    const float name_width = where.width - kBesideWidth - kGap;
    draw_help(stage, field, {where.x, where.y, name_width, kSmall.leading});
    const float height = field.kind == "fixed" ? kBody.leading : widgets.control_height();
    if (field.kind == "search" || (field.kind == "fixed" && field.label.empty())) {
        draw_control(stage, widgets, field, {where.x, where.y, where.width, height});
        where.skip(height);
    } else if (is_wide(paint, field)) {
        if (!field.label.empty()) {
            Column label = where.part(0, where.width);
            draw_label(widgets, label, field);
            Column state = where.part(0, where.width);
            const float beside = where.width - state_width(stage, paint, field);
            if (paint.width(kSmall, field.label) + 8 < beside)
                state = {where.x + beside, where.y + 2, where.width - beside};
            else
                state.y = label.y;
            draw_state(stage, widgets, state, field);
            where.y = std::max(label.y, state.y) + 4;
        }
        draw_control(stage, widgets, field, {where.x, where.y, where.width, height});
        where.skip(height);
    } else {
        Column label = where.part(0, name_width);
        draw_label(widgets, label, field);
        draw_state(stage, widgets, label, field);
        draw_control(stage, widgets, field, {where.right() - kBesideWidth, where.y, kBesideWidth, height});
        where.y = std::max(label.y, where.y + height);
    }
    if (!field.note.empty()) paint.paragraph(where, kTiny, Ink::Quiet, field.note);
    if (!field.error.empty()) paint.paragraph(where, kSmall, Ink::Bad, capital(field.error));
    where.skip(12);
}

void draw_fold(Stage& stage, const Widgets& widgets, Column& where, const InputSection& section, bool open) {
    const Paint& paint = widgets.paint();
    paint.rule(where.x, where.y, where.width);
    const float text = open ? 0 : paint.height(kTiny, section.summary, where.width - 24);
    if (widgets.press("section:" + section.key, {where.x, where.y, where.width, 40 + text}))
        stage.toggle("section:" + section.key);
    paint.at(where.x, where.y + 10, kBodyBold, widgets.hovered() ? Ink::Accent : Ink::Ink, section.title);
    paint.chevron(where.right() - 12, where.y + 20, Ink::Quiet, open);
    where.skip(32);
    if (!open) paint.paragraph(where, kTiny, Ink::Quiet, section.summary);
    where.skip(12);
}

void draw_history(Stage& stage, const Widgets& widgets, Column& where) {
    float x = where.x, y = where.y;
    if (widgets.button("reset-all", x, y, stage.words[Word::ResetAll])) stage.actions.add("reset-all");
    if (stage.inputs.can_undo && widgets.button("undo", x, y, stage.words[Word::Undo])) stage.actions.add("undo");
    if (stage.inputs.can_redo && widgets.button("redo", x, y, stage.words[Word::Redo])) stage.actions.add("redo");
    where.skip(widgets.control_height() + 12);
}

void draw_section(Stage& stage, const Widgets& widgets, Column& where, const InputSection& section) {
    const bool open = !section.foldable || stage.is_open("section:" + section.key);
    if (section.foldable) {
        draw_fold(stage, widgets, where, section, open);
    } else {
        widgets.paint().line(where, kBodyBold, Ink::Ink, section.title);
        where.skip(8);
    }
    for (const FieldInput& field : section.fields)
        if (open) draw_field(stage, widgets, where, field);
    if (section.foldable) return;
    if (!section.summary.empty()) {
        where.skip(-4);
        widgets.paint().paragraph(where, kSmall, Ink::Quiet, section.summary);
    }
    where.skip(12);
}

}  // namespace

void draw_inputs(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    // Where there is room for two columns but not for a pane of its own, the longest section has the second one.
    constexpr float kBetween = 32;
    const bool beside = stage.room == Room::Narrow;
    const float half = (where.width - kBetween) / 2;
    Column left = beside ? where.part(0, half) : where, right = where.part(half + kBetween, half);
    std::size_t first_fold = 0;
    while (first_fold < stage.inputs.sections.size() && !stage.inputs.sections[first_fold].foldable)
        ++first_fold;
    for (std::size_t i = 0; i < first_fold; ++i)
        draw_section(stage, widgets, beside && i + 1 == first_fold ? right : left, stage.inputs.sections[i]);
    where.y = beside ? std::max(left.y, right.y) : left.y;
    for (std::size_t i = first_fold; i < stage.inputs.sections.size(); ++i)
        draw_section(stage, widgets, where, stage.inputs.sections[i]);
    draw_history(stage, widgets, where);
}

}  // namespace memwall
