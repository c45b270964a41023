// A scenario as nested JSON by the field table's keys.
#pragma once
#include <cstdint>

#include "export/json_tree.hpp"
#include "plan/scenario.hpp"

namespace memwall {

enum class FieldChoice : std::uint8_t { Given, All };

// Fields that are not computed yet, or not set, are left out.
void add_scenario(JsonObject, const Scenario&, FieldChoice);

}  // namespace memwall
