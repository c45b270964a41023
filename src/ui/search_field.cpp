#include "ui/search_field.hpp"

#include <algorithm>

#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr float kListHeight = 360, kListGap = 4;

void search(Stage& stage, const std::string& key, const std::string& words) {
    stage.state.list_open = true;
    stage.state.option = 0;
    stage.state.searched = key;
    stage.actions.add("search", key, words);
}

void close(UiState& state) {
    state.list_open = false;
    state.editing.clear();
}

void choose(Stage& stage, const std::string& key, int index) {
    const auto& found = stage.options.found;
    if (index >= 0 && index < static_cast<int>(found.size()))
        stage.actions.add("set", key, found[static_cast<std::size_t>(index)].value);
    close(stage.state);
}

bool contains(const Box& box, ImVec2 point) {
    return point.x >= box.x && point.x < box.x + box.width && point.y >= box.y && point.y < box.y + box.height;
}

void on_typed(Stage& stage, const FieldInput& field, const Widgets::Typed& typed, const std::string& text) {
    UiState& state = stage.state;
    const bool listed = state.list_open && state.searched == field.key;
    if (typed.edited) {
        state.editing = field.key;
        state.draft = text;
        search(stage, field.key, text);
    }
    if (typed.up || typed.down) {
        if (!listed) search(stage, field.key, "");
        const int count = std::max(1, static_cast<int>(stage.options.found.size()));
        if (listed) state.option = (state.option + (typed.down ? 1 : count - 1)) % count;
    }
    if (!typed.left) return;
    if (typed.entered && listed) choose(stage, field.key, state.option);
    // A press on the list takes the focus from the field before it chooses.
    else if (!listed || !contains(state.list, ImGui::GetMousePos()) || !ImGui::IsMouseDown(ImGuiMouseButton_Left))
        close(state);
}

// Name and size in the first line, what it is in the second; names as long as the list is wide are shown whole.
void draw_option(Stage& stage, const Widgets& widgets, Column& where, const Option& option, int index) {
    const Paint& paint = widgets.paint();
    const float size = paint.width(kBody, option.size) + 12;
    const float text = paint.height(kBody, option.title, where.width - 16 - size);
    const float detail = paint.height(kTiny, option.detail, where.width - 16);
    const Box box{where.x, where.y, where.width, text + detail + 12};
    const bool pressed = widgets.press("option:" + option.value, box);
    if (widgets.hovered() && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0))
        stage.state.option = index;
    if (stage.state.option == index) paint.fill(box, Ink::AccentWash, 2);
    Column left{where.x + 8, where.y + 6, where.width - 16 - size};
    Column right{where.x + 8, where.y + 6, where.width - 16};
    paint.paragraph(left, kBody, Ink::Ink, option.title);
    paint.line(right, kBody, Ink::Quiet, option.size, Align::Right);
    Column below{where.x + 8, left.y, where.width - 16};
    paint.paragraph(below, kTiny, Ink::Quiet, option.detail);
    where.skip(box.height);
    if (pressed) choose(stage, stage.options.key, index);
}

void draw_options(Stage& stage) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    const ImVec2 top = ImGui::GetCursorScreenPos();
    Column where{top.x, top.y, stage.state.list.width - 16};
    const Options& options = stage.options;
    if (options.found.empty())
        paint.paragraph(where, kBody, Ink::Quiet, stage.words.filled(Word::ComboboxNone, options.words));
    ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
    const bool by_keys = ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow);
    for (std::size_t i = 0; i < options.found.size(); ++i) {
        const int index = static_cast<int>(i);
        const float before = where.y;
        draw_option(stage, widgets, where, options.found[i], index);
        if (by_keys && stage.state.option == index) {
            const float up = before - ImGui::GetWindowPos().y - 4;
            const float down = where.y - ImGui::GetWindowPos().y + 4 - ImGui::GetWindowHeight();
            if (up < 0)
                ImGui::SetScrollY(ImGui::GetScrollY() + up);
            else if (down > 0)
                ImGui::SetScrollY(ImGui::GetScrollY() + down);
        }
    }
    ImGui::PopItemFlag();
    stage.state.list_content = where.y - top.y;
    ImGui::SetCursorScreenPos(ImVec2(where.x, where.y - 1));
    ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace

void draw_search_field(Stage& stage, const Widgets& widgets, const FieldInput& field, Box box) {
    UiState& state = stage.state;
    std::string text = state.editing == field.key ? state.draft : field.value;
    const Ink edge = field.error.empty() ? Ink::Edge : Ink::Bad;
    const Box chevron{box.x + box.width - 36, box.y, 36, box.height};
    const Widgets::Typed typed =
        widgets.text_field("field:" + field.key, box, text, {edge, Align::Left, chevron.width});
    on_typed(stage, field, typed, text);
    ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
    const bool listed = state.list_open && state.searched == field.key;
    if (widgets.press("open:" + field.key, chevron)) {
        if (listed)
            close(state);
        else
            search(stage, field.key, "");
    }
    ImGui::PopItemFlag();
    widgets.paint().chevron(box.x + box.width - 18, box.y + box.height / 2, Ink::Quiet, listed);
    if (listed) state.list = {box.x, box.y + box.height + kListGap, box.width, state.list.height};
}

void draw_search_list(Stage& stage) {
    UiState& state = stage.state;
    if (!state.list_open || stage.options.key != state.searched) return;
    const float below = ImGui::GetIO().DisplaySize.y - state.list.y - 8;
    state.list.height = std::min(std::max(120.0f, std::min(kListHeight, below)), state.list_content + 8);
    ImGui::SetNextWindowPos(ImVec2(state.list.x, state.list.y));
    ImGui::SetNextWindowSize(ImVec2(state.list.width, state.list.height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(4, 4));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 4);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, stage.theme[Ink::Raised]);
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;
    if (ImGui::Begin("options", nullptr, kFlags)) draw_options(stage);
    const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !contains(state.list, ImGui::GetMousePos());
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    if (outside && state.editing.empty() && !ImGui::IsAnyItemActive()) close(state);
}

}  // namespace memwall
