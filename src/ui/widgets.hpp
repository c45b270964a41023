// Widgets: what can be pressed and typed into. Each says to the probe where it is, takes the focus by Tab, and
// shows a ring when it has it.
#pragma once
#include <string_view>

#include "ui/paint.hpp"

namespace memwall {

constexpr float kControlHeight = 36, kTouchHeight = 44;

class Widgets {
  public:
    explicit Widgets(Stage& stage) : stage_(stage), paint_(stage) {}

    // A place that can be pressed, drawn by the caller. `name` is its identity and what tests know it by.
    bool press(std::string_view name, Box box) const;
    // The same of what arrow keys move in: pressed, it takes the keys, and shows that it has them.
    bool press_and_hold_keys(std::string_view name, Box box) const;
    // The thing drawn last is under the pointer.
    bool hovered() const;

    // A framed button of its text's width; `where` moves right, past it.
    bool button(std::string_view name, float& x, float y, std::string_view text) const;
    float button_width(std::string_view text) const { return paint_.width(kBody, text) + 24; }
    // Accented, underlined text.
    bool link(std::string_view name, float x, float y, const TextStyle&, std::string_view text) const;
    // The same in as many lines as it takes, then without the underline; `where` moves below it.
    bool wrapped_link(std::string_view name, Column& where, const TextStyle&, std::string_view text) const;

    // A term that the page explains: its text leads where the page's own link of that term does.
    void term(std::string_view about, Column& where, const TextStyle&, Ink, std::string_view text) const;

    // Choices side by side; true when another one was chosen, whose index is in `chosen`.
    bool segments(std::string_view name, Box box, const std::vector<std::string>& labels, int& chosen) const;
    // Choices in a list that opens.
    bool select(std::string_view name, Box box, const std::vector<std::string>& labels, int& chosen, Ink edge) const;

    struct Typed {
        bool edited = false;  // the text is another one now
        bool active = false;  // it has the focus
        bool entered = false, left = false;
        bool up = false, down = false;  // arrow keys
    };
    // One line of text in a frame, whose last `reserved` pixels are the caller's.
    struct FieldStyle {
        Ink edge = Ink::Rule;
        Align align = Align::Left;
        float reserved = 0;
    };
    Typed text_field(std::string_view name, Box box, std::string& text, FieldStyle style) const;

    float control_height() const { return stage_.room == Room::Phone ? kTouchHeight : kControlHeight; }
    const Paint& paint() const { return paint_; }

  private:
    Stage& stage_;
    Paint paint_;
};

}  // namespace memwall
