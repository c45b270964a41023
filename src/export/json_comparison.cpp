#include "export/comparison.hpp"
#include "export/json.hpp"
#include "export/json_parts.hpp"
#include "view/comparison.hpp"
#include "view/format.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

void add_shown(JsonObject out, const MethodComparison& c, const ComparedMethod& m) {
    out.text("method", method_word(m))
        .text("label", method_label(c, m))
        .text("meaning", method_meaning(m))
        .text("state", name(m.cost ? m.cost->verdict : Verdict::CannotSay))
        .text("sentence", method_sentence(m));
    if (m.last_layers > 0) out.number("last_layers", m.last_layers);
}

void add_numbers(JsonObject out, const MethodCost& c) {
    out.number("needed_bytes", c.needed)
        .number("all_parameters", c.all_parameters)
        .number("trained_parameters", c.trained_parameters)
        .number("layer_parameters", c.layer_parameters)
        .number("trained_layer_parameters", c.trained_layer_parameters)
        .number("kept_bytes", c.kept)
        .number("checkpoint_bytes", c.checkpoint);
    if (c.added_operators) out.number("added_operators", *c.added_operators);
    if (c.largest) out.number("largest", *c.largest);
    if (c.cheapest != nullptr) out.text("cheapest", c.cheapest->name);
}

}  // namespace

void add_parts(JsonObject out, Bytes needed, const std::array<Bytes, kCategories>& categories, Bytes scale) {
    out.text("needed", text(needed)).fraction("fraction", fraction(needed, scale));
    JsonArray parts = out.array("parts");
    for (std::size_t i = 0; i < categories.size(); ++i) {
        const Bytes part = categories[i];
        if (part.value == 0) continue;
        parts.object()
            .text("category", name(static_cast<Category>(i)))
            .text("label", label(static_cast<Category>(i)))
            .number("bytes", part)
            .text("text", text(part))
            .fraction("fraction", fraction(part, scale));
    }
}

std::string json_from_comparison(const MethodComparison& c) {
    const Bytes scale = comparison_scale(c);
    JsonDocument document;
    JsonObject root = document.root();
    add_head(root);
    root.text("questions_title", question_title());
    JsonArray questions = root.array("questions");
    for (int i = 0; i < kQuestions; ++i)
        questions.text(question(i));
    root.number("layers", c.layers);
    if (c.usable)
        root.text("usable", marked(text(*c.usable), c.usable_trust))
            .fraction("usable_fraction", fraction(*c.usable, scale));
    JsonArray columns = root.array("columns");
    for (int i = 0; i < kCompareColumns; ++i)
        columns.text(column_title(i));
    JsonArray methods = root.array("methods");
    for (const ComparedMethod& m : c.rows) {
        JsonObject out = methods.object();
        add_shown(out, c, m);
        if (!m.cost) continue;
        add_numbers(out, *m.cost);
        add_parts(out, m.cost->needed, m.cost->categories, scale);
        JsonArray cells = out.array("cells");
        for (int i = 0; i < kCompareColumns; ++i) {
            const CellView cell = method_cell(m, i);
            cells.object().text("text", cell.text).text("detail", cell.detail);
        }
    }
    return document.line();
}

}  // namespace memwall
