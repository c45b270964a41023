#include "import/json_document.hpp"

#include <algorithm>
#include <utility>

#include "base/concat.hpp"

namespace memwall {
namespace {

// Offset of the bracket that is nested too deep, or npos.
std::size_t too_deep(std::string_view text, int limit) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > limit) return i;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return std::string_view::npos;
}

}  // namespace

std::string text_position(std::string_view file, std::string_view text, std::size_t offset) {
    std::size_t line = 1, column = 1;
    for (const char c : text.substr(0, std::min(offset, text.size()))) {
        if (c == '\n') {
            ++line;
            column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {  // not the middle of a character
            ++column;
        }
    }
    return concat({file, ":", std::to_string(line), ":", std::to_string(column)});
}

Result<JsonTree> read_json_object(std::string_view text, std::string_view file, std::string_view what,
                                  JsonLimits limits) {
    const std::string hint = concat({what, " is a JSON object"});
    if (text.size() > limits.bytes) {
        return Error{ErrorCode::OutOfRange,
                     file,
                     {file, " has ", std::to_string(text.size()), " bytes"},
                     {"allowed: ", std::to_string(limits.bytes), " bytes"}};
    }
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);  // a byte order mark
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return Error{ErrorCode::Malformed, file, "the text is empty", hint};
    if (const std::size_t offset = too_deep(text, limits.depth); offset != std::string_view::npos) {
        return Error{ErrorCode::Malformed,
                     text_position(file, text, offset),
                     "nested too deep",
                     {"allowed: ", std::to_string(limits.depth), " levels"}};
    }
    JsonFault fault;
    std::optional<JsonTree> tree = read_json(text, fault);
    if (!tree)
        return Error{
            ErrorCode::Malformed, text_position(file, text, fault.position), {"not JSON: ", fault.message}, hint};
    if (tree->root().kind != JsonKind::Object)
        return Error{ErrorCode::Malformed, text_position(file, text, 0), "the text is JSON, but no object", hint};
    return std::move(*tree);
}

}  // namespace memwall
