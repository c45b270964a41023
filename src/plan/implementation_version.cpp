#include "plan/implementation_version.hpp"

namespace memwall {
namespace {

int leading_number(std::string_view text) {
    int number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || number > 999) break;
        number = number * 10 + (c - '0');
    }
    return number;
}

}  // namespace

int transformers_major(std::string_view version) {
    constexpr std::string_view kName = "transformers ";
    const std::size_t named = version.find(kName);
    if (named != std::string_view::npos) return leading_number(version.substr(named + kName.size()));
    return leading_number(version);
}

}  // namespace memwall
