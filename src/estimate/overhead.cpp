#include "estimate/overhead.hpp"

#include <utility>

#include "base/checked.hpp"

namespace memwall {
namespace {

struct OverheadRow {
    std::string_view key, title;
    Category category;
    RuleId rule;
    Expression (*bytes)(const Overhead&, Bytes allocated);
};

Expression slack(const Overhead& overhead, Bytes allocated) {
    return ceil_div(product({Expression::named("allocated peak", allocated.value),
                             Expression::named("allocator_slack in per mille", overhead.allocator_slack_permille)}),
                    Expression::literal(1000));
}
Expression framework(const Overhead& overhead, Bytes) {
    return Expression::named("framework_bytes", overhead.framework_bytes);
}
Expression others(const Overhead& overhead, Bytes) {
    return Expression::named("in_use_by_others_bytes", overhead.in_use_by_others_bytes);
}

constexpr OverheadRow kRows[] = {
    {"allocator_slack", "Allocator slack", Category::AllocatorSlack, RuleId::AllocatorSlack, slack},
    {"framework", "Context and libraries", Category::Framework, RuleId::Framework, framework},
    {"in_use_by_others", "In use by other programs", Category::InUseByOthers, RuleId::InUseByOthers, others},
};

}  // namespace

Result<std::vector<LedgerRow>> overhead_rows(const Overhead& overhead, Bytes allocated) {
    std::vector<LedgerRow> out;
    for (const OverheadRow& row : kRows) {
        LedgerRow made;
        made.key = row.key;
        made.title = row.title;
        made.category = row.category;
        made.elements = row.bytes(overhead, allocated);
        made.dtype = Dtype::Int8;
        made.rule = row.rule;
        MEMWALL_TRY(bytes, made.elements.value());
        made.bytes = Bytes(bytes);
        made.live_from = "load";
        made.live_until = "end";
        if (bytes > 0) out.push_back(std::move(made));
    }
    return out;
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
