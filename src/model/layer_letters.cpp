#include "model/layer_letters.hpp"

#include <algorithm>

namespace memwall {
namespace {

struct LayerWord {
    std::string_view word;
    char letter;
};
constexpr LayerWord kLayerWords[] = {
    {"full_attention", 'F'},
    {"sliding_attention", 'S'},
    {"chunked_attention", 'S'},
    {"linear_attention", 'L'},
    {"mamba", 'M'},
    {"conv", 'C'},
    {"attention_and_mamba", 'P'},
    {"attention_only", 'A'},
    {"mlp_only", '-'},
    {"moe_only", 'E'},
};

char letter_of(std::string_view word) {
    for (const LayerWord& known : kLayerWords)
        if (known.word == word) return known.letter;
    return '\0';
}

}  // namespace

std::string layer_pattern_from_words(std::string_view comma_list) {
    std::string pattern;
    for (std::string_view rest = comma_list; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        const char letter = letter_of(word);
        if (letter == '\0') return std::string(comma_list);
        pattern += letter;
    }
    return pattern;
}

}  // namespace memwall
