#include "ui/parts.hpp"

#include <cmath>

namespace memwall {

std::string capital(std::string_view text) {
    std::string out(text);
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

void heading(const Widgets& widgets, Column& where, std::string_view text, std::string_view about) {
    where.skip(40);
    if (about.empty())
        widgets.paint().line(where, kHeading, Ink::Ink, text);
    else
        widgets.term(about, where, kHeading, Ink::Ink, text);
    where.skip(12);
}

Box Legend::item(Sign sign, Ink ink, std::string_view bold, std::string_view text) {
    constexpr float kBeforeText = 16, kBetween = 24;
    const float bold_width = bold.empty() ? 0 : paint_.width(kSmallBold, bold) + 4;
    const float wide = kBeforeText + bold_width + paint_.width(kSmall, text);
    if (x_ > where_.x && x_ + wide > where_.right()) {
        x_ = where_.x;
        where_.skip(kSmall.leading + 4);
    }
    const float middle = where_.y + kSmall.leading / 2, x = x_;
    switch (sign) {
        case Sign::Square:
            paint_.fill({x, middle - 5, 10, 10}, ink, 2);
            break;
        case Sign::Wall:
            paint_.fill({x + 4, middle - 7, 2, 14}, ink);
            break;
        case Sign::Interval:
            paint_.fill({x, middle, 12, 1}, ink);
            paint_.fill({x, middle - 3, 1, 7}, ink);
            paint_.fill({x + 11, middle - 3, 1, 7}, ink);
            break;
        case Sign::Dashed:
            paint_.dashed(x + 5, middle - 7, middle + 7, ink);
            break;
    }
    paint_.at(x + kBeforeText, where_.y, kSmallBold, Ink::Ink, bold);
    Column rest{x + kBeforeText + bold_width, where_.y, where_.right() - x - kBeforeText - bold_width};
    const float before = rest.y;
    paint_.paragraph(rest, kSmall, Ink::Quiet, text);
    if (rest.y > before + kSmall.leading) where_.skip(rest.y - before - kSmall.leading);
    x_ += wide + kBetween;
    const float plain = std::fmin(paint_.width(kSmall, text), where_.right() - x - kBeforeText);
    return {x + kBeforeText, before, bold.empty() ? plain : bold_width - 4, kSmall.leading};
}

void Legend::finish() {
    if (x_ > where_.x) where_.skip(kSmall.leading);
}

float Terms::height(const Row& row, float width) const {
    const float text = paint_.height(kSmall, row.text, width - left());
    return text + (stacked_ ? kSmall.leading + 8 : 4);
}

void Terms::draw(Column& where, const Row& row) const {
    Column term = where.part(0, left() > 0 ? left() : where.width);
    paint_.line(term, kSmall, Ink::Quiet, row.term);
    if (stacked_) where.skip(kSmall.leading);
    Column text = where.part(left(), where.width - left());
    paint_.paragraph(text, row.ink == Ink::Ink ? kSmall : kSmallBold, row.ink, row.text);
    where.y = text.y + (stacked_ ? 8 : 4);
}

StandsBack::~StandsBack() {
    constexpr float kMargin = 4, kOpacity = 0.5f;  // signs and rules reach a little over the column
    if (!stage_.inputs.stale.empty())
        Paint(stage_).veil({where_.x - kMargin, top_, where_.width + 2 * kMargin, where_.y - top_}, Ink::Ground,
                           kOpacity);
}

}  // namespace memwall
