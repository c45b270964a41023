// Tables of texts without pointers.
//
// A constexpr table of rows with string_views costs an address and a length for every text, which hardly
// compress. packed_rows<kRows, &Row::key, &Row::title>() is the same table: what is stored is the rows
// without these texts, and all texts in one, column by column; they are put together when first asked for.
// Rows are written as before; only whoever hands a table out names its texts here. Those that are LateTexts are empty
// until they have come (base/late_texts.hpp).
#pragma once
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/late_texts.hpp"
#include "base/word_list.hpp"

namespace memwall {

namespace packed {

// One text member of all rows: where it stands in the first row.
struct TextColumn {
    std::byte* first;
};
// Gives each column of each row its text; every text ends with a line feed.
inline void hand_out(std::string_view texts, std::span<const TextColumn> columns, std::size_t rows,
                     std::size_t row_size) {
    for (const TextColumn column : columns)
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
        out[i] = *(std::begin(kRows) + static_cast<std::ptrdiff_t>(i));
        ((out[i].*kTexts = {}), ...);
    }
    return out;
}

template <auto... kTexts>
bool hand_out_all(std::string_view texts, auto& rows) {
    const TextColumn columns[] = {{reinterpret_cast<std::byte*>(&(rows[0].*kTexts))}...};
    hand_out(texts, columns, rows.size(), sizeof(rows[0]));
    return true;
}

}  // namespace packed

template <auto... kTexts>
struct LateTexts {};

template <const auto& kRows, auto... kTexts>
auto packed_rows() {
    static constexpr auto texts = packed::joined_texts<kRows, kTexts...>();
    static constinit auto rows = packed::bare_rows<kRows, kTexts...>();
    [[maybe_unused]] static const bool is_whole = packed::hand_out_all<kTexts...>({texts.data(), texts.size()}, rows);
    return std::span(std::as_const(rows));
}

template <const auto& kRows, auto... kTexts, auto... kLate>
auto packed_rows(LateTexts<kLate...>) {
    MEMWALL_LATE_TEXT static constexpr auto late = late_text(packed::joined_texts<kRows, kLate...>());
    static constinit auto rows = packed::bare_rows<kRows, kTexts..., kLate...>();
    if constexpr (sizeof...(kTexts) > 0) {
        static constexpr auto texts = packed::joined_texts<kRows, kTexts...>();
        [[maybe_unused]] static const bool is_whole =
            packed::hand_out_all<kTexts...>({texts.data(), texts.size()}, rows);
    }
    if (has_late_texts()) {
        [[maybe_unused]] static const bool is_explained =
            packed::hand_out_all<kLate...>({late.text.data(), late.text.size()}, rows);
    }
    return std::span(std::as_const(rows));
}

}  // namespace memwall
