#include "ui/widgets.hpp"

#include <imgui_internal.h>
#include <algorithm>
#include <cstring>

namespace memwall {
namespace {

constexpr std::size_t kLongestText = 512;

class Named {
  public:
    explicit Named(std::string_view name) { ImGui::PushID(name.data(), name.data() + name.size()); }
    ~Named() { ImGui::PopID(); }
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;
};

// The widget drawn last is a stop for Tab, unless it was said not to be one.
void note_stop(UiState& state) {
    if ((ImGui::GetItemFlags() & ImGuiItemFlags_NoTabStop) != 0) return;
    state.last_stop = ImGui::GetItemID();
    if (state.first_stop == 0) state.first_stop = state.last_stop;
}

// Claims the arrow keys of a text field, so that they do not move the focus; what they mean, the caller knows.
int on_arrow(ImGuiInputTextCallbackData* data) {
    *static_cast<ImGuiKey*>(data->UserData) = data->EventKey;
    return 0;
}

}  // namespace

bool Widgets::press(std::string_view name, Box box) const {
    const Named scope(name);
    ImGui::SetCursorScreenPos(ImVec2(box.x, box.y));
    const bool pressed = ImGui::InvisibleButton("##press", ImVec2(box.width, box.height), ImGuiButtonFlags_EnableNav);
    note_stop(stage_.state);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    stage_.probe.widget(name, box);
    return pressed;
}

bool Widgets::press_and_hold_keys(std::string_view name, Box box) const {
    const bool pressed = press(name, box);
    if (pressed || ImGui::IsItemActivated()) ImGui::SetNavCursorVisible(true);
    return pressed;
}

bool Widgets::hovered() const { return ImGui::IsItemHovered(); }

bool Widgets::button(std::string_view name, float& x, float y, std::string_view text) const {
    const float height = stage_.room == Room::Phone ? 40.0f : 32.0f;
    const Box box{x, y, button_width(text), height};
    const bool pressed = press(name, box);
    const Ink ink = hovered() ? Ink::Accent : Ink::Ink;
    paint_.frame(box, hovered() ? Ink::Accent : Ink::Rule);
    paint_.at(x + 12, y + (height - kBody.leading) / 2, kBody, ink, text);
    x += box.width + 8;
    return pressed;
}

bool Widgets::link(std::string_view name, float x, float y, const TextStyle& style, std::string_view text) const {
    const Box box{x, y, paint_.width(style, text), style.leading};
    const bool pressed = press(name, box);
    paint_.at(x, y, style, Ink::Accent, text);
    const float base = y + style.leading - 3;
    paint_.list()->AddRectFilled(ImVec2(x, base), ImVec2(x + box.width, base + 1), paint_.colour(Ink::Accent));
    return pressed;
}

bool Widgets::wrapped_link(std::string_view name, Column& where, const TextStyle& style, std::string_view text) const {
    if (paint_.width(style, text) <= where.width) {
        const bool pressed = link(name, where.x, where.y, style, text);
        where.skip(style.leading);
        return pressed;
    }
    const bool pressed = press(name, {where.x, where.y, where.width, paint_.height(style, text, where.width)});
    paint_.paragraph(where, style, Ink::Accent, text);
    return pressed;
}

void Widgets::term(std::string_view about, Column& where, const TextStyle& style, Ink ink,
                   std::string_view text) const {
    const float wide = std::min(paint_.width(style, text), where.width);
    const Box box{where.x, where.y, wide, paint_.height(style, text, where.width)};
    if (press(std::string("learn:").append(about), box)) stage_.actions.add("learn", about);
    paint_.paragraph(where, style, hovered() ? Ink::Accent : ink, text);
}

bool Widgets::segments(std::string_view name, Box box, const std::vector<std::string>& labels, int& chosen) const {
    float texts = 0;
    for (const std::string& label : labels)
        texts += paint_.width(kSmallBold, label);
    const float padding = (box.width - texts) / static_cast<float>(labels.size());
    if (padding < 8) stage_.probe.overflow(name);
    paint_.fill(box, Ink::Panel, 4);
    float x = box.x;
    int pressed = -1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool on = chosen == static_cast<int>(i);
        const TextStyle& style = on ? kSmallBold : kSmall;
        const Box part{x, box.y, paint_.width(kSmallBold, labels[i]) + padding, box.height};
        if (on) {
            paint_.fill(part, Ink::Raised, 4);
            paint_.fill({part.x, part.y + part.height - 2, part.width, 2}, Ink::Accent);
        }
        if (press(std::string(name).append(":").append(labels[i]), part) && !on) pressed = static_cast<int>(i);
        const float left = (part.width - paint_.width(style, labels[i])) / 2;
        const Ink ink = hovered() ? Ink::Accent : on ? Ink::Ink : Ink::Quiet;
        paint_.at(x + left, box.y + (box.height - kSmall.leading) / 2, style, ink, labels[i]);
        if (i > 0) paint_.fill({x, box.y, 1, box.height}, Ink::Rule);
        x += part.width;
    }
    paint_.frame(box, Ink::Rule);
    if (pressed >= 0) chosen = pressed;
    return pressed >= 0;
}

bool Widgets::select(std::string_view name, Box box, const std::vector<std::string>& labels, int& chosen,
                     Ink edge) const {
    const Named scope(name);
    const float line = Theme::font_size(kBody.size);
    ImGui::SetCursorScreenPos(ImVec2(box.x, box.y));
    ImGui::SetNextItemWidth(box.width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10, (box.height - line) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(4, 4));
    const auto index = static_cast<std::size_t>(chosen);
    const char* shown = chosen >= 0 && index < labels.size() ? labels[index].c_str() : "";
    bool changed = false;
    stage_.probe.widget(name, box);
    if (paint_.width(kBody, shown) > box.width - 44) stage_.probe.overflow(shown);
    ImGui::PushStyleColor(ImGuiCol_Border, paint_.colour(edge));
    const bool open = ImGui::BeginCombo("##select", shown, ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge);
    ImGui::PopStyleColor();
    if (!open) note_stop(stage_.state);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    paint_.chevron(box.x + box.width - 16, box.y + box.height / 2, Ink::Quiet, open);
    if (open) {
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const Named item(labels[i]);
            if (ImGui::Selectable(labels[i].c_str(), i == index, 0, ImVec2(0, control_height() - 8))) {
                changed = i != index;
                chosen = static_cast<int>(i);
            }
            const ImVec2 top = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
            stage_.probe.widget(std::string(name).append(":").append(labels[i]),
                                {top.x, top.y, end.x - top.x, end.y - top.y});
            if (i == index) ImGui::SetItemDefaultFocus();
        }
        ImGui::EndCombo();
    }
    ImGui::PopStyleVar(2);
    return changed;
}

Widgets::Typed Widgets::text_field(std::string_view name, Box box, std::string& text, FieldStyle style) const {
    const Named scope(name);
    char buffer[kLongestText];
    const std::size_t size = text.size() < kLongestText ? text.size() : kLongestText - 1;
    std::memcpy(buffer, text.data(), size);
    buffer[size] = 0;
    paint_.fill(box, Ink::Raised, 4);
    const Box inner{box.x, box.y, box.width - style.reserved, box.height};
    const float line = Theme::font_size(kBody.size);
    // ImGui's own fields start at the left.
    const float spare = (inner.width - 20 - paint_.width(kBody, {buffer, size})) / 2;
    const float left = style.align == Align::Centre && spare > 0 ? spare : 0;
    ImGui::SetCursorScreenPos(ImVec2(inner.x, inner.y));
    ImGui::SetNextItemWidth(inner.width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10 + left, (inner.height - line) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
    ImGuiKey arrow = ImGuiKey_None;
    Typed typed;
    typed.edited =
        ImGui::InputText("##text", buffer, kLongestText,
                         ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackHistory, on_arrow, &arrow);
    note_stop(stage_.state);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
    typed.active = ImGui::IsItemActive();
    typed.left = ImGui::IsItemDeactivated();
    typed.entered = typed.left && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
    typed.up = arrow == ImGuiKey_UpArrow;
    typed.down = arrow == ImGuiKey_DownArrow;
    if (typed.active) stage_.state.caret = inner;
    paint_.frame(box, typed.active ? Ink::Accent : style.edge);
    if (typed.edited) text = buffer;
    stage_.probe.widget(name, inner);
    return typed;
}

}  // namespace memwall
