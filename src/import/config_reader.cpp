#include "import/config_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/concat.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

constexpr std::size_t kMostShown = 40;  // of a wrong value
constexpr std::int64_t kLargestWhole = 1'000'000'000'000'000;

// The limit of the field with the usual name; what no field sets is a width or a count.
std::int64_t largest(Names names) {
    const FieldRow* row = find_field(concat({"model.config.", names.substr(0, names.find(' '))}));
    return row != nullptr ? row->maximum : 1 << 24;
}

std::string shown(const JsonValue& value) {
    switch (value.kind) {
        case JsonKind::Null:
            break;  // as if it were not there: find()
        case JsonKind::False:
            return "false";
        case JsonKind::True:
            return "true";
        case JsonKind::Number:
            return std::string(value.text.substr(0, kMostShown));
        case JsonKind::Text:
            return concat({"the text \"", value.text.substr(0, kMostShown), "\""});
        case JsonKind::List:
            return "a list";
        case JsonKind::Object:
            return "an object";
    }
    return "null";
}

// A JSON number as `digits` x 10^`exponent`; nothing where it has too many digits to be told apart.
struct Decimal {
    std::int64_t digits = 0;
    int exponent = 0;
};

std::optional<Decimal> decimal(std::string_view text) {
    constexpr std::int64_t kMostDigits = 100'000'000'000'000'000;
    constexpr int kMostExponent = 400;
    Decimal out;
    const bool negative = !text.empty() && text.front() == '-';
    std::size_t i = negative ? 1 : 0;
    bool behind_point = false;
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
        if (text[i] == '.') {
            behind_point = true;
            continue;
        }
        if (out.digits >= kMostDigits) {
            if (behind_point) continue;  // digits that no one can tell apart
            return std::nullopt;
        }
        out.digits = out.digits * 10 + (text[i] - '0');
        out.exponent -= behind_point ? 1 : 0;
    }
    if (negative) out.digits = -out.digits;
    if (i >= text.size()) return out;
    ++i;
    const bool shrinks = text[i] == '-';
    if (shrinks || text[i] == '+') ++i;
    int exponent = 0;
    for (; i < text.size(); ++i)
        exponent = std::min(exponent * 10 + (text[i] - '0'), kMostExponent);
    out.exponent += shrinks ? -exponent : exponent;
    return out;
}

// The number times 10^`shift` as a whole number, rounded half up where `rounds` says so.
enum class Rounds : std::uint8_t { Never, HalfUp };
std::optional<std::int64_t> whole_number(const JsonValue& value, int shift, Rounds rounds) {
    if (value.kind != JsonKind::Number) return std::nullopt;
    std::optional<Decimal> d = decimal(value.text);
    if (!d) return std::nullopt;
    d->exponent += shift;
    for (; d->exponent < 0; ++d->exponent) {
        const std::int64_t left = d->digits % 10;
        if (left != 0 && rounds == Rounds::Never) return std::nullopt;
        d->digits = d->digits / 10 + (left >= 5 && d->exponent == -1 ? 1 : 0);
    }
    for (; d->exponent > 0 && d->digits != 0; --d->exponent) {
        if (d->digits > kLargestWhole || d->digits < -kLargestWhole) return std::nullopt;
        d->digits *= 10;
    }
    return d->digits;
}

}  // namespace

ConfigReader::Found ConfigReader::find(Names names) {
    while (!names.empty()) {
        const std::string_view key = names.substr(0, names.find(' '));
        Found found;
        for (const JsonValue& value : JsonInside(*object_)) {
            if (value.key != key) continue;
            if (found.value != nullptr)
                fail({ErrorCode::Inconsistent, where(key), {key, " stands twice"}, "leave one of the two out"});
            found = {key, &value};
        }
        if (found.value != nullptr && found.value->kind != JsonKind::Null) return found;
        names.remove_prefix(std::min(key.size() + 1, names.size()));
    }
    return {};
}

std::string ConfigReader::where(std::string_view key) const {
    return concat({file_, ": ", path_.empty() ? "" : path_ + ".", key});
}

void ConfigReader::not_counted(std::string_view key, Pieces message, std::string_view counted) {
    if (failure_) return;
    const std::string sentence = concat(message);
    fail({ErrorCode::NotYet, where(key), {sentence, " not counted"}, {"counted: ", counted}});
}

void ConfigReader::refuse(const Found& found, std::string_view allowed) {
    fail({ErrorCode::OutOfRange, where(found.key), {found.key, " is ", shown(*found.value)}, {"allowed: ", allowed}});
}

std::optional<std::int64_t> ConfigReader::whole(const Found& found, Names names, std::int64_t minimum) {
    const std::optional<std::int64_t> value = whole_number(*found.value, 0, Rounds::Never);
    if (value && *value >= minimum && *value <= largest(names)) return value;
    refuse(found, concat({"a whole number from ", with_commas(minimum), " to ", with_commas(largest(names))}));
    return std::nullopt;
}

bool ConfigReader::has(Names names) { return find(names).value != nullptr; }

bool ConfigReader::is_text(Names names) {
    const JsonValue* value = find(names).value;
    return value != nullptr && value->kind == JsonKind::Text;
}

bool ConfigReader::is_object(std::string_view key) {
    const JsonValue* value = find(key).value;
    return value != nullptr && value->kind == JsonKind::Object;
}

void ConfigReader::size(Names names, std::int64_t& into, std::int64_t minimum) {
    const Found found = find(names);
    if (found.value == nullptr) return;
    if (const auto value = whole(found, names, minimum)) into = *value;
}

void ConfigReader::flag(Names names, bool& into) {
    const Found found = find(names);
    if (found.value == nullptr) return;
    if (found.value->is_flag())
        into = found.value->kind == JsonKind::True;
    else
        refuse(found, "true or false");
}

void ConfigReader::permille(Names names, std::int64_t& into) {
    const Found found = find(names);
    if (found.value == nullptr) return;
    const std::optional<std::int64_t> value = whole_number(*found.value, 3, Rounds::HalfUp);
    if (value && *value >= 0 && *value <= 1000)
        into = *value;
    else
        refuse(found, "a number from 0 to 1");
}

std::optional<std::string_view> ConfigReader::word(Names names) {
    const Found found = find(names);
    if (found.value == nullptr) return std::nullopt;
    if (found.value->kind == JsonKind::Text) return found.value->text;
    refuse(found, "a text");
    return std::nullopt;
}

void ConfigReader::refuse_word(Names names, std::string_view known) { refuse(find(names), known); }

std::vector<std::string_view> ConfigReader::words(Names names) {
    std::vector<std::string_view> out;
    const Found found = find(names);
    if (found.value == nullptr || found.value->kind != JsonKind::List) return out;
    for (const JsonValue& entry : JsonInside(*found.value)) {
        if (entry.kind != JsonKind::Text) {
            refuse({found.key, &entry}, "a list of texts");
            return {};
        }
        out.push_back(entry.text);
    }
    return out;
}

std::vector<std::int64_t> ConfigReader::sizes(Names names) {
    std::vector<std::int64_t> out;
    const Found found = find(names);
    if (found.value == nullptr || found.value->kind != JsonKind::List) return out;
    for (const JsonValue& entry : JsonInside(*found.value)) {
        const auto value = whole({found.key, &entry}, names, 0);
        if (!value) return {};
        out.push_back(*value);
    }
    return out;
}

void ConfigReader::size_or_sizes(Names names, std::int64_t& into, std::vector<std::int64_t>& list) {
    const Found found = find(names);
    if (found.value == nullptr) return;
    if (found.value->kind != JsonKind::List) return size(names, into);
    list = sizes(names);
    if (list.empty())
        refuse(found, "a whole number, or one for each layer");
    else
        into = list.front();
}

std::optional<ConfigReader> ConfigReader::object(std::string_view key) {
    const Found found = find(key);
    if (found.value == nullptr) return std::nullopt;
    if (found.value->kind == JsonKind::Object)
        return ConfigReader(*found.value, file_, path_.empty() ? std::string(key) : concat({path_, ".", key}));
    refuse(found, "an object");
    return std::nullopt;
}

std::string_view ConfigReader::class_name() {
    const std::vector<std::string_view> classes = words("architectures");
    return classes.empty() ? std::string_view() : classes.front();
}

std::int64_t ConfigReader::entries(std::string_view key) {
    const JsonValue* value = find(key).value;
    return value != nullptr ? value->count : 0;
}

}  // namespace memwall
