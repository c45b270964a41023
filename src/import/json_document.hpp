// A JSON text read with limits: size, depth, and errors with line and column.
#pragma once
#include <yyjson.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace memwall {

struct FreeJsonDocument {
    void operator()(yyjson_doc* document) const { yyjson_doc_free(document); }
};
using JsonDocument = std::unique_ptr<yyjson_doc, FreeJsonDocument>;

struct JsonLimits {
    std::size_t bytes;
    int depth;
};

// `file` is the name to print in errors, `what` the noun: "config.json:3:17", "A config.json is a JSON object".
// Numbers stay texts (yyjson_is_raw), so that no digit is lost before it is checked.
Result<JsonDocument> read_json_object(std::string_view text, std::string_view file, std::string_view what, JsonLimits);

std::string text_position(std::string_view file, std::string_view text, std::size_t offset);

}  // namespace memwall
