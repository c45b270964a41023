// Facts: the words of data files and records for the members of an Architecture.
//
// One row per word ("num_attention_heads", "norm", "moe.router_bias" ...). A fact is a whole number or one
// of a closed list of words. The catalogue's rows, the records that
// `check` reads and config.json files reach an Architecture through this table only.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/word_list.hpp"
#include "model/architecture.hpp"

namespace memwall {

enum class FactStorage : std::uint8_t { Number, Flag, Choice };

struct FactRow {
    std::string_view key;
    WordList words;  // empty: a number
    FactStorage storage;
    std::uint16_t offset;  // of the member; set_fact and fact_value know its type
};

std::span<const FactRow> facts();
void set_fact(const FactRow&, Architecture&, std::int64_t);
std::int64_t fact_value(const FactRow&, const Architecture&);
const FactRow* find_fact(std::string_view key);
// Position of the word in the row's list, or -1.
std::int64_t index_of_word(const FactRow&, std::string_view word);

}  // namespace memwall
