#include <imgui_internal.h>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include "ui/charts.hpp"
#include "ui/explain.hpp"
#include "ui/parts.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr float kPlotHeight = 220;

bool is_part(const Stage& stage) { return !stage.part.timeline.instants.empty(); }
const TimelineView& drawn(const Stage& stage) { return is_part(stage) ? stage.part.timeline : stage.view.timeline; }

int chosen_instant(const Stage& stage) {
    const TimelineView& timeline = drawn(stage);
    const int at = stage.state.instant >= 0 ? stage.state.instant : timeline.worst;
    return std::min(at, static_cast<int>(timeline.instants.size()) - 1);
}

// Asks for the part around one of all instants.
void go_to(Stage& stage, int instant) { stage.actions.add("window", std::to_string(std::max(0, instant))); }
void go_by(Stage& stage, int instants) {
    go_to(stage, stage.part.first + static_cast<int>(stage.part.timeline.instants.size()) / 2 + instants);
}
// Asks for the part around one that the whole step shows.
void go_closer(Stage& stage, int shown) { stage.actions.add("window", "#" + std::to_string(shown)); }
void go_back(Stage& stage) { stage.actions.add("window", "all"); }

// One label for each run of instants that share it; where a run is too narrow, none.
void draw_runs(const Paint& paint, Column where, const TimelineView& timeline, const TextStyle& style, Ink ink,
               std::string InstantView::*label) {
    const auto count = timeline.instants.size();
    const float step = where.width / static_cast<float>(count);
    for (std::size_t first = 0; first < count;) {
        std::size_t last = first;
        const auto same = [&](std::size_t at) {
            return timeline.instants[at].*label == timeline.instants[first].*label &&
                   timeline.instants[at].step == timeline.instants[first].step;
        };
        while (last < count && same(last))
            ++last;
        const float left = where.x + static_cast<float>(first) * step;
        const std::string& text = timeline.instants[first].*label;
        paint.fill({left, where.y, 1, 8}, Ink::Edge);
        if (paint.width(style, text) + 8 < static_cast<float>(last - first) * step)
            paint.at(left + 6, where.y + 4, style, ink, text);
        first = last;
    }
}

// A part of the step goes along with the pointer that holds it.
void drag(Stage& stage, float step) {
    if (!is_part(stage) || !ImGui::IsItemActive()) {
        stage.state.dragged = 0;
        return;
    }
    stage.state.dragged -= ImGui::GetIO().MouseDelta.x / step;
    const int by = static_cast<int>(stage.state.dragged);
    stage.state.dragged -= static_cast<float>(by);
    if (by != 0) go_by(stage, by);
}

// The pointer reads the instant under it, and a press holds it until the next one; with the focus the arrow keys do.
void read_pointer(Stage& stage, const Widgets& widgets, const Box& plot) {
    const int count = static_cast<int>(drawn(stage).instants.size());
    widgets.press_and_hold_keys("timeline", plot);
    const bool touched = ImGui::IsItemActivated();
    drag(stage, plot.width / static_cast<float>(count));
    if (widgets.hovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        is_part(stage) ? go_back(stage) : go_closer(stage, chosen_instant(stage));
    UiState& state = stage.state;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const bool over = widgets.hovered(), keys = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
    const float along = (ImGui::GetMousePos().x - plot.x) / plot.width;
    const int under = std::clamp(static_cast<int>(along * static_cast<float>(count)), 0, count - 1);
    if (over && touched) {
        state.holds_instant = !(state.holds_instant && state.instant == under);
        state.instant = under;
    } else if (over && !state.holds_instant && (state.instant < 0 || moved.x != 0 || moved.y != 0)) {
        state.instant = under;
    } else if (!over && !state.holds_instant && !keys) {
        state.instant = -1;
    }
    if (!keys) return;
    for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow})
        ImGui::SetKeyOwner(key, ImGui::GetItemID());
    const int move =
        (ImGui::IsKeyPressed(ImGuiKey_RightArrow) ? 1 : 0) - (ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? 1 : 0);
    if (move == 0) return;
    state.instant = std::clamp(chosen_instant(stage) + move, 0, count - 1);
    state.holds_instant = true;
}

void draw_capacity(Stage& stage, const Paint& paint, const Box& plot) {
    const TimelineView& timeline = drawn(stage);
    if (timeline.capacity_fraction <= 0) return;
    const TimelineScale scale = timeline_scale(timeline);
    const std::string text =
        (scale.capacity_is_above ? "↑ " : "") + timeline.capacity + " " + stage.words[Word::TimelineCapacity];
    const double height = std::min(1.0, timeline.capacity_fraction * scale.zoom);
    const float line = plot.y + plot.height * static_cast<float>(1 - height);
    const float y = height > 0.9 ? line + 4 : line - 22;
    const float width = paint.width(kSmall, text);
    paint.fill({plot.x, y, width + 12, 20}, Ink::Ground, 2);
    paint.at(plot.x + 6, y, kSmall, Ink::Ink, text);
}

// Links beside each other, in as many lines as they need; the one that is pressed, or -1.
int draw_links(const Widgets& widgets, Column& where, std::initializer_list<Word> words, const Stage& stage) {
    constexpr float kGap = 20;
    int pressed = -1, at = 0;
    float x = where.x;
    for (const Word word : words) {
        const std::string& text = stage.words[word];
        const float width = widgets.paint().width(kBody, text);
        if (x > where.x && x + width > where.right()) {
            x = where.x;
            where.skip(28);
        }
        if (widgets.link("timeline:" + std::to_string(static_cast<int>(word)), x, where.y, kBody, text)) pressed = at;
        x += width + kGap;
        ++at;
    }
    where.skip(28);
    return pressed;
}

// How closely the step is looked at, and where.
void draw_ways(Stage& stage, const Widgets& widgets, Column& where) {
    if (!is_part(stage)) {
        if (draw_links(widgets, where, {Word::Closer}, stage) == 0) go_closer(stage, chosen_instant(stage));
        return;
    }
    widgets.paint().paragraph(where, kSmall, Ink::Quiet, stage.part.timeline.description);
    where.skip(8);
    const int half = static_cast<int>(stage.part.timeline.instants.size()) / 2;
    switch (draw_links(widgets, where, {Word::Earlier, Word::Later, Word::Peak, Word::Whole}, stage)) {
        case 0:
            go_by(stage, -half);
            break;
        case 1:
            go_by(stage, half);
            break;
        case 2:
            go_to(stage, stage.part.peak);
            break;
        case 3:
            go_back(stage);
            break;
        default:
            break;
    }
}

// A row's key begins with its category.
std::string_view category_of(const RowView& row) { return std::string_view(row.key).substr(0, row.key.find('.')); }

void draw_alive_row(Stage& stage, const Widgets& widgets, Column& where, const RowView& row) {
    const Paint& paint = widgets.paint();
    const float amount = paint.width(kSmall, row.text), width = where.width - amount - 34;
    const std::string key = "alive:" + row.key;
    const float height = paint.height(kSmall, row.title, width) + paint.height(kTiny, row.numbers, width);
    if (widgets.press(key, {where.x, where.y, where.width, height})) stage.toggle(key);
    const Ink ink = category_ink(category_of(row));
    paint.fill({where.x, where.y + 5, 10, 10}, ink, 2);
    Column text = where.part(18, width);
    paint.paragraph(text, kSmall, widgets.hovered() ? Ink::Accent : Ink::Ink, row.title);
    paint.paragraph(text, kTiny, Ink::Quiet, row.numbers);
    paint.at(where.right() - amount, where.y, kSmall, Ink::Ink, row.text);
    where.y = text.y + 4;
    if (stage.is_open(key)) draw_reasons(stage, widgets, where, "alive", row, ink, Behind::Reasons);
}

// Asks the page for the rows of the instant that is read. Those of the worst one are known in sum.
void ask_for_rows(Stage& stage, bool open) {
    if (!open && !is_part(stage) && stage.state.instant < 0) return;
    const int at = (is_part(stage) ? stage.part.first : 0) + chosen_instant(stage);
    if (at != stage.state.asked) stage.actions.add("moment", std::to_string(at), is_part(stage) ? "instant" : "moment");
    stage.state.asked = at;
}

// The rows that exist at the instant that is read.
void draw_rows(Stage& stage, const Widgets& widgets, Column& where) {
    constexpr const char* kKey = "timeline:alive";
    const Paint& paint = widgets.paint();
    const std::string& title = stage.words[Word::AliveNow];
    const bool open = stage.is_open(kKey);
    if (widgets.link(kKey, where.x, where.y, kBody, title)) stage.toggle(kKey);
    paint.chevron(where.x + paint.width(kBody, title) + 12, where.y + 10, Ink::Edge, open);
    where.skip(28);
    ask_for_rows(stage, open);
    if (!open) return;
    for (const RowView& row : stage.alive.rows)
        draw_alive_row(stage, widgets, where, row);
}

// What a category holds at the instant that is read; empty: nothing, or not known yet.
std::string_view amount_of(const Stage& stage, std::string_view category) {
    const bool at_worst = stage.state.asked < 0;
    for (const BarView& part : at_worst ? stage.view.bar : stage.alive.bar)
        if (part.category == category) return part.text;
    return {};
}

// Every category of the picture, in columns, with what it holds at the instant.
void draw_legend(const Stage& stage, const Paint& paint, Column& where, const TimelineView& timeline) {
    constexpr float kLeast = 216, kGap = 24;
    const auto columns = static_cast<std::size_t>(std::max(1.0f, std::floor((where.width + kGap) / kLeast)));
    const float width = (where.width + kGap) / static_cast<float>(columns);
    for (std::size_t i = 0; i < timeline.categories.size() && i < timeline.category_labels.size(); ++i) {
        Column cell = where.part(static_cast<float>(i % columns) * width, width - kGap);
        paint.fill({cell.x, cell.y + 5, 10, 10}, category_ink(timeline.categories[i]), 2);
        paint.at(cell.x + 16, cell.y, kSmall, Ink::Quiet, timeline.category_labels[i]);
        const std::string_view amount = amount_of(stage, timeline.categories[i]);
        Column right = cell.part(0, cell.width);
        paint.line(right, kSmall, Ink::Ink, amount.empty() ? "–" : amount, Align::Right);
        if (i % columns == columns - 1 || i + 1 == timeline.categories.size()) where.skip(kSmall.leading + 4);
    }
}

}  // namespace

void draw_timeline(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    const TimelineView& timeline = drawn(stage);
    if (timeline.instants.empty()) return;
    heading(widgets, where, stage.words[Word::Timeline], "timeline");
    const Box plot{where.x, where.y, where.width, kPlotHeight};
    read_pointer(stage, widgets, plot);
    const int chosen = chosen_instant(stage);
    draw_areas(paint, plot, timeline, chosen);
    draw_capacity(stage, paint, plot);
    where.skip(kPlotHeight);
    paint.fill({where.x, where.y, where.width, 1}, Ink::Edge);
    draw_runs(paint, where, timeline, kTiny, Ink::Quiet, &InstantView::segment);
    where.skip(20);
    draw_runs(paint, where, timeline, kTinyBold, Ink::Ink, &InstantView::step);
    where.skip(28);
    const InstantView& instant = timeline.instants[static_cast<std::size_t>(chosen)];
    Column text = where.part(96, where.width - 96);
    Column amount = where.part(0, 88);
    paint.line(amount, kHeading, Ink::Ink, instant.text);
    text.skip(2);
    paint.paragraph(text, kBody, Ink::Quiet, instant.label);
    where.y = std::max(where.y + 44, text.y + 4);
    draw_legend(stage, paint, where, timeline);
    where.skip(8);
    draw_ways(stage, widgets, where);
    draw_rows(stage, widgets, where);
}

}  // namespace memwall
