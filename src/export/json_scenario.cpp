#include "export/json_scenario.hpp"

#include "plan/fields.hpp"

namespace memwall {
namespace {

void add_field(JsonObject parent, std::string_view key, const FieldRow& row, const Scenario& scenario) {
    const std::string words = text(scenario, row.id);
    switch (row.kind) {
        case FieldKind::Integer:
            parent.number(key, row.access.get(scenario));
            return;
        case FieldKind::Fraction:
            parent.raw(key, words);
            return;
        case FieldKind::Flag:
            parent.flag(key, row.access.get(scenario) != 0);
            return;
        case FieldKind::Choice:
        case FieldKind::Text:
            parent.text(key, words);
            return;
        case FieldKind::Set: {
            JsonArray list = parent.array(key);
            const auto bits = static_cast<std::uint64_t>(row.access.get(scenario));
            for (std::size_t i = 0; i < row.choices.size(); ++i)
                if ((bits >> i & 1U) != 0) list.text(row.choices[i]);
            return;
        }
    }
}

}  // namespace

void add_scenario(JsonObject root, const Scenario& scenario, FieldChoice choice) {
    for (const FieldRow& row : fields()) {
        if (is_later(row) || text(scenario, row.id).empty()) continue;
        if (choice == FieldChoice::Given && !is_given(scenario, row.id)) continue;
        const std::size_t dot = row.key.rfind('.');
        const std::string_view last = dot == std::string_view::npos ? row.key : row.key.substr(dot + 1);
        add_field(root.parent_of(row.key), last, row, scenario);
    }
}

}  // namespace memwall
