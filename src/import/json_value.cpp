#include "import/json_value.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8.hpp"

namespace memwall {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Four hexadecimal digits, or -1. The text ends with a zero, which is none.
std::int32_t code_unit(const char* digits) {
    std::int32_t out = 0;
    for (int i = 0; i < 4; ++i) {
        const int digit = hex_digit(digits[i]);
        if (digit < 0) return -1;
        out = out * 16 + digit;
    }
    return out;
}

char* write_utf8(std::int32_t code, char* to) {
    const auto tail = [&](int shift) { *to++ = static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
        *to++ = static_cast<char>(code);
    } else if (code < 0x800) {
        *to++ = static_cast<char>(0xc0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        *to++ = static_cast<char>(0xe0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        *to++ = static_cast<char>(0xf0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
    return to;
}

// Reads a text that ends with a zero, and writes texts without their escapes over themselves.
class Reader {
  public:
    Reader(char* text, std::size_t size, std::vector<JsonValue>& values, JsonFault& fault)
        : begin_(text), end_(text + size), at_(text), values_(values), fault_(fault) {}

    bool run() {
        skip_space();
        if (!value({})) return false;
        while (!open_.empty())
            if (!next_inside()) return false;
        skip_space();
        return at_ == end_ || fail(at_, "unexpected content after document");
    }

  private:
    bool fail(const char* where, std::string_view message) {
        if (where >= end_) {
            where = end_;
            message = "unexpected end of data";
        }
        fault_ = {static_cast<std::size_t>(where - begin_), message};
        return false;
    }

    void skip_space() {
        while (is_space(*at_))
            ++at_;
    }

    // One value of the innermost list or object, or its end.
    bool next_inside() {
        const std::size_t place = open_.back();
        const bool object = values_[place].kind == JsonKind::Object;
        const char closing = object ? '}' : ']';
        skip_space();
        if (*at_ != closing && values_[place].count > 0) {
            const char* comma = at_;
            if (*at_ != ',')
                return fail(at_, object ? "unexpected character, expected a comma or a closing brace"
                                        : "unexpected character, expected a comma or a closing bracket");
            ++at_;
            skip_space();
            if (*at_ == closing) return fail(comma, "trailing comma is not allowed");
        }
        if (*at_ == closing) {
            ++at_;
            values_[place].extent = static_cast<std::int32_t>(values_.size() - place);
            open_.pop_back();
            return true;
        }
        std::string_view key;
        if (object && !read_key(key)) return false;
        ++values_[place].count;
        return value(key);
    }

    bool read_key(std::string_view& key) {
        if (*at_ != '"') return fail(at_, "unexpected character, expected a string for object key");
        if (!read_text(key)) return false;
        skip_space();
        if (*at_ != ':') return fail(at_, "unexpected character, expected a colon after object key");
        ++at_;
        skip_space();
        return true;
    }

    bool value(std::string_view key) {
        JsonValue& v = values_.emplace_back();
        v.key = key;
        switch (*at_) {
            case '{':
            case '[':
                v.kind = *at_++ == '{' ? JsonKind::Object : JsonKind::List;
                open_.push_back(values_.size() - 1);
                return true;
            case '"':
                v.kind = JsonKind::Text;
                return read_text(v.text);
            case 't':
                v.kind = JsonKind::True;
                return read_word("true", "invalid literal, expected a valid literal such as 'true'");
            case 'f':
                v.kind = JsonKind::False;
                return read_word("false", "invalid literal, expected a valid literal such as 'false'");
            case 'n':
                return read_word("null", "invalid literal, expected a valid literal such as 'null'");
            default:
                v.kind = JsonKind::Number;
                return read_number(v.text);
        }
    }

    bool read_word(std::string_view word, std::string_view message) {
        const std::string_view rest(at_, std::min(word.size(), static_cast<std::size_t>(end_ - at_)));
        if (rest != word.substr(0, rest.size())) return fail(at_, message);
        at_ += rest.size();
        return rest.size() == word.size() || fail(at_, message);
    }

    bool read_digits(std::string_view message) {
        if (!is_digit(*at_)) return fail(at_, message);
        while (is_digit(*at_))
            ++at_;
        return true;
    }

    bool read_number(std::string_view& number) {
        const char* start = at_;
        const bool negative = *at_ == '-';
        if (!negative && !is_digit(*at_)) return fail(at_, "unexpected character, expected a valid JSON value");
        if (negative) ++at_;
        if (*at_ == '0' && is_digit(at_[1])) return fail(at_, "number with leading zero is not allowed");
        if (!read_digits("no digit after minus sign")) return false;
        if (*at_ == '.') {
            ++at_;
            if (!read_digits("no digit after decimal point")) return false;
        }
        if (*at_ == 'e' || *at_ == 'E') {
            ++at_;
            if (*at_ == '+' || *at_ == '-') ++at_;
            if (!read_digits("no digit after exponent sign")) return false;
        }
        number = {start, static_cast<std::size_t>(at_ - start)};
        return true;
    }

    bool read_text(std::string_view& text) {
        const char* start = ++at_;
        char* to = at_;
        while (*at_ != '"') {
            if (*at_ == '\\') {
                if (!read_escape(to)) return false;
                continue;
            }
            if (static_cast<unsigned char>(*at_) < 0x20) return fail(at_, "unexpected control character in string");
            const std::size_t length = character_length({at_, static_cast<std::size_t>(end_ - at_)});
            if (length == 0) return fail(at_, "invalid UTF-8 encoding in string");
            std::memmove(to, at_, length);
            to += length;
            at_ += length;
        }
        ++at_;
        text = {start, static_cast<std::size_t>(to - start)};
        return true;
    }

    bool read_escape(char*& to) {
        constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        if (at_ + 1 == end_) return fail(end_, {});
        if (const std::size_t which = kLetters.find(at_[1]); which != std::string_view::npos) {
            *to++ = kMeant[which];
            at_ += 2;
            return true;
        }
        if (at_[1] != 'u') return fail(at_ + 1, "invalid escaped character in string");
        std::int32_t code = code_unit(at_ + 2);
        if (code < 0) return fail(at_, "invalid escaped sequence in string");
        if ((code & 0xfc00) == 0xdc00) return fail(at_, "invalid high surrogate in string");
        at_ += 6;
        if ((code & 0xfc00) == 0xd800) {
            if (at_[0] != '\\' || at_[1] != 'u') return fail(at_, "no low surrogate in string");
            const std::int32_t low = code_unit(at_ + 2);
            if (low < 0) return fail(at_, "invalid escaped sequence in string");
            if ((low & 0xfc00) != 0xdc00) return fail(at_, "invalid low surrogate in string");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            at_ += 6;
        }
        to = write_utf8(code, to);
        return true;
    }

    const char* begin_;
    const char* end_;
    char* at_;
    std::vector<JsonValue>& values_;
    std::vector<std::size_t> open_;
    JsonFault& fault_;
};

}  // namespace

const JsonValue* member(const JsonValue& object, std::string_view key) {
    if (object.kind != JsonKind::Object) return nullptr;
    for (const JsonValue& value : JsonInside(object))
        if (value.key == key) return &value;
    return nullptr;
}

std::optional<JsonTree> read_json(std::string_view text, JsonFault& fault) {
    if (text.starts_with("\xef\xbb\xbf")) {
        fault = {0, "byte order mark (BOM) is not supported"};
        return std::nullopt;
    }
    auto copy = std::make_unique<char[]>(text.size() + 1);  // ends with a zero
    std::memcpy(copy.get(), text.data(), text.size());
    std::vector<JsonValue> values;
    if (!Reader(copy.get(), text.size(), values, fault).run()) return std::nullopt;
    return JsonTree(std::move(copy), std::move(values));
}

}  // namespace memwall
