#include "estimate/overhead.hpp"

#include "base/checked.hpp"

namespace memwall {
namespace {

struct OverheadRow {
    std::string_view key, title;
    Category category;
    RuleId rule;
    void (*write)(Formulas&, const Overhead&, Bytes allocated);
};

void slack(Formulas& to, const Overhead& overhead, Bytes allocated) {
    to.named("allocated peak", allocated.value);
    to.named("allocator_slack in per mille", overhead.allocator_slack_permille);
    to.apply(Operation::Product, 2);
    to.literal(1000);
    to.apply(Operation::CeilDiv, 2);
}
void framework(Formulas& to, const Overhead& overhead, Bytes) { to.named("framework_bytes", overhead.framework_bytes); }
void others(Formulas& to, const Overhead& overhead, Bytes) {
    to.named("in_use_by_others_bytes", overhead.in_use_by_others_bytes);
}

constexpr OverheadRow kRows[] = {
    {"allocator_slack", "Allocator slack", Category::AllocatorSlack, RuleId::AllocatorSlack, slack},
    {"framework", "Context and libraries", Category::Framework, RuleId::Framework, framework},
    {"in_use_by_others", "In use by other programs", Category::InUseByOthers, RuleId::InUseByOthers, others},
};

}  // namespace

Failure add_overhead(const Overhead& overhead, Bytes allocated, Ledger& to) {
    for (const OverheadRow& row : kRows) {
        row.write(to.formulas, overhead, allocated);
        if (to.formulas.value() == 0) continue;
        LedgerRow made;
        made.group = row.key;
        made.label = row.title;
        made.category = row.category;
        made.dtype = made.stored = Dtype::Int8;
        made.rule = row.rule;
        made.live_from = "load";
        made.live_until = "end";
        if (Failure failure = to.add(made)) return failure;
    }
    return std::nullopt;
}

Result<Bytes> device_total(const Overhead& overhead, Bytes allocated) {
    std::optional<std::int64_t> total = checked_multiply(allocated.value, overhead.allocator_slack_permille);
    if (total) total = checked_add(allocated.value, ceil_div(*total, 1000));
    if (total) total = checked_add(*total, overhead.framework_bytes);
    if (total) total = checked_add(*total, overhead.in_use_by_others_bytes);
    if (!total) return Error{ErrorCode::Overflow, "", "The device total is above 2^63 bytes.", ""};
    return Bytes(*total);
}

}  // namespace memwall
