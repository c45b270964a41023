#include "ui/theme.hpp"

#include <imgui.h>
#include <array>

namespace memwall {
namespace {

constexpr std::array<std::string_view, kInks> kKeys{"ground",
                                                    "panel",
                                                    "raised",
                                                    "ink",
                                                    "quiet",
                                                    "rule",
                                                    "edge",
                                                    "accent",
                                                    "accent-ink",
                                                    "accent-wash",
                                                    "good",
                                                    "warning",
                                                    "bad",
                                                    "neutral",
                                                    "good-wash",
                                                    "warning-wash",
                                                    "bad-wash",
                                                    "neutral-wash",
                                                    "track",
                                                    "weights",
                                                    "gradients",
                                                    "master_weights",
                                                    "optimizer_state",
                                                    "activations",
                                                    "logits",
                                                    "weight_casts",
                                                    "kv_cache",
                                                    "inputs",
                                                    "buffers",
                                                    "temporaries",
                                                    "communication",
                                                    "allocator_slack",
                                                    "framework",
                                                    "in_use_by_others"};

Ink find(std::string_view key, Ink first, Ink otherwise) {
    for (auto i = static_cast<std::size_t>(first); i < kKeys.size(); ++i)
        if (kKeys[i] == key) return static_cast<Ink>(i);
    return otherwise;
}

ImFont* add_font(std::string_view data) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    // ImGui takes data that it never writes to as void*.
    void* bytes = const_cast<char*>(data.data());
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), 0, &config);
}

}  // namespace

std::string_view ink_key(Ink id) { return kKeys[static_cast<std::size_t>(id)]; }
Ink category_ink(std::string_view category) { return find(category, Ink::Weights, Ink::Neutral); }
Ink role_ink(std::string_view role) {
    const Ink found = find(role, Ink::Good, Ink::Neutral);
    return found < Ink::GoodWash ? found : Ink::Neutral;
}
Ink role_wash(std::string_view role) {
    // The washes stand in the order of the roles.
    const int wash = static_cast<int>(role_ink(role)) - static_cast<int>(Ink::Good) + static_cast<int>(Ink::GoodWash);
    return static_cast<Ink>(wash);
}
static_assert(static_cast<int>(Ink::Neutral) - static_cast<int>(Ink::Good) ==
              static_cast<int>(Ink::NeutralWash) - static_cast<int>(Ink::GoodWash));

void Theme::start(const Fonts& fonts) {
    regular_ = add_font(fonts.regular);
    semibold_ = add_font(fonts.semibold);
    ImGuiStyle& style = ImGui::GetStyle();
    style.FontSizeBase = font_size(kBody.size);
    style.WindowPadding = style.FramePadding = style.ItemSpacing = style.ItemInnerSpacing = ImVec2(0, 0);
    style.WindowBorderSize = style.ChildBorderSize = 0;
    style.PopupBorderSize = style.FrameBorderSize = 1;
    style.FrameRounding = style.PopupRounding = 4;
    style.ScrollbarSize = 8;
    style.ScrollbarRounding = 4;
    style.WindowMinSize = ImVec2(1, 1);
    style.SelectableTextAlign = ImVec2(0, 0.5f);
    style.DisabledAlpha = 0.5f;
    apply();
}

bool Theme::set(const std::vector<std::uint32_t>& colours) {
    if (colours.size() != kInks) return false;
    for (std::size_t i = 0; i < colours.size(); ++i) {
        const std::uint32_t rgb = colours[i];
        colours_[i] = IM_COL32((rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, 255);
    }
    apply();
    return true;
}

std::uint32_t Theme::faint(Ink id, float opacity) const {
    return ((*this)[id] & ~IM_COL32_A_MASK) | (static_cast<std::uint32_t>(opacity * 255) << IM_COL32_A_SHIFT);
}

void Theme::apply() const {
    struct Row {
        ImGuiCol where;
        Ink colour;
    };
    constexpr Row kRows[] = {{ImGuiCol_Text, Ink::Ink},
                             {ImGuiCol_TextDisabled, Ink::Quiet},
                             {ImGuiCol_WindowBg, Ink::Ground},
                             {ImGuiCol_PopupBg, Ink::Raised},
                             {ImGuiCol_Border, Ink::Edge},
                             {ImGuiCol_FrameBg, Ink::Raised},
                             {ImGuiCol_FrameBgHovered, Ink::Raised},
                             {ImGuiCol_FrameBgActive, Ink::Raised},
                             {ImGuiCol_Header, Ink::AccentWash},
                             {ImGuiCol_HeaderHovered, Ink::AccentWash},
                             {ImGuiCol_HeaderActive, Ink::AccentWash},
                             {ImGuiCol_ScrollbarGrab, Ink::Edge},
                             {ImGuiCol_ScrollbarGrabHovered, Ink::Quiet},
                             {ImGuiCol_ScrollbarGrabActive, Ink::Quiet},
                             {ImGuiCol_TextSelectedBg, Ink::AccentWash},
                             {ImGuiCol_InputTextCursor, Ink::Ink},
                             {ImGuiCol_NavCursor, Ink::Accent},
                             {ImGuiCol_Button, Ink::Raised},
                             {ImGuiCol_ButtonHovered, Ink::AccentWash},
                             {ImGuiCol_ButtonActive, Ink::AccentWash}};
    ImVec4* colours = ImGui::GetStyle().Colors;
    for (const Row& row : kRows)
        colours[row.where] = ImGui::ColorConvertU32ToFloat4((*this)[row.colour]);
    colours[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
}

}  // namespace memwall
