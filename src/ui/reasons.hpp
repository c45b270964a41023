// Reasons: what the page sends when somebody asks why a number is what it is, or for the single tensors of a row
// (view/reasons.hpp). They belong to the view that is shown.
#pragma once
#include <string>
#include <vector>

#include "ui/view_members.hpp"

namespace memwall {

struct Reasons {
    std::vector<RowView> rows;  // by the keys of the numbers
};
struct RowTensors {
    std::string key;  // of the row
    std::vector<ParameterView> tensors;
};

template <class Visit>
void members(Visit& visit, Reasons& v) {
    visit(v.rows);
}
template <class Visit>
void members(Visit& visit, RowTensors& v) {
    visit(v.key, v.tensors);
}

}  // namespace memwall
