#include "base/concat.hpp"

namespace memwall {

Piece::Piece(const std::string& owned) : text(owned) {}
Piece::Piece(const char* literal) : text(literal) {}

std::string concat(Pieces pieces) {
    std::string out;
    for (const Piece& piece : pieces)
        out += piece.text;
    return out;
}

std::string with_commas(std::int64_t value) {
    std::string out = std::to_string(value);
    const std::ptrdiff_t first = value < 0 ? 1 : 0;
    for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > first; at -= 3)
        out.insert(static_cast<std::size_t>(at), ",");
    return out;
}

}  // namespace memwall
