// Platform: what puts a drawn frame on a screen. One implementation is built in (src/ui/CMakeLists.txt): WebGL2
// on the web, none natively, where tests draw frames to look at what they contain.
#pragma once

struct ImDrawData;

namespace memwall {

void start_renderer();
void stop_renderer();
void render(ImDrawData*);

}  // namespace memwall
