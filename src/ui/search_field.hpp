// SearchField: a name that is found by typing any part of it. The page searches; its answer (Options) is listed
// below the field. Arrow keys move, Enter and a press choose, Escape and leaving restore what was chosen.
#pragma once
#include "ui/widgets.hpp"

namespace memwall {

void draw_search_field(Stage&, const Widgets&, const FieldInput&, Box);

}  // namespace memwall
