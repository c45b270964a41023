#include "base/late_texts.hpp"
#include "catalogue/catalogue.hpp"
#include "model/parameters.hpp"
#include "plan/fields.hpp"
#include "view/format.hpp"
#include "view/parts.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

// Rows that one field holds directly; all others follow from several.
struct EditableRow {
    RuleId rule;
    FieldId field;
};
constexpr EditableRow kEditable[] = {
    {RuleId::AllocatorSlack, FieldId::AllocatorSlack},
    {RuleId::Framework, FieldId::FrameworkBytes},
    {RuleId::InUseByOthers, FieldId::InUseByOthersBytes},
    {RuleId::StandardRuleActivations, FieldId::ActivationBytesPerToken},
    {RuleId::KvCacheEstimate, FieldId::ActivationBytesPerToken},
};
std::string_view field_of(RuleId rule) {
    for (const EditableRow& row : kEditable)
        if (row.rule == rule) return field(row.field).key;
    return {};
}

// The row's expression with the size of an element as its last factor, or of a block; as it is where it counts bytes
// already.
Expression in_bytes(const Ledger& ledger, const LedgerRow& row) {
    const Expression elements = ledger.elements(row);
    const DtypeRow& format = memwall::row(row.dtype);
    const std::int64_t bits = format.block_bits.value;
    if (row.dtype == Dtype::Int8 || (format.block_size == 1 && bits % 8 != 0)) return elements;
    if (format.block_size > 1)
        return product({ceil_div(elements, Expression::named("elements a block", format.block_size)),
                        Expression::named("bytes a block", bits / 8)});
    return product({elements, Expression::named(format.name, bits / 8)});
}

// "gate_proj" -> "MLP gate projection", "input_ids" -> "Input ids".
std::string module_title(std::string_view module) {
    if (const std::string_view known = module_label(module); !known.empty()) return std::string(known);
    for (int i = 0; i < kRoles; ++i)
        if (name(static_cast<Role>(i)) == module) return std::string(title(static_cast<Role>(i)));
    std::string out(module);
    for (char& c : out)
        if (c == '_' || c == '.') c = ' ';
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

// Rows of the recorded step are titled "module: operator"; of gradients and inputs the module says enough.
std::string readable_title(const LedgerRow& row) {
    std::string title = row.title();
    if (!row.label.empty()) return title;
    const std::size_t colon = title.find(": ");
    const std::string subject = module_title(std::string_view(title).substr(0, colon));
    const bool says_enough = row.category == Category::Gradients || row.category == Category::Inputs;
    return says_enough ? subject : subject + title.substr(colon);
}

RowView row_view(const Ledger& ledger, const LedgerRow& row, Bytes total) {
    const RuleRow& rule = memwall::row(row.rule);
    RowView out;
    out.key = row.key();
    out.title = readable_title(row);
    out.text = text(row.bytes);
    out.share_text = percent(row.bytes, total);
    const Expression expression = in_bytes(ledger, row);
    out.formula = expression.formula();
    out.numbers = expression.numbers();
    out.bytes_text = exact_bytes(row.bytes);
    const bool explains = has_late_texts();
    out.because = explains ? rule.because : string(Text::OnItsWay);
    out.source = explains ? rule.source : string(Text::OnItsWay);
    out.source_url = rule.source_url;
    out.confidence = label(rule.confidence);
    out.live = row.live_from == row.live_until ? std::string(row.live_from)
                                               : filled(Text::LiveFromUntil, {row.live_from, row.live_until});
    out.field = field_of(row.rule);
    out.fraction = fraction(row.bytes, total);
    return out;
}

std::vector<const LedgerRow*> rows_by_size(const Ledger& ledger, Category category) {
    std::vector<const LedgerRow*> out;
    for (const LedgerRow& row : ledger.rows) {
        if (row.category != category || row.bytes.value <= 0) continue;
        auto place = out.end();  // behind all that are as large: equal ones stay in the order of the model
        while (place != out.begin() && (*(place - 1))->bytes < row.bytes)
            --place;
        out.insert(place, &row);
    }
    return out;
}

}  // namespace

std::vector<GroupView> group_views(const Ledger& ledger) {
    std::vector<GroupView> out;
    const Bytes total = ledger.total();
    for (int i = 0; i < kCategories; ++i) {
        const auto category = static_cast<Category>(i);
        const Bytes part = ledger.total(category);
        if (part.value == 0) continue;
        GroupView group;
        group.category = name(category);
        group.label = label(category);
        group.text = text(part);
        group.share_text = percent(part, total);
        group.fraction = fraction(part, total);
        for (const LedgerRow* row : rows_by_size(ledger, category))
            group.rows.push_back(row_view(ledger, *row, total));
        out.push_back(std::move(group));
    }
    return out;
}

std::vector<BarView> bar_views(const std::vector<GroupView>& groups) {
    std::vector<BarView> out;
    for (const GroupView& group : groups)
        out.push_back({group.category, group.label, group.text, group.share_text, group.fraction});
    return out;
}

std::string describe_bar(const std::vector<BarView>& bar, std::string_view total) {
    if (bar.empty()) return {};
    std::string parts;
    for (const BarView& part : bar) {
        if (!parts.empty()) parts += ", ";
        parts += filled(Text::DescribeBarPart, {part.label, part.share_text});
    }
    return filled(Text::DescribeBar, {total, parts});
}

std::vector<AssumptionView> assumption_views(const Estimate& e) {
    std::vector<AssumptionView> out;
    for (const LedgerRow& row : e.worst().device.rows) {
        if (memwall::row(row.rule).confidence != Confidence::Assumed) continue;
        out.push_back({readable_title(row), text(row.bytes), std::string(field_of(row.rule))});
    }
    const auto accelerator = find_accelerator(e.scenario.accelerator.name);
    if (e.usable && accelerator && !is_given(e.scenario, FieldId::UsableBytes)) {
        const UsableMemory usable = usable_memory(**accelerator);
        if (usable.trust == Trust::Assumed || usable.trust == Trust::Recalled)
            out.push_back({std::string(field(FieldId::UsableBytes).label),
                           filled(Text::AssumedRow, {text(usable.bytes), name(usable.trust)}),
                           std::string(field(FieldId::UsableBytes).key)});
    }
    if (e.throughput) out.push_back({std::string(string(Text::Efficiency)), efficiency_text(*e.throughput), ""});
    return out;
}

}  // namespace memwall
