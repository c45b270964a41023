#include "search/shortlist.hpp"

#include <algorithm>
#include <optional>

#include "plan/fields.hpp"

namespace memwall {
namespace {

// Without a price behind those that have one.
std::int64_t price(const AcceleratorRow& row) {
    return row.price_low_cents > 0 ? row.price_low_cents : std::int64_t{1} << 40;
}

int place(Verdict verdict) { return verdict == Verdict::Fits ? 0 : verdict == Verdict::Tight ? 1 : 2; }

bool is_before(const ShortlistRow& a, const ShortlistRow& b) {
    if (place(a.verdict) != place(b.verdict)) return place(a.verdict) < place(b.verdict);
    if (a.verdict != Verdict::Fits) return a.usable - a.needed > b.usable - b.needed;
    const std::int64_t dearer = price(*a.accelerator) - price(*b.accelerator);
    return dearer != 0 ? dearer < 0 : a.usable < b.usable;
}

}  // namespace

Result<std::vector<ShortlistRow>> shortlist(const Scenario& asked) {
    Scenario scenario = asked;
    for (const FieldRow& row : fields())
        if (row.group == FieldGroup::Accelerator && row.id != FieldId::AcceleratorCount) clear_field(scenario, row.id);
    std::vector<ShortlistRow> out;
    std::optional<Error> refusal;
    for (const AcceleratorRow& row : accelerators()) {
        if (Failure wrong = set_field(scenario, FieldId::AcceleratorName, row.name)) return *wrong;
        const auto made = estimate(scenario);
        if (!made) {
            refusal = made.error();
            continue;
        }
        if (!made->has_numbers()) return Error{ErrorCode::Missing, made->missing, "No model is given", ""};
        if (made->usable)
            out.push_back({&row, made->verdict, made->worst().device_total, *made->usable, usable_memory(row).trust});
    }
    if (out.empty() && refusal) return *refusal;
    std::stable_sort(out.begin(), out.end(), is_before);
    return out;
}

}  // namespace memwall
