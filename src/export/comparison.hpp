// A comparison of methods as JSON, with its numbers and as it is shown, and as Markdown.
#pragma once
#include <string>

#include "search/comparison.hpp"

namespace memwall {

std::string json_from_comparison(const MethodComparison&);
std::string markdown_from_comparison(const MethodComparison&);

}  // namespace memwall
