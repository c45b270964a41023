// A lineup as finished strings: its table, a row a difference, a column a scenario.
#pragma once
#include <string>
#include <vector>

#include "search/lineup.hpp"

namespace memwall {

std::string entry_title(const LineupEntry&);     // "openai-community/gpt2 · finetune · H100 SXM5 80GB"
std::string entry_sentence(const LineupEntry&);  // the verdict in words, or why it is refused

struct LineupRow {
    std::string label;
    std::vector<std::string> values;  // of every entry; empty where it is refused
    std::vector<std::string> more;    // than the first that is computed: "+3.05 GiB"; empty for fields
};
// Memory first, needed and usable, then what any needs by category; then the fields that differ.
std::vector<LineupRow> lineup_rows(const Lineup&);

}  // namespace memwall
