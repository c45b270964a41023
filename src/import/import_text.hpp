// import_text(): whatever a person drops or pastes, as a Scenario.
//
// What it is follows from its content (import/detect.hpp): a config.json gives the model, our own JSON a
// whole scenario. Share links are read by export/share.hpp.
#pragma once
#include <string_view>

#include "base/notes.hpp"
#include "base/result.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// What a text is when it could be either: "{}" is a scenario of which nothing is known, or a config.json that lacks
// all.
enum class ImportAs : unsigned char { Scenario, Config };

// `file` is the name to print in errors: "config.json:3:17".
Result<Scenario> import_text(std::string_view text, std::string_view file, Notes&, ImportAs = ImportAs::Scenario);

}  // namespace memwall
