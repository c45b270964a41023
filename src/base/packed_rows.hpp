// Tables of texts without pointers.
//
// A constexpr table of rows with string_views costs an address and a length for every text, which hardly
// compress. packed_rows<kRows, &Row::key, &Row::title>() is the same table: what is stored is the rows
// without these texts, and all texts in one, column by column; they are put together when first asked for.
// Rows are written as before; only whoever hands a table out names its texts here.
#pragma once
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/word_list.hpp"

namespace memwall {

namespace packed {

// One text member of all rows: where it stands in the first row.
struct Column {
    std::byte* first;
};
// Gives each column of each row its text; every text ends with a line feed.
inline void hand_out(std::string_view texts, std::span<const Column> columns, std::size_t rows, std::size_t row_size) {
    for (const Column column : columns)
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t end = texts.find('\n');
            *reinterpret_cast<std::string_view*>(column.first + row * row_size) = texts.substr(0, end);
            texts.remove_prefix(end + 1);
        }
}

constexpr std::string_view text_of(std::string_view text) { return text; }
constexpr std::string_view text_of(WordList words) { return words.joined; }
static_assert(std::is_standard_layout_v<WordList> && sizeof(WordList) == sizeof(std::string_view));

template <const auto& kRows, auto... kTexts>
constexpr std::size_t text_size() {
    std::size_t size = 0;
    for (const auto& row : kRows)
        size += (text_of(row.*kTexts).size() + ...) + sizeof...(kTexts);
    return size;
}

template <const auto& kRows, auto... kTexts>
constexpr auto joined_texts() {
    std::array<char, text_size<kRows, kTexts...>()> out{};
    std::size_t at = 0;
    const auto add_column = [&](auto text) {
        for (const auto& row : kRows) {
            for (const char c : text_of(row.*text))
                out[at++] = c;
            out[at++] = '\n';
        }
    };
    (add_column(kTexts), ...);
    return out;
}

template <const auto& kRows, auto... kTexts>
constexpr auto bare_rows() {
    using Row = std::remove_cvref_t<decltype(*std::begin(kRows))>;
    std::array<Row, std::size(kRows)> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = std::begin(kRows)[i];
        ((out[i].*kTexts = {}), ...);
    }
    return out;
}

}  // namespace packed

template <const auto& kRows, auto... kTexts>
auto packed_rows() {
    static constexpr auto texts = packed::joined_texts<kRows, kTexts...>();
    static constinit auto rows = packed::bare_rows<kRows, kTexts...>();
    static const bool is_whole = [] {
        const packed::Column columns[] = {{reinterpret_cast<std::byte*>(&(rows[0].*kTexts))}...};
        packed::hand_out({texts.data(), texts.size()}, columns, rows.size(), sizeof(rows[0]));
        return true;
    }();
    static_cast<void>(is_whole);
    return std::span(std::as_const(rows));
}

}  // namespace memwall
