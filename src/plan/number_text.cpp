#include "plan/number_text.hpp"

#include <algorithm>
#include <span>

#include "base/nearest.hpp"

namespace memwall {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide kWideMax = ~Wide{0};

struct Suffix {
    std::string_view word;
    std::int64_t multiplier;
};
constexpr std::int64_t kKi = 1024, kMi = kKi * kKi, kGi = kKi * kMi, kTi = kKi * kGi;
constexpr std::int64_t kK = 1000, kM = kK * kK, kG = kK * kM, kT = kK * kG;
constexpr Suffix kPlain[] = {{"k", kK}, {"m", kM}, {"b", kG}, {"g", kG}, {"t", kT}};
constexpr Suffix kTokens[] = {{"k", kKi}, {"m", kMi}};
constexpr Suffix kBytes[] = {{"b", 1},   {"byte", 1},  {"kb", kK},   {"mb", kM},   {"gb", kG},
                             {"tb", kT}, {"kib", kKi}, {"mib", kMi}, {"gib", kGi}, {"tib", kTi}};
// Sizes as sold: nobody distinguishes GB and GiB there.
constexpr Suffix kAsSold[] = {{"g", 1}, {"gib", 1}};

std::span<const Suffix> suffixes(std::string_view unit) {
    if (unit == "tokens") return kTokens;
    if (unit == "bytes") return kBytes;
    if (unit == "GB") return kAsSold;
    return kPlain;
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view words) {
    while (!words.empty() && (words.front() == ' ' || words.front() == '\t'))
        words.remove_prefix(1);
    while (!words.empty() && (words.back() == ' ' || words.back() == '\t'))
        words.remove_suffix(1);
    return words;
}

// mantissa × 10^exponent, read from the front of `rest`.
struct Decimal {
    Wide mantissa = 0;
    int exponent = 0;
    int digits = 0;  // significant ones
};

// False when a comma does not stand before three digits, as in "1,5".
bool comma_groups(std::string_view whole) {
    const std::size_t first = whole.find(',');
    if (first == std::string_view::npos) return true;
    if (first == 0 || first > 3) return false;
    for (std::size_t i = first; i < whole.size(); i += 4)
        if (whole[i] != ',' || i + 3 >= whole.size() || !is_digit(whole[i + 1]) || !is_digit(whole[i + 2]) ||
            !is_digit(whole[i + 3]))
            return false;
    return true;
}

void append_digit(Decimal& d, char c) {
    d.mantissa = d.mantissa * 10 + static_cast<unsigned>(c - '0');
    if (d.mantissa != 0) ++d.digits;
}

bool read_exponent(std::string_view& rest, Decimal& d) {
    if (rest.size() < 2 || (rest[0] != 'e' && rest[0] != 'E')) return true;
    std::size_t i = 1;
    const bool negative = rest[i] == '-';
    if (rest[i] == '+' || rest[i] == '-') ++i;
    const std::size_t first = i;
    int exponent = 0;
    for (; i < rest.size() && is_digit(rest[i]); ++i)
        exponent = std::min(exponent * 10 + (rest[i] - '0'), 9999);
    if (i == first) return false;
    d.exponent += negative ? -exponent : exponent;
    rest.remove_prefix(i);
    return true;
}

constexpr int kMostDigits = 24;  // below 2^80, so that a multiplier of 2^40 still fits into 128 bits

NumberFault read_decimal(std::string_view& rest, Decimal& d) {
    std::size_t i = 0;
    while (i < rest.size() && (is_digit(rest[i]) || (i > 0 && (rest[i] == '_' || rest[i] == ','))))
        ++i;
    const std::string_view whole = rest.substr(0, i);
    if (!comma_groups(whole)) return NumberFault::NotANumber;
    bool any = false;
    for (const char c : whole) {
        if (!is_digit(c)) continue;
        any = true;
        append_digit(d, c);
        if (d.digits > kMostDigits) return NumberFault::TooLarge;
    }
    if (i < rest.size() && rest[i] == '.') {
        for (++i; i < rest.size() && is_digit(rest[i]); ++i) {
            any = true;
            if (d.digits >= kMostDigits) {
                if (rest[i] != '0') return NumberFault::Fractional;
                continue;
            }
            append_digit(d, rest[i]);
            --d.exponent;
        }
    }
    if (!any) return NumberFault::NotANumber;
    rest.remove_prefix(i);
    return read_exponent(rest, d) ? NumberFault::None : NumberFault::NotANumber;
}

enum class Remainder : std::uint8_t { Refuse, Cut };

NumberRead scaled(Decimal d, std::int64_t multiplier, std::int64_t scale, Remainder remainder) {
    if (d.mantissa == 0) return {};
    Wide value = d.mantissa;
    for (const std::int64_t factor : {multiplier, scale}) {
        if (value > kWideMax / static_cast<Wide>(factor)) return {.fault = NumberFault::TooLarge};
        value *= static_cast<Wide>(factor);
    }
    for (; d.exponent > 0; --d.exponent) {
        if (value > kWideMax / 10) return {.fault = NumberFault::TooLarge};
        value *= 10;
    }
    bool cut = false;
    for (; d.exponent < 0 && value != 0; ++d.exponent) {
        cut = cut || value % 10 != 0;
        value /= 10;
    }
    if (cut && remainder == Remainder::Refuse) return {.fault = NumberFault::Fractional};
    if (value > static_cast<Wide>(INT64_MAX)) return {.fault = NumberFault::TooLarge};
    return {.value = static_cast<std::int64_t>(value)};
}

bool is_unit(std::string_view suffix, std::string_view unit) {
    return !unit.empty() &&
           (same_word(suffix, unit) || (unit.back() == 's' && same_word(suffix, unit.substr(0, unit.size() - 1))));
}

bool is_not_finite(std::string_view words) {
    for (const std::string_view word : {"nan", "inf", "infinity"})
        if (same_word(words, word)) return true;
    return false;
}

}  // namespace

NumberRead number_from_text(std::string_view words, std::string_view unit, std::int64_t scale) {
    std::string_view rest = trimmed(words);
    constexpr std::string_view kMinusSign = "\u2212";
    const bool negative = rest.starts_with('-') || rest.starts_with(kMinusSign);
    if (negative) rest = trimmed(rest.substr(rest.front() == '-' ? 1 : kMinusSign.size()));
    if (is_not_finite(rest)) return {.fault = NumberFault::NotFinite};
    Decimal decimal;
    if (const NumberFault fault = read_decimal(rest, decimal); fault != NumberFault::None) return {.fault = fault};
    if (negative && decimal.mantissa != 0) return {.fault = NumberFault::Negative};
    const std::string_view suffix = trimmed(rest);
    if (suffix.empty() || is_unit(suffix, unit)) return scaled(decimal, 1, scale, Remainder::Refuse);
    if (suffix == "%" && scale > 1) {
        decimal.exponent -= 2;
        return scaled(decimal, 1, scale, Remainder::Refuse);
    }
    for (const Suffix& known : suffixes(unit))
        if (same_word(suffix, known.word))
            return scaled(decimal, known.multiplier, scale,
                          unit == "bytes" && known.multiplier > 1 ? Remainder::Cut : Remainder::Refuse);
    return {.fault = NumberFault::UnknownUnit};
}

std::string text_from_number(std::int64_t value, std::int64_t scale) {
    std::string out = std::to_string(value / scale);
    std::int64_t rest = value % scale;
    if (rest == 0) return out;
    out += '.';
    for (std::int64_t digit = scale / 10; rest != 0; digit /= 10) {
        out += static_cast<char>('0' + rest / digit);
        rest %= digit;
    }
    return out;
}

}  // namespace memwall
