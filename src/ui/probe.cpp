#include "ui/probe.hpp"

namespace memwall {

void Probe::widget(std::string_view name, Box box) {
    widgets_ += name;
    for (const float part : {box.x, box.y, box.width, box.height})
        widgets_.append("\t").append(std::to_string(static_cast<int>(part)));
    widgets_ += '\n';
}

void Probe::overflow(std::string_view text) { overflows_.append(text).append("\n"); }

}  // namespace memwall
