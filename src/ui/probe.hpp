// Probe: what tests ask a drawn frame: where its widgets are, and which texts had too little room.
#pragma once
#include <string>
#include <string_view>

namespace memwall {

struct Box {
    float x = 0, y = 0, width = 0, height = 0;
};

class Probe {
  public:
    void clear() {
        widgets_.clear();
        overflows_.clear();
    }
    // One widget a line: name, x, y, width, height, separated by tabs; CSS pixels of the canvas.
    void widget(std::string_view name, Box box);
    void overflow(std::string_view text);
    const std::string& widgets() const { return widgets_; }
    const std::string& overflows() const { return overflows_; }

  private:
    std::string widgets_, overflows_;
};

}  // namespace memwall
