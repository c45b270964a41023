// Ledger: one row per kind of tensor that exists at an instant of the step.
//
// bytes = elements × bits of the dtype ÷ 8, where `elements` is an expression that already contains
// counts (layers, tensors) and shards. Invariant: the rows of an instant add up to its total, exactly.
// Why a row exists, its source and confidence stand in the rule table (memory/rules.hpp).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "memory/expression.hpp"
#include "memory/rules.hpp"
#include "model/dtype.hpp"

namespace memwall {

enum class Category : std::uint8_t {
    Weights,
    Gradients,
    MasterWeights,
    OptimizerState,
    Activations,
    Logits,
    WeightCasts,
    KvCache,
    Inputs,
    Buffers,
    Temporaries,
    Communication,
    AllocatorSlack,
    Framework,
    InUseByOthers,
};
inline constexpr int kCategories = 15;
std::string_view name(Category);  // "optimizer_state"

enum class Placement : std::uint8_t { Device, Host };

// From when on a row that stays exists.
enum class Presence : std::uint8_t { Always, FromFirstOptimizerStep };

// Its texts are made when they are read: an estimate has dozens of rows, and solver and fit map ask for none.
struct LedgerRow {
    std::string_view group, subject, detail;  // of the key, all static text: "weights", "q_proj", "lora_A"
    std::string_view label;                   // "Key projection weight"; empty: subject and detail say it
    Category category{};
    Placement placement = Placement::Device;
    Presence presence = Presence::Always;
    Dtype dtype{};   // Int8 where the expression counts bytes
    Dtype stored{};  // what the tensor is made of
    RuleId rule{};
    std::int16_t ordinal = 1;    // among rows of the same key
    std::int32_t tensors = 1;    // into how many equal allocations the bytes are divided
    std::int32_t elements = -1;  // root of its expression in the ledger's formulas
    Bytes bytes;                 // value of the expression, computed once when the row is made
    std::string_view live_from;  // first and last segment in which it exists: "forward", "optimizer step"
    std::string_view live_until;

    std::string key() const;    // stable and unique in a ledger: "weights.q_proj", "activations.gate_proj"
    std::string title() const;  // "Key projection weight", "q_proj: cast to bf16"
};

struct Ledger {
    std::vector<LedgerRow> rows;  // by category, then in the order of the model
    Formulas formulas;            // of all rows

    // The expression written last becomes the row's. Overflow when it, or its bytes, leave 63 bits.
    Failure add(LedgerRow);
    void make_keys_unique();  // rows of a category stand together

    Expression elements(const LedgerRow& row) const { return Expression(formulas.expression(row.elements)); }
    void sort_by_category();
    Bytes total() const;
    Bytes total(Category) const;
    const LedgerRow* find(std::string_view key) const;
};

}  // namespace memwall
