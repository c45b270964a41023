// Views: each draws one part of what is shown below where the column is, and moves the column past it.
#pragma once
#include "ui/paint.hpp"

namespace memwall {

// The sentence, the gauge and what the interval rests on.
void draw_verdict(Stage&, Column&);
// Run it, train it, the multiple, the largest that fits; speed; what can be taken along.
void draw_beside(Stage&, Column&);
// The four numbers that are kept apart.
void draw_numbers(Stage&, Column&);
// Where the bytes go: a stacked bar, and a table down to single rows with formula, numbers, reason and source.
void draw_breakdown(Stage&, Column&);
// Memory over the instants of a step, by category.
void draw_timeline(Stage&, Column&);
// What the page fetches when it is opened: other accelerators, scenarios side by side.
void draw_panels(Stage&, Column&);
void draw_parameters(Stage&, Column&);
void draw_assumptions(Stage&, Column&);
void draw_notes(Stage&, Column&);

// The form, and the list of the search field that is open, which lies above everything else.
void draw_inputs(Stage&, Column&);
void draw_search_list(Stage&);

}  // namespace memwall
