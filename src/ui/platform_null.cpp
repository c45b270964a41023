#include <imgui.h>

#include "ui/platform.hpp"

namespace memwall {

namespace {

bool has_picture = false;

void forget(ImTextureData* texture) {
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
}

}  // namespace

void bind_picture() { has_picture = true; }
std::uint64_t picture_texture() { return has_picture ? 2 : 0; }

void start_renderer() {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
}

void stop_renderer() {
    has_picture = false;
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
        forget(texture);
}

// Nothing is shown; textures count as made, so that the atlas can be used.
void render(ImDrawData* data) {
    for (ImTextureData* texture : *data->Textures) {
        if (texture->Status == ImTextureStatus_WantDestroy) {
            forget(texture);
        } else if (texture->Status != ImTextureStatus_Destroyed) {
            texture->SetTexID(1);
            texture->SetStatus(ImTextureStatus_OK);
        }
    }
}

}  // namespace memwall
