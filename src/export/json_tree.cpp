#include "export/json_tree.hpp"

#include <cassert>
#include <cmath>
#include <utility>

#include "base/concat.hpp"
#include "base/utf8.hpp"

namespace memwall {
namespace {

// Six decimals of a number that is not negative, without trailing zeros; none where they leave 63 bits.
std::string six_decimals(double value) {
    assert(value >= 0 && value < 9e18);
    if (value >= 9e12) return std::to_string(std::llround(value));
    const std::int64_t millionths = std::llround(value * 1e6);
    std::string out = std::to_string(millionths / 1'000'000);
    std::string rest = std::to_string(millionths % 1'000'000);
    if (rest == "0") return out;
    rest.insert(0, 6 - rest.size(), '0');
    rest.erase(rest.find_last_not_of('0') + 1);
    return concat({out, ".", rest});
}

}  // namespace

JsonText::Place JsonText::open(char bracket) {
    text_ += bracket;
    open_.push_back({bracket == '{' ? '}' : ']', true, ++serial_});
    return {open_.size(), serial_};
}

void JsonText::close_down_to(Place place) {
    assert(open_.size() >= place.depth);
    for (; open_.size() > place.depth; open_.pop_back())
        text_ += open_.back().closing;
    assert(place.depth == 0 || open_.back().serial == place.serial);
}

void JsonText::next_in(Place place) {
    close_down_to(place);
    if (!open_.back().empty) text_ += ',';
    open_.back().empty = false;
}

void JsonText::key(Place place, std::string_view name) {
    next_in(place);
    quoted(name);
    text_ += ':';
}

void JsonText::quoted(std::string_view value) {
    constexpr std::string_view kHex = "0123456789abcdef";
    text_ += '"';
    std::size_t start = 0;  // what needs no change is copied in one piece
    for (std::size_t at = 0; at < value.size();) {
        const auto byte = static_cast<unsigned char>(value[at]);
        const bool is_escaped = byte < 0x20 || byte == '"' || byte == '\\';
        const std::size_t length = is_escaped ? 0 : byte < 0x80 ? 1 : character_length(value.substr(at));
        at += length;
        if (length != 0) continue;
        text_ += value.substr(start, at - start);
        if (byte >= 0x80)
            text_ += "\xef\xbf\xbd";
        else if (byte < 0x20)
            (text_ += "\\u00").append({kHex[byte >> 4U], kHex[byte & 15U]});
        else
            (text_ += '\\') += value[at];
        start = ++at;
    }
    text_ += value.substr(start);
    text_ += '"';
}

std::string JsonText::finish() {
    close_down_to({0, 0});
    text_ += '\n';
    return std::move(text_);
}

JsonObject& JsonObject::text(std::string_view key, std::string_view value) {
    text_->key(place_, key);
    text_->quoted(value);
    return *this;
}
JsonObject& JsonObject::text(std::string_view key, const std::string& value) {
    return text(key, std::string_view(value));
}
JsonObject& JsonObject::raw(std::string_view key, std::string_view literal) {
    text_->key(place_, key);
    text_->raw(literal);
    return *this;
}
JsonObject& JsonObject::number(std::string_view key, std::int64_t value) { return raw(key, std::to_string(value)); }
JsonObject& JsonObject::fraction(std::string_view key, double value) { return raw(key, six_decimals(value)); }
JsonObject JsonObject::object(std::string_view key) {
    text_->key(place_, key);
    return JsonObject(*text_);
}
JsonArray JsonObject::array(std::string_view key) {
    text_->key(place_, key);
    return JsonArray(*text_);
}

JsonArray& JsonArray::text(std::string_view value) {
    text_->next_in(place_);
    text_->quoted(value);
    return *this;
}
JsonArray& JsonArray::number(std::int64_t value) {
    text_->next_in(place_);
    text_->raw(std::to_string(value));
    return *this;
}
JsonArray& JsonArray::fraction(double value) {
    text_->next_in(place_);
    text_->raw(six_decimals(value));
    return *this;
}
JsonObject JsonArray::object() {
    text_->next_in(place_);
    return JsonObject(*text_);
}

}  // namespace memwall
