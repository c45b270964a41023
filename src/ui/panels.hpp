// Panels: views that the page fetches when they are opened (other accelerators, the fit map, methods),
// as rows of texts and a picture.
//
// The page's own view of each is the twin, and makes the panel with what it shows (web/dom.mjs, showPanel). A press on
// a button is an action ("panel", key of the panel, name of the button); the button "open" unfolds and folds it.
#pragma once
#include <string>
#include <vector>

namespace memwall {

struct PanelButton {
    std::string name, label;
};
struct PanelPart {
    std::string category;
    double fraction = 0;
};
struct PanelRow {
    std::string role;                // of a verdict; empty: none
    PanelButton head;                // the first cell; without a name it is no button
    bool typed = false;              // it is a field: its button is the name, a space and what was typed
    std::vector<std::string> cells;  // parallel to the columns, an empty one is not drawn; a line end begins a remark
    std::vector<std::string> lines;  // below them
    std::vector<PanelPart> parts;    // a bar; none: no bar
    double wall = 0;                 // where memory ends on it; 0: unknown
    std::vector<PanelButton> buttons;
};
// A name or a number beside the picture, and where: in parts of its sides, from the lower left corner.
struct PanelMark {
    double x = 0, y = 0;
    std::string text;
};
// What the page painted (App::bind_picture), with what stands on it and beside it. Pointing at it and pressing it are
// the buttons "at" and "take" with both in ten-thousandths, the arrow keys "move" with steps to the right and up.
struct PanelPicture {
    bool shown = false;
    double x = 0, y = 0;  // of the cross
    std::vector<PanelMark> lines, across, up;
    std::string text;  // what is needed at the cross
};
struct Panel {
    std::string key, title, summary;  // the summary unfolds it
    bool open = false;
    std::string note;
    std::vector<std::string> columns;
    std::vector<PanelRow> rows;
    std::vector<PanelButton> buttons;
    PanelPicture picture;
    bool about = false;  // the page explains it
    int table = 0;  // the row above which the columns are named; from the second on the rows from there are a table
};
struct Panels {
    std::vector<Panel> all;
};

template <class Visit>
void members(Visit& visit, PanelButton& v) {
    visit(v.name, v.label);
}
template <class Visit>
void members(Visit& visit, PanelPart& v) {
    visit(v.category, v.fraction);
}
template <class Visit>
void members(Visit& visit, PanelRow& v) {
    visit(v.role, v.head, v.typed, v.cells, v.lines, v.parts, v.wall, v.buttons);
}
template <class Visit>
void members(Visit& visit, PanelMark& v) {
    visit(v.x, v.y, v.text);
}
template <class Visit>
void members(Visit& visit, PanelPicture& v) {
    visit(v.shown, v.x, v.y, v.lines, v.across, v.up, v.text);
}
template <class Visit>
void members(Visit& visit, Panel& v) {
    visit(v.key, v.title, v.summary, v.open, v.note, v.columns, v.rows, v.buttons, v.picture, v.about, v.table);
}
template <class Visit>
void members(Visit& visit, Panels& v) {
    visit(v.all);
}

}  // namespace memwall
