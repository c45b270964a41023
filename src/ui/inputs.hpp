// Inputs: the form as the canvas shows it. The page decides which fields stand where and what each may say
// (web/form.mjs); the canvas draws them and hands back what was typed.
#pragma once
#include <string>
#include <vector>

namespace memwall {

struct FieldInput {
    std::string key, label, unit, help;
    std::string kind;  // "search", "segments", "select", "text", "fixed"
    std::vector<std::string> choices, choice_labels;
    std::string value;    // in force
    bool given = false;   // stated by the user, so it can be reset
    std::string note;     // how it was understood
    std::string error;    // why it is refused
    std::string largest;  // largest value that fits, with digits grouped; empty: not this field's
    bool stepper = false;
    double minimum = 0, maximum = 0, step = 1;
    bool about = false;  // the page explains it
};

struct InputSection {
    std::string key, title;
    bool foldable = false;
    std::string summary;  // the values in force in one line, shown while folded
    std::vector<FieldInput> fields;
};

struct Inputs {
    std::vector<InputSection> sections;
    std::string stale;  // why the answer shown is not the form's; empty: it is
    std::string done;   // what was just done: "Copied"
    bool can_undo = false, can_redo = false;
};

// A line of the list under a search field.
struct Option {
    std::string value, title, detail, size;
};
struct Options {
    std::string key;    // of the field that asked
    std::string words;  // what was searched for
    std::vector<Option> found;
};

template <class Visit>
void members(Visit& visit, FieldInput& v) {
    visit(v.key, v.label, v.unit, v.help, v.kind, v.choices, v.choice_labels, v.value, v.given, v.note, v.error,
          v.largest, v.stepper, v.minimum, v.maximum, v.step, v.about);
}
template <class Visit>
void members(Visit& visit, InputSection& v) {
    visit(v.key, v.title, v.foldable, v.summary, v.fields);
}
template <class Visit>
void members(Visit& visit, Inputs& v) {
    visit(v.sections, v.stale, v.done, v.can_undo, v.can_redo);
}
template <class Visit>
void members(Visit& visit, Option& v) {
    visit(v.value, v.title, v.detail, v.size);
}
template <class Visit>
void members(Visit& visit, Options& v) {
    visit(v.key, v.words, v.found);
}

}  // namespace memwall
