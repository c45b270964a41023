// What several JSON answers have in common; only export/json*.cpp includes this.
#pragma once
#include <array>
#include "base/notes.hpp"
#include "export/json_tree.hpp"

#include "memory/evaluate.hpp"

namespace memwall {

void add_head(JsonObject);  // schema and version
void add_notes(JsonObject, const Notes&);
void add_instant(JsonObject, const Estimate&, const Instant&);
void add_ledger(JsonObject, std::string_view key, const Ledger&);
// needed, fraction and parts of a bar.
void add_parts(JsonObject, Bytes needed, const std::array<Bytes, kCategories>&, Bytes scale);

}  // namespace memwall
