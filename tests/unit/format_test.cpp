#include "view/format.hpp"

#include <catch_amalgamated.hpp>

#include "catalogue/catalogue.hpp"

using namespace memwall;

TEST_CASE("bytes are written with their unit and at most three decimals' worth of digits", "[format]") {
    CHECK(text(Bytes(0)) == "0 bytes");
    CHECK(text(Bytes(1)) == "1 byte");
    CHECK(text(1023_B) == "1,023 bytes");
    CHECK(text(1024_B) == "1.00 KiB");
    CHECK(text(1_MiB) == "1.00 MiB");
    CHECK(text(Bytes(16'060'522'496)) == "14.96 GiB");
    CHECK(text(Bytes(16'060'522'496), ByteUnits::Decimal) == "16.06 GB");
    CHECK(text(131_GiB) == "131.0 GiB");
    CHECK(text(1024_GiB) == "1,024 GiB");
    CHECK(text(10240_GiB) == "10.00 TiB");
    CHECK(text(20480_GiB) == "20.00 TiB");
}

TEST_CASE("who wishes decimal units gets them everywhere where none is asked for", "[format]") {
    show_units(ByteUnits::Decimal);
    CHECK(text(Bytes(16'060'522'496)) == "16.06 GB");
    CHECK(text(Bytes(16'060'522'496), ByteUnits::Binary) == "14.96 GiB");
    show_units(ByteUnits::Binary);
    CHECK(text(Bytes(16'060'522'496)) == "14.96 GiB");
}

TEST_CASE("rounding is half up and never prints a hundred with two decimals", "[format]") {
    CHECK(text(Bytes((100LL << 30) - 1)) == "100.0 GiB");
    CHECK(text(Bytes((1LL << 30) + (1LL << 30) / 200)) == "1.00 GiB");  // 1.005 GiB, one byte short of the half
    CHECK(text(Bytes((1LL << 30) + (1LL << 30) / 200 + 1)) == "1.01 GiB");
    CHECK(text(Bytes(INT64_MAX)) == "8,192 PiB");
}

// An interval once read "(1,024 MiB to 1.00 GiB)".
TEST_CASE("what rounds to a whole larger unit is written in that", "[format]") {
    CHECK(text(1_GiB - 1_B) == "1.00 GiB");
    CHECK(text(1023_MiB + Bytes(511 << 10)) == "1,023 MiB");
    CHECK(text(1023_MiB + Bytes(512 << 10)) == "1.00 GiB");
    CHECK(text(1_MiB - 1_B) == "1.00 MiB");
    CHECK(text(10240_GiB - 1_B) == "10.00 TiB");
    CHECK(text(Bytes((1LL << 50) - 1)) == "1.00 PiB");
    CHECK(text(Bytes(999'999'999), ByteUnits::Decimal) == "1.00 GB");
    CHECK(text(Bytes(999'940'000), ByteUnits::Decimal) == "999.9 MB");
    CHECK(text(Bytes(9'999'999'999'999), ByteUnits::Decimal) == "10.00 TB");
    CHECK(text(Count(999'600'000)) == "1.00B");
    CHECK(text(Count(999'499'999)) == "999M");
    CHECK(text(Seconds(0.00099999)) == "1.00 ms");
    CHECK(text(Seconds(0.9999)) == "1.00 s");
    CHECK(text(Seconds(119.9)) == "2.00 min");
    CHECK(rounded(9.996) == "10.0");
    // No unit is written with a number that is a whole larger one, wherever the border is crossed.
    for (const std::int64_t border : {1LL << 20, 1LL << 30, 10LL << 40, 1LL << 50})
        for (std::int64_t below = 1; below < border / 1000; below *= 2) {
            const std::string shown = text(Bytes(border - below));
            INFO(shown);
            CHECK(shown.find("1,024 ") == std::string::npos);
            CHECK(shown.find("10,240 ") == std::string::npos);
        }
}

TEST_CASE("a recalled number is marked", "[format]") {
    CHECK(marked("79.18 GiB", Trust::Recalled) == "79.18 GiB*");
    CHECK(marked("79.18 GiB", Trust::Published) == "79.18 GiB");
}

TEST_CASE("counts read as models are called", "[format]") {
    CHECK(text(Count(8'030'261'248)) == "8.03B");
    CHECK(text(Count(124'439'808)) == "124M");
    CHECK(text(Count(70'553'706'496)) == "70.6B");
    CHECK(text(Count(1'000'000'000'000)) == "1.00T");
    CHECK(text(Count(999)) == "999");
    CHECK(text(Count(9'996'000'000)) == "10.0B");  // 9.996 rounds to two digits before the point
}

TEST_CASE("long numbers are grouped by three", "[format]") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(-1234567) == "-1,234,567");
    CHECK(exact_bytes(Bytes(16'060'522'496)) == "16,060,522,496 bytes");
}

TEST_CASE("shares and multiples survive huge numbers and an empty whole", "[format]") {
    CHECK(percent(Bytes(1), Bytes(3)) == "33.3 %");
    CHECK(percent(Bytes(3), Bytes(3)) == "100 %");
    CHECK(percent(Bytes(1), Bytes(100'000)) == "< 0.1 %");
    CHECK(percent(Bytes(0), Bytes(3)) == "0.0 %");
    CHECK(percent(Bytes(0), Bytes(0)) == "0 %");
    CHECK(percent(Bytes(INT64_MAX / 2), Bytes(INT64_MAX)) == "50.0 %");
    CHECK(multiple(Bytes(83), Bytes(10)) == "8.3");
    CHECK(multiple(Bytes(INT64_MAX), Bytes(1LL << 40)) == "8,388,608");
    CHECK(multiple(Bytes(1), Bytes(0)).empty());
    CHECK(fraction(Bytes(1), Bytes(0)) == 0.0);
}

TEST_CASE("times and rates keep three significant digits", "[format]") {
    CHECK(text(Seconds(0.0000005)) == "0.500 µs");
    CHECK(text(Seconds(0.0143)) == "14.3 ms");
    CHECK(text(Seconds(3.204)) == "3.20 s");
    CHECK(text(Seconds(3600)) == "60.0 min");
    CHECK(text(Seconds(1e6)) == "11.6 days");
    CHECK(rounded(12'345) == "12,300");
    CHECK(rounded(0) == "0");
    CHECK(dollars(2.394) == "$2.39");
}
