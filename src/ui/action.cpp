#include "ui/action.hpp"

#include <utility>

namespace memwall {

void Actions::add(std::string_view name, std::string_view first, std::string_view second) {
    for (const std::string_view part : {name, first, second}) {
        text_ += part;
        text_ += '\x1f';
    }
    text_ += '\x1e';
}

std::string Actions::take() { return std::exchange(text_, {}); }

}  // namespace memwall
