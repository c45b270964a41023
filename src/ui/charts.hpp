// Charts: plain fractions drawn as lengths; they compute nothing.
#pragma once
#include "ui/paint.hpp"

namespace memwall {

constexpr float kGaugeHeight = 32, kStackHeight = 40;

// Needed against usable, with the interval as a whisker and the standard rule as a dashed mark.
void draw_gauge(const Paint&, Box, const ViewModel&);
// The categories of the worst instant; returns the one under the pointer, or -1.
int draw_stack(const Paint&, Box, const ViewModel&);

// A curve that stays below this part of the height is drawn larger, with the capacity above the picture.
constexpr double kLowestCurve = 0.45;
struct TimelineScale {
    double zoom;
    bool capacity_is_above;
};
TimelineScale timeline_scale(const TimelineView&);
// Stacked areas, the capacity as a line, the worst instant as a dot, the chosen one as a hair line.
void draw_areas(const Paint&, Box, const TimelineView&, int chosen);

}  // namespace memwall
