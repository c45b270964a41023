// The members of every part of a ViewModel, in the order of view/view_model.hpp (and so of its JSON).
#pragma once
#include "view/view_model.hpp"

namespace memwall {

template <class Visit>
void members(Visit& visit, VerdictView& v) {
    visit(v.state, v.role, v.sentence, v.needed, v.usable, v.left, v.left_label, v.interval, v.interval_basis,
          v.interval_kind, v.peak);
}
template <class Visit>
void members(Visit& visit, GaugeView& v) {
    visit(v.needed, v.low, v.high, v.usable, v.baseline, v.baseline_label, v.baseline_text, v.description);
}
template <class Visit>
void members(Visit& visit, MultipleView& v) {
    visit(v.value, v.sentence);
}
template <class Visit>
void members(Visit& visit, PairSideView& v) {
    visit(v.label, v.state, v.role, v.needed, v.sentence);
}
template <class Visit>
void members(Visit& visit, PairView& v) {
    visit(v.run, v.train);
}
template <class Visit>
void members(Visit& visit, LargestView& v) {
    visit(v.field, v.value, v.state, v.sentence);
}
template <class Visit>
void members(Visit& visit, NumberView& v) {
    visit(v.key, v.label, v.text, v.exact);
}
template <class Visit>
void members(Visit& visit, BarView& v) {
    visit(v.category, v.label, v.text, v.share_text, v.fraction);
}
template <class Visit>
void members(Visit& visit, RowView& v) {
    visit(v.key, v.title, v.text, v.share_text, v.formula, v.numbers, v.bytes_text, v.because, v.source, v.source_url,
          v.confidence, v.live, v.field, v.fraction);
}
template <class Visit>
void members(Visit& visit, GroupView& v) {
    visit(v.category, v.label, v.text, v.share_text, v.fraction, v.rows);
}
template <class Visit>
void members(Visit& visit, InstantView& v) {
    visit(v.label, v.segment, v.step, v.operator_name, v.text, v.fraction, v.by_category);
}
template <class Visit>
void members(Visit& visit, TimelineView& v) {
    visit(v.capacity, v.capacity_fraction, v.instants, v.categories, v.category_labels, v.worst, v.description);
}
template <class Visit>
void members(Visit& visit, ParameterView& v) {
    visit(v.name, v.shape, v.copies, v.text, v.share_text);
}
template <class Visit>
void members(Visit& visit, ParameterGroupView& v) {
    visit(v.label, v.text, v.share_text, v.fraction, v.tensors);
}
template <class Visit>
void members(Visit& visit, ParametersView& v) {
    visit(v.total, v.active, v.exact, v.trainable, v.groups);
}
template <class Visit>
void members(Visit& visit, ThroughputView& v) {
    visit(v.rate, v.time, v.cost, v.sentence, v.confidence);
}
template <class Visit>
void members(Visit& visit, FormFieldView& v) {
    visit(v.key, v.value, v.is_default, v.note, v.error);
}
template <class Visit>
void members(Visit& visit, NoteView& v) {
    visit(v.where, v.message);
}
template <class Visit>
void members(Visit& visit, AssumptionView& v) {
    visit(v.label, v.text, v.field);
}
template <class Visit>
void members(Visit& visit, ViewModel& v) {
    visit(v.version, v.title, v.verdict, v.gauge, v.multiple, v.pair, v.largest, v.numbers, v.bar, v.bar_description,
          v.groups, v.timeline, v.parameters, v.throughput, v.form, v.notes, v.assumptions, v.share);
}

}  // namespace memwall
