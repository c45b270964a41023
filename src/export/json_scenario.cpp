#include "export/json_scenario.hpp"

#include <vector>

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

// The objects of a key's path that are open; the field table keeps each group together.
class Path {
  public:
    explicit Path(JsonObject root) { open_.push_back({{}, root}); }

    // The object a key's last part belongs to.
    JsonObject object_of(std::string_view key) {
        std::size_t level = 1;
        for (std::size_t dot; (dot = key.find('.')) != std::string_view::npos; key.remove_prefix(dot + 1), ++level) {
            const std::string_view name = key.substr(0, dot);
            if (level < open_.size() && open_[level].name == name) continue;
            open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(level), open_.end());
            open_.push_back({name, open_.back().object.object(name)});
        }
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(level), open_.end());
        return open_.back().object;
    }

  private:
    struct Open {
        std::string_view name;
        JsonObject object;
    };
    std::vector<Open> open_;
};

}  // namespace

void add_scenario(JsonObject root, const Scenario& scenario, FieldChoice choice) {
    Path path(root);
    for (const FieldRow& row : fields()) {
        if (is_later(row) || text(scenario, row.id).empty()) continue;
        if (choice == FieldChoice::Given && !is_given(scenario, row.id)) continue;
        const std::size_t dot = row.key.rfind('.');
        const std::string_view last = dot == std::string_view::npos ? row.key : row.key.substr(dot + 1);
        add_field(path.object_of(row.key), last, row, scenario);
    }
}

}  // namespace memwall
