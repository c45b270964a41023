// Stage: all that a view may see and say while one frame is drawn. Views draw what is here and add actions;
// they compute no number and keep nothing but UiState.
#pragma once
#include <string>

#include "ui/action.hpp"
#include "ui/inputs.hpp"
#include "ui/instants.hpp"
#include "ui/panels.hpp"
#include "ui/probe.hpp"
#include "ui/reasons.hpp"
#include "ui/theme.hpp"
#include "ui/words.hpp"

namespace memwall {

enum class Sort : std::uint8_t { BySize, ByName, ByOrder };

// What the user opened, pointed at or typed and has not handed over yet.
struct UiState {
    std::vector<std::string> open;  // keys of unfolded sections, groups and rows
    Sort sort = Sort::ByOrder;
    int instant = -1;                    // under the pointer or chosen by keys; -1: the worst one
    bool holds_instant = false;          // it was pressed or chosen by keys, and stays when the pointer goes
    int asked = -1;                      // the instant whose rows were asked for
    std::vector<std::string> asked_for;  // reasons and tensors of this view
    int pointed_x = -1, pointed_y = -1;  // where a panel's picture was pointed at
    float dragged = 0;                   // how far a part of the step was drawn along, less than an instant
    std::string editing;                 // key of the text field being edited
    std::string draft;                   // its text
    std::string searched;                // what the open list was asked for
    int option = 0;                      // highlighted line of the list
    std::string wanted;                  // key of the field that gets the focus when it is drawn next
    Box list;                            // of the open list, so that it stays while the pointer is on it
    float list_content = 0;              // height of all its lines
    bool list_open = false;
    Box caret;                               // of the text field that has the focus; width 0: none
    unsigned first_stop = 0, last_stop = 0;  // the widgets at both ends of the order of Tab
};

// The widths at which the page's own layout changes (web/style.css).
enum class Room : std::uint8_t { Phone, Narrow, Medium, Wide };
constexpr Room room_of(float width) {
    return width <= 560 ? Room::Phone : width <= 860 ? Room::Narrow : width <= 1120 ? Room::Medium : Room::Wide;
}

struct Stage {
    const Theme& theme;
    const Words& words;
    const ViewModel& view;
    const Inputs& inputs;
    const Options& options;
    const Panels& panels;
    const Part& part;
    const Alive& alive;
    const Reasons& reasons;
    const std::vector<RowTensors>& tensors;  // of the rows that were asked for
    UiState& state;
    Actions& actions;
    Probe& probe;
    Room room;

    bool is_open(std::string_view key) const;
    void toggle(std::string_view key);
    // Opens the section of a field, and brings the focus to it.
    void go(std::string_view field);
};

}  // namespace memwall
