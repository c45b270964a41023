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

struct LedgerRow {
    std::string key;    // stable and unique in a ledger: "weights.q_proj", "activations.gate_proj"
    std::string title;  // "Key projection weight"
    Category category{};
    Placement placement = Placement::Device;
    Expression elements;
    Dtype dtype{};  // Int8 where the expression counts bytes
    RuleId rule{};
    Bytes bytes;                 // value of the expression, computed once when the row is made
    std::string_view live_from;  // first and last segment in which it exists: "forward", "optimizer step"
    std::string_view live_until;
};

struct Ledger {
    std::vector<LedgerRow> rows;  // by category, then in the order of the model

    Bytes total() const;
    Bytes total(Category) const;
    const LedgerRow* find(std::string_view key) const;
};

}  // namespace memwall
