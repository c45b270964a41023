#include "export/json_tables.hpp"

#include <algorithm>
#include <utility>

#include "base/concat.hpp"
#include "base/nearest.hpp"
#include "base/version.hpp"
#include "catalogue/catalogue.hpp"
#include "export/json.hpp"
#include "export/json_tree.hpp"
#include "model/parameters.hpp"
#include "plan/fields.hpp"
#include "search/solver.hpp"
#include "view/format.hpp"
#include "view/shortlist.hpp"

namespace memwall {
namespace {

constexpr std::string_view kKindNames[] = {"integer", "fraction", "choice", "flag", "set", "text"};
static_assert(static_cast<int>(FieldKind::Text) == 5);

void add_choices(JsonObject out, const FieldRow& row) {
    JsonArray words = out.array("choices");
    for (const std::string_view word : row.choices)
        words.text(word);
    JsonArray labels = out.array("choice_labels");
    for (const std::string_view word : row.choice_labels.empty() ? row.choices : row.choice_labels)
        labels.text(word);
    JsonArray computed = out.array("computed_choices");
    for (std::size_t i = 0; i < row.choices.size(); ++i)
        if (!is_later(row) && (row.computed >> i & 1U) != 0) computed.text(row.choices[i]);
}

void add_limits(JsonObject out, const FieldRow& row) {
    if (row.kind == FieldKind::Integer)
        out.number("minimum", row.minimum).number("maximum", row.maximum).number("step", row.step);
    if (row.kind == FieldKind::Fraction)
        out.raw("minimum", text_from_value(row, row.minimum))
            .raw("maximum", text_from_value(row, row.maximum))
            .raw("step", text_from_value(row, row.step));
    add_choices(out, row);
}

void add_field(JsonObject out, const FieldRow& row) {
    out.text("key", row.key)
        .text("flag", flag_text(row))
        .text("alias", row.alias)
        .text("group", name(row.group))
        .text("group_label", label(row.group))
        .text("kind", kKindNames[static_cast<std::size_t>(row.kind)])
        .text("label", row.label)
        .text("unit", row.unit)
        .text("help", row.help);
    add_limits(out, row);
    out.text("default", default_text(row.id)).flag("computed", !is_later(row)).text("later", row.later);
    const std::span<const FieldId> solvable = solvable_fields();
    out.flag("solvable", std::find(solvable.begin(), solvable.end(), row.id) != solvable.end());
}

// What a list of any kind shows: the name to choose by, what it is, how large it is.
JsonObject add_head(JsonArray list, std::string_view name, std::string_view detail, std::string_view size) {
    JsonObject out = list.object();
    out.text("name", name).text("detail", detail).text("size", size);
    return out;
}

JsonObject add_model_head(JsonArray list, const ModelRow& row, std::string_view size) {
    JsonObject out = add_head(list, row.id, row.family, size);
    out.text("trust", trust(row)).flag("total_only", row.published_total != 0);
    return out;
}

void add_model(JsonArray list, const ModelRow& row) {
    const ParameterCounts counts = count_parameters(architecture_from_row(row));
    add_model_head(list, row, text(counts.total))
        .text("model_type", row.model_type)
        .number("parameters", counts.total)
        .number("active_parameters", counts.active)
        .text("note", note(row));
}

void add_accelerator(JsonArray list, const AcceleratorRow& row) {
    const UsableMemory usable = usable_memory(row);
    const std::string detail = std::string(row.vendor).append(" ").append(row.architecture);
    add_head(list, row.name, detail, text(usable.bytes))
        .text("segment", row.segment)
        .text("memory_type", row.memory_type)
        .raw("memory_gb", text_from_value(field(FieldId::MemoryGb), row.memory_gb_permille))
        .number("usable_bytes", usable.bytes)
        .text("usable_trust", name(usable.trust))
        .text("usable_source", usable.source)
        .number("memory_bandwidth_gbs", std::int64_t{row.memory_bandwidth_gbs})
        .fraction("bf16_tflops", row.tflops_tenths[3] / 10.0)
        .fraction("usd_per_hour_low", row.price_low_cents / 100.0)
        .fraction("usd_per_hour_high", row.price_high_cents / 100.0)
        .text("price_date", row.price_date)
        .flag("recalled", row.recalled);
}

void add_format(JsonArray list, const FormatRow& row) {
    add_head(list, row.name, row.family, "")
        .fraction("bits_per_weight", row.bits_per_weight_millionths / 1e6)
        .number("block_weights", std::int64_t{row.block_weights})
        .number("block_bytes", std::int64_t{row.block_bytes})
        .text("applies_to", row.applies_to)
        .text("formula", row.formula)
        .text("use", row.use)
        .text("source", sources()[row.source])
        .text("note", row.note);
}

void add_optimizer(JsonArray list, const OptimizerRow& row) {
    JsonObject out = add_head(list, row.name, row.states, "");
    out.text("formula", row.formula).text("use", row.use);
    if (row.state_bytes_millionths >= 0) out.fraction("state_bytes_per_parameter", row.state_bytes_millionths / 1e6);
    out.text("source", sources()[row.source]).text("note", row.note);
}

void add_method(JsonArray list, const MethodRow& row) {
    add_head(list, row.name, row.meaning, "")
        .text("label", row.label)
        .text("use", method_use(row))
        .text("source", row.source)
        .text("source_url", row.source_url);
}

std::string_view title_of(const ModelRow& row) { return row.id; }
template <class Row>
std::string_view title_of(const Row& row) {
    return row.name;
}

template <class Row>
std::string rows_with(std::span<const Row> rows, std::string_view filter, void (*add)(JsonArray, const Row&)) {
    JsonDocument document;
    JsonArray list = document.array();
    for (const Row& row : rows)
        if (contains_words(title_of(row), filter)) add(list, row);
    return document.line();
}

void add_tensor(JsonObject out, const ParameterTensor& tensor) {
    out.text("name", name(tensor)).text("role", name(tensor.role)).text("module", name(module_of(tensor.role)));
    JsonArray shape = out.array("shape");
    for (const std::int64_t size : dimensions(tensor))
        shape.number(size);
    out.number("copies", tensor.copies.value)
        .number("parameters", parameters_of(tensor))
        .flag("tied", tensor.tying == Tying::SharesEmbedding);
}

}  // namespace

// The word itself, where its method is computed.
std::string_view method_use(const MethodRow& row) {
    const FieldRow& names = field(FieldId::MethodName);
    const auto value = value_from_text(names, row.name);
    return value && !check_computed(names, *value) ? row.name : std::string_view();
}

std::string json_from_fields(std::string_view filter) {
    JsonDocument document;
    JsonArray list = document.array();
    for (const FieldRow& row : fields())
        if (contains_word(row.key, filter)) add_field(list.object(), row);
    return document.line();
}

Result<std::string> json_from_catalogue(std::string_view kind, std::string_view filter) {
    if (kind == "models") return rows_with(models(), filter, add_model);
    if (kind == "accelerators") return rows_with(accelerators(), filter, add_accelerator);
    if (!has_catalogue_texts())
        return Error{ErrorCode::Missing, "catalogue", "The texts of the catalogue have not been given yet.",
                     "catalogue.txt lies beside core.wasm"};
    if (kind == "formats") return rows_with(formats(), filter, add_format);
    if (kind == "optimizers") return rows_with(optimizers(), filter, add_optimizer);
    if (kind == "methods") return rows_with(methods(), filter, add_method);
    return Error{ErrorCode::UnknownName,
                 "catalogue",
                 {"There is no catalogue of ", kind, "."},
                 "models, accelerators, formats, optimizers, methods"};
}

std::string json_from_names(std::string_view kind) {
    JsonDocument document;
    JsonArray list = document.array();
    if (kind == "accelerators")
        for (const AcceleratorRow& row : accelerators()) {
            const UsableMemory usable = usable_memory(row);
            const std::string detail = concat({row.vendor, " ", row.architecture});
            add_head(list, row.name, detail, text(usable.bytes)).text("usable_trust", name(usable.trust));
        }
    else
        for (const ModelRow& row : models()) {
            const Architecture a = architecture_from_row(row);
            const bool counts = a.vocab_size > 0 && a.encoder_decoder.num_encoder_layers == 0;
            add_model_head(list, row, counts ? text(count_parameters(a).total) : std::string());
        }
    return document.line();
}

std::string json_from_parameters(const ModelChoice& model) {
    const Architecture& architecture = model.architecture;
    JsonDocument document;
    JsonObject root = document.root();
    const ParameterCounts counts = count_parameters(architecture);
    root.number("schema", kJsonSchema).text("version", kVersion).text("model_type", architecture.model_type);
    root.number("total", counts.total).number("active", counts.active);
    root.flag("total_only", architecture.kind == ArchitectureKind::TotalOnly);
    root.flag("recalled", model.count_trust == Trust::Recalled);
    JsonObject modules = root.object("modules");
    for (int i = 0; i < kModules; ++i)
        if (counts.by_module[i].value > 0) modules.number(name(static_cast<Module>(i)), counts.by_module[i]);
    JsonArray tensors = root.array("tensors");
    for (const ParameterTensor& tensor : parameters(architecture))
        add_tensor(tensors.object(), tensor);
    return document.line();
}

std::string json_from_shortlist(const std::vector<ShortlistRow>& list) {
    JsonDocument document;
    JsonArray rows = document.array();
    const std::vector<ShortlistRowView> views = shortlist_views(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const ShortlistRowView& v = views[i];
        JsonObject row = rows.object();
        for (const auto& [key, value] : {std::pair{"name", &v.name},
                                         {"vendor", &v.vendor},
                                         {"needed", &v.needed},
                                         {"usable", &v.usable},
                                         {"left", &v.left},
                                         {"price", &v.price},
                                         {"state", &v.state},
                                         {"sentence", &v.sentence}})
            row.text(key, *value);
        row.fraction("fraction", v.fraction).number("needed_bytes", list[i].needed);
        row.number("usable_bytes", list[i].usable).number("price_cents", list[i].accelerator->price_low_cents);
        row.flag("usable_recalled", list[i].usable_trust == Trust::Recalled);
        row.flag("price_recalled", list[i].accelerator->recalled);
    }
    return document.line();
}

}  // namespace memwall
