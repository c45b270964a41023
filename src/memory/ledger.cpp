#include "memory/ledger.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/word_list.hpp"

namespace memwall {

namespace {

constexpr WordList kNames =
    "weights|gradients|master_weights|optimizer_state|activations|logits|weight_casts|kv_cache|inputs|buffers|"
    "temporaries|communication|allocator_slack|framework|in_use_by_others";
static_assert(kNames.size() == kCategories);

}  // namespace

std::string_view name(Category c) { return kNames[static_cast<std::size_t>(c)]; }

std::string LedgerRow::key() const {
    std::string out(group);
    for (const std::string_view part : {subject, detail})
        if (!part.empty()) out.append(".").append(part);
    std::replace(out.begin(), out.end(), ' ', '_');
    if (ordinal > 1) out += concat({"_", std::to_string(ordinal)});
    return out;
}

// "Gate projection" comes from the view's strings; here the module and what the operator made.
std::string LedgerRow::title() const {
    if (!label.empty()) return std::string(label);
    std::string out = concat({subject, ": ", detail});
    if (detail == "cast") out.append(" to ").append(row(stored).name);
    return out;
}

Failure Ledger::add(LedgerRow made) {
    made.elements = formulas.root();
    if (formulas.value() < 0) return elements(made).value().error();
    const auto bytes = storage(made.dtype, Count(formulas.value()));
    if (!bytes) return bytes.error();
    made.bytes = *bytes;
    rows.push_back(made);
    return std::nullopt;
}

void Ledger::make_keys_unique() {
    const auto same_key = [](const LedgerRow& a, const LedgerRow& b) {
        return a.subject == b.subject && a.detail == b.detail && a.group == b.group;
    };
    for (std::size_t i = 1; i < rows.size(); ++i)
        for (std::size_t j = i; j-- > 0 && rows[j].category == rows[i].category;)
            if (same_key(rows[i], rows[j])) {
                rows[i].ordinal = static_cast<std::int16_t>(rows[j].ordinal + 1);
                break;
            }
}

void Ledger::sort_by_category() {
    std::vector<LedgerRow> out;
    out.reserve(rows.size());
    for (int c = 0; c < kCategories; ++c)
        for (const LedgerRow& row : rows)
            if (row.category == static_cast<Category>(c)) out.push_back(row);
    rows = std::move(out);
}

Bytes Ledger::total() const {
    Bytes out;
    for (const LedgerRow& row : rows)
        out += row.bytes;
    return out;
}

Bytes Ledger::total(Category category) const {
    Bytes out;
    for (const LedgerRow& row : rows)
        if (row.category == category) out += row.bytes;
    return out;
}

const LedgerRow* Ledger::find(std::string_view key) const {
    for (const LedgerRow& row : rows)
        if (row.key() == key) return &row;
    return nullptr;
}

}  // namespace memwall
