// Nearest words: for "did you mean" hints.
//
// Distance is the number of single-character edits, letters compared without case and '-' like '_'; a
// candidate that contains the word is nearer than any that needs three edits.
#pragma once
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace memwall {

constexpr char folded(char c) { return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool same_word(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return folded(x) == folded(y); });
}

inline bool contains_word(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char x, char y) { return folded(x) == folded(y); }) != text.end();
}

// Every word of `parts` (separated by spaces) somewhere in `text`.
inline bool contains_words(std::string_view text, std::string_view parts) {
    while (!parts.empty()) {
        const std::size_t space = parts.find(' ');
        if (!contains_word(text, parts.substr(0, space))) return false;
        parts.remove_prefix(space == std::string_view::npos ? parts.size() : space + 1);
    }
    return true;
}

inline int edit_distance(std::string_view a, std::string_view b) {
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int replace = diagonal + (folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

inline int word_distance(std::string_view word, std::string_view candidate) {
    const int edits = edit_distance(word, candidate);
    return word.size() >= 3 && contains_word(candidate, word) ? std::min(edits, 2) : edits;
}

// Up to `most` candidates, nearest first, none that differs in more than half of the word.
template <class Words>
std::vector<std::string_view> nearest(std::string_view word, const Words& candidates, std::size_t most) {
    std::vector<std::pair<int, std::string_view>> ranked;
    const int limit = std::max(2, static_cast<int>(word.size() / 2));
    for (const std::string_view candidate : candidates) {
        const int distance = word_distance(word, candidate);
        if (distance > limit) continue;
        auto place = ranked.begin();  // behind all that are as near
        while (place != ranked.end() && place->first <= distance)
            ++place;
        ranked.insert(place, {distance, candidate});
    }
    std::vector<std::string_view> out;
    for (const auto& [distance, candidate] : ranked)
        if (out.size() < most) out.push_back(candidate);
    return out;
}

}  // namespace memwall
