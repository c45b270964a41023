// What people do to the canvas, as Dear ImGui's events.
#include <imgui_internal.h>
#include <utility>

#include "ui/app.hpp"

namespace memwall {
namespace {

struct KeyRow {
    std::string_view name;  // KeyboardEvent.key
    ImGuiKey key;
};
constexpr KeyRow kKeys[] = {{"Tab", ImGuiKey_Tab},
                            {"ArrowLeft", ImGuiKey_LeftArrow},
                            {"ArrowRight", ImGuiKey_RightArrow},
                            {"ArrowUp", ImGuiKey_UpArrow},
                            {"ArrowDown", ImGuiKey_DownArrow},
                            {"Home", ImGuiKey_Home},
                            {"End", ImGuiKey_End},
                            {"Delete", ImGuiKey_Delete},
                            {"Backspace", ImGuiKey_Backspace},
                            {" ", ImGuiKey_Space},
                            {"Enter", ImGuiKey_Enter},
                            {"Escape", ImGuiKey_Escape},
                            {"a", ImGuiKey_A},
                            {"c", ImGuiKey_C},
                            {"x", ImGuiKey_X},
                            {"y", ImGuiKey_Y},
                            {"z", ImGuiKey_Z}};

constexpr std::string_view kCursors[] = {"default",     "text",    "move", "ns-resize", "ew-resize",  "nesw-resize",
                                         "nwse-resize", "pointer", "wait", "progress",  "not-allowed"};
static_assert(std::size(kCursors) == ImGuiMouseCursor_COUNT);

}  // namespace

void App::point(float x, float y) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().AddMousePosEvent(x, y);
}

void App::press(Button button) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, button == Button::Down);
}

void App::wheel(float x, float y) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().AddMouseWheelEvent(x, y);
}

void App::key(std::string_view name, Button button) {
    ImGui::SetCurrentContext(context_);
    for (const KeyRow& row : kKeys)
        if (row.name == name) ImGui::GetIO().AddKeyEvent(row.key, button == Button::Down);
}

void App::modifiers(Modifiers held) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, held.control);
    io.AddKeyEvent(ImGuiMod_Shift, held.shift);
    io.AddKeyEvent(ImGuiMod_Alt, held.alt);
}

void App::type(std::string_view text) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
}

void App::leave() {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().AddFocusEvent(false);
    ImGui::GetIO().AddFocusEvent(true);
    ImGui::ClearActiveID();
    ImGui::SetNavCursorVisible(false);
    context_->NavId = 0;
    state_.list_open = false;
    state_.editing.clear();
}

void App::enter(End end) {
    ImGui::SetCurrentContext(context_);
    ImGui::SetWindowFocus("page");
    context_->NavId = 0;
    ImGuiIO& io = ImGui::GetIO();
    if (end == End::Last) io.AddKeyEvent(ImGuiMod_Shift, true);
    io.AddKeyEvent(ImGuiKey_Tab, true);
    io.AddKeyEvent(ImGuiKey_Tab, false);
    if (end == End::Last) io.AddKeyEvent(ImGuiMod_Shift, false);
}

bool App::is_at(End end) const {
    const ImGuiID now = context_->ActiveId != 0 ? context_->ActiveId : context_->NavId;
    return now != 0 && now == (end == End::First ? state_.first_stop : state_.last_stop);
}

bool App::takes_wheel() const {
    const ImGuiWindow* window = context_->HoveredWindow;
    return window != nullptr && window->ScrollMax.y > 0 && (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) == 0;
}

bool App::takes_keys() const { return context_->ActiveId != 0 || (context_->NavId != 0 && context_->NavCursorVisible); }

std::string_view App::cursor() const {
    const int cursor = context_->MouseCursor;
    return cursor >= 0 && cursor < ImGuiMouseCursor_COUNT ? kCursors[cursor] : kCursors[0];
}

std::string App::take_copied() { return std::exchange(copied_, {}); }

}  // namespace memwall
