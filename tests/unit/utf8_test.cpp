// Bytes from outside, made fit for JSON and sentences.
#include "base/utf8.hpp"

#include <catch_amalgamated.hpp>

using namespace memwall;

TEST_CASE("valid characters of every length are kept", "[utf8]") {
    constexpr std::string_view kText = "a \u00e9 \u20ac \U0001f600";
    CHECK(is_utf8(kText));
    CHECK(valid_utf8(kText) == kText);
    CHECK(is_utf8(""));
}

TEST_CASE("bytes that are no character become the replacement character", "[utf8]") {
    // Lone continuation, cut character, overlong slash, surrogate, beyond U+10FFFF (RFC 3629, section 3).
    for (const std::string_view text : {"\x80", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
        CHECK_FALSE(is_utf8(text));
        CHECK(is_utf8(valid_utf8(text)));
    }
    CHECK(valid_utf8("a\xff"
                     "b") == "a\ufffdb");
}

TEST_CASE("an excerpt counts characters and shows no control character", "[utf8]") {
    CHECK(excerpt("abc", 3) == "abc");
    CHECK(excerpt("abcd", 3) == "abc...");
    CHECK(excerpt("\u20ac\u20ac\u20ac", 2) == "\u20ac\u20ac...");
    CHECK(excerpt("a\nb\x1b", 10) == "a\ufffdb\ufffd");
}
