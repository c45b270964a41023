#include "import/scenario.hpp"

#include <optional>
#include <string>
#include <utility>

#include "base/concat.hpp"
#include "import/json_value.hpp"
#include "plan/fields.hpp"
#include "plan/number_text.hpp"

namespace memwall {
namespace {

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
    return concat({file, ":", std::to_string(line), ":", std::to_string(column)});
}

Result<JsonTree> parsed(std::string_view text, std::string_view file) {
    if (text.size() > kMaxScenarioBytes)
        return Error{ErrorCode::OutOfRange,
                     file,
                     {"A scenario of ", with_commas(static_cast<std::int64_t>(text.size())), " bytes is too long"},
                     {"allowed: ", with_commas(static_cast<std::int64_t>(kMaxScenarioBytes)), " bytes"}};
    if (text.empty()) return Error{ErrorCode::Malformed, file, "The text is empty", "a scenario is a JSON object"};
    JsonFault fault;
    std::optional<JsonTree> tree = read_json(text, fault);
    if (tree) return std::move(*tree);
    return Error{ErrorCode::Malformed,
                 position(file, text, fault.position),
                 {"The text is not JSON: ", fault.message},
                 "a scenario is a JSON object"};
}

// Whether objects may stand at this path: some key goes on below it.
bool is_group(std::string_view path) {
    for (const FieldRow& row : fields())
        if (row.key.size() > path.size() && row.key.starts_with(path) && row.key[path.size()] == '.') return true;
    return false;
}

Error wrong_kind(std::string_view path, std::string_view what, std::string_view allowed) {
    return {ErrorCode::Malformed, path, {path, " is ", what}, {"allowed: ", allowed}};
}

Result<std::string> joined(const FieldRow& row, const JsonValue& list) {
    if (row.kind != FieldKind::Set) return wrong_kind(row.key, "a list", allowed_text(row));
    std::string out;
    for (const JsonValue& item : JsonInside(list)) {
        if (item.kind != JsonKind::Text)
            return wrong_kind(row.key, "a list of something else than words", allowed_text(row));
        if (!out.empty()) out += ',';
        out += item.text;
    }
    return out;
}

Failure set_one(Scenario& scenario, std::string_view path, const JsonValue& value) {
    if (value.kind == JsonKind::Null) return std::nullopt;
    MEMWALL_TRY(row, named_field(path));
    if (is_given(scenario, row->id))
        return Error{ErrorCode::Inconsistent, row->key, {row->label, " is stated twice"}, "leave one of the two out"};
    if (value.kind == JsonKind::Object) return wrong_kind(row->key, "an object", allowed_text(*row));
    if (value.is_flag()) {
        if (row->kind != FieldKind::Flag) return wrong_kind(row->key, "true or false", allowed_text(*row));
        return set_field(scenario, row->id, value.kind == JsonKind::True ? "true" : "false");
    }
    if (value.kind == JsonKind::List) {
        MEMWALL_TRY(text, joined(*row, value));
        return set_field(scenario, row->id, text);
    }
    return set_field(scenario, row->id, value.text);
}

// Paths of objects are prefixes of keys, so the depth is that of the keys.
Failure set_members(Scenario& scenario, const std::string& path, const JsonValue& object) {
    for (const JsonValue& value : JsonInside(object)) {
        if (value.key.empty())
            return Error{ErrorCode::Malformed, path.empty() ? "scenario" : path, "A member has no name",
                         "names are keys of fields; the list of fields has all"};
        const std::string below = path.empty() ? std::string(value.key) : concat({path, ".", value.key});
        Failure failure = value.kind == JsonKind::Object && is_group(below) ? set_members(scenario, below, value)
                                                                            : set_one(scenario, below, value);
        if (failure) return failure;
    }
    return std::nullopt;
}

}  // namespace

Result<Scenario> scenario_from_json(std::string_view text, std::string_view file) {
    MEMWALL_TRY(document, parsed(text, file));
    const JsonValue* root = &document.root();
    if (const JsonValue* inner = member(*root, "scenario"); inner != nullptr && inner->kind == JsonKind::Object)
        root = inner;
    if (root->kind != JsonKind::Object)
        return Error{ErrorCode::Malformed, concat({file, ":1:1"}), "The JSON is not an object",
                     "a scenario is a JSON object"};
    Scenario scenario;
    if (Failure failure = set_members(scenario, "", *root)) return *failure;
    return scenario;
}

}  // namespace memwall
