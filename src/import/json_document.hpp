// A JSON text read with limits: size, depth, and errors with line and column.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "import/json_value.hpp"

namespace memwall {

struct JsonLimits {
    std::size_t bytes;
    int depth;
};

// `file` is the name to print in errors, `what` the noun: "config.json:3:17", "A config.json is a JSON object".
Result<JsonTree> read_json_object(std::string_view text, std::string_view file, std::string_view what, JsonLimits);

std::string text_position(std::string_view file, std::string_view text, std::size_t offset);

}  // namespace memwall
