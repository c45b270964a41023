#include "catalogue/names.hpp"

#include <algorithm>
#include <string>

#include "base/nearest.hpp"

namespace memwall {
namespace {

constexpr std::size_t kMostCandidates = 8;

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
    return (' ' + std::string(name) + ' ').find(' ' + std::string(words) + ' ') != std::string::npos;
}

bool contains_every_word(std::string_view name, std::string_view words) {
    for (std::size_t start = 0; start < words.size();) {
        const std::size_t end = std::min(words.find(' ', start), words.size());
        if (!contains_words(name, words.substr(start, end - start))) return false;
        start = end + 1;
    }
    return true;
}

struct Query {
    std::string_view given;
    std::string words;
};

using Match = bool (*)(std::string_view name, const Query&);

bool is_whole(std::string_view name, const Query& q) { return same_word(name, q.given); }
bool is_behind_owner(std::string_view name, const Query& q) {
    const std::size_t slash = name.find('/');
    return slash != std::string_view::npos && folded_words(name.substr(slash + 1)) == q.words;
}
bool is_last_words(std::string_view name, const Query& q) {
    for (std::size_t i = 0; i < name.size(); ++i)
        if ((name[i] == ' ' || name[i] == '/') && folded_words(name.substr(i + 1)) == q.words) return true;
    return false;
}
bool is_end(std::string_view name, const Query& q) { return ends_with_words(folded_words(name), q.words); }
bool is_words(std::string_view name, const Query& q) { return contains_words(folded_words(name), q.words); }
bool is_part(std::string_view name, const Query& q) {
    return without_spaces(folded_words(name)).find(without_spaces(q.words)) != std::string::npos;
}
bool is_squeezed_end(std::string_view name, const Query& q) {
    const std::string squeezed = without_spaces(folded_words(name)), words = without_spaces(q.words);
    return squeezed.size() >= words.size() && squeezed.substr(squeezed.size() - words.size()) == words;
}
bool is_every_word(std::string_view name, const Query& q) { return contains_every_word(folded_words(name), q.words); }

std::string joined(const std::vector<std::string_view>& names) {
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kMostCandidates); ++i)
        out += (i == 0 ? "" : ", ") + std::string(names[i]);
    if (names.size() > kMostCandidates) out += ", and " + std::to_string(names.size() - kMostCandidates) + " more";
    return out;
}

Error unknown(const std::vector<std::string_view>& names, std::string_view words, std::string_view where,
              std::string_view what) {
    std::vector<std::string_view> without_owner;
    for (const std::string_view name : names)
        without_owner.push_back(name.substr(name.find('/') + 1));
    const std::vector<std::string_view> near = nearest(words, without_owner, kMostCandidates);
    return {ErrorCode::UnknownName, std::string(where),
            "no " + std::string(what) + " is called \"" + std::string(words) + "\"",
            near.empty() ? "the catalogue lists the names" : "near names: " + joined(near)};
}

}  // namespace

Result<std::size_t> find_name(const std::vector<std::string_view>& names, std::string_view words,
                              std::string_view where, std::string_view what) {
    const Query query{words, folded_words(words)};
    if (query.words.empty()) return unknown(names, words, where, what);
    for (const Match match :
         {is_whole, is_behind_owner, is_last_words, is_end, is_words, is_squeezed_end, is_part, is_every_word}) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (match(names[i], query)) found.push_back(i);
        if (found.size() == 1) return found.front();
        if (found.empty()) continue;
        std::vector<std::string_view> candidates;
        for (const std::size_t i : found)
            candidates.insert(std::upper_bound(candidates.begin(), candidates.end(), names[i]), names[i]);
        return Error{
            ErrorCode::Ambiguous, std::string(where),
            "\"" + std::string(words) + "\" fits " + std::to_string(found.size()) + " " + std::string(what) + "s",
            "say which: " + joined(candidates)};
    }
    return unknown(names, words, where, what);
}

}  // namespace memwall
