// Texts that are read only when somebody asks why: reasons, sources, help.
//
// They are a tenth of what WebAssembly would load before its first answer, so they are given to it apart: there they
// stand in a section of their own, which scripts/pack_wasm.py takes out of core.wasm after the link and writes to
// explanations.txt, and take_late_texts() puts them back in their place. Everywhere else they are texts like all
// others. A table names its late texts in its call of packed_rows (base/packed_rows.hpp); until they are there, they
// are empty.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

#ifdef MEMWALL_TEXTS_APART
#define MEMWALL_LATE_TEXT __attribute__((section("memwall_late_texts")))
#else
#define MEMWALL_LATE_TEXT
#endif

namespace memwall {

bool has_late_texts();
bool take_late_texts(std::string_view file);  // false: not those of this build

// The script finds a text of the section by the marks around it.
template <std::size_t kSize>
struct LateText {
    std::array<char, 6> begin;
    std::array<char, kSize> text;
    char end;
};
template <std::size_t kSize>
constexpr LateText<kSize> late_text(const std::array<char, kSize>& text) {
    return {{'\x02', 'l', 'a', 't', 'e', ':'}, text, '\x03'};
}

}  // namespace memwall
