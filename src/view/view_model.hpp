// ViewModel: everything a face shows about one scenario, as finished strings and fractions.
//
// Faces (DOM page, canvas, CLI, Markdown) print these texts and draw widths from the fractions; they
// compute nothing. A fraction is of the scale of its chart: 1 = the full width or height. Texts come
// from strings.hpp and format.hpp only. Members are in the order of the view-model JSON
// (export/json_view.hpp), whose keys are these names.
#pragma once
#include <string>
#include <vector>

namespace memwall {

struct VerdictView {
    std::string state;     // "fits", "tight", "does_not_fit", "cannot_say"
    std::string role;      // colour role: "good", "warning", "bad", "neutral"
    std::string sentence;  // the answer in one sentence
    std::string needed, usable, left;
    std::string left_label;  // "left" or "missing"
    std::string interval, interval_basis, interval_kind;
    std::string peak;  // where in the step the worst instant is
};

// All fractions of the same scale; the chart's description is one sentence for who cannot see it.
struct GaugeView {
    double needed = 0, low = 0, high = 0;
    double usable = 0;    // 0: unknown
    double baseline = 0;  // the standard rule's mark; 0: none
    std::string baseline_label, baseline_text;
    std::string description;
};

struct MultipleView {
    std::string value;  // "8.3"
    std::string sentence;
};

struct PairSideView {
    std::string label;  // "run it", "train it"
    std::string state, role, needed, sentence;
};
struct PairView {
    PairSideView run, train;
};

struct LargestView {
    std::string field;  // "batch.micro_batch_size"
    std::string value;  // empty: nothing fits, or cannot say
    std::string state;  // the verdict at that value
    std::string sentence;
};

struct NumberView {
    std::string key;  // "allocated", "reserved", "device_total", "usable"
    std::string label, text, exact;
};

struct BarView {
    std::string category, label, text, share_text;
    double fraction = 0;
};

struct RowView {
    std::string key, title, text, share_text;
    std::string formula, numbers, bytes_text;
    std::string because, source, source_url, confidence;
    std::string live;   // "forward to backward"
    std::string field;  // key of the field that changes it directly, or empty
    double fraction = 0;
};

struct GroupView {
    std::string category, label, text, share_text;
    double fraction = 0;
    std::vector<RowView> rows;  // by size, largest first
};

struct InstantView {
    std::string label;    // "step 1, backward, layer 31 of 32, q_proj"
    std::string segment;  // "backward"
    std::string step;     // "first step", "steady step", or empty
    std::string operator_name;
    std::string text;
    double fraction = 0;
    std::vector<double> by_category;  // parallel to TimelineView::categories; they add up to fraction
};
struct TimelineView {
    std::string capacity;
    double capacity_fraction = 0;  // 0: unknown
    std::vector<InstantView> instants;
    std::vector<std::string> categories;       // ids, lowest in the stack first
    std::vector<std::string> category_labels;  // parallel to categories
    int worst = 0;
    std::string description;
};

struct ParameterView {
    std::string name, shape, copies, text, share_text;
};
struct ParameterGroupView {
    std::string label, text, share_text;
    double fraction = 0;
    std::vector<ParameterView> tensors;
};
struct ParametersView {
    std::string total, active, exact;
    std::string trainable;  // a sentence where not all of them train
    std::vector<ParameterGroupView> groups;
};

struct ThroughputView {  // empty texts: cannot say
    std::string rate, time, cost, sentence, confidence;
};

struct FormFieldView {
    std::string key, value;
    bool is_default = true;
    bool is_recalled = false;  // a default that no source was read for
    std::string note;          // what was understood, that it is recalled, or why it is refused
    std::string error;         // of this field only
};

struct NoteView {
    std::string where, message;
};
struct AssumptionView {
    std::string label, text;
    std::string field;  // key of the field that edits it
};

struct ViewModel {
    std::string version;
    std::string title;  // "Llama-3.1-8B · finetune · H100 SXM5 80GB"
    VerdictView verdict;
    GaugeView gauge;
    MultipleView multiple;
    PairView pair;
    LargestView largest;
    std::vector<NumberView> numbers;
    std::vector<BarView> bar;
    std::string bar_description;
    std::vector<GroupView> groups;
    TimelineView timeline;
    ParametersView parameters;
    ThroughputView throughput;
    std::vector<FormFieldView> form;
    std::vector<NoteView> notes;
    std::vector<AssumptionView> assumptions;
    std::string share;  // address fragment with "#"; set by who may see export/share.hpp
};

}  // namespace memwall
