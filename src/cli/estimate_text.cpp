#include "cli/estimate_text.hpp"

#include <array>

#include "cli/text_table.hpp"
#include "plan/fields.hpp"
#include "view/format.hpp"

namespace memwall {
namespace {

struct RoleColour {
    std::string_view role, start;
};
constexpr std::array kColours{RoleColour{"good", "\033[1;32m"}, RoleColour{"warning", "\033[1;33m"},
                              RoleColour{"bad", "\033[1;31m"}, RoleColour{"neutral", "\033[1m"}};

std::string coloured(std::string text, std::string_view role, Style style) {
    if (style == Style::Plain) return text;
    for (const RoleColour& colour : kColours)
        if (colour.role == role) return std::string(colour.start) + text + "\033[0m";
    return text;
}

std::string bar(double fraction) {
    constexpr int kWidth = 24;
    const int filled = static_cast<int>(fraction * kWidth + 0.5);
    std::string out;
    for (int i = 0; i < filled; ++i)
        out += "█";
    return out;
}

void add_paragraph(std::string& out, std::string_view text) {
    if (!text.empty()) out.append("  ").append(text) += '\n';
}

void add_breakdown(std::string& out, const ViewModel& view) {
    if (view.groups.empty()) return;
    out += "\nAt the worst moment";
    if (!view.verdict.peak.empty()) out += " (" + view.verdict.peak + ")";
    out += "\n";
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Right, TextAlign::Left});
    for (const GroupView& group : view.groups)
        table.add({group.label, group.text, group.share_text, bar(group.fraction)});
    out += table.text();
}

void add_numbers(std::string& out, const ViewModel& view) {
    if (view.numbers.empty()) return;
    out += '\n';
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Right});
    for (const NumberView& number : view.numbers)
        table.add({number.label, number.text, number.exact});
    out += table.text();
}

void add_neighbours(std::string& out, const ViewModel& view) {
    if (view.groups.empty()) return;
    out += '\n';
    for (const std::string* sentence : {&view.largest.sentence, &view.multiple.sentence, &view.throughput.sentence})
        add_paragraph(out, *sentence);
    TextTable table({TextAlign::Left, TextAlign::Left});
    for (const PairSideView* side : {&view.pair.run, &view.pair.train})
        if (!side->sentence.empty()) table.add({side->label, side->sentence});
    out += table.text();
}

// What decides most; everything else stands in `completed` of --json.
constexpr std::array<std::string_view, 10> kToldOfTraining{"method.name",
                                                           "precision.recipe",
                                                           "optimizer.name",
                                                           "batch.micro_batch_size",
                                                           "batch.sequence_length",
                                                           "batch.gradient_accumulation_steps",
                                                           "savers.activation_checkpointing",
                                                           "savers.attention",
                                                           "accelerator.count",
                                                           "implementation.name"};
constexpr std::array<std::string_view, 5> kToldOfInference{"precision.weights", "serving.concurrent_sequences",
                                                           "serving.context_tokens", "serving.kv_cache_dtype",
                                                           "accelerator.count"};

template <class Keys>
void add_told(TextTable& table, const ViewModel& view, const Keys& keys) {
    for (const std::string_view key : keys)
        for (const FormFieldView& f : view.form)
            if (f.key == key && f.is_default && f.value != "0")
                table.add({std::string(find_field(key)->label), f.value, f.key});
}

void add_defaults(std::string& out, const ViewModel& view) {
    if (view.groups.empty()) return;
    TextTable table({TextAlign::Left, TextAlign::Left, TextAlign::Left});
    bool is_inference = false;
    for (const FormFieldView& f : view.form)
        if (f.key == "task") {
            is_inference = f.value == "inference";
            if (f.is_default) table.add({"Task", f.value, f.key});
        }
    if (is_inference)
        add_told(table, view, kToldOfInference);
    else
        add_told(table, view, kToldOfTraining);
    if (!table.empty()) out += "\nNot given, so the default\n" + table.text();
}

void add_remarks(std::string& out, const ViewModel& view) {
    if (!view.assumptions.empty()) {
        out += "\nAssumed\n";
        TextTable table({TextAlign::Left, TextAlign::Left, TextAlign::Left});
        for (const AssumptionView& a : view.assumptions)
            table.add({a.label, a.text, a.field});
        out += table.text();
    }
    if (view.notes.empty()) return;
    out += "\nNotes\n";
    for (const NoteView& note : view.notes)
        add_paragraph(out, note.where + (note.where.empty() ? "" : ": ") + note.message);
}

}  // namespace

std::string estimate_text(const ViewModel& view, Style style) {
    std::string out = view.title.empty() ? "" : view.title + "\n";
    out += coloured(view.verdict.sentence, view.verdict.role, style) + "\n";
    if (!view.verdict.interval_basis.empty()) add_paragraph(out, "interval: " + view.verdict.interval_basis);
    add_breakdown(out, view);
    add_numbers(out, view);
    add_neighbours(out, view);
    add_defaults(out, view);
    add_remarks(out, view);
    return out;
}

std::string rows_text(const std::vector<RowView>& rows) {
    std::string out;
    for (const RowView& row : rows) {
        if (!out.empty()) out += '\n';
        out += row.title + "  " + row.text + "  " + row.share_text + "  [" + row.key + "]\n";
        TextTable table({TextAlign::Left, TextAlign::Left});
        table.add({"=", row.formula});
        table.add({"=", row.numbers});
        table.add({"=", row.bytes_text});
        table.add({"because", row.because});
        table.add({"source", row.source + (row.source_url.empty() ? "" : ", " + row.source_url)});
        table.add({"confidence", row.confidence});
        table.add({"lives", row.live});
        if (!row.field.empty()) table.add({"set by", row.field});
        out += table.text();
    }
    return out;
}

std::string solution_text(const Solution& solution) {
    const FieldRow& row = field(solution.field);
    const std::string key(row.key);
    const std::string usable = marked(text(solution.usable), solution.usable_trust);
    const std::string tight = solution.verdict == Verdict::Tight ? ", which is tight: it may take more" : std::string();
    std::string out;
    switch (solution.bound) {
        case Bound::Memory:
            out = "The largest " + key + " that fits is " + grouped(solution.value) + ": " + text(solution.needed) +
                  " of " + usable + tight + "\n";
            if (solution.next)
                out += "  " + grouped(*solution.next) + " needs " + text(solution.next_needed) + " and does not fit\n";
            break;
        case Bound::FieldLimit:
            out = "Every " + key + " allowed fits; the largest is " + grouped(solution.value) + ": " +
                  text(solution.needed) + " of " + usable + tight + "\n";
            break;
        case Bound::NothingFits:
            out = "No " + key + " fits: even " + grouped(solution.value) + " needs " + text(solution.needed) + " of " +
                  usable + "\n";
            break;
    }
    for (const Note& note : solution.notes.all())
        add_paragraph(out, note.where + (note.where.empty() ? "" : ": ") + note.message);
    return out;
}

}  // namespace memwall
