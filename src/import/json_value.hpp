// JSON as a tree of values: what the importers read.
//
// Strict JSON (RFC 8259): the whole text, UTF-8, no comments. Numbers stay texts, so that no digit is lost before it is
// checked. All values stand in one array, each before those inside it; `extent` leads past them. Texts are views into
// the tree, their escapes undone. Nesting costs no stack. The parser is yyjson; nothing else of it is seen from
// outside.
#pragma once
#include <yyjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace memwall {

enum class JsonKind : std::uint8_t { Null, False, True, Number, Text, List, Object };

struct JsonValue {
    JsonKind kind = JsonKind::Null;
    std::string_view key;     // of a member
    std::string_view text;    // of a Text; of a Number as written
    std::int32_t count = 0;   // values in a List, members of an Object
    std::int32_t extent = 1;  // this value and all inside it

    bool is_flag() const { return kind == JsonKind::False || kind == JsonKind::True; }
};

// The values of a list or the members of an object, in their order: for (const JsonValue& value : JsonInside(list)).
class JsonInside {
  public:
    struct Iterator {
        const JsonValue* at;
        const JsonValue& operator*() const { return *at; }
        void operator++() { at += at->extent; }
        bool operator!=(const Iterator& other) const { return at != other.at; }
    };
    explicit JsonInside(const JsonValue& outer) : outer_(&outer) {}
    Iterator begin() const { return {outer_ + 1}; }
    Iterator end() const { return {outer_ + outer_->extent}; }

  private:
    const JsonValue* outer_;
};

// The first member of that name; nullptr where there is none, or where `object` is none.
const JsonValue* member(const JsonValue& object, std::string_view key);

class JsonTree {
  public:
    JsonTree(yyjson_doc* document, std::vector<JsonValue> values) : document_(document), values_(std::move(values)) {}
    const JsonValue& root() const { return values_.front(); }

  private:
    struct Free {
        void operator()(yyjson_doc* document) const { yyjson_doc_free(document); }
    };
    std::unique_ptr<yyjson_doc, Free> document_;  // holds the texts
    std::vector<JsonValue> values_;
};

struct JsonFault {
    std::size_t position = 0;
    std::string_view message;
};
// Nothing where the text is not JSON; then `fault` says where and why.
std::optional<JsonTree> read_json(std::string_view text, JsonFault& fault);

}  // namespace memwall
