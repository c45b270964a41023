// What Dear ImGui takes of the C library, as far as it is needed here: defined by us, these do not bring in the
// library's own, with its files, long doubles and exact angles.
#include <cstdarg>
#include <cstdio>

#include "ui/angles.hpp"

namespace {

int read_glsl_version(const char* text, int* version) {
    *version = 0;
    for (; *text != '\0' && *text != ' '; ++text) {
    }
    while (*++text >= '0' && *text <= '9')
        *version = *version * 10 + (*text - '0');
    return 1;
}

// Dear ImGui reads its own settings files, and there are none; its backend the number of the shaders' language.
int scan(const char* text, const char* format, std::va_list out) {
    return format[0] == '#' ? read_glsl_version(text, va_arg(out, int*)) : 0;
}

}  // namespace

extern "C" {

int sscanf(const char* text, const char* format, ...) {
    std::va_list out;
    va_start(out, format);
    const int read = scan(text, format, out);
    va_end(out);
    return read;
}
int siscanf(const char* text, const char* format, ...) {
    std::va_list out;
    va_start(out, format);
    const int read = scan(text, format, out);
    va_end(out);
    return read;
}

// The backend prints what a shader's compiler says, which no user sees; Embind names types (core_bindings.cpp).
int fprintf(std::FILE*, const char*, ...) { return 0; }
int fiprintf(std::FILE*, const char*, ...) { return 0; }
int siprintf(char* text, const char*, ...) {
    *text = '\0';
    return 0;
}

float sinf(float radians) { return static_cast<float>(memwall::sine(static_cast<double>(radians))); }
float cosf(float radians) {
    return static_cast<float>(memwall::sine(static_cast<double>(radians) + 1.5707963267948966));
}

}  // extern "C"
