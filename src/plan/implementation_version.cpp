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

bool keeps_inputs_of_4_bits(const Implementation& of) {
    const std::string_view version = of.version;
    constexpr std::string_view kName = "bitsandbytes 0.";
    constexpr int kFirstWithout = 43;  // of its releases .2 on
    const std::size_t named = version.find(kName);
    if (named == std::string_view::npos)
        return of.name == ImplementationName::Litgpt && (version.starts_with("2023") || version.starts_with("2024"));
    return leading_number(version.substr(named + kName.size())) < kFirstWithout;
}

int transformers_major(std::string_view version) {
    constexpr std::string_view kName = "transformers ";
    const std::size_t named = version.find(kName);
    if (named != std::string_view::npos) return leading_number(version.substr(named + kName.size()));
    return leading_number(version);
}

}  // namespace memwall
