// A lineup as JSON and as Markdown.
//
// JSON: {"schema","version","entries":[{"title","state","sentence","needed","fraction","needed_bytes","usable",
// "usable_fraction","parts"}],"rows":[{"label","values","more"}]}; bars are fractions of one scale.
#pragma once
#include <string>

#include "search/lineup.hpp"

namespace memwall {

std::string json_from_lineup(const Lineup&);
std::string markdown_from_lineup(const Lineup&);

}  // namespace memwall
