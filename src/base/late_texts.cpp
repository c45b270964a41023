#include "base/late_texts.hpp"

#ifdef MEMWALL_TEXTS_APART

#include <cstring>

// The ends of the section; the linker knows them.
extern "C" char __start_memwall_late_texts[];
extern "C" char __stop_memwall_late_texts[];

namespace memwall {
namespace {

bool g_are_here = false;

// The first line of the file that belongs to this module: written over by scripts/pack_wasm.py. Read through a
// volatile pointer, because the compiler must not believe what stands here.
constexpr char kStamp[] = "late texts 0000000000000000\n";

bool is_stamped(std::string_view file) {
    constexpr std::size_t size = sizeof(kStamp) - 1;
    const volatile char* stamp = kStamp;
    if (file.size() < size) return false;
    for (std::size_t i = 0; i < size; ++i)
        if (file[i] != stamp[i]) return false;
    return true;
}

}  // namespace

bool has_late_texts() { return g_are_here; }

bool take_late_texts(std::string_view file) {
    if (!is_stamped(file)) return false;
    file.remove_prefix(sizeof(kStamp) - 1);
    std::memcpy(__start_memwall_late_texts, file.data(), file.size());
    g_are_here = true;
    return true;
}

}  // namespace memwall

#else

namespace memwall {

bool has_late_texts() { return true; }
bool take_late_texts(std::string_view) { return false; }

}  // namespace memwall

#endif
