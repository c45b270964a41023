#include "catalogue/names.hpp"

#include <algorithm>
#include <string>

#include "base/concat.hpp"
#include "base/nearest.hpp"

namespace memwall {
namespace {

constexpr std::size_t kMostCandidates = 8;
constexpr std::size_t kNearest = 5;

bool is_separator(char c) { return std::string_view(" /-_()[],").find(c) != std::string_view::npos; }

// Lower case, every run of separators one space.
std::string folded_words(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (!is_separator(c))
            out += folded(c);
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

std::string without_spaces(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

bool ends_with_words(std::string_view name, std::string_view words) {
    if (name.size() < words.size() || name.substr(name.size() - words.size()) != words) return false;
    return name.size() == words.size() || name[name.size() - words.size() - 1] == ' ';
}

bool contains_words(std::string_view name, std::string_view words) {
    for (std::size_t at = name.find(words); at != std::string_view::npos; at = name.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || name[at - 1] == ' ') && (end == name.size() || name[end] == ' ')) return true;
    }
    return false;
}

bool contains_every_word(std::string_view name, std::string_view words) {
    for (std::size_t start = 0; start < words.size();) {
        const std::size_t end = std::min(words.find(' ', start), words.size());
        if (!contains_words(name, words.substr(start, end - start))) return false;
        start = end + 1;
    }
    return true;
}

using Entry = NameIndex::Entry;
using Match = bool (*)(const Entry& row, const Entry& query);

// The words are all of the name behind one of these separators.
bool ends_behind(const Entry& row, const Entry& query, std::string_view separators) {
    if (!ends_with_words(row.words, query.words)) return false;
    for (std::size_t i = 0; i < row.name.size(); ++i)
        if (separators.find(row.name[i]) != std::string_view::npos &&
            folded_words(row.name.substr(i + 1)) == query.words)
            return true;
    return false;
}

bool is_whole(const Entry& row, const Entry& query) { return same_word(row.name, query.name); }
bool is_behind_owner(const Entry& row, const Entry& query) { return ends_behind(row, query, "/"); }
bool is_last_words(const Entry& row, const Entry& query) { return ends_behind(row, query, "/ "); }
bool is_end(const Entry& row, const Entry& query) { return ends_with_words(row.words, query.words); }
bool is_words(const Entry& row, const Entry& query) { return contains_words(row.words, query.words); }
bool is_squeezed_end(const Entry& row, const Entry& query) {
    const std::string_view all = row.squeezed, end = query.squeezed;
    return all.size() >= end.size() && all.substr(all.size() - end.size()) == end;
}
bool is_part(const Entry& row, const Entry& query) { return row.squeezed.find(query.squeezed) != std::string::npos; }
bool is_every_word(const Entry& row, const Entry& query) { return contains_every_word(row.words, query.words); }

Entry entry_of(std::string_view name) {
    Entry out{name, folded_words(name), {}};
    out.squeezed = without_spaces(out.words);
    return out;
}

std::string joined(const std::vector<std::string_view>& names) {
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kMostCandidates); ++i)
        out += concat({i == 0 ? "" : ", ", names[i]});
    if (names.size() > kMostCandidates)
        out += concat({", and ", std::to_string(names.size() - kMostCandidates), " more"});
    return out;
}

// Every word with the nearest of the name's, so that a slip in one word of many does not hide the name.
int words_apart(std::string_view words, std::string_view name) {
    int sum = 0;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        int least = static_cast<int>(word.size());
        for (std::string_view rest = name; !rest.empty();) {
            const std::string_view other = rest.substr(0, rest.find(' '));
            rest.remove_prefix(std::min(other.size() + 1, rest.size()));
            least = std::min(least, edit_distance(word, other));
        }
        sum += least;
    }
    return sum;
}

Error unknown(const std::vector<Entry>& entries, std::string_view words, std::string_view where,
              std::string_view what) {
    const std::string folded = folded_words(words);
    std::vector<std::pair<int, std::string_view>> ranked;
    for (const Entry& e : entries) {
        const int distance = words_apart(folded, e.words);
        auto place = ranked.begin();  // behind all that are as near
        while (place != ranked.end() && place->first <= distance)
            ++place;
        if (static_cast<std::size_t>(place - ranked.begin()) < kNearest) ranked.insert(place, {distance, e.name});
    }
    std::vector<std::string_view> near;
    for (const auto& [distance, name] : ranked)
        if (near.size() < kNearest) near.push_back(name);
    return {ErrorCode::UnknownName,
            where,
            {"no ", what, " is called \"", words, "\""},
            {"the nearest names: ", joined(near)}};
}

}  // namespace

NameIndex::NameIndex(const std::vector<std::string_view>& names) {
    for (const std::string_view name : names)
        entries_.push_back(entry_of(name));
}

Result<std::size_t> NameIndex::find(std::string_view words, std::string_view where, std::string_view what) const {
    const Entry query = entry_of(words);
    if (query.words.empty()) return unknown(entries_, words, where, what);
    for (const Match match :
         {is_whole, is_behind_owner, is_last_words, is_end, is_words, is_squeezed_end, is_part, is_every_word}) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (match(entries_[i], query)) found.push_back(i);
        if (found.size() == 1) return found.front();
        if (found.empty()) continue;
        std::vector<std::string_view> candidates;
        for (const std::size_t i : found) {
            const std::string_view name = entries_[i].name;
            candidates.insert(std::upper_bound(candidates.begin(), candidates.end(), name), name);
        }
        return Error{ErrorCode::Ambiguous,
                     where,
                     {"\"", words, "\" fits ", std::to_string(found.size()), " ", what, "s"},
                     {"say which: ", joined(candidates)}};
    }
    return unknown(entries_, words, where, what);
}

}  // namespace memwall
