// The canvas as a module: bytes and events in, pixels and actions out. web/canvas.mjs is its caller.
//
// start() needs a current WebGL2 context. Bytes are messages (ui/message.hpp); everything else is numbers and names.
#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <utility>

#include "ui/app.hpp"
#include "ui/platform.hpp"

// In app_library.js.
extern "C" void forget_graphics();

namespace memwall {
namespace {

std::string regular, semibold;  // files of the fonts
std::unique_ptr<App> app;

std::string joined(int count, std::string_view (*key)(int)) {
    std::string out;
    for (int i = 0; i < count; ++i)
        out.append(key(i)).append(" ");
    out.pop_back();
    return out;
}
std::string word_keys() {
    return joined(kWords, [](int i) { return word_key(static_cast<Word>(i)); });
}
std::string colour_keys() {
    return joined(kInks, [](int i) { return ink_key(static_cast<Ink>(i)); });
}

void start(std::string regular_font, std::string semibold_font) {
    regular = std::move(regular_font);
    semibold = std::move(semibold_font);
    app = std::make_unique<App>(Fonts{regular, semibold});
}
void stop() { app.reset(); }
// After the browser took the context away and gave it back: everything on the GPU is made anew.
void restored() {
    forget_graphics();
    stop_renderer();
    start_renderer();
}

bool words(const std::string& message) { return app->words(message); }
bool colours(const std::string& message) { return app->colours(message); }
bool view(const std::string& message) { return app->view(message); }
bool inputs(const std::string& message) { return app->inputs(message); }
bool options(const std::string& message) { return app->options(message); }
bool panels(const std::string& message) { return app->panels(message); }
bool part(const std::string& message) { return app->part(message); }
bool alive(const std::string& message) { return app->alive(message); }
bool tensors(const std::string& message) { return app->tensors(message); }
bool reasons(const std::string& message) { return app->reasons(message); }

void resize(float width, float height, float density) { app->resize({width, height, density}); }
void scroll(float y) { app->scroll(y); }
void point(float x, float y) { app->point(x, y); }
void press(bool down) { app->press(down ? Button::Down : Button::Up); }
void wheel(float x, float y) { app->wheel(x, y); }
void key(const std::string& name, bool down) { app->key(name, down ? Button::Down : Button::Up); }
void modifiers(bool control, bool shift, bool alt) { app->modifiers({control, shift, alt}); }
void type(const std::string& text) { app->type(text); }
void leave() { app->leave(); }
void enter(bool last) { app->enter(last ? End::Last : End::First); }
bool is_at(bool last) { return app->is_at(last ? End::Last : End::First); }
bool takes_wheel() { return app->takes_wheel(); }
bool takes_keys() { return app->takes_keys(); }

bool frame(double seconds, bool shown) { return app->frame(seconds, shown ? Output::Screen : Output::Nothing); }
std::string actions() { return app->take_actions(); }
std::string copied() { return app->take_copied(); }
std::string cursor() { return std::string(app->cursor()); }
float content_height() { return app->content_height(); }
float wanted_scroll() { return app->wanted_scroll(); }

// Of the text field with the focus, as "x y width height"; width 0: none.
std::string caret() {
    const Box box = app->caret();
    std::string out;
    for (const float part : {box.x, box.y, box.width, box.height})
        out.append(out.empty() ? "" : " ").append(std::to_string(static_cast<int>(part)));
    return out;
}

std::string widgets() { return app->probe().widgets(); }
std::string overflows() { return app->probe().overflows(); }
std::string counts() {
    const FrameCounts counts = app->counts();
    return std::to_string(counts.frames) + " " + std::to_string(counts.vertices) + " " +
           std::to_string(counts.draw_calls);
}

}  // namespace
}  // namespace memwall

EMSCRIPTEN_BINDINGS(memwall_app) {
    using emscripten::function;
    function("word_keys", &memwall::word_keys);
    function("colour_keys", &memwall::colour_keys);
    function("start", &memwall::start);
    function("stop", &memwall::stop);
    function("restored", &memwall::restored);
    function("words", &memwall::words);
    function("colours", &memwall::colours);
    function("view", &memwall::view);
    function("inputs", &memwall::inputs);
    function("options", &memwall::options);
    function("panels", &memwall::panels);
    function("part", &memwall::part);
    function("alive", &memwall::alive);
    function("tensors", &memwall::tensors);
    function("reasons", &memwall::reasons);
    function("bind_picture", &memwall::bind_picture);
    function("resize", &memwall::resize);
    function("scroll", &memwall::scroll);
    function("point", &memwall::point);
    function("press", &memwall::press);
    function("wheel", &memwall::wheel);
    function("key", &memwall::key);
    function("modifiers", &memwall::modifiers);
    function("type", &memwall::type);
    function("leave", &memwall::leave);
    function("enter", &memwall::enter);
    function("is_at", &memwall::is_at);
    function("takes_wheel", &memwall::takes_wheel);
    function("takes_keys", &memwall::takes_keys);
    function("frame", &memwall::frame);
    function("actions", &memwall::actions);
    function("copied", &memwall::copied);
    function("cursor", &memwall::cursor);
    function("content_height", &memwall::content_height);
    function("wanted_scroll", &memwall::wanted_scroll);
    function("caret", &memwall::caret);
    function("widgets", &memwall::widgets);
    function("overflows", &memwall::overflows);
    function("counts", &memwall::counts);
}
