#include <GLES3/gl3.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "ui/platform.hpp"

namespace memwall {

namespace {
GLuint picture = 0;
}

void start_renderer() { ImGui_ImplOpenGL3_Init("#version 300 es"); }
void stop_renderer() {
    ImGui_ImplOpenGL3_Shutdown();
    glDeleteTextures(1, &picture);
    picture = 0;
}

void bind_picture() {
    if (picture == 0) glGenTextures(1, &picture);
    glBindTexture(GL_TEXTURE_2D, picture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

std::uint64_t picture_texture() { return picture; }

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
