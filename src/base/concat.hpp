// One text from several pieces. Messages are made of many: one call with a list is far less code than a chain of `+`.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace memwall {

// A piece of a text. Made by calls, because the view of a std::string is much code where it is inlined.
struct Piece {
    Piece(const std::string&);
    Piece(const char*);
    Piece(std::string_view view) : text(view) {}
    std::string_view text;
};

using Pieces = std::initializer_list<Piece>;

std::string concat(Pieces);

// "1,048,576", for sentences.
std::string with_commas(std::int64_t value);

}  // namespace memwall
