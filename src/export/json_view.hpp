// ViewModel as JSON: the keys are the member names of view/view_model.hpp.
#pragma once
#include <string>
#include <vector>

#include "view/moments.hpp"
#include "view/view_model.hpp"

namespace memwall {

std::string json_from_view(const ViewModel&);
// {"label","text","rows":[...],"bar":[...]}
std::string json_from_moment(const MomentView&);
std::string json_from_reasons(const std::vector<RowView>&);        // {"rows":[...]}
std::string json_from_tensors(const std::vector<ParameterView>&);  // {"tensors":[...]}
std::string json_from_window(const WindowView&);                   // {"count","first","peak","timeline":{...}}

}  // namespace memwall
