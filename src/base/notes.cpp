#include "base/notes.hpp"

#include <utility>

namespace memwall {

void Notes::add(const Piece& where, Pieces message) {
    Note note{std::string(where.text), concat(message)};
    for (const Note& known : notes_)
        if (known == note) return;
    notes_.push_back(std::move(note));
}

}  // namespace memwall
