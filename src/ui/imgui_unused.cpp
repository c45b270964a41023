// What no view of ours uses of Dear ImGui, in the place of its own functions. Its frame calls them where somebody draws
// a table, selects several rows, keeps settings in a file; no linker can know that nobody does, and they would be a
// fifth of the module. Dear ImGui is compiled with weak functions (CMakeLists.txt), so these are linked, natively too:
// there the tests of the views end where one is reached, on the web a trap, as with any other bug of ours.
#include <cassert>
#include <cstdarg>

#include <imgui.h>
#include <imgui_internal.h>

#define UNUSED                                      \
    do {                                            \
        assert(false && "used by no view of ours"); \
        __builtin_unreachable();                    \
    } while (false)

// ---- Tables and columns (imgui_tables.cpp is left out) ----

void ImGui::EndTable() { UNUSED; }
void ImGui::TableEndRow(ImGuiTable*) { UNUSED; }
void ImGui::TableEndCell(ImGuiTable*) { UNUSED; }
void ImGui::TablePushBackgroundChannel() { UNUSED; }
void ImGui::TablePopBackgroundChannel() { UNUSED; }
void ImGui::TablePushColumnChannel(int) { UNUSED; }
void ImGui::TablePopColumnChannel() { UNUSED; }
void ImGui::TableGcCompactTransientBuffers(ImGuiTable*) { UNUSED; }
void ImGui::TableGcCompactTransientBuffers(ImGuiTableTempData*) { UNUSED; }
void ImGui::EndColumns() { UNUSED; }
void ImGui::PushColumnsBackground() { UNUSED; }
void ImGui::PopColumnsBackground() { UNUSED; }
void ImDrawListSplitter::Merge(ImDrawList*) { UNUSED; }
void ImDrawListSplitter::SetCurrentChannel(ImDrawList*, int) { UNUSED; }

// ---- Tabs, menus, trees, groups, separators, lists where several rows are selected, disabled widgets ----

void ImGui::EndTabBar() { UNUSED; }
void ImGui::EndMenuBar() { UNUSED; }
void ImGui::TreePop() { UNUSED; }
void ImGui::EndGroup() { UNUSED; }
void ImGui::SeparatorTextEx(ImGuiID, const char*, const char*, float) { UNUSED; }
void ImGui::SeparatorEx(ImGuiSeparatorFlags, float) { UNUSED; }
void ImGui::MultiSelectItemHeader(ImGuiID, bool*, ImGuiButtonFlags*) { UNUSED; }
void ImGui::MultiSelectItemFooter(ImGuiID, bool*, bool*) { UNUSED; }
ImGuiMultiSelectIO* ImGui::EndMultiSelect() { UNUSED; }
void ImGui::BeginDisabled(bool) { UNUSED; }
void ImGui::EndDisabled() { UNUSED; }
void ImGui::BeginDisabledOverrideReenable() { UNUSED; }
void ImGui::EndDisabledOverrideReenable() { UNUSED; }
bool ImGui::BeginDragDropSource(ImGuiDragDropFlags) { UNUSED; }
void ImGui::ClearDragDrop() { UNUSED; }
bool ImGui::ArrowButtonEx(const char*, ImGuiDir, ImVec2, ImGuiButtonFlags) { UNUSED; }
bool ImGui::CloseButton(ImGuiID, const ImVec2&) { UNUSED; }

// ---- Texts that are not drawn by Paint ----

void ImGui::TextEx(const char*, const char*, ImGuiTextFlags) { UNUSED; }
void ImGui::TextV(const char*, va_list) { UNUSED; }
void ImGui::SetTooltip(const char*, ...) { UNUSED; }
void ImGui::RenderText(ImVec2, const char*, const char*, bool) { UNUSED; }
void ImGui::RenderTextWrapped(ImVec2, const char*, const char*, float) { UNUSED; }
void ImGui::RenderTextEllipsis(ImDrawList*, const ImVec2&, const ImVec2&, float, const char*, const char*,
                               const ImVec2*) {
    UNUSED;
}
void ImFont::RenderChar(ImDrawList*, float, const ImVec2&, ImU32, ImWchar, const ImVec4*) { UNUSED; }
void ImGui::RenderBullet(ImDrawList*, ImVec2, ImU32) { UNUSED; }
void ImGui::RenderCheckMark(ImDrawList*, ImVec2, ImU32, float) { UNUSED; }

// ---- The mouse cursor is the browser's; there is no log, no file of settings; textures can always be made ----

void ImGui::RenderMouseCursor(ImVec2, float, ImGuiMouseCursor, ImU32, ImU32, ImU32) { UNUSED; }
void ImGui::LogRenderedText(const ImVec2*, const char*, const char*) { UNUSED; }
void ImGui::LogText(const char*, ...) { UNUSED; }
void ImGui::LogFinish() { UNUSED; }
void ImGui::LogSetNextTextDecoration(const char*, const char*) { UNUSED; }
void ImGui::LoadIniSettingsFromDisk(const char*) { UNUSED; }
void ImGui::SaveIniSettingsToDisk(const char*) { UNUSED; }
void ImFontAtlasBuildMain(ImFontAtlas*) { UNUSED; }
ImFontBaked* ImFontAtlasBakedGetClosestMatch(ImFontAtlas*, ImFont*, float, float) { UNUSED; }
void ImFontAtlasTextureBlockPostProcessMultiply(ImFontAtlasPostProcessData*, float) { UNUSED; }

// ---- Called, and nothing to do ----

void ImGui::AddSettingsHandler(const ImGuiSettingsHandler*) {}
void ImGui::TableSettingsAddSettingsHandler() {}
ImGuiWindowSettings* ImGui::FindWindowSettingsByWindow(ImGuiWindow*) { return nullptr; }
ImGuiWindowSettings* ImGui::FindWindowSettingsByID(ImGuiID) { return nullptr; }
void ImGui::TableGcCompactSettings() {}
void ImGui::StyleColorsDark(ImGuiStyle*) {}  // the page's colours (theme.cpp) are set before anything is drawn

#ifdef __EMSCRIPTEN__
// Its checks that what was begun is ended: natively they stand, and the tests draw every view with them.
void ImGui::ErrorRecoveryTryToRecoverState(const ImGuiErrorRecoveryState*) {}
void ImGui::ErrorRecoveryTryToRecoverWindowState(const ImGuiErrorRecoveryState*) {}
void ImGui::ErrorCheckEndFrameFinalizeErrorTooltip() {}
void ImGui::ErrorCheckUsingSetCursorPosToExtendParentBoundaries() {}
#endif
