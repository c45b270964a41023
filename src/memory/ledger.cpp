#include "memory/ledger.hpp"

#include "base/word_list.hpp"

#include <array>

namespace memwall {

namespace {

constexpr WordList kNames =
    "weights|gradients|master_weights|optimizer_state|activations|logits|weight_casts|kv_cache|inputs|buffers|"
    "temporaries|communication|allocator_slack|framework|in_use_by_others";
static_assert(kNames.size() == kCategories);

}  // namespace

std::string_view name(Category c) { return kNames[static_cast<std::size_t>(c)]; }

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
        if (row.key == key) return &row;
    return nullptr;
}

}  // namespace memwall
