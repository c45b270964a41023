// complete(): a scenario with every default filled in.
//
// Order is fixed: model (catalogue row, then the fields given by hand over it), accelerator, task,
// mesh, precision by recipe (plan/recipes.hpp), optimizer, batch, serving, savers (kernels by PyTorch's
// own rules), overhead. A given field is never changed; what had to be guessed is a note.
// Without a model: Missing. Without an accelerator the scenario is complete, its usable size unknown.
#pragma once
#include <cstdint>
#include <string>

#include "base/notes.hpp"
#include "base/result.hpp"
#include "plan/scenario.hpp"

namespace memwall {

Result<Scenario> complete(Scenario, Notes&);

// An architecture from a file as the model of a scenario. What differs from its family's row is given, so that
// the fields alone (JSON, share link) describe a decoder again; what no field describes stays in the value.
void give_architecture(Scenario&, Architecture, std::string name);

// Tokens of one image of a vision transformer, the class token included; 0: the model is none.
std::int64_t image_tokens(const Architecture&);

// What `complete` assumes where nothing is known; shown as assumptions, editable as overhead.*.
std::int64_t default_framework_bytes(const Scenario&);
std::int64_t default_allocator_slack_permille(Task);
std::int64_t default_activation_bytes_per_token(const Scenario&);

}  // namespace memwall
