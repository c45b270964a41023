// The packed tables that scripts/generate_catalogue.py writes, and what reads them.
//
// A table is stored by columns, because neighbours in a column are alike and compress well: every text
// column is one text with a line for each row, the number columns follow each other as LEB128 numbers.
// Facts of a model are pairs of (key, value): a key is an index into packed_keys(); the value of a fact with
// words is an index into packed_words(), any other value is the number itself. Two keys are no facts:
// layer_pattern (a word) and intermediate_sizes (a count, then that many numbers).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace memwall {

struct PackedTable {
    std::size_t rows;
    std::span<const std::string_view> texts;
    std::span<const std::uint8_t> numbers;
};
PackedTable packed_models();
PackedTable packed_accelerators();
PackedTable packed_formats();
PackedTable packed_optimizers();
PackedTable packed_methods();

std::span<const std::string_view> packed_keys();
std::span<const std::string_view> packed_words();
std::span<const std::uint8_t> packed_facts();

class NumberReader {
  public:
    explicit NumberReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    bool at_end() const { return next_ == bytes_.size(); }
    std::int64_t number();
    std::int64_t signed_number();  // zigzag

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t next_ = 0;
};

}  // namespace memwall
