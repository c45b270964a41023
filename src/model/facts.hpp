// Facts: the words of data files and records for the members of an Architecture.
//
// One row per word ("num_attention_heads", "norm", "moe.router_bias" ...). A fact is a whole number or one
// of a closed list of words. The catalogue's rows, the records that
// `check` reads and config.json files reach an Architecture through this table only.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "model/architecture.hpp"

namespace memwall {

struct FactRow {
    std::string_view key;
    std::span<const std::string_view> words;  // empty: a number
    void (*set)(Architecture&, std::int64_t);
    std::int64_t (*value)(const Architecture&);
};

std::span<const FactRow> facts();
const FactRow* find_fact(std::string_view key);
// Position of the word in the row's list, or -1.
std::int64_t index_of_word(const FactRow&, std::string_view word);

}  // namespace memwall
