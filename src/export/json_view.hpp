// ViewModel as JSON: the keys are the member names of view/view_model.hpp.
#pragma once
#include <string>

#include "view/view_model.hpp"

namespace memwall {

std::string json_from_view(const ViewModel&);

}  // namespace memwall
