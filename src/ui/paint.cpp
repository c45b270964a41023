#include "ui/paint.hpp"

#include <imgui_internal.h>
#include <cmath>

namespace memwall {
namespace {

const char* begin_of(std::string_view text) { return text.data(); }
const char* end_of(std::string_view text) { return text.data() + text.size(); }

float width_of(ImFont* font, float size, std::string_view text) {
    return font->CalcTextSizeA(size, FLT_MAX, 0, begin_of(text), end_of(text)).x;
}

bool may_break(std::string_view text, std::size_t at) {
    if (at == text.size() || text[at] == ' ') return true;
    // micro-|batch, meta-llama/|Llama
    return at > 0 && (text[at - 1] == '-' || text[at - 1] == '/') && text[at] > '9';
}

// The part of the text that fits into a line; `text` becomes what follows. Lines break at blanks and behind
// hyphens (ImGui's own wrapping would break 79.18 at its point); a word longer than the line breaks where it must.
std::string_view next_line(ImFont* font, float size, std::string_view& text, float width) {
    std::size_t cut = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (!may_break(text, at)) continue;
        if (cut > 0 && width_of(font, size, text.substr(0, at)) > width) break;
        cut = at;
    }
    std::string_view line = text.substr(0, cut);
    if (width_of(font, size, line) > width) {
        const char* end = font->CalcWordWrapPosition(size, begin_of(line), end_of(line), width);
        cut = static_cast<std::size_t>(end - begin_of(line));
        line = line.substr(0, cut > 0 ? cut : 1);
    }
    text.remove_prefix(line.size());
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    return line;
}

}  // namespace

float Paint::width(const TextStyle& style, std::string_view text) const {
    return width_of(stage_.theme.font(style.weight), Theme::font_size(style.size), text);
}

float Paint::height(const TextStyle& style, std::string_view text, float width) const {
    float lines = 0;
    while (!text.empty()) {
        next_line(stage_.theme.font(style.weight), Theme::font_size(style.size), text, width);
        ++lines;
    }
    return lines * style.leading;
}

void Paint::at(float x, float y, const TextStyle& style, Ink ink, std::string_view text) const {
    const float size = Theme::font_size(style.size);
    const float above = std::floor((style.leading - size) / 2 + 0.5f);
    list_->AddText(stage_.theme.font(style.weight), size, ImVec2(x, y + above), colour(ink), begin_of(text),
                   end_of(text));
}

void Paint::line(Column& where, const TextStyle& style, Ink ink, std::string_view text, Align align) const {
    const float wide = width(style, text);
    if (wide > where.width + 1) stage_.probe.overflow(text);
    const float left = where.width - wide;
    const float shift = align == Align::Left ? 0 : align == Align::Centre ? left / 2 : left;
    at(where.x + shift, where.y, style, ink, text);
    where.skip(style.leading);
}

void Paint::paragraph(Column& where, const TextStyle& style, Ink ink, std::string_view text) const {
    while (!text.empty()) {
        const auto line_text =
            next_line(stage_.theme.font(style.weight), Theme::font_size(style.size), text, where.width);
        at(where.x, where.y, style, ink, line_text);
        where.skip(style.leading);
    }
}

void Paint::rule(float x, float y, float width) const {
    const float row = std::floor(y);
    list_->AddRectFilled(ImVec2(x, row), ImVec2(x + width, row + 1), colour(Ink::Rule));
}

void Paint::fill(Box box, Ink ink, float rounding) const {
    list_->AddRectFilled(ImVec2(box.x, box.y), ImVec2(box.x + box.width, box.y + box.height), colour(ink), rounding);
}

void Paint::veil(Box box, Ink ink, float opacity) const {
    list_->AddRectFilled(ImVec2(box.x, box.y), ImVec2(box.x + box.width, box.y + box.height),
                         stage_.theme.faint(ink, opacity), 2);
}

void Paint::frame(Box box, Ink ink, float rounding) const {
    list_->AddRect(ImVec2(box.x + 0.5f, box.y + 0.5f), ImVec2(box.x + box.width - 0.5f, box.y + box.height - 0.5f),
                   colour(ink), rounding);
}

void Paint::mark(float x, float y, float size, std::string_view role) const {
    const float unit = size / 16;
    const auto point = [&](float px, float py) { return ImVec2(x + px * unit, y + py * unit); };
    const std::uint32_t shape = colour(role_ink(role)), sign = colour(Ink::Ground);
    const float thick = 2 * unit;
    if (role == "good") {
        list_->AddCircleFilled(point(8, 8), 8 * unit, shape);
        const ImVec2 tick[] = {point(4.3f, 8.2f), point(6.9f, 10.8f), point(11.6f, 5.4f)};
        list_->AddPolyline(tick, 3, sign, ImDrawFlags_None, thick);
    } else if (role == "bad") {
        list_->AddNgonFilled(point(8, 8), 8.6f * unit, shape, 8);
        list_->AddLine(point(5.2f, 5.2f), point(10.8f, 10.8f), sign, thick);
        list_->AddLine(point(10.8f, 5.2f), point(5.2f, 10.8f), sign, thick);
    } else if (role == "warning") {
        list_->AddTriangleFilled(point(8, 0.5f), point(16, 15.5f), point(0, 15.5f), shape);
        list_->AddLine(point(8, 6), point(8, 10.2f), sign, thick);
        list_->AddLine(point(8, 11.6f), point(8, 13.4f), sign, thick);
    } else {
        list_->AddCircle(point(8, 8), 7 * unit, shape, 0, thick);
        list_->AddLine(point(5, 8), point(11, 8), shape, thick);
    }
}

void Paint::chevron(float x, float y, Ink ink, bool up) const {
    const float tip = up ? -2.0f : 2.0f;
    const ImVec2 points[] = {ImVec2(x - 4, y - tip), ImVec2(x, y + tip), ImVec2(x + 4, y - tip)};
    list_->AddPolyline(points, 3, colour(ink), ImDrawFlags_None, 1.5f);
}

void Paint::dashed(float x, float top, float bottom, Ink ink) const {
    for (float y = top; y < bottom; y += 5)
        list_->AddLine(ImVec2(x, y), ImVec2(x, std::fmin(y + 3, bottom)), colour(ink), 1.5f);
}

}  // namespace memwall
