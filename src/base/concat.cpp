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

}  // namespace memwall
