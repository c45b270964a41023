#include "export/json_timeline.hpp"

#include <algorithm>

#include "export/json_parts.hpp"

namespace memwall {

std::string json_from_timeline(const Estimate& e, std::span<const Moment> moments) {
    JsonDocument document;
    JsonObject root = document.root();
    add_head(root);
    root.text("verdict", name(e.verdict));
    const auto peak = std::find_if(moments.begin(), moments.end(), [](const Moment& m) { return m.worst; });
    if (peak == moments.end())
        root.null("peak");
    else
        root.number("peak", peak - moments.begin());
    JsonArray instants = root.array("instants");
    for (const Moment& moment : moments) {
        JsonObject out = instants.object();
        add_instant(out, e, moment.instant);
        add_ledger(out, "rows", moment.rows);
    }
    add_notes(root, e.notes);
    return document.line();
}

std::string json_from_instants(const Estimate& e, std::span<const Instant> every, std::size_t first_number) {
    JsonDocument document;
    JsonObject root = document.root();
    add_head(root);
    root.text("verdict", name(e.verdict));
    JsonArray instants = root.array("instants");
    for (const Instant& instant : every) {
        JsonObject out = instants.object();
        out.number("number", static_cast<std::int64_t>(first_number++));
        add_instant(out, e, instant);
    }
    add_notes(root, e.notes);
    return document.line();
}

}  // namespace memwall
