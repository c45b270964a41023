#include "view/format.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/concat.hpp"
#include "catalogue/catalogue.hpp"
#include "plan/number_text.hpp"

namespace memwall {
namespace {

struct Unit {
    std::int64_t size;
    std::string_view name;
};
// From a thousand GiB on still GiB, so that cards and needs stay comparable; TiB only far above.
constexpr std::array<Unit, 5> kBinary{
    {{1LL << 50, " PiB"}, {10LL << 40, " TiB"}, {1LL << 30, " GiB"}, {1LL << 20, " MiB"}, {1LL << 10, " KiB"}}};
constexpr std::array<Unit, 5> kDecimal{{{1'000'000'000'000'000, " PB"},
                                        {10'000'000'000'000, " TB"},
                                        {1'000'000'000, " GB"},
                                        {1'000'000, " MB"},
                                        {1'000, " KB"}}};
constexpr std::array<Unit, 4> kCounts{{{1'000'000'000'000, "T"}, {1'000'000'000, "B"}, {1'000'000, "M"}, {1'000, "K"}}};

ByteUnits g_units = ByteUnits::Binary;

// Whether a value is one of these units when it is written: the next smaller unit counts in `steps` there.
bool reaches(std::int64_t value, std::int64_t unit, std::int64_t smaller, std::int64_t steps) {
    return value >= unit - smaller / (2 * steps);
}

std::int64_t power_of_ten(int digits) {
    std::int64_t out = 1;
    for (int i = 0; i < digits; ++i)
        out *= 10;
    return out;
}

// value / unit in units of 10^-digits, half up. The remainder times 10^digits must stay below 2^63.
std::int64_t scaled(std::int64_t value, std::int64_t unit, int digits) {
    const std::int64_t scale = power_of_ten(digits);
    return value / unit * scale + (value % unit * scale + unit / 2) / unit;
}

// Two decimals below 100, one below 1000, none above; the rounded value decides, so "100.0", never "100.00".
std::string in_unit(std::int64_t value, std::int64_t unit) {
    if (const auto hundredths = scaled(value, unit, 2); hundredths < 100'00) return decimal(hundredths, 2);
    if (const auto tenths = scaled(value, unit, 1); tenths < 1000'0) return decimal(tenths, 1);
    return grouped(scaled(value, unit, 0));
}

// Part and whole small enough that part * 1000 fits, with the same ratio.
void shrink(std::int64_t& part, std::int64_t& whole) {
    while (part > (1LL << 52) || whole > (1LL << 52)) {
        part /= 2;
        whole /= 2;
    }
}

}  // namespace

void show_units(ByteUnits units) { g_units = units; }
ByteUnits shown_units() { return g_units; }

std::string grouped(std::int64_t value) { return with_commas(value); }

std::string decimal(std::int64_t scaled_value, int digits) {
    assert(scaled_value >= 0);
    const std::int64_t scale = power_of_ten(digits);
    std::string out = grouped(scaled_value / scale);
    if (digits == 0) return out;
    const std::string rest = std::to_string(scaled_value % scale);
    return concat({out, ".", std::string(static_cast<std::size_t>(digits) - rest.size(), '0'), rest});
}

std::string text(Bytes bytes, ByteUnits units) {
    assert(bytes.value >= 0);
    const bool binary = units == ByteUnits::Binary;
    const std::array<Unit, 5>& rows = binary ? kBinary : kDecimal;
    const auto tens = [](const Unit& row) { return row.name == " TiB" || row.name == " TB" ? 10 : 1; };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int64_t smaller = i + 1 < rows.size() ? rows[i + 1].size / tens(rows[i + 1]) : 1;
        if (!reaches(bytes.value, rows[i].size, smaller, binary || tens(rows[i]) > 1 ? 1 : 10)) continue;
        return in_unit(bytes.value, rows[i].size / tens(rows[i])).append(rows[i].name);
    }
    return grouped(bytes.value) + (bytes.value == 1 ? " byte" : " bytes");
}

std::string text(Count count) {
    assert(count.value >= 0);
    for (const Unit& row : kCounts) {
        if (!reaches(count.value, row.size, row.size / 1000, 1)) continue;
        // Three significant digits, as models are called: 8.03B, 124M, 70.6B.
        if (const auto hundredths = scaled(count.value, row.size, 2); hundredths < 10'00)
            return decimal(hundredths, 2).append(row.name);
        if (const auto tenths = scaled(count.value, row.size, 1); tenths < 100'0)
            return decimal(tenths, 1).append(row.name);
        return grouped(scaled(count.value, row.size, 0)).append(row.name);
    }
    return grouped(count.value);
}

std::string exact_bytes(Bytes bytes) { return grouped(bytes.value) + (bytes.value == 1 ? " byte" : " bytes"); }

std::string permille(std::int64_t value) { return concat({decimal(value, 1), " %"}); }

std::string percent(Bytes part, Bytes whole) {
    std::int64_t a = part.value, b = whole.value;
    shrink(a, b);
    if (b == 0) return "0 %";
    if (a > 0 && a * 1000 < b) return "< 0.1 %";
    if (const auto tenths = (a * 1000 + b / 2) / b; tenths < 100'0) return concat({decimal(tenths, 1), " %"});
    return concat({grouped((a * 100 + b / 2) / b), " %"});
}

std::string multiple(Bytes of, Bytes unit) {
    std::int64_t a = of.value, b = unit.value;
    shrink(a, b);
    if (b == 0) return "";
    if (const auto tenths = (a * 10 + b / 2) / b; tenths < 1000) return decimal(tenths, 1);
    return grouped((a + b / 2) / b);
}

double fraction(Bytes part, Bytes whole) { return whole.value == 0 ? 0.0 : part / whole; }

std::string rounded(double value) {
    assert(value >= 0);
    if (!(value < 1e15)) return "very many";
    int digits = 0;
    for (double seen = value; seen < 100 && seen > 0 && digits < 6; seen *= 10)
        ++digits;
    const double scale = static_cast<double>(power_of_ten(digits));
    std::int64_t whole = std::llround(value * scale);
    if (whole >= 1000 && digits > 0) {
        whole /= 10;  // 9.996 is 10.0
        --digits;
    }
    if (digits == 0) {  // three significant digits also above a thousand
        std::int64_t step = 1;
        while (whole / step >= 1000)
            step *= 10;
        whole = (whole + step / 2) / step * step;
    }
    return decimal(whole, digits);
}

std::string text(Seconds seconds) {
    const double s = seconds.value;
    constexpr double kRounds = 0.9995;  // to a thousand of the smaller unit
    if (s < kRounds * 1e-3) return concat({rounded(s * 1e6), " µs"});
    if (s < kRounds) return concat({rounded(s * 1e3), " ms"});
    if (s < 119.5) return concat({rounded(s), " s"});
    if (s < 119.5 * 60) return concat({rounded(s / 60), " min"});
    if (s < 172800) return concat({rounded(s / 3600), " h"});
    return concat({rounded(s / 86400), " days"});
}

std::string marked(std::string number, Trust trust) {
    return trust == Trust::Recalled ? std::move(number) + "*" : std::move(number);
}

std::string dollars(double amount) { return concat({"$", rounded(amount)}); }

}  // namespace memwall
