#include "import/scenario.hpp"

#include <yyjson.h>

#include <memory>
#include <string>

#include "plan/fields.hpp"
#include "plan/number_text.hpp"

namespace memwall {
namespace {

struct FreeDocument {
    void operator()(yyjson_doc* document) const { yyjson_doc_free(document); }
};
using Document = std::unique_ptr<yyjson_doc, FreeDocument>;

std::string_view words(yyjson_val* value) {
    const char* text = yyjson_is_raw(value) ? yyjson_get_raw(value) : yyjson_get_str(value);
    return {text, yyjson_get_len(value)};
}

std::string position(std::string_view file, std::string_view text, std::size_t offset) {
    std::size_t line = 1, column = 1;
    for (const char c : text.substr(0, offset)) {
        if (c == '\n') {
            ++line;
            column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {  // not the middle of a character
            ++column;
        }
    }
    return std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

Result<Document> parsed(std::string_view text, std::string_view file) {
    if (text.size() > kMaxScenarioBytes)
        return Error{ErrorCode::OutOfRange, std::string(file),
                     "A scenario of " + with_commas(static_cast<std::int64_t>(text.size())) + " bytes is too long",
                     "allowed: " + with_commas(static_cast<std::int64_t>(kMaxScenarioBytes)) + " bytes"};
    if (text.empty())
        return Error{ErrorCode::Malformed, std::string(file), "The text is empty", "a scenario is a JSON object"};
    std::string copy(text);  // the reader takes a text it may not change, but has no const in its signature
    yyjson_read_err failure{};
    Document document(yyjson_read_opts(copy.data(), copy.size(), YYJSON_READ_NUMBER_AS_RAW, nullptr, &failure));
    if (document != nullptr) return document;
    return Error{ErrorCode::Malformed, position(file, text, failure.pos),
                 std::string("The text is not JSON: ") + failure.msg, "a scenario is a JSON object"};
}

// Whether objects may stand at this path: some key goes on below it.
bool is_group(std::string_view path) {
    for (const FieldRow& row : fields())
        if (row.key.size() > path.size() && row.key.starts_with(path) && row.key[path.size()] == '.') return true;
    return false;
}

Error wrong_kind(std::string_view path, std::string_view what, std::string_view allowed) {
    return {ErrorCode::Malformed, std::string(path), std::string(path) + " is " + std::string(what),
            "allowed: " + std::string(allowed)};
}

Result<std::string> joined(const FieldRow& row, yyjson_val* list) {
    if (row.kind != FieldKind::Set) return wrong_kind(row.key, "a list", allowed_text(row));
    std::string out;
    yyjson_arr_iter items = yyjson_arr_iter_with(list);
    while (yyjson_val* item = yyjson_arr_iter_next(&items)) {
        if (!yyjson_is_str(item)) return wrong_kind(row.key, "a list of something else than words", allowed_text(row));
        if (!out.empty()) out += ',';
        out += words(item);
    }
    return out;
}

Failure set_one(Scenario& scenario, std::string_view path, yyjson_val* value) {
    if (yyjson_is_null(value)) return std::nullopt;
    MEMWALL_TRY(row, named_field(path));
    if (yyjson_is_obj(value)) return wrong_kind(row->key, "an object", allowed_text(*row));
    if (yyjson_is_bool(value)) {
        if (row->kind != FieldKind::Flag) return wrong_kind(row->key, "true or false", allowed_text(*row));
        return set_field(scenario, row->id, yyjson_get_bool(value) ? "true" : "false");
    }
    if (yyjson_is_arr(value)) {
        MEMWALL_TRY(text, joined(*row, value));
        return set_field(scenario, row->id, text);
    }
    return set_field(scenario, row->id, words(value));
}

// Paths of objects are prefixes of keys, so the depth is that of the keys.
Failure set_members(Scenario& scenario, const std::string& path, yyjson_val* object) {
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    while (yyjson_val* key = yyjson_obj_iter_next(&members)) {
        yyjson_val* value = yyjson_obj_iter_get_val(key);
        if (words(key).empty())
            return Error{ErrorCode::Malformed, path.empty() ? "scenario" : path, "A member has no name",
                         "names are keys of fields, see `memwall fields`"};
        const std::string below = path.empty() ? std::string(words(key)) : path + "." + std::string(words(key));
        Failure failure = yyjson_is_obj(value) && is_group(below) ? set_members(scenario, below, value)
                                                                  : set_one(scenario, below, value);
        if (failure) return failure;
    }
    return std::nullopt;
}

}  // namespace

Result<Scenario> scenario_from_json(std::string_view text, std::string_view file) {
    MEMWALL_TRY(document, parsed(text, file));
    yyjson_val* root = yyjson_doc_get_root(document.get());
    if (yyjson_val* inner = yyjson_obj_get(root, "scenario"); yyjson_is_obj(inner)) root = inner;
    if (!yyjson_is_obj(root))
        return Error{ErrorCode::Malformed, std::string(file) + ":1:1", "The JSON is not an object",
                     "a scenario is a JSON object"};
    Scenario scenario;
    if (Failure failure = set_members(scenario, "", root)) return *failure;
    return scenario;
}

}  // namespace memwall
