#include "import/json_value.hpp"

#include <utility>

namespace memwall {
namespace {

std::string_view text_of(yyjson_val* value) { return {unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value)}; }

JsonKind kind_of(yyjson_val* value) {
    switch (yyjson_get_type(value)) {
        case YYJSON_TYPE_BOOL:
            return yyjson_is_true(value) ? JsonKind::True : JsonKind::False;
        case YYJSON_TYPE_RAW:
            return JsonKind::Number;
        case YYJSON_TYPE_STR:
            return JsonKind::Text;
        case YYJSON_TYPE_ARR:
            return JsonKind::List;
        case YYJSON_TYPE_OBJ:
            return JsonKind::Object;
        default:
            return JsonKind::Null;
    }
}

// The library keeps a document's values one after another in the order of the text, a member's key before its value.
class Flattener {
  public:
    Flattener(yyjson_val* next, std::vector<JsonValue>& values) : next_(next), values_(values) { take({}); }

    void run() {
        while (!open_.empty()) {
            JsonValue& outer = values_[open_.back().place];
            if (open_.back().left == 0) {
                outer.extent = static_cast<std::int32_t>(values_.size() - open_.back().place);
                open_.pop_back();
                continue;
            }
            --open_.back().left;
            take(outer.kind == JsonKind::Object ? text_of(next_++) : std::string_view());
        }
    }

  private:
    struct Open {
        std::size_t place, left;
    };

    void take(std::string_view key) {
        yyjson_val* value = next_++;
        const JsonKind kind = kind_of(value);
        JsonValue& v = values_.emplace_back();
        v.kind = kind;
        v.key = key;
        if (kind == JsonKind::Number || kind == JsonKind::Text) v.text = text_of(value);
        if (kind != JsonKind::List && kind != JsonKind::Object) return;
        v.count = static_cast<std::int32_t>(unsafe_yyjson_get_len(value));
        open_.push_back({values_.size() - 1, unsafe_yyjson_get_len(value)});
    }

    yyjson_val* next_;
    std::vector<JsonValue>& values_;
    std::vector<Open> open_;
};

}  // namespace

const JsonValue* member(const JsonValue& object, std::string_view key) {
    if (object.kind != JsonKind::Object) return nullptr;
    for (const JsonValue& value : JsonInside(object))
        if (value.key == key) return &value;
    return nullptr;
}

std::optional<JsonTree> read_json(std::string_view text, JsonFault& fault) {
    yyjson_read_err error{};
    // Without the flag for reading in place the library does not write to the text.
    yyjson_doc* document =
        yyjson_read_opts(const_cast<char*>(text.data()), text.size(), YYJSON_READ_NUMBER_AS_RAW, nullptr, &error);
    if (document == nullptr) {
        fault = {error.pos, error.msg};
        return std::nullopt;
    }
    std::vector<JsonValue> values;
    Flattener(yyjson_doc_get_root(document), values).run();
    return JsonTree(document, std::move(values));
}

}  // namespace memwall
