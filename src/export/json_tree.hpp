// A JSON document being written: a thin, leak-free hold on the JSON library.
//
// Objects and arrays are handles into their document and die with it. Texts are copied. Numbers with a
// fraction are written with six decimals, because the shortest form of a double differs between
// C libraries.
#pragma once
#include <yyjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace memwall {

class JsonArray;

class JsonObject {
  public:
    JsonObject(yyjson_mut_doc* document, yyjson_mut_val* value) : document_(document), value_(value) {}

    JsonObject& text(std::string_view key, std::string_view value);
    JsonObject& number(std::string_view key, std::int64_t value);
    JsonObject& number(std::string_view key, Bytes value) { return number(key, value.value); }
    JsonObject& number(std::string_view key, Count value) { return number(key, value.value); }
    JsonObject& fraction(std::string_view key, double value);         // six decimals; value >= 0
    JsonObject& raw(std::string_view key, std::string_view literal);  // a number already written
    JsonObject& flag(std::string_view key, bool value);
    JsonObject& null(std::string_view key);
    JsonObject object(std::string_view key);
    JsonArray array(std::string_view key);
    // The object at a dotted path, made where it is not there yet; the last part of the path is left out.
    JsonObject parent_of(std::string_view path);

  private:
    yyjson_mut_val* key_of(std::string_view key);
    void add(std::string_view key, yyjson_mut_val* value);

    yyjson_mut_doc* document_;
    yyjson_mut_val* value_;
};

class JsonArray {
  public:
    JsonArray(yyjson_mut_doc* document, yyjson_mut_val* value) : document_(document), value_(value) {}

    JsonArray& text(std::string_view value);
    JsonArray& number(std::int64_t value);
    JsonArray& fraction(double value);
    JsonObject object();

  private:
    yyjson_mut_doc* document_;
    yyjson_mut_val* value_;
};

enum class JsonRoot : std::uint8_t { Object, Array };

class JsonDocument {
  public:
    explicit JsonDocument(JsonRoot = JsonRoot::Object);
    ~JsonDocument();
    JsonDocument(const JsonDocument&) = delete;
    JsonDocument& operator=(const JsonDocument&) = delete;

    JsonObject root();
    JsonArray array();         // of a document whose root is one
    std::string line() const;  // one line with its newline

  private:
    yyjson_mut_doc* document_;
};

}  // namespace memwall
