// JSON being written: objects and arrays as handles into one growing text.
//
// Written front to back, so nothing is kept but the text and what is still open; a handle that is written to
// closes all that was opened inside it since, and one that has been closed must not be written to again
// (assert). Order is that of the calls. Numbers with a fraction have at most six decimals, because the
// shortest form of a double differs between C libraries. Bytes that are no UTF-8 are replaced.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace memwall {

class JsonText {
  public:
    // Opens an object or array as the next value; returns its handle's place.
    struct Place {
        std::size_t depth;
        std::int32_t serial;
    };
    Place open(char bracket);
    void close_down_to(Place);          // what was opened inside it
    void next_in(Place);                // a comma where one is needed
    void key(Place, std::string_view);  // and its colon
    void quoted(std::string_view);
    void raw(std::string_view literal) { text_ += literal; }
    std::string finish();

  private:
    struct Open {
        char closing;
        bool empty;
        std::int32_t serial;
    };
    std::string text_;
    std::vector<Open> open_;
    std::int32_t serial_ = 0;
};

class JsonArray;

class JsonObject {
  public:
    explicit JsonObject(JsonText& text) : text_(&text), place_(text.open('{')) {}

    JsonObject& text(std::string_view key, std::string_view value);
    // Calls of their own, because the view of a std::string is much code where it is inlined.
    JsonObject& text(std::string_view key, const std::string& value);
    JsonObject& text(std::string_view key, const char* value) { return text(key, std::string_view(value)); }
    JsonObject& number(std::string_view key, std::int64_t value);
    JsonObject& number(std::string_view key, Bytes value) { return number(key, value.value); }
    JsonObject& number(std::string_view key, Count value) { return number(key, value.value); }
    JsonObject& fraction(std::string_view key, double value);         // six decimals; value >= 0
    JsonObject& raw(std::string_view key, std::string_view literal);  // a number already written
    JsonObject& flag(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
    JsonObject& null(std::string_view key) { return raw(key, "null"); }
    JsonObject object(std::string_view key);
    JsonArray array(std::string_view key);

  private:
    JsonText* text_;
    JsonText::Place place_;
};

class JsonArray {
  public:
    explicit JsonArray(JsonText& text) : text_(&text), place_(text.open('[')) {}

    JsonArray& text(std::string_view value);
    JsonArray& number(std::int64_t value);
    JsonArray& fraction(double value);
    JsonObject object();

  private:
    JsonText* text_;
    JsonText::Place place_;
};

class JsonDocument {
  public:
    // One of them, once.
    JsonObject root() { return JsonObject(text_); }
    JsonArray array() { return JsonArray(text_); }
    std::string line() { return text_.finish(); }  // one line with its newline

  private:
    JsonText text_;
};

}  // namespace memwall
