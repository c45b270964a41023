// Finding a row by any part of its name.
//
// Better kinds of match come first; the first kind with exactly one row decides, more than one is Ambiguous
// with the candidates in the hint, and no match at all is UnknownName with near names.
//   1 the whole name                       openai-community/gpt2
//   2 all of it behind the owner's slash   gpt2
//   3 whole words at its end, behind a space or slash    4090 = GeForce RTX 4090, not GeForce RTX 4090 D
//   4 the same behind any separator        5 whole words anywhere
//   6 its end, separators ignored          rtx4090
//   7 any part, separators ignored         8 all words, in any order
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace memwall {

// The names of a table with what matching needs of each, made once.
class NameIndex {
  public:
    struct Entry {
        std::string_view name;
        std::string words;     // lower case, every run of separators one space
        std::string squeezed;  // without the spaces
    };
    explicit NameIndex(const std::vector<std::string_view>& names);

    // Index of the row; `where` is the field key for errors, `what` the noun ("model").
    Result<std::size_t> find(std::string_view words, std::string_view where, std::string_view what) const;

  private:
    std::vector<Entry> entries_;
};

}  // namespace memwall
