// A comparison of methods as finished strings, one function a place of the table.
//
// Columns are numbers, so a face loops over them and knows none by name. Bars are fractions of one scale.
#pragma once
#include <string>

#include "search/comparison.hpp"

namespace memwall {

std::string comparison_title(const MethodComparison&);
Bytes comparison_scale(const MethodComparison&);  // the largest row, or what is usable

inline constexpr int kQuestions = 5, kCompareColumns = 7;
std::string question_title();   // "Needed, or only wanted?"
std::string question(int);      // what tells one from the other
std::string column_title(int);  // "Trains"

std::string_view method_word(const ComparedMethod&);  // "lora"; "none": do not finetune
std::string method_label(const MethodComparison&, const ComparedMethod&);
std::string method_meaning(const ComparedMethod&);
std::string method_sentence(const ComparedMethod&);  // the verdict in words, or why it is refused

struct CellView {
    std::string text, detail;
};
CellView method_cell(const ComparedMethod&, int column);  // of a method that is not refused

}  // namespace memwall
