#include "export/json_tree.hpp"

#include <cassert>
#include <cmath>
#include <cstdlib>

#include "base/utf8.hpp"

namespace memwall {
namespace {

// Six decimals of a number that is not negative, without trailing zeros.
std::string six_decimals(double value) {
    assert(value >= 0 && value < 9e12);
    const std::int64_t millionths = std::llround(value * 1e6);
    std::string out = std::to_string(millionths / 1'000'000);
    std::string rest = std::to_string(millionths % 1'000'000);
    if (rest == "0") return out;
    rest.insert(0, 6 - rest.size(), '0');
    rest.erase(rest.find_last_not_of('0') + 1);
    return out + "." + rest;
}

yyjson_mut_val* text_value(yyjson_mut_doc* document, std::string_view text) {
    const std::string valid = valid_utf8(text);  // the writer refuses other bytes
    return yyjson_mut_strncpy(document, valid.data(), valid.size());
}

yyjson_mut_val* raw_value(yyjson_mut_doc* document, std::string_view literal) {
    return yyjson_mut_rawncpy(document, literal.data(), literal.size());
}

}  // namespace

yyjson_mut_val* JsonObject::key_of(std::string_view key) { return text_value(document_, key); }

void JsonObject::add(std::string_view key, yyjson_mut_val* value) {
    const bool added = yyjson_mut_obj_add(value_, key_of(key), value);
    assert(added);
    static_cast<void>(added);
}

JsonObject& JsonObject::text(std::string_view key, std::string_view value) {
    add(key, text_value(document_, value));
    return *this;
}
JsonObject& JsonObject::number(std::string_view key, std::int64_t value) {
    add(key, yyjson_mut_sint(document_, value));
    return *this;
}
JsonObject& JsonObject::fraction(std::string_view key, double value) { return raw(key, six_decimals(value)); }
JsonObject& JsonObject::raw(std::string_view key, std::string_view literal) {
    add(key, raw_value(document_, literal));
    return *this;
}
JsonObject& JsonObject::flag(std::string_view key, bool value) {
    add(key, yyjson_mut_bool(document_, value));
    return *this;
}
JsonObject& JsonObject::null(std::string_view key) {
    add(key, yyjson_mut_null(document_));
    return *this;
}
JsonObject JsonObject::object(std::string_view key) {
    yyjson_mut_val* made = yyjson_mut_obj(document_);
    add(key, made);
    return {document_, made};
}
JsonArray JsonObject::array(std::string_view key) {
    yyjson_mut_val* made = yyjson_mut_arr(document_);
    add(key, made);
    return {document_, made};
}
JsonObject JsonObject::parent_of(std::string_view path) {
    JsonObject at = *this;
    for (std::size_t dot; (dot = path.find('.')) != std::string_view::npos; path.remove_prefix(dot + 1)) {
        yyjson_mut_val* known = yyjson_mut_obj_getn(at.value_, path.data(), dot);
        at = known != nullptr ? JsonObject{document_, known} : at.object(path.substr(0, dot));
    }
    return at;
}

JsonArray& JsonArray::text(std::string_view value) {
    yyjson_mut_arr_append(value_, text_value(document_, value));
    return *this;
}
JsonArray& JsonArray::number(std::int64_t value) {
    yyjson_mut_arr_append(value_, yyjson_mut_sint(document_, value));
    return *this;
}
JsonArray& JsonArray::fraction(double value) {
    yyjson_mut_arr_append(value_, raw_value(document_, six_decimals(value)));
    return *this;
}
JsonObject JsonArray::object() {
    yyjson_mut_val* made = yyjson_mut_obj(document_);
    yyjson_mut_arr_append(value_, made);
    return {document_, made};
}

JsonDocument::JsonDocument(JsonRoot root) : document_(yyjson_mut_doc_new(nullptr)) {
    assert(document_ != nullptr);
    yyjson_mut_doc_set_root(document_, root == JsonRoot::Array ? yyjson_mut_arr(document_) : yyjson_mut_obj(document_));
}
JsonDocument::~JsonDocument() { yyjson_mut_doc_free(document_); }

JsonObject JsonDocument::root() { return {document_, yyjson_mut_doc_get_root(document_)}; }
JsonArray JsonDocument::array() { return {document_, yyjson_mut_doc_get_root(document_)}; }

std::string JsonDocument::line() const {
    std::size_t length = 0;
    char* text = yyjson_mut_write(document_, YYJSON_WRITE_NOFLAG, &length);
    assert(text != nullptr);
    std::string out(text, length);
    std::free(text);
    out += '\n';
    return out;
}

}  // namespace memwall
