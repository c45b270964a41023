// TextTable: rows of cells as aligned columns for a terminal.
//
// A column is as wide as its widest cell; characters are counted, not bytes. The last column is not
// padded, so no line ends with spaces.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memwall {

enum class TextAlign : std::uint8_t { Left, Right };

std::size_t characters(std::string_view utf8);

class TextTable {
  public:
    explicit TextTable(std::vector<TextAlign> columns, std::string indent = "  ")
        : columns_(std::move(columns)), indent_(std::move(indent)) {}

    // As many cells as columns.
    void add(std::vector<std::string> cells);
    bool empty() const { return rows_.empty(); }
    std::string text() const;

  private:
    std::vector<TextAlign> columns_;
    std::string indent_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace memwall
