// App: one instrument on one canvas. Messages come in, frames are drawn, actions go out.
//
//     App app(fonts);  app.words(...); app.colours(...); app.show(view); app.resize(...);
//     while (app.frame(seconds)) ...   // draws; true: something still moves, draw again
//
// The page scrolls, not the canvas: the canvas is as high as what is visible, `content_height` says how high all
// of it is, and `scroll` where the page stands. Where the focus moves out of sight, `wanted_scroll` says where the
// page should be. There is one App per module instance; several instances share the compiled module.
#pragma once
#include <string>
#include <string_view>

#include "ui/stage.hpp"

struct ImGuiContext;

namespace memwall {

struct Screen {
    float width = 0, height = 0;  // CSS pixels
    float density = 1;            // device pixels of one of them
};
enum class Button : std::uint8_t { Up, Down };
// Nothing: the frame only takes events in, as between two keys; it is not put on the screen.
enum class Output : std::uint8_t { Screen, Nothing };
enum class End : std::uint8_t { First, Last };
struct Modifiers {
    bool control = false, shift = false, alt = false;
};
struct FrameCounts {
    int frames = 0, vertices = 0, draw_calls = 0;
};

class App {
  public:
    explicit App(const Fonts&);
    ~App();
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    // Messages (ui/message.hpp); false: not understood, and nothing changed.
    bool words(std::string_view message);
    bool colours(std::string_view message);
    bool view(std::string_view message);
    bool inputs(std::string_view message);
    bool options(std::string_view message);
    bool panels(std::string_view message);
    bool part(std::string_view message);
    bool alive(std::string_view message);
    bool reasons(std::string_view message);
    bool tensors(std::string_view message);

    void resize(Screen);
    void scroll(float y) { scroll_ = y; }
    // What people do (ui/app_input.cpp); y counts from the canvas's top. `key` is the DOM's name of a key.
    void point(float x, float y);
    void press(Button);
    void wheel(float x, float y);
    void key(std::string_view key, Button);
    void modifiers(Modifiers);
    void type(std::string_view text);
    // The canvas is left: nothing is hovered, focused or pressed any more.
    void leave();
    // Entered by Tab: the focus goes to the first or the last widget. False: there is none.
    void enter(End);
    // Tab would leave the canvas at this end now.
    bool is_at(End) const;

    bool frame(double seconds, Output = Output::Screen);

    std::string take_actions() { return actions_.take(); }
    float content_height() const { return content_height_; }
    float wanted_scroll() const { return wanted_scroll_; }  // -1: none
    Box caret() const { return state_.caret; }
    // The name of CSS's cursor for what is under the pointer.
    std::string_view cursor() const;
    // What was copied or cut since the last call.
    std::string take_copied();
    // Whether something under the pointer can be scrolled by the wheel itself.
    bool takes_wheel() const;
    // Whether a widget has the focus, so that keys are its own and not the page's.
    bool takes_keys() const;
    const Probe& probe() const { return probe_; }
    FrameCounts counts() const { return counts_; }

  private:
    void draw();
    void draw_wide(Stage&);
    void draw_narrow(Stage&);
    void begin_pane(const char* name, float left, float width);
    // Returns how high the content is that ends at `bottom`.
    float end_pane(float bottom);

    ImGuiContext* context_;
    Theme theme_;
    Words words_;
    ViewModel view_;
    Inputs inputs_;
    Options options_;
    Panels panels_;
    Part part_;
    Alive alive_;
    Reasons reasons_;
    std::vector<RowTensors> tensors_;
    UiState state_;
    Actions actions_;
    Probe probe_;
    Screen screen_;
    FrameCounts counts_;
    float scroll_ = 0, content_height_ = 0, wanted_scroll_ = -1;
    float previous_height_ = 0;
    std::string copied_;
};

}  // namespace memwall
