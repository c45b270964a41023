// What is embedded at build time (scripts/embed.py): the bytes of the two fonts.
#pragma once
#include <string_view>

namespace memwall {

std::string_view font_regular();
std::string_view font_semibold();

}  // namespace memwall
