// Notes: what had to be guessed or left out, collected while going on.
//
// A note has the address of what it speaks about (a field key or a file position) and a finished
// sentence. Notes never change a number silently: whoever guesses writes one.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace memwall {

struct Note {
    std::string where;
    std::string message;
    friend bool operator==(const Note&, const Note&) = default;
};

class Notes {
  public:
    void add(std::string where, std::string message) {
        Note note{std::move(where), std::move(message)};
        for (const Note& known : notes_)
            if (known == note) return;
        notes_.push_back(std::move(note));
    }
    const std::vector<Note>& all() const { return notes_; }

  private:
    std::vector<Note> notes_;
};

}  // namespace memwall
