// Platform: what puts a drawn frame on a screen. One implementation is built in (src/ui/CMakeLists.txt): WebGL2
// on the web, none natively, where tests draw frames to look at what they contain.
#pragma once
#include <cstdint>

struct ImDrawData;

namespace memwall {

void start_renderer();
void stop_renderer();
void render(ImDrawData*);
// The one picture that the page paints: its texture, bound, so that the page fills it. It is made with the first call
// and goes with the renderer.
void bind_picture();
// 0: none.
std::uint64_t picture_texture();

}  // namespace memwall
