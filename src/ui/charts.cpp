#include "ui/charts.hpp"

#include <algorithm>
#include <cmath>

namespace memwall {
namespace {

float share(const Box& box, double fraction) { return box.width * static_cast<float>(fraction); }

void draw_whisker(const Paint& paint, const Box& box, const GaugeView& gauge) {
    const float low = box.x + share(box, gauge.low), high = box.x + share(box, gauge.high);
    paint.fill({low, box.y + 26, high - low, 1}, Ink::Ink);
    paint.fill({low, box.y + 22, 1, 9}, Ink::Ink);
    paint.fill({high - 1, box.y + 22, 1, 9}, Ink::Ink);
}

}  // namespace

void draw_gauge(const Paint& paint, Box box, const ViewModel& view) {
    constexpr float kTop = 6, kBar = 12;
    const GaugeView& gauge = view.gauge;
    const auto bar = [&](double from, double to) {
        return Box{box.x + share(box, from), box.y + kTop, share(box, to - from), kBar};
    };
    paint.fill(bar(0, 1), Ink::Track, 2);
    paint.fill(bar(0, gauge.usable), role_wash(view.verdict.role), 2);
    paint.fill(bar(0, gauge.needed), role_ink(view.verdict.role), 2);
    // What is usable is shown lighter inside, so that the part beyond it stands out.
    if (view.verdict.role != "good" && gauge.usable > 0)
        paint.veil(bar(0, std::min(gauge.usable, gauge.needed)), Ink::Ground, 0.45f);
    if (gauge.high > 0) draw_whisker(paint, box, gauge);
    if (gauge.baseline > 0) paint.dashed(box.x + share(box, gauge.baseline), box.y, box.y + 20, Ink::Ink);
    if (gauge.usable > 0) paint.fill({box.x + share(box, gauge.usable) - 1, box.y, 2, box.height}, Ink::Ink);
}

int draw_stack(const Paint& paint, Box box, const ViewModel& view) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const bool inside = mouse.y >= box.y && mouse.y < box.y + box.height;
    paint.fill(box, Ink::Track, 2);
    int under = -1;
    double before = 0;
    for (std::size_t i = 0; i < view.bar.size(); ++i) {
        const double after = before + view.bar[i].fraction;
        const float left = box.x + share(box, before), right = box.x + share(box, after);
        paint.fill({left, box.y, std::max(right - left - 1, 0.5f), box.height}, category_ink(view.bar[i].category));
        if (inside && mouse.x >= left && mouse.x < right) under = static_cast<int>(i);
        before = after;
    }
    const GaugeView& gauge = view.gauge;
    if (gauge.needed <= 0) return under;
    if (gauge.usable > 0 && gauge.usable < gauge.needed)
        paint.fill({box.x + share(box, gauge.usable / gauge.needed) - 1, box.y - 8, 2, box.height + 16}, Ink::Ink);
    if (gauge.baseline > 0 && gauge.baseline < gauge.needed)
        paint.dashed(box.x + share(box, gauge.baseline / gauge.needed), box.y - 8, box.y + box.height + 8, Ink::Ink);
    return under;
}

TimelineScale timeline_scale(const TimelineView& timeline) {
    const double most = timeline.instants[static_cast<std::size_t>(timeline.worst)].fraction;
    if (most <= 0 || most >= kLowestCurve) return {1, false};
    return {kLowestCurve / most, true};
}

void draw_areas(const Paint& paint, Box box, const TimelineView& timeline, int chosen) {
    const auto count = timeline.instants.size();
    const TimelineScale scale = timeline_scale(timeline);
    const float step = box.width / static_cast<float>(count);
    const auto y = [&](double fraction) { return box.y + box.height * static_cast<float>(1 - fraction * scale.zoom); };
    for (std::size_t at = 0; at < count; ++at) {
        double base = 0;
        const float left = std::floor(box.x + static_cast<float>(at) * step);
        const float right = std::floor(box.x + static_cast<float>(at + 1) * step);
        const auto& parts = timeline.instants[at].by_category;
        for (std::size_t i = 0; i < parts.size() && i < timeline.categories.size(); ++i) {
            const double top = base + parts[i];
            if (parts[i] > 0)
                paint.fill({left, y(top), right - left, y(base) - y(top)}, category_ink(timeline.categories[i]));
            base = top;
        }
    }
    const auto middle = [&](int at) { return box.x + (static_cast<float>(at) + 0.5f) * step; };
    if (timeline.capacity_fraction > 0 && !scale.capacity_is_above)
        paint.fill({box.x, std::floor(y(timeline.capacity_fraction)), box.width, 2}, Ink::Ink);
    const auto worst = static_cast<std::size_t>(timeline.worst);
    const ImVec2 dot(middle(timeline.worst), y(timeline.instants[worst].fraction));
    paint.fill({std::floor(middle(chosen)), box.y, 1, box.height}, Ink::Ink);
    paint.list()->AddCircleFilled(dot, 6.5f, paint.colour(Ink::Ground));
    paint.list()->AddCircleFilled(dot, 5, paint.colour(Ink::Ink));
}

}  // namespace memwall
