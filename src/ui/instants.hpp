// Instants: what the page sends when the timeline is looked at more closely.
//
// A Part is a part of every instant of a step, on the scale of the whole (view/moments.hpp, WindowView); without
// instants there is none, and the view model's timeline is drawn. Alive are the rows of the instant that is read.
#pragma once
#include <string>
#include <vector>

#include "ui/view_members.hpp"

namespace memwall {

struct Part {
    int count = 0, first = 0, peak = 0;  // of all instants; the first of this part; the highest of all
    TimelineView timeline;
};
struct Alive {
    std::vector<RowView> rows;  // largest first
    std::vector<BarView> bar;   // the categories
};

template <class Visit>
void members(Visit& visit, Part& v) {
    visit(v.count, v.first, v.peak, v.timeline);
}
template <class Visit>
void members(Visit& visit, Alive& v) {
    visit(v.rows, v.bar);
}

}  // namespace memwall
