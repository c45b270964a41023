// Dear ImGui's sorting: windows in a window, and some hundred glyphs for its atlas. The C library's is 1.5 KB.
#include <utility>

#include <imgui.h>

void imgui_sort(void* first, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
    auto* const bytes = static_cast<unsigned char*>(first);
    for (std::size_t i = 1; i < count; ++i)
        for (unsigned char* at = bytes + i * size; at != bytes && compare(at - size, at) > 0; at -= size)
            for (std::size_t byte = 0; byte < size; ++byte)
                std::swap(at[byte], at[byte - size]);
}
