#include <imgui_internal.h>
#include <algorithm>

#include "ui/charts.hpp"
#include "ui/parts.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr float kPlotHeight = 220;

int chosen_instant(const Stage& stage) {
    const int count = static_cast<int>(stage.view.timeline.instants.size());
    const int at = stage.state.instant >= 0 ? stage.state.instant : stage.view.timeline.worst;
    return std::min(at, count - 1);
}

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

// The pointer reads the instant under it; with the focus the arrow keys do.
void read_pointer(Stage& stage, const Widgets& widgets, const Box& plot) {
    const int count = static_cast<int>(stage.view.timeline.instants.size());
    widgets.press("timeline", plot);
    if (widgets.hovered()) {
        const float at = (ImGui::GetMousePos().x - plot.x) / plot.width;
        stage.state.instant = std::clamp(static_cast<int>(at * static_cast<float>(count)), 0, count - 1);
    } else if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) {
        stage.state.instant = -1;
    }
    if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return;
    for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow})
        ImGui::SetKeyOwner(key, ImGui::GetItemID());
    const int move =
        (ImGui::IsKeyPressed(ImGuiKey_RightArrow) ? 1 : 0) - (ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? 1 : 0);
    if (move != 0) stage.state.instant = std::clamp(chosen_instant(stage) + move, 0, count - 1);
}

void draw_capacity(Stage& stage, const Paint& paint, const Box& plot) {
    const TimelineView& timeline = stage.view.timeline;
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

// What is alive at the instant, largest first.
void draw_alive(const Paint& paint, Column& where, const TimelineView& timeline, const InstantView& instant) {
    Legend legend(paint, where);
    for (std::size_t i = 0; i < timeline.categories.size() && i < instant.by_category.size(); ++i)
        if (instant.by_category[i] > 0)
            legend.item(Sign::Square, category_ink(timeline.categories[i]), "", timeline.category_labels[i]);
    legend.finish();
}

}  // namespace

void draw_timeline(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    const TimelineView& timeline = stage.view.timeline;
    if (timeline.instants.empty()) return;
    heading(paint, where, stage.words[Word::Timeline]);
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
    draw_alive(paint, where, timeline, instant);
}

}  // namespace memwall
