#include <algorithm>

#include "ui/charts.hpp"
#include "ui/explain.hpp"
#include "ui/parts.hpp"
#include "ui/views.hpp"

namespace memwall {
namespace {

// Where the columns of the table stand: name, length, share, amount.
struct Columns {
    float name, length, share, amount;  // widths; length 0: not shown
};
Columns columns_of(const Stage& stage, float width) {
    if (stage.room == Room::Phone) return {width - 64 - 92, 0, 64, 92};
    constexpr float kName = 208, kShare = 72, kAmount = 104;
    return {kName, width - kName - kShare - kAmount, kShare, kAmount};
}

void draw_amounts(const Paint& paint, Column line, const Columns& columns, std::string_view share,
                  std::string_view amount, const TextStyle& style) {
    Column right = line.part(line.width - columns.amount, columns.amount);
    paint.line(right, style, Ink::Ink, amount, Align::Right);
    Column middle = line.part(line.width - columns.amount - columns.share, columns.share);
    paint.line(middle, kSmall, Ink::Quiet, share, Align::Right);
}

// A line of the table that opens: its name, with an angle behind it; the text moves on when it needs two lines.
float draw_name(const Paint& paint, Column name, std::string_view text, bool open, bool under) {
    const float top = name.y;
    name.width -= 20;
    const float wide = paint.width(kBody, text);
    paint.paragraph(name, kBody, under ? Ink::Accent : Ink::Ink, text);
    if (wide <= name.width)
        paint.chevron(name.x + wide + 12, top + 10, Ink::Edge, open);
    else
        paint.chevron(name.x + name.width + 8, top + 10, Ink::Edge, open);
    return name.y - top;
}

// Equal ones stay in the ledger's order. There are few of them.
template <class View>
std::vector<const View*> sorted(const std::vector<View>& all, Sort sort, std::string View::*name) {
    std::vector<const View*> out;
    const auto before = [&](const View* a, const View* b) {
        return sort == Sort::BySize ? a->fraction > b->fraction : sort == Sort::ByName && a->*name < b->*name;
    };
    for (const View& each : all)
        out.insert(std::upper_bound(out.begin(), out.end(), &each, before), &each);
    return out;
}
std::vector<const GroupView*> sorted_groups(const Stage& stage) {
    return sorted(stage.view.groups, stage.state.sort, &GroupView::label);
}
std::vector<const RowView*> sorted_rows(const Stage& stage, const GroupView& group) {
    return sorted(group.rows, stage.state.sort, &RowView::title);
}

void draw_row(Stage& stage, const Widgets& widgets, Column& where, const RowView& row, Ink category) {
    const Paint& paint = widgets.paint();
    const Columns columns = columns_of(stage, where.width);
    const float name_width = where.width - columns.share - columns.amount;
    const std::string key = "row:" + row.key;
    const float text = paint.height(kBody, row.title, name_width - 20);
    if (widgets.press(key, {where.x, where.y, where.width, text + 12})) stage.toggle(key);
    const bool open = stage.is_open(key);
    Column line{where.x, where.y + 6, where.width};
    draw_name(paint, line.part(0, name_width), row.title, open, widgets.hovered());
    draw_amounts(paint, line, columns, row.share_text, row.text, kBody);
    where.skip(text + 12);
    if (open) draw_reasons(stage, widgets, where, "row", row, category, Behind::ReasonsAndTensors);
}

void draw_group(Stage& stage, const Widgets& widgets, Column& where, const GroupView& group) {
    const Paint& paint = widgets.paint();
    const Columns columns = columns_of(stage, where.width);
    const std::string key = "group:" + group.category;
    if (widgets.press(key, {where.x, where.y, where.width, 40})) stage.toggle(key);
    const Ink ink = category_ink(group.category);
    Column line{where.x, where.y + 10, where.width};
    paint.fill({line.x, line.y + 5, 10, 10}, ink, 2);
    draw_name(paint, line.part(20, columns.name - 20), group.label, stage.is_open(key), widgets.hovered());
    if (columns.length > 0)
        paint.fill(
            {line.x + columns.name, line.y + 8, std::max(1.0f, columns.length * static_cast<float>(group.fraction)), 4},
            ink, 1);
    draw_amounts(paint, line, columns, group.share_text, group.text, kBodyBold);
    where.skip(40);
    if (stage.is_open(key)) {
        const float inset = stage.room == Room::Phone ? 0 : 20;
        Column rows = where.part(inset, where.width - inset);
        for (const RowView* row : sorted_rows(stage, group)) {
            paint.rule(rows.x, rows.y, rows.width);
            draw_row(stage, widgets, rows, *row, ink);
        }
        rows.skip(8);
        widgets.term(group.category, rows, kSmall, Ink::Accent, stage.words[Word::Learn]);
        where.y = rows.y + 8;
    }
    paint.rule(where.x, where.y, where.width);
}

// The head of the table: pressing a column sorts by it, pressing it again restores the order of the ledger.
void draw_head(Stage& stage, const Widgets& widgets, Column& where) {
    const Paint& paint = widgets.paint();
    const Columns columns = columns_of(stage, where.width);
    const auto head = [&](std::string_view name, float x, float width, Align align, Word word, Sort sort) {
        const bool on = stage.state.sort == sort;
        if (widgets.press(name, {x, where.y, width, 28})) stage.state.sort = on ? Sort::ByOrder : sort;
        Column cell{x, where.y + 4, width};
        paint.line(cell, on ? kSmallBold : kSmall,
                   widgets.hovered() ? Ink::Accent
                   : on              ? Ink::Ink
                                     : Ink::Quiet,
                   stage.words[word], align);
    };
    head("sort:name", where.x, columns.name, Align::Left, Word::TableName, Sort::ByName);
    const float amounts = where.right() - columns.amount;
    Column share{amounts - columns.share, where.y + 4, columns.share};
    paint.line(share, kSmall, Ink::Quiet, stage.words[Word::TableShare], Align::Right);
    head("sort:size", amounts, columns.amount, Align::Right, Word::TableAmount, Sort::BySize);
    where.skip(28);
    paint.rule(where.x, where.y, where.width);
}

// The table as lines of text, to be pasted anywhere.
std::string table_text(const Stage& stage) {
    std::string out = stage.view.title + "\n" + stage.view.verdict.sentence + "\n";
    for (const GroupView* group : sorted_groups(stage)) {
        out += group->label + "\t" + group->share_text + "\t" + group->text + "\n";
        for (const RowView* row : sorted_rows(stage, *group))
            out += "  " + row->title + "\t" + row->share_text + "\t" + row->text + "\t" + row->formula + "\n";
    }
    return out;
}

void draw_bar(Stage& stage, const Paint& paint, Column& where) {
    where.skip(8);
    const int under = draw_stack(paint, {where.x, where.y, where.width, kStackHeight}, stage.view);
    where.skip(kStackHeight + 16);
    Legend legend(paint, where);
    const ViewModel& view = stage.view;
    if (under >= 0) {
        const BarView& part = view.bar[static_cast<std::size_t>(under)];
        legend.item(Sign::Square, category_ink(part.category), part.text, part.label + ", " + part.share_text);
    } else if (view.gauge.usable > 0 && view.gauge.usable < view.gauge.needed) {
        legend.item(Sign::Wall, Ink::Ink, view.verdict.usable, stage.words[Word::Usable]);
    }
    if (view.gauge.baseline > 0 && view.gauge.baseline < view.gauge.needed)
        legend.item(Sign::Dashed, Ink::Ink, "", view.gauge.baseline_text);
    legend.finish();
    where.skip(12);
}

}  // namespace

void draw_breakdown(Stage& stage, Column& where) {
    const Widgets widgets(stage);
    const Paint& paint = widgets.paint();
    if (stage.view.bar.empty()) return;
    heading(widgets, where, stage.words[Word::Breakdown], "breakdown");
    draw_bar(stage, paint, where);
    draw_head(stage, widgets, where);
    for (const GroupView* group : sorted_groups(stage))
        draw_group(stage, widgets, where, *group);
    where.skip(12);
    float x = where.x, y = where.y;
    if (widgets.button("copy-text", x, y, stage.words[Word::CopyText])) stage.actions.add("copy", table_text(stage));
    where.skip(widgets.control_height());
}

}  // namespace memwall
