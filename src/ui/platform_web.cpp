#include <GLES3/gl3.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "ui/platform.hpp"

namespace memwall {

void start_renderer() { ImGui_ImplOpenGL3_Init("#version 300 es"); }
void stop_renderer() { ImGui_ImplOpenGL3_Shutdown(); }

void render(ImDrawData* data) {
    ImGui_ImplOpenGL3_NewFrame();
    const ImVec2 size(data->DisplaySize.x * data->FramebufferScale.x, data->DisplaySize.y * data->FramebufferScale.y);
    glViewport(0, 0, static_cast<int>(size.x), static_cast<int>(size.y));
    const ImVec4& ground = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(data);
}

}  // namespace memwall
