#include "ui/stage.hpp"

#include <algorithm>

namespace memwall {

bool Stage::is_open(std::string_view key) const {
    return std::find(state.open.begin(), state.open.end(), key) != state.open.end();
}

void Stage::toggle(std::string_view key) {
    const auto found = std::find(state.open.begin(), state.open.end(), key);
    if (found == state.open.end())
        state.open.emplace_back(key);
    else
        state.open.erase(found);
}

void Stage::go(std::string_view field) {
    for (const InputSection& section : inputs.sections)
        for (const FieldInput& each : section.fields)
            if (each.key == field && section.foldable && !is_open("section:" + section.key))
                toggle("section:" + section.key);
    state.wanted = field;
}

}  // namespace memwall
