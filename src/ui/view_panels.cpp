#include <imgui_internal.h>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "ui/charts.hpp"
#include "ui/parts.hpp"
#include "ui/platform.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

constexpr float kCell = 156, kLeastCell = 116, kLeastHead = 200, kMark = 24, kGap = 12;
constexpr float kPictureParts = 10'000;

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
          cell_(std::clamp((width - kLeastHead) / std::max(1.0f, static_cast<float>(panel.columns.size())), kLeastCell,
                           kCell)),
          cells_(static_cast<float>(panel.columns.size()) * cell_),
          stacked_(width - cells_ < kLeastHead) {}

    void draw(Column& where) {
        const Paint& paint = widgets_.paint();
        heading(widgets_, where, panel_.title, panel_.about ? std::string_view(panel_.key) : std::string_view());
        link(where, {"open", panel_.summary}, -1);
        where.skip(8);
        if (!panel_.open) return;
        paint.paragraph(where, kSmall, Ink::Quiet, panel_.note);
        where.skip(8);
        if (panel_.picture.shown) draw_picture(where);
        for (std::size_t i = 0; i < panel_.rows.size(); ++i) {
            const int index = static_cast<int>(i);
            if (index == panel_.table && !stacked_ && !panel_.columns.empty()) draw_columns(where);
            draw_row(where, panel_.rows[i], index);
        }
        draw_buttons(where);
    }

  private:
    void ask(const PanelButton& button) const { stage_.actions.add("panel", panel_.key, button.name); }

    std::string place_of(const PanelButton& button, int row) const {
        const std::string name = joined({"panel:", panel_.key, ":", button.name});
        return row < 0 ? name : joined({name, ":", std::to_string(row)});
    }

    void link(Column& where, const PanelButton& button, int row) const {
        if (widgets_.wrapped_link(place_of(button, row), where, kBody, button.label)) ask(button);
    }

    float link(float x, float y, const PanelButton& button, const TextStyle& style, int row) const {
        if (widgets_.link(place_of(button, row), x, y, style, button.label)) ask(button);
        return x + widgets_.paint().width(style, button.label) + 16;
    }

    // Whether a column holds numbers, as its first cell that says something tells.
    bool is_of_numbers(std::size_t column) const {
        for (const PanelRow& row : panel_.rows) {
            if (row.cells.size() <= column || row.cells[column].empty()) continue;
            const char first = row.cells[column].front();
            return (first >= '0' && first <= '9') || first == '$' || first == '+' || first == '-' || first == '~';
        }
        return true;
    }

    // Numbers stand to the right, words do not.
    void draw_cell(Column& cell, const TextStyle& style, Ink ink, const std::string& text, std::size_t column) const {
        const Paint& paint = widgets_.paint();
        const std::size_t end = text.find('\n');
        const std::string_view first = std::string_view(text).substr(0, end);
        if ((column > 0 || panel_.table > 0 || is_of_numbers(column)) && paint.width(style, first) <= cell.width)
            paint.line(cell, style, ink, first, Align::Right);
        else
            paint.paragraph(cell, style, ink, first);
        if (end != std::string::npos) draw_cell(cell, kTiny, Ink::Quiet, text.substr(end + 1), column);
    }

    void draw_columns(Column& where) const {
        float bottom = where.y;
        if (panel_.table > 0) where.skip(24);
        for (std::size_t i = 0; i < panel_.columns.size(); ++i) {
            Column cell = where.part(where.width - cells_ + static_cast<float>(i) * cell_ + kGap, cell_ - kGap);
            draw_cell(cell, kTiny, Ink::Quiet, panel_.columns[i], i);
            bottom = std::max(bottom, cell.y);
        }
        where.y = bottom + 4;
    }

    // The table where its columns have no room: a line for each.
    void draw_lines(Column& where, const PanelRow& row) const {
        for (std::size_t i = 0; i < row.cells.size() && i < panel_.columns.size(); ++i) {
            Column name = where.part(0, where.width * 0.55f - 8);
            Column cell = where.part(where.width * 0.55f, where.width * 0.45f);
            widgets_.paint().paragraph(name, kSmall, Ink::Quiet, panel_.columns[i]);
            draw_cell(cell, kSmall, Ink::Ink, row.cells[i], i);
            where.y = std::max(name.y, cell.y);
        }
    }

    void draw_head(Column& where, const PanelRow& row, int index) const {
        const float left = row.role.empty() ? 0 : kMark;
        if (left > 0) widgets_.paint().mark(where.x, where.y + 2, 16, row.role);
        const float width = where.width - left - (stacked_ || row.cells.empty() ? 0 : cells_);
        Column text = where.part(left, width);
        const Paint& paint = widgets_.paint();
        if (row.typed) {
            draw_field(text, row.head);
        } else if (row.head.name.empty()) {
            paint.paragraph(text, kBodyBold, Ink::Ink, row.head.label);
        } else {
            link(text, row.head, index);
        }
        where.y = text.y;
    }

    // What is typed counts when the field is left, or by Enter.
    void draw_field(Column& where, const PanelButton& head) const {
        UiState& state = stage_.state;
        const std::string key = place_of(head, -1);
        std::string text = state.editing == key ? state.draft : head.label;
        const Box box{where.x, where.y, std::min(where.width, 480.0f), widgets_.control_height()};
        const Widgets::Typed typed = widgets_.text_field(key, box, text, {Ink::Rule, Align::Left, 0});
        if (typed.edited) {
            state.editing = key;
            state.draft = text;
        }
        if ((typed.entered || typed.left) && state.editing == key) {
            ask({joined({head.name, " ", state.draft}), ""});
            state.editing.clear();
        }
        where.skip(box.height + 4);
    }

    void draw_cells(Column& where, const PanelRow& row, float top) const {
        if (stacked_ && panel_.table > 0) return draw_lines(where, row);
        std::string all;
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (row.cells[i].empty()) continue;
            if (stacked_ && i < panel_.columns.size())
                all += joined({all.empty() ? "" : " · ", panel_.columns[i], ": ", row.cells[i]});
            if (stacked_) continue;
            Column cell{where.right() - cells_ + static_cast<float>(i) * cell_ + kGap, top, cell_ - kGap};
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

    void draw_picture(Column& where) const {
        const PanelPicture& picture = panel_.picture;
        const Paint& paint = widgets_.paint();
        const Box box = picture_box(where);
        read_picture(box);
        paint.fill(box, Ink::Panel);
        if (const std::uint64_t texture = picture_texture(); texture != 0)
            paint.list()->AddImage(static_cast<ImTextureID>(texture), ImVec2(box.x, box.y),
                                   ImVec2(box.x + box.width, box.y + box.height));
        const auto place = [&](const PanelMark& mark) {
            return ImVec2(box.x + box.width * static_cast<float>(mark.x),
                          box.y + box.height * static_cast<float>(1 - mark.y));
        };
        const auto text = [&](ImVec2 middle, const std::string& label) {
            paint.at(middle.x, middle.y - kTiny.leading / 2, kTiny, Ink::Quiet, label);
        };
        for (const PanelMark& mark : picture.lines) {
            const ImVec2 at = place(mark);
            const float width = paint.width(kTiny, mark.text);
            const float left = std::min(at.x - width / 2, box.x + box.width - width - 4);
            paint.fill({left - 4, at.y - kTiny.leading / 2, width + 8, kTiny.leading}, Ink::Ground, 2);
            text({left, at.y}, mark.text);
        }
        for (const PanelMark& mark : picture.across)
            text({place(mark).x - paint.width(kTiny, mark.text) / 2, box.y + box.height + 12}, mark.text);
        for (const PanelMark& mark : picture.up)
            text({box.x - 8 - paint.width(kTiny, mark.text), place(mark).y}, mark.text);
        const ImVec2 cross = place({picture.x, picture.y, {}});
        draw_cross(box, std::floor(cross.x), std::floor(cross.y), picture.text);
        where.skip(box.height + 32);
    }

    // Hair lines over all of it, and beside where they meet what is needed there.
    void draw_cross(const Box& box, float x, float y, const std::string& text) const {
        const Paint& paint = widgets_.paint();
        for (const auto& [ink, wide] : {std::pair{Ink::Ground, 3.0f}, std::pair{Ink::Ink, 1.0f}}) {
            const float before = (wide - 1) / 2, opacity = wide > 1 ? 0.6f : 1.0f;
            paint.veil({x - before, box.y, wide, box.height}, ink, opacity);
            paint.veil({box.x, y - before, box.width, wide}, ink, opacity);
        }
        if (text.empty()) return;
        const float width = paint.width(kSmallBold, text) + 12, height = kSmallBold.leading;
        const float left = x + 8 + width <= box.x + box.width ? x + 8 : x - 8 - width;
        const float top = y - 8 - height >= box.y ? y - 8 - height : y + 8;
        paint.fill({left, top, width, height}, Ink::Ground, 2);
        paint.at(left + 6, top, kSmallBold, Ink::Ink, text);
    }

    // Between the numbers at its left and half of the last one below it.
    Box picture_box(const Column& where) const {
        const float left = stage_.room == Room::Phone ? 48 : 64, right = 24;
        const float width = where.width - left - right;
        const float height = stage_.room == Room::Phone ? width : std::min(480.0f, width * 10 / 16);
        return {where.x + left, where.y + 8, width, height};
    }

    void ask_at(const char* what, int x, int y) const {
        ask({joined({what, " ", std::to_string(x), " ", std::to_string(y)}), ""});
    }

    void read_picture(const Box& box) const {
        const bool pressed = widgets_.press_and_hold_keys(joined({"panel:", panel_.key, ":picture"}), box);
        const ImVec2 mouse = ImGui::GetMousePos();
        const auto part = [](float share) { return static_cast<int>(share * kPictureParts); };
        const int x = part((mouse.x - box.x) / box.width), y = part(1 - (mouse.y - box.y) / box.height);
        const bool inside =
            widgets_.hovered() && ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
        const bool moved = x != stage_.state.pointed_x || y != stage_.state.pointed_y;
        if (inside) stage_.state.pointed_x = x, stage_.state.pointed_y = y;
        if (inside && pressed)
            ask_at("take", x, y);
        else if (inside && moved)
            ask_at("at", x, y);
        else if (pressed)
            ask({"take", ""});
        if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return;
        for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow})
            ImGui::SetKeyOwner(key, ImGui::GetItemID());
        const auto struck = [](ImGuiKey key) { return ImGui::IsKeyPressed(key) ? 1 : 0; };
        const int right = struck(ImGuiKey_RightArrow) - struck(ImGuiKey_LeftArrow);
        const int up = struck(ImGuiKey_UpArrow) - struck(ImGuiKey_DownArrow);
        if (right != 0 || up != 0) ask_at("move", right, up);
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
        float x = where.x;
        for (const PanelButton& button : panel_.buttons) {
            if (x > where.x && x + widgets_.button_width(button.label) > where.right()) {
                x = where.x;
                where.skip(widgets_.control_height() + 8);
            }
            if (widgets_.button(place_of(button, -1), x, where.y, button.label)) ask(button);
        }
        if (!panel_.buttons.empty()) where.skip(widgets_.control_height());
    }

    Stage& stage_;
    Widgets widgets_;
    const Panel& panel_;
    float cell_, cells_;  // how wide a column is, and all of them
    bool stacked_;
};

}  // namespace

void draw_panels(Stage& stage, Column& where) {
    for (const Panel& panel : stage.panels.all)
        PanelView(stage, panel, where.width).draw(where);
}

}  // namespace memwall
