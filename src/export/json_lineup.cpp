#include "export/lineup.hpp"

#include "export/json_parts.hpp"
#include "view/format.hpp"
#include "view/lineup.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

void add_entry(JsonObject out, const LineupEntry& entry, Bytes scale) {
    out.text("title", entry_title(entry))
        .text("state", name(entry.cost ? entry.cost->verdict : Verdict::CannotSay))
        .text("sentence", entry_sentence(entry));
    if (!entry.cost) return;
    const LineupCost& cost = *entry.cost;
    out.number("needed_bytes", cost.needed);
    if (cost.usable)
        out.text("usable", marked(text(*cost.usable), cost.usable_trust))
            .fraction("usable_fraction", fraction(*cost.usable, scale));
    add_parts(out, cost.needed, cost.categories, scale);
}

void add_texts(JsonArray out, const std::vector<std::string>& texts) {
    for (const std::string& each : texts)
        out.text(each);
}

}  // namespace

std::string json_from_lineup(const Lineup& l) {
    JsonDocument document;
    JsonObject root = document.root();
    add_head(root);
    JsonArray entries = root.array("entries");
    for (const LineupEntry& entry : l.entries)
        add_entry(entries.object(), entry, l.scale);
    JsonArray rows = root.array("rows");
    for (const LineupRow& row : lineup_rows(l)) {
        JsonObject out = rows.object();
        out.text("label", row.label);
        add_texts(out.array("values"), row.values);
        add_texts(out.array("more"), row.more);
    }
    return document.line();
}

}  // namespace memwall
