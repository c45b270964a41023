// The version of an implementation, as far as memory depends on it.
//
// Versions are texts as people write them: "5", "5.12.1", "transformers 4.47.1, torch 2.6.0".
#pragma once
#include <string_view>

namespace memwall {

// Major version of transformers; 0: the text does not say.
int transformers_major(std::string_view version);

}  // namespace memwall
