#include "view/comparison.hpp"

#include <algorithm>

#include "model/adapters.hpp"
#include "plan/fields.hpp"
#include "plan/methods.hpp"
#include "view/format.hpp"
#include "view/parts.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

// The row of the catalogue, as long as its texts are there.
const MethodRow* row_of(const ComparedMethod& m) {
    const std::size_t at = m.method ? static_cast<std::size_t>(*m.method) : methods().size();
    return at < methods().size() ? &methods()[at] : nullptr;
}

CompareText operator+(CompareText first, int more) { return static_cast<CompareText>(static_cast<int>(first) + more); }

std::string share(Count part, Count whole) { return percent(Bytes(part.value), Bytes(whole.value)); }

CellView size_cell(Bytes size) { return {size.value == 0 ? filled(CompareText::Nothing) : text(size), ""}; }

CellView trains_cell(const ComparedMethod& m) {
    const MethodCost& c = *m.cost;
    if (c.trained_parameters.value == 0) return size_cell({});
    const std::string all = share(c.trained_parameters, c.all_parameters);
    return {text(c.trained_parameters),
            c.trained_layer_parameters.value == 0
                ? filled(CompareText::OfAll, {all})
                : filled(CompareText::OfAllAndLayers, {all, share(c.trained_layer_parameters, c.layer_parameters)})};
}

CellView latency_cell(const ComparedMethod& m) {
    const std::optional<std::int64_t> added = m.cost->added_operators;
    if (added == 0) return size_cell({});
    const std::string count = added ? grouped(*added) : filled(CompareText::UncountedMany);
    if (merges(traits(*m.method).adapter))
        return {filled(CompareText::NothingOnceMerged), filled(CompareText::UntilThen, {count})};
    return {filled(CompareText::AddsOperators, {count}), filled(CompareText::InEachPass)};
}

CellView kept_cell(const ComparedMethod& m) { return size_cell(m.cost->kept); }
CellView checkpoint_cell(const ComparedMethod& m) { return size_cell(m.cost->checkpoint); }

CellView largest_cell(const ComparedMethod& m) {
    return {m.cost->largest ? grouped(*m.cost->largest) : filled(CompareText::Nothing), ""};
}

CellView cheapest_cell(const ComparedMethod& m) {
    const AcceleratorRow* row = m.cost->cheapest;
    if (row == nullptr) return {filled(CompareText::NoneSuffices), ""};
    return {std::string(row->name), row->price_low_cents > 0
                                        ? filled(CompareText::FromAnHour, {dollars(row->price_low_cents / 100.0)})
                                        : filled(CompareText::NoPrice)};
}

CellView evidence_cell(const ComparedMethod& m) {
    const MethodRow* row = row_of(m);
    if (row != nullptr && !row->evidence.empty()) return {std::string(row->evidence), ""};
    return {m.method ? filled(CompareText::NoEvidence) : "", ""};
}

// In the order of the columns' titles.
constexpr CellView (*kCells[kCompareColumns])(const ComparedMethod&) = {
    trains_cell, kept_cell, checkpoint_cell, latency_cell, largest_cell, cheapest_cell, evidence_cell};
static_assert(static_cast<int>(CompareText::Evidence) - static_cast<int>(CompareText::Trains) == kCompareColumns - 1);

}  // namespace

std::string comparison_title(const MethodComparison& c) { return title(c.scenario); }

Bytes comparison_scale(const MethodComparison& c) {
    Bytes scale = c.usable.value_or(Bytes());
    for (const ComparedMethod& m : c.rows)
        if (m.cost) scale = std::max(scale, m.cost->needed);
    return scale;
}

std::string question_title() { return filled(CompareText::Needed); }
std::string question(int at) { return filled(CompareText::First + at); }
std::string column_title(int at) { return filled(CompareText::Trains + at); }

std::string_view method_word(const ComparedMethod& m) {
    return m.method ? field(FieldId::MethodName).choices[static_cast<std::size_t>(*m.method)] : "none";
}

std::string method_label(const MethodComparison& c, const ComparedMethod& m) {
    const MethodRow* row = row_of(m);
    const std::string label(row != nullptr ? row->label : method_word(m));
    if (!m.method) return filled(CompareText::DoNotFinetune);
    if (m.last_layers == 0) return label;
    return filled(CompareText::LastLayers, {label, grouped(m.last_layers), grouped(c.layers)});
}

std::string method_meaning(const ComparedMethod& m) {
    const MethodRow* row = row_of(m);
    return row != nullptr ? std::string(row->meaning) : m.method ? "" : filled(CompareText::DoNotMeaning);
}

std::string method_sentence(const ComparedMethod& m) {
    return m.cost ? std::string(label(m.cost->verdict)) : filled(CompareText::Refused, {m.refusal});
}

CellView method_cell(const ComparedMethod& m, int column) { return kCells[column](m); }

}  // namespace memwall
