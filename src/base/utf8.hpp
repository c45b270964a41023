// UTF-8: what comes from outside may be any bytes; what goes out (JSON, pages, terminals) may not.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace memwall {

// Length of the valid character at the front of `text`; 0 where there is none (RFC 3629).
constexpr std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    if (text.empty()) return 0;
    const unsigned first = byte(0);
    if (first < 0x80U) return 1;
    if (first < 0xc2U || !follows(1)) return 0;
    if (first < 0xe0U) return 2;
    if (!follows(2)) return 0;
    if (first < 0xf0U) {
        const bool overlong = first == 0xe0U && byte(1) < 0xa0U;
        const bool surrogate = first == 0xedU && byte(1) >= 0xa0U;
        return overlong || surrogate ? 0 : 3;
    }
    const bool in_range = first < 0xf4U || (first == 0xf4U && byte(1) < 0x90U);
    const bool overlong = first == 0xf0U && byte(1) < 0x90U;
    return in_range && !overlong && follows(3) ? 4 : 0;
}

constexpr bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

// Bytes that are no character become U+FFFD, one each.
inline std::string valid_utf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0)
            out += "\xef\xbf\xbd";
        else
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

// At most `most` characters of what a user wrote, fit to be quoted in a sentence: valid, no control characters.
inline std::string excerpt(std::string_view text, std::size_t most) {
    std::string out;
    for (std::size_t n = 0; !text.empty(); ++n) {
        if (n == most) return out + "...";
        const std::size_t length = character_length(text);
        const bool shows =
            length > 1 || (length == 1 && static_cast<unsigned char>(text[0]) >= 0x20 && text[0] != 0x7f);
        if (shows)
            out += text.substr(0, length);
        else
            out += "\xef\xbf\xbd";
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

}  // namespace memwall
