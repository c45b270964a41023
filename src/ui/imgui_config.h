// Dear ImGui as memwall uses it (IMGUI_USER_CONFIG, the same for every file that includes it): no demo, no
// debug windows, no built-in font, no files, and 32-bit indices, because WebGL cannot offset 16-bit ones.
#pragma once
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_FILE_FUNCTIONS
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS
#define IMGUI_DISABLE_DEFAULT_FORMAT_FUNCTIONS  // imgui_format.cpp
#define ImDrawIdx unsigned int
#define ImQsort imgui_sort  // imgui_sort.cpp
void imgui_sort(void* first, decltype(sizeof 0) count, decltype(sizeof 0) size,
                int (*compare)(const void*, const void*));
#ifdef __EMSCRIPTEN__
// Its own assertions are for who writes the views: the native tests run every view with them on.
#define IM_ASSERT(condition) ((void)(condition))
#define IM_ASSERT_USER_ERROR(condition, message) ((void)(condition))
#endif
