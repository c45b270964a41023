#include "ui/app.hpp"

#include <imgui_internal.h>
#include <algorithm>
#include <cmath>

#include "ui/message.hpp"
#include "ui/parts.hpp"
#include "ui/platform.hpp"
#include "ui/view_members.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr float kPageWidth = 1440, kResultsWidth = 960;
constexpr const char* kInputsPane = "inputs";
constexpr const char* kResultsPane = "results";
constexpr ImGuiWindowFlags kPaneFlags =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground;

void draw_details(Stage& stage, Column& where) {
    const StandsBack back(stage, where);
    draw_numbers(stage, where);
    draw_breakdown(stage, where);
    draw_timeline(stage, where);
    draw_panels(stage, where);
    draw_parameters(stage, where);
    draw_assumptions(stage, where);
    draw_notes(stage, where);
    where.skip(48);
}

}  // namespace

App::App(const Fonts& fonts) : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_ClipboardUserData = &copied_;
    // Pasted text is typed; nothing is ever read from a clipboard here.
    platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return ""; };
    platform.Platform_SetClipboardTextFn = [](ImGuiContext* context, const char* text) {
        *static_cast<std::string*>(context->PlatformIO.Platform_ClipboardUserData) = text;
    };
    theme_.start(fonts);
    start_renderer();
}

App::~App() {
    ImGui::SetCurrentContext(context_);
    stop_renderer();
    ImGui::DestroyContext(context_);
}

bool App::words(std::string_view message) {
    std::vector<std::string> texts;
    return read_message(message, texts) && words_.set(std::move(texts));
}
bool App::colours(std::string_view message) {
    std::vector<std::uint32_t> colours;
    ImGui::SetCurrentContext(context_);
    return read_message(message, colours) && theme_.set(colours);
}
// The parts of a step, its rows and what explains them belong to the view before.
bool App::view(std::string_view message) {
    if (!read_message(message, view_)) return false;
    part_ = {};
    alive_ = {};
    reasons_ = {};
    tensors_.clear();
    state_.asked_for.clear();
    state_.asked = state_.instant = -1;
    state_.holds_instant = false;
    return true;
}
bool App::inputs(std::string_view message) { return read_message(message, inputs_); }
bool App::options(std::string_view message) { return read_message(message, options_); }
bool App::panels(std::string_view message) { return read_message(message, panels_); }
bool App::part(std::string_view message) {
    state_.asked = -1;
    return read_message(message, part_);
}
bool App::alive(std::string_view message) { return read_message(message, alive_); }
bool App::reasons(std::string_view message) { return read_message(message, reasons_); }
bool App::tensors(std::string_view message) {
    RowTensors fresh;
    if (!read_message(message, fresh)) return false;
    tensors_.push_back(std::move(fresh));
    return true;
}

void App::resize(Screen screen) {
    screen_ = screen;
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(screen.width, screen.height);
    io.DisplayFramebufferScale = ImVec2(screen.density, screen.density);
}

bool App::frame(double seconds, Output output) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().DeltaTime = static_cast<float>(std::clamp(seconds, 0.001, 0.1));
    probe_.clear();
    state_.caret = {};
    state_.first_stop = state_.last_stop = 0;
    wanted_scroll_ = -1;
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    ImDrawData* data = ImGui::GetDrawData();
    counts_ = {counts_.frames + (output == Output::Screen ? 1 : 0), data->TotalVtxCount, 0};
    for (const ImDrawList* list : data->CmdLists)
        counts_.draw_calls += list->CmdBuffer.Size;
    if (output == Output::Screen) render(data);
    const bool moved = std::fabs(content_height_ - previous_height_) > 0.5f;
    previous_height_ = content_height_;
    return moved || context_->InputEventsQueue.Size > 0 || wanted_scroll_ >= 0;
}

// A pane shows the part of its content where the page stands. When the focus went to something out of sight,
// ImGui has its own wish, which the page is told.
void App::begin_pane(const char* name, float left, float width) {
    const ImGuiID id = ImHashStr(name);
    const auto* known = static_cast<const ImGuiWindow*>(ImGui::GetStateStorage()->GetVoidPtr(id));
    const bool wishes = known != nullptr && known->ScrollTarget.y < FLT_MAX;
    const float before = known != nullptr ? known->Scroll.y : 0;
    if (!wishes) ImGui::SetNextWindowScroll(ImVec2(-1, scroll_));
    ImGui::SetCursorScreenPos(ImVec2(left, 0));
    ImGuiStorage* storage = ImGui::GetStateStorage();
    ImGui::BeginChild(name, ImVec2(width, screen_.height), ImGuiChildFlags_NavFlattened, kPaneFlags);
    storage->SetVoidPtr(id, ImGui::GetCurrentWindow());
    if (wishes && std::fabs(ImGui::GetScrollY() - before) > 0.5f) wanted_scroll_ = std::round(ImGui::GetScrollY());
}

float App::end_pane(float bottom) {
    const float content = bottom - ImGui::GetWindowPos().y + ImGui::GetScrollY();
    ImGui::SetCursorScreenPos(ImVec2(ImGui::GetWindowPos().x, bottom - 1));
    ImGui::Dummy(ImVec2(1, 1));
    ImGui::EndChild();
    return content;
}

void App::draw_wide(Stage& stage) {
    const bool wide = stage.room == Room::Wide;
    const float inputs = wide ? 360 : 320, margin = wide ? 24 : 20, padding = wide ? 40 : 28;
    const float whole = std::min(screen_.width, kPageWidth);
    const float left = std::floor((screen_.width - whole) / 2);
    begin_pane(kInputsPane, left, inputs);
    Column form{left + margin, ImGui::GetCursorScreenPos().y + margin, inputs - 2 * margin};
    draw_inputs(stage, form);
    const float form_height = end_pane(form.y + margin);

    const float width = std::min(kResultsWidth, whole - inputs);
    Paint(stage).fill({left + inputs - 1, 0, 1, screen_.height}, Ink::Rule);
    begin_pane(kResultsPane, left + inputs, whole - inputs);
    Column results{left + inputs + padding, ImGui::GetCursorScreenPos().y + (wide ? 32.0f : 24.0f),
                   width - 2 * padding};
    draw_verdict(stage, results);
    draw_beside(stage, results);
    draw_details(stage, results);
    content_height_ = std::max(form_height, end_pane(results.y));
}

void App::draw_narrow(Stage& stage) {
    const float padding = stage.room == Room::Phone ? 16 : 28;
    begin_pane(kResultsPane, 0, screen_.width);
    Column where{padding, ImGui::GetCursorScreenPos().y + padding, screen_.width - 2 * padding};
    draw_verdict(stage, where);
    where.skip(28);
    const Paint paint(stage);
    paint.rule(0, where.y, screen_.width);
    where.skip(24);
    draw_inputs(stage, where);
    paint.rule(0, where.y, screen_.width);
    draw_beside(stage, where);
    draw_details(stage, where);
    content_height_ = end_pane(where.y);
}

void App::draw() {
    Stage stage{theme_, words_,   view_,    inputs_, options_, panels_, part_,
                alive_, reasons_, tensors_, state_,  actions_, probe_,  room_of(screen_.width)};
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(screen_.width, screen_.height));
    constexpr ImGuiWindowFlags kPage = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                       ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin("page", nullptr, kPage);
    if (stage.room == Room::Wide || stage.room == Room::Medium)
        draw_wide(stage);
    else
        draw_narrow(stage);
    ImGui::End();
    draw_search_list(stage);
}

}  // namespace memwall
