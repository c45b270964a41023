// The packed tables that scripts/generate_catalogue.py writes, and what reads them.
//
// A table is stored by columns, because neighbours in a column are alike and compress well: texts are one
// text with a line for each row, numbers follow each other as LEB128. Facts of a model are pairs of (key,
// value): a key is a line of packed_keys(); the value of a fact with words is a line of packed_words(), any
// other value is the number itself. Two keys are no facts: layer_pattern (a word) and intermediate_sizes (a
// count, then that many numbers). What only lists show stands in catalogue.txt, numbers as decimal lines:
// WebAssembly is given that file apart, everywhere else it is built in.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace memwall {

struct PackedTable {
    std::size_t rows;
    std::string_view texts;
    std::span<const std::uint8_t> numbers;
};
PackedTable packed_models();
PackedTable packed_accelerators();

std::string_view packed_keys();
std::string_view packed_words();
std::span<const std::uint8_t> packed_facts();

std::string_view catalogue_stamp();  // the first line of the catalogue.txt that belongs to these tables
std::string_view built_in_texts();   // empty where they are given apart

class NumberReader {
  public:
    explicit NumberReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    bool at_end() const { return next_ == bytes_.size(); }
    std::int64_t number();

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t next_ = 0;
};

class LineReader {
  public:
    explicit LineReader(std::string_view text) : left_(text) {}
    bool at_end() const { return left_.empty(); }
    std::string_view line();
    std::int64_t number();

  private:
    std::string_view left_;
};

}  // namespace memwall
