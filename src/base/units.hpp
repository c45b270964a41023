// Quantities: numbers that know what they count.
//
// Only meaningful operations exist: Bytes + Bytes, Bytes * number, Bytes / Bytes (a ratio),
// Bytes / BytesPerSecond (a time). Bytes + Count does not compile (tests/compile_fail holds that).
// Whole quantities are 64-bit on every platform: size_t has 32 bits on wasm32, a 7B model does not fit.
// Products that may leave 63 bits go through base/checked.hpp; field limits keep the rest below 2^63.
#pragma once
#include <cstdint>

namespace memwall {

template <class Tag, class Rep>
struct Quantity {
    using rep = Rep;
    Rep value{};

    constexpr Quantity() = default;
    explicit constexpr Quantity(Rep v) : value(v) {}

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
    friend constexpr Quantity operator*(Quantity a, Rep k) { return Quantity(a.value * k); }
    friend constexpr Quantity operator*(Rep k, Quantity a) { return Quantity(k * a.value); }
    friend constexpr double operator/(Quantity a, Quantity b) {
        return static_cast<double>(a.value) / static_cast<double>(b.value);
    }
    constexpr Quantity& operator+=(Quantity b) {
        value += b.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity b) {
        value -= b.value;
        return *this;
    }
    friend constexpr bool operator==(Quantity a, Quantity b) { return a.value == b.value; }
    friend constexpr auto operator<=>(Quantity a, Quantity b) { return a.value <=> b.value; }
};

using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Bits = Quantity<struct BitsTag, std::int64_t>;
using Count = Quantity<struct CountTag, std::int64_t>;  // parameters, tokens, elements
using Flops = Quantity<struct FlopsTag, double>;
using Seconds = Quantity<struct SecondsTag, double>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag, double>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;

static_assert(sizeof(Bytes) == 8 && sizeof(Count) == 8);

constexpr Seconds operator/(Flops work, FlopsPerSecond rate) { return Seconds(work.value / rate.value); }
constexpr Seconds operator/(Bytes size, BytesPerSecond rate) {
    return Seconds(static_cast<double>(size.value) / rate.value);
}

constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n)); }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 20); }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 30); }
constexpr Bytes operator""_GB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) * 1'000'000'000); }

}  // namespace memwall
