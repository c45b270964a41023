// An estimate as a Markdown page: verdict, numbers, breakdown with formulas, assumptions, notes.
#pragma once
#include <string>

#include "view/view_model.hpp"

namespace memwall {

std::string markdown_from_view(const ViewModel&);

}  // namespace memwall
