// Strings: every sentence and label of the interface, in one table with a column per language.
//
// strings.cpp has one row per Text; placeholders are {0} ... {9}. Only view code reads it, so faces get
// finished strings. Words of fields stand in the field table (plan/fields.hpp), reasons of rows in the
// rule table (memory/rules.hpp).
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "memory/evaluate.hpp"
#include "memory/ledger.hpp"

namespace memwall {

enum class Text : std::uint16_t;  // listed in strings_ids.hpp
enum class Language : std::uint8_t { English };

std::string_view string(Text, Language = Language::English);
// string(text) with {0}, {1} ... replaced.
std::string filled(Text, std::initializer_list<std::string_view> arguments);

std::string_view label(Category);
std::string_view label(Segment);

}  // namespace memwall
