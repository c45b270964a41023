// Format: the only place a number becomes text.
//
// Integer arithmetic and no locale, so that native and WebAssembly print the same bytes. Rounding is
// half up. Below 100 of the unit two decimals, below 1000 one, above none: "14.96 GiB", "131.1 GiB"; what would be
// rounded to a whole larger unit is written in that.
// The unit is always written; GiB = 2^30, GB = 10^9.
#pragma once
#include <cstdint>
#include <string>

#include "base/units.hpp"

namespace memwall {

enum class Trust : std::uint8_t;  // catalogue/catalogue.hpp
enum class ByteUnits : std::uint8_t { Binary, Decimal };

// What sizes are written in where nobody says: a wish of who looks, and of no scenario. Binary until it is said.
void show_units(ByteUnits);
ByteUnits shown_units();
std::string text(Bytes, ByteUnits = shown_units());    // "14.96 GiB", "16.06 GB", "512 bytes"
std::string text(Count);                               // "8.03B", "124M", "1.07T", "512"
std::string text(Seconds);                             // "3.2 s", "14 ms", "2 h 05 min"
std::string grouped(std::int64_t value);               // "8,030,261,248"
std::string exact_bytes(Bytes);                        // "16,060,522,496 bytes"
std::string decimal(std::int64_t scaled, int digits);  // (1234, 3) -> "1.234"; trailing zeros stay
std::string permille(std::int64_t value);              // 62 -> "6.2 %"

// part of whole; whole 0 gives "0 %".
std::string percent(Bytes part, Bytes whole);
std::string multiple(Bytes of, Bytes unit);  // "8.3"
// For widths: between 0 and part/whole, 0 when whole is 0.
double fraction(Bytes part, Bytes whole);

// "79.18 GiB*" where the number is recalled, not read from a source; a note beside it says so.
std::string marked(std::string number, Trust);

std::string dollars(double amount);  // "$2.39", "$0.004"
std::string rounded(double value);   // three significant digits, grouped: "1,240", "0.52"

}  // namespace memwall
