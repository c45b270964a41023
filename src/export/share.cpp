#include "export/share.hpp"

#include "base/concat.hpp"
#include "base/utf8.hpp"
#include "base/version.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

constexpr std::size_t kLongestFragment = 16'384;
constexpr std::string_view kShownKey = "was";

constexpr bool is_plain(char c) {
    constexpr std::string_view kMarks = "-._~/:,";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
}

std::string encoded(std::string_view text) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_plain(c))
            out += c;
        else
            out.append({'%', kHex[byte >> 4], kHex[byte & 15]});
    }
    return out;
}

constexpr int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// A '%' that no two hexadecimal digits follow stays what it is.
std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
        if (text[i] == '%' && high >= 0 && low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

bool all_digits(std::string_view text) {
    for (const char c : text)
        if (c < '0' || c > '9') return false;
    return !text.empty();
}

void read_version(std::string_view part, Notes& notes) {
    const std::string_view number = part.substr(1);
    if (number == std::to_string(kShareVersion)) return;
    const bool older = number == "0";
    notes.add("share", {"The link is of ", older ? "an older" : "a newer", " version (", part.substr(0, 20),
                        "); what this version understands is used"});
}

void read_shown(std::string_view text, Shared& out) {
    const std::size_t at = text.rfind('@');
    out.shown = text.substr(0, at);
    if (at != std::string_view::npos) out.shown_version = text.substr(at + 1);
}

void read_part(std::string_view part, Shared& out, Notes& notes) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
        notes.add("share", {"A part of the link was not understood: ", excerpt(decoded(part), 60)});
        return;
    }
    const std::string key = decoded(part.substr(0, equals));
    const std::string value = decoded(part.substr(equals + 1));
    if (key == kShownKey) return read_shown(value, out);
    if (const FieldRow* row = find_field(key); row != nullptr && is_given(out.scenario, row->id))
        notes.add(row->key, {row->label, " is stated twice; the link's last value is used"});
    const Failure failure = set_field(out.scenario, key, value);
    if (failure) notes.add(failure->where, {failure->message, " (", failure->hint, "); the link's value is not used"});
}

}  // namespace

std::string share_from_scenario(const Scenario& scenario, std::string_view shown) {
    std::string out = concat({"v", std::to_string(kShareVersion)});
    for (const FieldRow& row : fields()) {
        if (!is_given(scenario, row.id)) continue;
        const std::string value = text(scenario, row.id);
        if (!value.empty()) out += concat({"&", row.key, "=", encoded(value)});
    }
    if (!shown.empty()) out += concat({"&was=", encoded(shown), "@", kVersion});
    return out;
}

Shared scenario_from_share(std::string_view fragment, Notes& notes) {
    Shared out;
    if (fragment.starts_with('#')) fragment.remove_prefix(1);
    if (fragment.size() > kLongestFragment) {
        notes.add("share", {"The link has ", std::to_string(fragment.size()), " characters; more than ",
                            std::to_string(kLongestFragment), " are not read"});
        return out;
    }
    for (bool first = true; !fragment.empty(); first = false) {
        const std::size_t end = fragment.find('&');
        const std::string_view part = fragment.substr(0, end);
        fragment.remove_prefix(end == std::string_view::npos ? fragment.size() : end + 1);
        if (part.starts_with('v') && all_digits(part.substr(1)))
            read_version(part, notes);
        else if (!part.empty())
            read_part(part, out, notes);
        if (first && !(part.starts_with('v') && all_digits(part.substr(1))))
            notes.add("share", {"The link does not say its version; it is read as v", std::to_string(kShareVersion)});
    }
    return out;
}

void note_changed_number(const Shared& shared, std::string_view shown_now, Notes& notes) {
    if (shared.shown.empty() || shared.shown == shown_now) return;
    const std::string with = shared.shown_version.empty() ? "" : concat({" with ", shared.shown_version});
    notes.add("share", {"This link showed ", shared.shown, with, "; this version computes ", shown_now});
}

}  // namespace memwall
