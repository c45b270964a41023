#include "export/markdown.hpp"

#include <initializer_list>
#include <string_view>

#include "base/concat.hpp"
#include "export/comparison.hpp"
#include "export/lineup.hpp"
#include "view/comparison.hpp"
#include "view/format.hpp"
#include "view/lineup.hpp"

namespace memwall {
namespace {

// A table cell: the two characters that would end it are written as entities.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') {
            out += "&#124;";
        } else {
            out += c == '\n' ? ' ' : c;
        }
    }
    return out;
}

void add_row(std::string& out, Pieces cells) {
    out += '|';
    for (const Piece& piece : cells)
        out.append(" ").append(cell(piece.text)).append(" |");
    out += '\n';
}

void add_table(std::string& out, Pieces titles) {
    add_row(out, titles);
    out += '|';
    for (std::size_t i = 0; i < titles.size(); ++i)
        out += " --- |";
    out += '\n';
}

void add_numbers(std::string& out, const ViewModel& v) {
    if (v.numbers.empty()) return;
    add_table(out, {"Memory", "", "Exactly"});
    for (const NumberView& n : v.numbers)
        add_row(out, {n.label, n.text, n.exact});
    out += '\n';
}

void add_breakdown(std::string& out, const ViewModel& v) {
    if (v.groups.empty()) return;
    out += "## Breakdown at the worst moment\n\n";
    for (const GroupView& group : v.groups) {
        out.append("### ").append(group.label).append(": ").append(group.text).append(" (");
        out.append(group.share_text).append(")\n\n");
        add_table(out, {"What", "Size", "Formula", "Numbers", "Why", "Confidence"});
        for (const RowView& row : group.rows)
            add_row(out, {row.title, row.bytes_text, row.formula, row.numbers, row.because, row.confidence});
        out += '\n';
    }
}

void add_settings(std::string& out, const ViewModel& v) {
    out += "## Settings\n\n";
    add_table(out, {"Field", "Value", ""});
    for (const FormFieldView& f : v.form)
        if (!f.value.empty())
            add_row(out, {f.key, f.value, f.is_recalled ? "default, recalled" : f.is_default ? "default" : "stated"});
    out += '\n';
}

void add_remarks(std::string& out, const ViewModel& v) {
    if (!v.assumptions.empty()) out += "## Assumed\n\n";
    for (const AssumptionView& a : v.assumptions)
        out.append("- ").append(a.label).append(": ").append(a.text) += '\n';
    if (!v.assumptions.empty()) out += '\n';
    if (!v.notes.empty()) out += "## Notes\n\n";
    for (const NoteView& n : v.notes)
        out.append("- ").append(n.where).append(n.where.empty() ? "" : ": ").append(n.message) += '\n';
    if (!v.notes.empty()) out += '\n';
}

}  // namespace

std::string markdown_from_view(const ViewModel& v) {
    std::string out;
    out.append("# ").append(v.title).append("\n\n**").append(v.verdict.sentence).append("**\n\n");
    if (!v.verdict.interval.empty())
        out.append(v.verdict.interval)
            .append(" (")
            .append(v.verdict.interval_basis)
            .append("); ")
            .append(concat({v.verdict.peak, ".\n\n"}));
    for (const std::string_view sentence : {std::string_view(v.multiple.sentence), std::string_view(v.largest.sentence),
                                            std::string_view(v.throughput.sentence)})
        if (!sentence.empty()) out.append("- ").append(sentence) += '\n';
    out += '\n';
    add_numbers(out, v);
    add_breakdown(out, v);
    add_settings(out, v);
    add_remarks(out, v);
    out.append("memwall ").append(v.version) += '\n';
    return out;
}

namespace {

void add_cell(std::string& out, std::string_view text, std::string_view detail = {}) {
    out.append(" ").append(cell(text));
    if (!detail.empty()) out.append(" (").append(cell(detail)) += ')';
    out += " |";
}

}  // namespace

std::string markdown_from_comparison(const MethodComparison& c) {
    std::string out = concat({"# ", comparison_title(c), "\n\n## ", question_title(), "\n\n"});
    for (int i = 0; i < kQuestions; ++i)
        out.append("1. ").append(question(i)) += '\n';
    out += "\n| Method | Memory | |";
    for (int i = 0; i < kCompareColumns; ++i)
        add_cell(out, column_title(i));
    out += "\n|";
    for (int i = 0; i < kCompareColumns + 3; ++i)
        out += " --- |";
    for (const ComparedMethod& m : c.rows) {
        out += "\n|";
        add_cell(out, method_label(c, m), method_meaning(m));
        add_cell(out, m.cost ? text(m.cost->needed) : "");
        add_cell(out, method_sentence(m));
        for (int i = 0; m.cost && i < kCompareColumns; ++i) {
            const CellView cell = method_cell(m, i);
            add_cell(out, cell.text, cell.detail);
        }
    }
    return out + '\n';
}

std::string markdown_from_lineup(const Lineup& l) {
    std::string out = "| |";
    for (const LineupEntry& entry : l.entries)
        add_cell(out, entry_title(entry), entry_sentence(entry));
    out += "\n|";
    for (std::size_t i = 0; i <= l.entries.size(); ++i)
        out += " --- |";
    for (const LineupRow& row : lineup_rows(l)) {
        out += "\n|";
        add_cell(out, row.label);
        for (std::size_t i = 0; i < row.values.size(); ++i)
            add_cell(out, row.values[i], i < row.more.size() ? row.more[i] : "");
    }
    return out + '\n';
}

}  // namespace memwall
