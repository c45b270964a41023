// Paint: text and lines at exact places, in CSS pixels of the canvas.
//
// A Column is where the next thing goes: views draw at its top and move it down. Text is drawn on its leading;
// a line that does not fit into its room is reported to the probe, never cut off.
#pragma once
#include <imgui.h>
#include <string_view>

#include "ui/stage.hpp"

namespace memwall {

struct Column {
    float x, y, width;

    void skip(float height) { y += height; }
    float right() const { return x + width; }
    // The part from `from` on, `width` wide, at the same height.
    Column part(float from, float part_width) const { return {x + from, y, part_width}; }
};

enum class Align : std::uint8_t { Left, Centre, Right };

class Paint {
  public:
    explicit Paint(Stage& stage) : stage_(stage), list_(ImGui::GetWindowDrawList()) {}

    float width(const TextStyle&, std::string_view text) const;
    // Height of the text in lines of at most `width`.
    float height(const TextStyle&, std::string_view text, float width) const;

    // One line in `where.width`, which moves down by its leading.
    void line(Column& where, const TextStyle&, Ink, std::string_view text, Align = Align::Left) const;
    // The same without moving.
    void at(float x, float y, const TextStyle&, Ink, std::string_view text) const;
    // As many lines as it takes.
    void paragraph(Column& where, const TextStyle&, Ink, std::string_view text) const;

    void rule(float x, float y, float width) const;
    void fill(Box, Ink, float rounding = 0) const;
    void veil(Box, Ink, float opacity) const;
    void frame(Box, Ink, float rounding = 4) const;
    // The sign of a verdict: tick, cross, triangle, dash; told apart by shape, not only by colour.
    void mark(float x, float y, float size, std::string_view role) const;
    // A small angle that points down, or up.
    void chevron(float x, float y, Ink, bool up) const;
    void dashed(float x, float top, float bottom, Ink) const;

    ImDrawList* list() const { return list_; }
    std::uint32_t colour(Ink id) const { return stage_.theme[id]; }

  private:
    Stage& stage_;
    ImDrawList* list_;
};

}  // namespace memwall
