#include "import/json_value.hpp"

#include <catch_amalgamated.hpp>
#include <string>

using namespace memwall;

namespace {

JsonTree tree_of(std::string_view text) {
    JsonFault fault;
    auto tree = read_json(text, fault);
    INFO(fault.message);
    REQUIRE(tree);
    return std::move(*tree);
}

JsonFault fault_of(std::string_view text) {
    JsonFault fault;
    REQUIRE_FALSE(read_json(text, fault));
    return fault;
}

}  // namespace

TEST_CASE("a JSON text is a tree in the order of the text", "[json]") {
    const JsonTree tree = tree_of(R"( {"a": [1, -2.5e+3, {"b": null}], "c": "x", "a": true} )");
    CHECK(tree.root().count == 3);
    std::string keys;
    for (const JsonValue& value : JsonInside(tree.root()))
        keys += value.key;
    CHECK(keys == "aca");
    const JsonValue* list = member(tree.root(), "a");  // the first of the name
    REQUIRE(list != nullptr);
    CHECK(list->kind == JsonKind::List);
    CHECK(list->count == 3);
    std::string inside;
    for (const JsonValue& value : JsonInside(*list))
        inside += std::string(value.text) + ";";
    CHECK(inside == "1;-2.5e+3;;");
    CHECK(member(*list, "b") == nullptr);
    CHECK(member(tree.root(), "d") == nullptr);
}

TEST_CASE("escapes of a JSON text are undone, and a zero is a character", "[json]") {
    const JsonTree tree = tree_of(R"("\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00\u0000é")");
    CHECK(tree.root().text == std::string("\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") + '\0' + "\xc3\xa9");
}

TEST_CASE("what is not JSON is refused where it stops being JSON", "[json]") {
    struct Row {
        std::string text;
        std::size_t position;
        std::string_view message;
    };
    const Row kRows[] = {
        {"", 0, "input length is 0"},
        {"{\"a\": tru", 9, "unexpected end of data"},
        {"{\"a\": trap}", 6, "invalid literal, expected a valid literal such as 'true'"},
        {"[1,]", 2, "trailing comma is not allowed"},
        {"[1 2]", 3, "unexpected character, expected a comma or a closing bracket"},
        {"{a: 1}", 1, "unexpected character, expected a string for object key"},
        {"{\"a\" 1}", 5, "unexpected character, expected a colon after object key"},
        {"[01]", 1, "number with leading zero is not allowed"},
        {"[-]", 2, "no digit after minus sign"},
        {"[1.]  ", 4, "no digit after decimal point"},
        {"[1e+]  ", 5, "no digit after exponent sign"},
        {"[NaN]", 1, "unexpected character, expected a valid JSON value"},
        {"[\"\\q\"]", 3, "invalid escaped character in string"},
        {"[\"\\ud800\"]", 8, "no low surrogate in string"},
        {"[\"\x01\"]", 2, "unexpected control character in string"},
        {"[\"\xff\"]", 2, "invalid UTF-8 encoding in string"},
        {"{} x", 3, "unexpected content after document"},
        {"\xef\xbb\xbf{}", 0, "byte order mark (BOM) is not supported"},
    };
    for (const Row& row : kRows) {
        CAPTURE(row.text);
        const JsonFault fault = fault_of(row.text);
        CHECK(fault.position == row.position);
        CHECK(fault.message == row.message);
    }
}

TEST_CASE("a million open brackets cost no stack", "[json]") {
    const JsonFault fault = fault_of(std::string(1'000'000, '['));
    CHECK(fault.position == 1'000'000);
}
