// A list of words or labels in one text: "none|full|selective".
//
// A list of string_views stores an address and a length for each word; this one stores the words only.
// Lists are short: a word is found by walking to it.
#pragma once
#include <cstddef>
#include <string_view>

namespace memwall {

struct WordList {
    std::string_view joined{};

    constexpr WordList() = default;
    constexpr WordList(const char* words) : joined(words) {}

    class Iterator {
      public:
        constexpr explicit Iterator(std::string_view left, bool at_end) : left_(left), at_end_(at_end) {}
        constexpr std::string_view operator*() const { return left_.substr(0, left_.find('|')); }
        constexpr Iterator& operator++() {
            const std::size_t bar = left_.find('|');
            at_end_ = bar == std::string_view::npos;
            left_.remove_prefix(at_end_ ? left_.size() : bar + 1);
            return *this;
        }
        constexpr bool operator==(const Iterator& other) const {
            return at_end_ == other.at_end_ && left_.size() == other.left_.size();
        }

      private:
        std::string_view left_;
        bool at_end_;
    };
    constexpr Iterator begin() const { return Iterator(joined, joined.empty()); }
    constexpr Iterator end() const { return Iterator({}, true); }

    constexpr bool empty() const { return joined.empty(); }
    constexpr std::size_t size() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const std::string_view word : *this)
            ++count;
        return count;
    }
    constexpr std::string_view operator[](std::size_t index) const {
        Iterator at = begin();
        for (; index > 0; --index)
            ++at;
        return *at;
    }
};

}  // namespace memwall
