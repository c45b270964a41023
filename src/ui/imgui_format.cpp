// Dear ImGui's own formatting (names of windows, positions in a list): texts and whole numbers are all it writes in our
// views. The C library's formatter, with its long doubles, would be a tenth of the module.
#include <cassert>
#include <cstdarg>
#include <cstdint>

#include <imgui.h>
#include <imgui_internal.h>

namespace {

// What has been written, and how much there would be of it.
struct Output {
    char* text;
    std::size_t size;
    std::size_t length = 0;

    void put(char letter) {
        if (text != nullptr && length + 1 < size) text[length] = letter;
        ++length;
    }
    int finish() {
        if (text == nullptr || size == 0) return static_cast<int>(length);
        if (length >= size) length = size - 1;
        text[length] = '\0';
        return static_cast<int>(length);
    }
};

struct Directive {
    bool pads_with_zeros = false;
    int width = 0;
    int precision = -1;
};

void put_number(Output& out, std::uint64_t value, unsigned base, bool is_negative, const char* digits, Directive d) {
    char reversed[24];
    int count = 0;
    do {
        reversed[count++] = digits[value % base];
        value /= base;
    } while (value != 0);
    const int pad = d.width - count - (is_negative ? 1 : 0);
    for (int i = 0; i < pad && !d.pads_with_zeros; ++i)
        out.put(' ');
    if (is_negative) out.put('-');
    for (int i = 0; i < pad && d.pads_with_zeros; ++i)
        out.put('0');
    while (count > 0)
        out.put(reversed[--count]);
}

int number_in(const char*& at) {
    int value = 0;
    for (; *at >= '0' && *at <= '9'; ++at)
        value = 10 * value + (*at - '0');
    return value;
}

// `at` stands behind the "%"; flags, width and precision.
Directive directive(const char*& at, va_list& arguments) {
    Directive out;
    out.pads_with_zeros = *at == '0';
    out.width = number_in(at);
    if (*at != '.') return out;
    ++at;
    if (*at == '*') {
        ++at;
        out.precision = va_arg(arguments, int);
    } else {
        out.precision = number_in(at);
    }
    return out;
}

void put_text(Output& out, const char* text, int most) {
    for (int i = 0; (most < 0 || i < most) && text[i] != '\0'; ++i)
        out.put(text[i]);
}

void put_argument(Output& out, char kind, Directive d, va_list& arguments) {
    constexpr const char *kSmall = "0123456789abcdef", *kLarge = "0123456789ABCDEF";
    switch (kind) {
        case '%':
            return out.put('%');
        case 's':
            return put_text(out, va_arg(arguments, const char*), d.precision);
        case 'c':
            return out.put(static_cast<char>(va_arg(arguments, int)));
        case 'd':
        case 'i': {
            const std::int64_t value = va_arg(arguments, int);
            const bool is_negative = value < 0;
            return put_number(out, static_cast<std::uint64_t>(is_negative ? -value : value), 10, is_negative, kSmall,
                              d);
        }
        case 'u':
            return put_number(out, va_arg(arguments, unsigned), 10, false, kSmall, d);
        case 'x':
            return put_number(out, va_arg(arguments, unsigned), 16, false, kSmall, d);
        case 'X':
            return put_number(out, va_arg(arguments, unsigned), 16, false, kLarge, d);
        default:
            assert(false && "a format that no view of ours uses");
    }
}

}  // namespace

int ImFormatStringV(char* text, std::size_t size, const char* format, va_list given) {
    Output out{text, size};
    va_list arguments;
    va_copy(arguments, given);
    for (const char* at = format; *at != '\0'; ++at) {
        if (*at != '%') {
            out.put(*at);
            continue;
        }
        ++at;
        const Directive d = directive(at, arguments);
        put_argument(out, *at, d, arguments);
    }
    va_end(arguments);
    return out.finish();
}

int ImFormatString(char* text, std::size_t size, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = ImFormatStringV(text, size, format, arguments);
    va_end(arguments);
    return length;
}
