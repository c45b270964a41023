// Layer letters: the words of config.json's `layer_types` and the letters of a layer pattern.
//
// "full_attention,sliding_attention" is "FS". A pattern already in letters stays what it is, and so does a
// text with an unknown word: check() of the architecture then names the position.
#pragma once
#include <string>
#include <string_view>

namespace memwall {

std::string layer_pattern_from_words(std::string_view comma_list);

}  // namespace memwall
