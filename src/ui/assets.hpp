// What is embedded at build time for the tests (scripts/embed.py): the bytes of the two fonts, which a page fetches.
#pragma once
#include <string_view>

namespace memwall {

std::string_view font_regular();
std::string_view font_semibold();

}  // namespace memwall
