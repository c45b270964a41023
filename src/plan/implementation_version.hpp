// The version of an implementation, as far as memory depends on it.
//
// Versions are texts as people write them: "5", "5.12.1", "transformers 4.47.1, torch 2.6.0".
#pragma once
#include <string_view>

#include "plan/scenario.hpp"

namespace memwall {

// Major version of transformers; 0: the text does not say.
int transformers_major(std::string_view version);
// Whether a bitsandbytes before 0.43.2 is meant, which kept the input of every 4-bit product: named, or the one that
// litgpt asked for through 2024 (0.42.0).
bool keeps_inputs_of_4_bits(const Implementation&);

}  // namespace memwall
