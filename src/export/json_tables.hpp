// Tables as JSON: fields and catalogue as arrays of rows, the parameter tree as an object. Same promises as json.hpp.
// A catalogue row of any kind starts with name, detail and size, finished texts for a list to choose from.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "search/shortlist.hpp"

namespace memwall {

// What chooses a method of the catalogue; empty: this version does not compute it.
std::string_view method_use(const MethodRow&);
std::string json_from_fields(std::string_view filter = {});  // a part of the key; an empty list: none has it
// kind: "models", "accelerators", "formats", "optimizers", "methods".
// filter: words, each any part of the name, in any case.
Result<std::string> json_from_catalogue(std::string_view kind, std::string_view filter);
// What a list to choose from shows of models or accelerators. Without the size of models that a first verdict need not
// count (vision, two stacks): so core.wasm alone can search.
std::string json_from_names(std::string_view kind);
std::string json_from_parameters(const ModelChoice& completed);
std::string json_from_shortlist(const std::vector<ShortlistRow>&);

}  // namespace memwall
