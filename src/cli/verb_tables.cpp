// params, catalogue, fields, rules: what is known, as tables.

#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "catalogue/catalogue.hpp"
#include "cli/text_table.hpp"
#include "cli/verbs.hpp"
#include "export/json_tables.hpp"
#include "export/json_tree.hpp"
#include "memory/rules.hpp"
#include "model/parameters.hpp"
#include "plan/defaults.hpp"
#include "plan/number_text.hpp"
#include "view/format.hpp"
#include "view/shortlist.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

// ---- parameters --------------------------------------------------------------------------------

std::string shape_text(const ParameterTensor& tensor) {
    std::string out;
    for (const std::int64_t size : dimensions(tensor))
        out += (out.empty() ? "" : " × ") + grouped(size);
    return out;
}

std::string tree_text(const Architecture& architecture) {
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Right, TextAlign::Right});
    for (const ParameterTensor& tensor : parameters(architecture)) {
        const bool tied = tensor.tying == Tying::SharesEmbedding;
        table.add({name(tensor), shape_text(tensor),
                   tensor.copies.value == 1 ? "" : "× " + grouped(tensor.copies.value),
                   tied ? "shared" : grouped(parameters_of(tensor).value)});
    }
    return table.text();
}

std::string modules_text(const ParameterCounts& counts) {
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Right});
    for (int i = 0; i < kModules; ++i) {
        const Count count = counts.by_module[i];
        if (count.value == 0) continue;
        table.add({std::string(label(static_cast<Module>(i))), grouped(count.value),
                   percent(Bytes(count.value), Bytes(counts.total.value))});
    }
    return table.text();
}

constexpr std::string_view kRecalledMark = "* recalled, not read from a source\n";

// ---- catalogue ---------------------------------------------------------------------------------

std::string models_text(std::string_view filter) {
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Left, TextAlign::Left}, "");
    for (const ModelRow& row : models())
        if (contains_words(row.id, filter))
            table.add({std::string(row.id), text(count_parameters(architecture_from_row(row)).total),
                       std::string(row.model_type),
                       std::string(trust(row)) + (row.published_total != 0 ? ", total only" : "")});
    return table.text();
}

std::string accelerators_text(std::string_view filter) {
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Right, TextAlign::Left, TextAlign::Right}, "");
    for (const AcceleratorRow& row : accelerators()) {
        if (!contains_words(row.name, filter)) continue;
        const UsableMemory usable = usable_memory(row);
        const Trust trust = row.recalled ? Trust::Recalled : Trust::Published;
        const std::string sold = text_from_value(field(FieldId::MemoryGb), row.memory_gb_permille) + " GB";
        const std::string bandwidth = grouped(row.memory_bandwidth_gbs) + " GB/s";
        table.add({std::string(row.name), marked(sold, trust), text(usable.bytes),
                   "usable, " + std::string(name(usable.trust)),
                   row.memory_bandwidth_gbs == 0 ? "" : marked(bandwidth, trust)});
    }
    return table.empty() ? "" : table.text() + std::string(kRecalledMark);
}

std::string use_text(std::string_view use) { return use.empty() ? "not computed yet" : std::string(use); }

std::string formats_text(std::string_view filter) {
    TextTable table({TextAlign::Left, TextAlign::Left, TextAlign::Right, TextAlign::Left}, "");
    for (const FormatRow& row : formats())
        if (contains_words(row.name, filter))
            table.add({std::string(row.name), use_text(row.use),
                       row.bits_per_weight_millionths == 0
                           ? "by shape"
                           : text_from_number(row.bits_per_weight_millionths, 1'000'000) + " bits",
                       std::string(row.family) + (row.formula.empty() ? "" : ": " + std::string(row.formula))});
    return table.text();
}

std::string optimizers_text(std::string_view filter) {
    TextTable table({TextAlign::Left, TextAlign::Left, TextAlign::Left, TextAlign::Left}, "");
    for (const OptimizerRow& row : optimizers())
        if (contains_words(row.name, filter))
            table.add({std::string(row.name), use_text(row.use), std::string(row.states), std::string(row.formula)});
    return table.text();
}

std::string methods_text(std::string_view filter) {
    TextTable table({TextAlign::Left, TextAlign::Left, TextAlign::Left, TextAlign::Left}, "");
    for (const MethodRow& row : methods())
        if (contains_words(row.name, filter))
            table.add({std::string(row.name), method_use(row).empty() ? "not computed yet" : "", std::string(row.label),
                       std::string(row.meaning)});
    return table.text();
}

struct KindRow {
    std::string_view name;
    std::string (*text)(std::string_view filter);
};
constexpr KindRow kKinds[] = {{"models", models_text},
                              {"accelerators", accelerators_text},
                              {"formats", formats_text},
                              {"optimizers", optimizers_text},
                              {"methods", methods_text}};

// ---- fields ------------------------------------------------------------------------------------

std::string fields_text(std::string_view filter) {
    std::string out;
    for (std::size_t at = 0; at < fields().size();) {
        const FieldGroup group = fields()[at].group;
        TextTable table({TextAlign::Left, TextAlign::Left, TextAlign::Left});
        for (; at < fields().size() && fields()[at].group == group; ++at) {
            const FieldRow& row = fields()[at];
            if (!contains_word(row.key, filter)) continue;
            const std::string names =
                "--" + flag_text(row) + (row.alias.empty() ? "" : ", --" + std::string(row.alias));
            const std::string limits = is_later(row) ? "later" : allowed_text(row);
            const std::string shown = default_text(row.id);
            table.add({names, std::string(row.key), std::string(row.help)});
            table.add({"", shown.empty() || is_later(row) ? "" : "default: " + shown, limits});
        }
        if (!table.empty())
            out += std::string(out.empty() ? "" : "\n") + std::string(label(group)) + "\n" + table.text();
    }
    return out;
}

// ---- rules -------------------------------------------------------------------------------------

bool is_wanted(const RuleRow& row, std::string_view filter) {
    return contains_words(row.key, filter) || contains_words(row.title, filter);
}

// Only the command line shows them as a list: the module tells the rule of a row with the row.
std::string json_from_rules(std::string_view filter) {
    JsonDocument document;
    JsonArray list = document.array();
    for (const RuleRow& row : rules())
        if (is_wanted(row, filter))
            list.object()
                .text("key", row.key)
                .text("title", row.title)
                .text("because", row.because)
                .text("source", row.source)
                .text("source_url", row.source_url)
                .text("confidence", name(row.confidence));
    return document.line();
}

std::string rules_text(std::string_view filter) {
    TextTable table({TextAlign::Left, TextAlign::Left, TextAlign::Left, TextAlign::Left});
    for (const RuleRow& row : rules())
        if (is_wanted(row, filter))
            table.add({std::string(row.key), std::string(name(row.confidence)), std::string(row.because),
                       std::string(row.source)});
    return table.text();
}

}  // namespace

Result<Answer> run_params(const Invocation& invocation, const Machine& machine) {
    Notes notes;
    const std::string_view file = invocation.words.empty() ? std::string_view() : invocation.words[0];
    MEMWALL_TRY(scenario, scenario_of(invocation, file, machine, notes));
    scenario.task = Task::Inference;  // the model as it is stored
    MEMWALL_TRY(completed, complete(scenario, notes));
    const Architecture& architecture = completed.model.architecture;
    if (invocation.format == OutputFormat::Json) return Answer{json_from_parameters(completed.model)};
    const ParameterCounts counts = count_parameters(architecture);
    const bool counted = architecture.kind != ArchitectureKind::ParameterCount;
    std::string out =
        completed.model.name +
        (counted ? ": " + marked(grouped(counts.total.value), completed.model.count_trust) + " parameters" : "");
    if (counts.active != counts.total) out += ", " + grouped(counts.active.value) + " active per token";
    out += "\n" + (invocation.detail == Detail::Tree ? tree_text(architecture) : modules_text(counts));
    for (const Note& note : notes.all())
        out += "  " + note.where + ": " + note.message + "\n";
    return Answer{std::move(out)};
}

namespace {

// What a table has of a filter; nothing is bad input, in either format.
Result<Answer> listed(const Invocation& invocation, const std::string& what, std::string (*text)(std::string_view),
                      std::string (*json)(std::string_view)) {
    const std::string_view filter = word(invocation, 0);
    std::string out = text(filter);
    if (out.empty())
        return Error{ErrorCode::UnknownName, "", "No " + what + " has \"" + excerpt(filter, 60) + "\" in its name",
                     "`memwall " + what + "s` lists all"};
    return Answer{invocation.format == OutputFormat::Json ? json(filter) : std::move(out)};
}

}  // namespace

Result<Answer> run_catalogue(const Invocation& invocation, const Machine&) {
    const std::string_view kind = invocation.words.empty() ? std::string_view() : invocation.words[0];
    std::string filter;
    for (std::size_t i = 1; i < invocation.words.size(); ++i)
        filter += (i > 1 ? " " : "") + std::string(invocation.words[i]);
    if (kind.empty())
        return Error{ErrorCode::Malformed, "", "The kind of catalogue is missing",
                     "models, accelerators, formats, optimizers, methods"};
    for (const KindRow& row : kKinds) {
        if (!same_word(row.name, kind)) continue;
        std::string text = row.text(filter);
        if (!text.empty() && invocation.format == OutputFormat::Json) {
            MEMWALL_TRY(json, json_from_catalogue(row.name, filter));
            return Answer{std::move(json)};
        }
        if (!text.empty()) return Answer{std::move(text)};
        return Error{ErrorCode::UnknownName, "",
                     "None of the " + std::string(row.name) + " has \"" + excerpt(filter, 60) + "\" in its name",
                     "`memwall catalogue " + std::string(row.name) + "` lists all"};
    }
    return Error{ErrorCode::UnknownName, "", "There is no catalogue of \"" + excerpt(kind, 60) + "\"",
                 "models, accelerators, formats, optimizers, methods"};
}

Result<Answer> run_shortlist(const Invocation& invocation, const Machine& machine) {
    Notes notes;
    MEMWALL_TRY(scenario, scenario_of(invocation, word(invocation, 0), machine, notes));
    MEMWALL_TRY(list, shortlist(scenario));
    if (invocation.format == OutputFormat::Json) return Answer{json_from_shortlist(list)};
    TextTable table(
        {TextAlign::Left, TextAlign::Left, TextAlign::Right, TextAlign::Right, TextAlign::Right, TextAlign::Right}, "");
    table.add({"accelerator", "", "needed", "usable", "left", "from, an hour"});
    for (const ShortlistRowView& row : shortlist_views(list))
        table.add({row.name, row.sentence, row.needed, row.usable, row.left, row.price});
    return Answer{table.text() + std::string(kRecalledMark)};
}

Result<Answer> run_fields(const Invocation& invocation, const Machine&) {
    return listed(invocation, "field", fields_text, json_from_fields);
}

Result<Answer> run_rules(const Invocation& invocation, const Machine&) {
    return listed(invocation, "rule", rules_text, json_from_rules);
}

}  // namespace memwall
