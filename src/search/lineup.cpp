#include "search/lineup.hpp"

#include <algorithm>
#include <utility>

#include "base/concat.hpp"

namespace memwall {
namespace {

LineupEntry entry_of(const Result<Scenario>& given) {
    LineupEntry out{given ? *given : Scenario(), std::nullopt, ""};
    if (!given) {
        out.refusal = given.error().message;
        return out;
    }
    auto made = estimate(*given);
    if (!made) {
        out.refusal = made.error().message;
        return out;
    }
    if (!made->has_numbers()) {
        out.refusal = concat({field(FieldId::ModelRef).label, " is not given"});
        return out;
    }
    LineupCost cost{
        made->verdict, made->worst().device_total, made->usable, made->scenario.accelerator.usable_trust, {}};
    for (const LedgerRow& row : made->worst().device.rows)
        cost.categories[static_cast<std::size_t>(row.category)] += row.bytes;
    out.cost = cost;
    out.scenario = std::move(made->scenario);
    return out;
}

bool differs(const std::vector<LineupEntry>& entries, FieldId id) {
    const LineupEntry* first = nullptr;
    for (const LineupEntry& entry : entries) {
        if (!entry.cost) continue;
        if (first == nullptr) first = &entry;
        if (text(entry.scenario, id) != text(first->scenario, id)) return true;
    }
    return false;
}

}  // namespace

Result<Lineup> lineup(const std::vector<Result<Scenario>>& scenarios) {
    if (scenarios.empty() || scenarios.size() > kMostInLineup)
        return Error{ErrorCode::OutOfRange,
                     "lineup",
                     {"There are ", std::to_string(scenarios.size()), " scenarios to compare"},
                     {"1 to ", std::to_string(kMostInLineup)}};
    Lineup out;
    for (const Result<Scenario>& scenario : scenarios)
        out.entries.push_back(entry_of(scenario));
    for (const FieldRow& row : fields())
        if (!is_later(row) && differs(out.entries, row.id)) out.differing.push_back(row.id);
    for (const LineupEntry& entry : out.entries)
        if (entry.cost) out.scale = std::max({out.scale, entry.cost->needed, entry.cost->usable.value_or(Bytes())});
    return out;
}

}  // namespace memwall
