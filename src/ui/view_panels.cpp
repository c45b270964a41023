#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "ui/charts.hpp"
#include "ui/parts.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr float kCell = 156, kLeastHead = 200, kMark = 24, kGap = 12;

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string out;
    for (const std::string_view part : parts)
        out += part;
    return out;
}

class PanelView {
  public:
    PanelView(Stage& stage, const Panel& panel, float width)
        : stage_(stage),
          widgets_(stage),
          panel_(panel),
          cells_(static_cast<float>(panel.columns.size()) * kCell),
          stacked_(width - cells_ < kLeastHead) {}

    void draw(Column& where) {
        const Paint& paint = widgets_.paint();
        heading(paint, where, panel_.title);
        link(where.x, where.y, {"open", panel_.summary}, kBody, -1);
        where.skip(28);
        if (!panel_.open) return;
        paint.paragraph(where, kSmall, Ink::Quiet, panel_.note);
        where.skip(8);
        if (!stacked_ && !panel_.columns.empty()) draw_columns(where);
        for (std::size_t i = 0; i < panel_.rows.size(); ++i)
            draw_row(where, panel_.rows[i], static_cast<int>(i));
        draw_buttons(where);
    }

  private:
    void ask(const PanelButton& button) const { stage_.actions.add("panel", panel_.key, button.name); }

    std::string place_of(const PanelButton& button, int row) const {
        const std::string name = joined({"panel:", panel_.key, ":", button.name});
        return row < 0 ? name : joined({name, ":", std::to_string(row)});
    }

    float link(float x, float y, const PanelButton& button, const TextStyle& style, int row) const {
        if (widgets_.link(place_of(button, row), x, y, style, button.label)) ask(button);
        return x + widgets_.paint().width(style, button.label) + 16;
    }

    // Numbers stand to the right; what the first column says does not.
    void draw_cell(Column& cell, const TextStyle& style, Ink ink, const std::string& text, std::size_t column) const {
        const Paint& paint = widgets_.paint();
        if (column > 0 && paint.width(style, text) <= cell.width)
            paint.line(cell, style, ink, text, Align::Right);
        else
            paint.paragraph(cell, style, ink, text);
    }

    void draw_columns(Column& where) const {
        for (std::size_t i = 0; i < panel_.columns.size(); ++i) {
            Column cell = where.part(where.width - cells_ + static_cast<float>(i) * kCell + kGap, kCell - kGap);
            draw_cell(cell, kTiny, Ink::Quiet, panel_.columns[i], i);
        }
        where.skip(kTiny.leading + 4);
    }

    void draw_head(Column& where, const PanelRow& row, int index) const {
        const float left = row.role.empty() ? 0 : kMark;
        if (left > 0) widgets_.paint().mark(where.x, where.y + 2, 16, row.role);
        const float width = where.width - left - (stacked_ ? 0 : cells_);
        Column text = where.part(left, width);
        const Paint& paint = widgets_.paint();
        if (row.head.name.empty()) {
            paint.paragraph(text, kBodyBold, Ink::Ink, row.head.label);
        } else if (paint.width(kBody, row.head.label) <= width) {
            link(text.x, text.y, row.head, kBody, index);
            text.skip(kBody.leading);
        } else {  // in several lines
            const Box box{text.x, text.y, width, paint.height(kBody, row.head.label, width)};
            if (widgets_.press(place_of(row.head, index), box)) ask(row.head);
            paint.paragraph(text, kBody, Ink::Accent, row.head.label);
        }
        where.y = text.y;
    }

    void draw_cells(Column& where, const PanelRow& row, float top) const {
        std::string all;
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (row.cells[i].empty()) continue;
            if (stacked_ && i < panel_.columns.size())
                all += joined({all.empty() ? "" : " · ", panel_.columns[i], ": ", row.cells[i]});
            if (stacked_) continue;
            Column cell{where.right() - cells_ + static_cast<float>(i) * kCell + kGap, top, kCell - kGap};
            draw_cell(cell, kSmall, Ink::Ink, row.cells[i], i);
            where.y = std::max(where.y, cell.y);
        }
        widgets_.paint().paragraph(where, kSmall, Ink::Quiet, all);
    }

    void draw_bar(Column& where, const PanelRow& row) const {
        if (row.parts.empty()) return;
        const Paint& paint = widgets_.paint();
        where.skip(6);
        float x = where.x;
        for (const PanelPart& part : row.parts) {
            const float width = where.width * static_cast<float>(part.fraction);
            paint.fill({x, where.y, std::max(width - 1, 0.5f), 12}, category_ink(part.category));
            x += width;
        }
        if (row.wall > 0)
            paint.fill({where.x + where.width * static_cast<float>(row.wall) - 1, where.y - 4, 2, 20}, Ink::Ink);
        where.skip(18);
    }

    void draw_row(Column& where, const PanelRow& row, int index) const {
        widgets_.paint().rule(where.x, where.y, where.width);
        where.skip(8);
        const float top = where.y;
        draw_head(where, row, index);
        draw_cells(where, row, top);
        for (const std::string& line : row.lines)
            widgets_.paint().paragraph(where, kSmall, Ink::Quiet, line);
        draw_bar(where, row);
        float x = where.x;
        for (const PanelButton& button : row.buttons)
            x = link(x, where.y, button, kSmall, index);
        where.skip(row.buttons.empty() ? 8 : kSmall.leading + 8);
    }

    void draw_buttons(Column& where) const {
        where.skip(8);
        float x = where.x, y = where.y;
        for (const PanelButton& button : panel_.buttons)
            if (widgets_.button(place_of(button, -1), x, y, button.label)) ask(button);
        if (!panel_.buttons.empty()) where.skip(widgets_.control_height());
    }

    Stage& stage_;
    Widgets widgets_;
    const Panel& panel_;
    float cells_;
    bool stacked_;
};

}  // namespace

void draw_panels(Stage& stage, Column& where) {
    for (const Panel& panel : stage.panels.all)
        PanelView(stage, panel, where.width).draw(where);
}

}  // namespace memwall
