// Parts that several views draw: headings, legends, tables of a term and its text.
#pragma once
#include <string>
#include <string_view>

#include "ui/widgets.hpp"

namespace memwall {

// "run it" -> "Run it"
std::string capital(std::string_view text);
// `about`: the term that the page explains; empty: none.
void heading(const Widgets&, Column&, std::string_view text, std::string_view about = {});

// What a legend's sign looks like: a filled square, a wall, an interval, a dashed mark.
enum class Sign : std::uint8_t { Square, Wall, Interval, Dashed };

// Items beside each other, in as many lines as they need.
class Legend {
  public:
    Legend(const Paint& paint, Column& where) : paint_(paint), where_(where), x_(where.x) {}
    // Returns where the bold text stands, or the other one without it.
    Box item(Sign, Ink, std::string_view bold, std::string_view text);
    void finish();

  private:
    const Paint& paint_;
    Column& where_;
    float x_;
};

// Terms at the left, their texts beside them, or below them where there is little room.
class Terms {
  public:
    struct Row {
        std::string_view term, text;
        Ink ink = Ink::Ink;
    };
    Terms(const Paint& paint, bool stacked) : paint_(paint), stacked_(stacked) {}
    float height(const Row&, float width) const;
    void draw(Column&, const Row&) const;

  private:
    float left() const { return stacked_ ? 0 : 112; }
    const Paint& paint_;
    bool stacked_;
};

// What is drawn into the column while this lives stands back when it answers an earlier question.
class StandsBack {
  public:
    StandsBack(Stage& stage, const Column& where) : stage_(stage), where_(where), top_(where.y) {}
    StandsBack(const StandsBack&) = delete;
    StandsBack& operator=(const StandsBack&) = delete;
    ~StandsBack();

  private:
    Stage& stage_;
    const Column& where_;
    float top_;
};

}  // namespace memwall
