// The version of an implementation, as far as memory depends on it.
//
// Versions are texts as people write them: "5", "5.12.1", "transformers 4.47.1, torch 2.6.0".
#pragma once
#include <string_view>

#include "model/variant.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// Whose model code is computed.
LibraryVariant library_of(const Scenario&);
// Whether it stands for that of a library whose own code of this model no program describes.
bool stands_in(const Scenario&);
// Major version of transformers; 0: the text does not say.
int transformers_major(std::string_view version);
// The minor version behind "4."; 0: the text does not say.
int transformers_minor(std::string_view version);
// Whether a text is a version at all: it begins with a number, or names a library.
bool is_version(std::string_view);
// The first 4.x that has the model code of a model_type; 0: before the oldest one that is computed (4.47).
int first_minor_of(std::string_view model_type);
// Whether transformers of that version computes attention by kernels of PyTorch (sdpa) where nothing else is asked for;
// it does where no minor version is said.
bool attends_by_kernels(const Implementation&, std::string_view model_type);
// Whether a torch before 1.11 is named: its softmax kept what went in beside what came out.
bool keeps_inputs_of_softmax(std::string_view version);
// Whether a torch before 2.0 is named: zero_grad() filled gradients with zeros and left them where they were.
bool keeps_zeroed_gradients(std::string_view version);
// Whether a bitsandbytes before 0.43.2 is meant, which kept the input of every 4-bit product: named, or the one that
// litgpt asked for through 2024 (0.42.0).
bool keeps_inputs_of_4_bits(const Implementation&);

}  // namespace memwall
