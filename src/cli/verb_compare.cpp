// compare: the methods of finetuning side by side, or several scenarios.
#include <charconv>

#include "cli/text_table.hpp"
#include "cli/verbs.hpp"
#include "export/comparison.hpp"
#include "export/lineup.hpp"
#include "view/comparison.hpp"
#include "view/format.hpp"
#include "view/lineup.hpp"

namespace memwall {
namespace {

constexpr int kBarWidth = 20;

std::string bar(double fraction) {
    std::string out;
    for (int i = 0; i < static_cast<int>(fraction * kBarWidth + 0.5); ++i)
        out += "█";
    return out;
}

std::string joined(const CellView& cell) { return cell.text + (cell.detail.empty() ? "" : ", " + cell.detail); }

// Some columns of the table, because all of them are wider than a terminal.
void add_columns(std::string& out, const MethodComparison& c, int first, int last) {
    TextTable table(std::vector<TextAlign>(static_cast<std::size_t>(last - first + 1), TextAlign::Left));
    std::vector<std::string> cells{""};
    for (int i = first; i < last; ++i)
        cells.push_back(column_title(i));
    table.add(cells);
    for (const ComparedMethod& m : c.rows) {
        if (!m.cost) continue;
        cells = {method_label(c, m)};
        for (int i = first; i < last; ++i)
            cells.push_back(joined(method_cell(m, i)));
        table.add(cells);
    }
    out += "\n" + table.text();
}

std::string comparison_text(const MethodComparison& c) {
    std::string out = comparison_title(c) + "\n\n" + question_title() + "\n";
    for (int i = 0; i < kQuestions; ++i)
        out += "  - " + question(i) + "\n";
    out += '\n';
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Left, TextAlign::Left});
    for (const ComparedMethod& m : c.rows)
        table.add({method_label(c, m), m.cost ? text(m.cost->needed) : "",
                   m.cost ? bar(fraction(m.cost->needed, comparison_scale(c))) : "", method_sentence(m)});
    out += table.text();
    if (c.usable) out += "  usable: " + marked(text(*c.usable), c.usable_trust) + "\n";
    constexpr int kEnds[] = {3, 5, 6, 7};
    int first = 0;
    for (const int end : kEnds) {
        add_columns(out, c, first, end);
        first = end;
    }
    return out;
}

Result<std::int64_t> layers_from(std::string_view word) {
    std::int64_t out = 0;
    const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), out);
    if (word.empty() || (wrong == std::errc() && end == word.data() + word.size() && out > 0)) return out;
    return Error{ErrorCode::Malformed, "last-layers", "\"" + std::string(word) + "\" is no number of layers",
                 "--last-layers 8"};
}

std::string lineup_text(const Lineup& l) {
    std::string out;
    TextTable bars({TextAlign::Left, TextAlign::Right, TextAlign::Left, TextAlign::Left});
    for (const LineupEntry& entry : l.entries)
        bars.add({entry_title(entry), entry.cost ? text(entry.cost->needed) : "",
                  entry.cost ? bar(fraction(entry.cost->needed, l.scale)) : "", entry_sentence(entry)});
    out += bars.text() + '\n';
    TextTable table(std::vector<TextAlign>(l.entries.size() + 1, TextAlign::Left));
    for (const LineupRow& row : lineup_rows(l)) {
        std::vector<std::string> cells{row.label};
        for (std::size_t i = 0; i < row.values.size(); ++i)
            cells.push_back(row.values[i] +
                            (i < row.more.size() && !row.more[i].empty() ? " (" + row.more[i] + ")" : ""));
        table.add(cells);
    }
    return out + table.text();
}

Result<Answer> compare_scenarios(const Invocation& invocation, const Machine& machine) {
    std::vector<Result<Scenario>> scenarios;
    for (const std::string_view file : invocation.words) {
        Notes notes;
        MEMWALL_TRY(scenario, scenario_of(invocation, file, machine, notes));
        scenarios.emplace_back(std::move(scenario));
    }
    MEMWALL_TRY(made, lineup(scenarios));
    if (invocation.format == OutputFormat::Json) return Answer{json_from_lineup(made)};
    if (invocation.format == OutputFormat::Markdown) return Answer{markdown_from_lineup(made)};
    return Answer{lineup_text(made)};
}

}  // namespace

Result<Answer> run_compare(const Invocation& invocation, const Machine& machine) {
    if (invocation.words.size() > 1) return compare_scenarios(invocation, machine);
    Notes notes;
    MEMWALL_TRY(scenario, scenario_of(invocation, word(invocation, 0), machine, notes));
    MEMWALL_TRY(methods, methods_from_words(invocation.methods));
    MEMWALL_TRY(layers, layers_from(invocation.last_layers));
    MEMWALL_TRY(made, compare(scenario, methods, layers));
    if (invocation.format == OutputFormat::Json) return Answer{json_from_comparison(made)};
    if (invocation.format == OutputFormat::Markdown) return Answer{markdown_from_comparison(made)};
    return Answer{comparison_text(made)};
}

}  // namespace memwall
