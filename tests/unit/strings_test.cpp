#include "view/strings.hpp"

#include <catch_amalgamated.hpp>
#include <set>

using namespace memwall;

namespace {
constexpr int kTexts = static_cast<int>(Text::DescribeTimelineUnknown) + 1;
}

TEST_CASE("every string has words, and placeholders that count from zero without a gap", "[strings]") {
    for (int i = 0; i < kTexts; ++i) {
        const std::string_view words = string(static_cast<Text>(i));
        CAPTURE(i, words);
        CHECK_FALSE(words.empty());
        std::set<char> used;
        for (std::size_t at = 0; (at = words.find('{', at)) != std::string_view::npos; ++at)
            used.insert(words[at + 1]);
        char expected = '0';
        for (const char digit : used)
            CHECK(digit == expected++);
    }
}

TEST_CASE("placeholders are filled in any order and with anything", "[strings]") {
    CHECK(filled(Text::LiveFromUntil, {"forward", "backward"}) == "forward to backward");
    CHECK(filled(Text::LiveFromUntil, {"{1}", ""}) == "{1} to ");  // what is filled in is not filled again
}
