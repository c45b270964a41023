// Notes: what had to be guessed or left out, collected while going on.
//
// A note has the address of what it speaks about (a field key or a file position) and a finished
// sentence. Notes never change a number silently: whoever guesses writes one.
#pragma once
#include <string>
#include <vector>

#include "base/concat.hpp"

namespace memwall {

struct Note {
    std::string where;
    std::string message;
    friend bool operator==(const Note&, const Note&) = default;
};

class Notes {
  public:
    [[gnu::cold]] void add(const Piece& where, const Piece& message) { add(where, Pieces{message}); }
    [[gnu::cold]] void add(const Piece& where, Pieces message);  // in braces
    const std::vector<Note>& all() const { return notes_; }

  private:
    std::vector<Note> notes_;
};

}  // namespace memwall
