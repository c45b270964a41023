// What a kind of tensor on the tape is in the ledger: its category, its rule, its life.
#pragma once
#include <string_view>

#include "memory/ledger.hpp"
#include "model/tape.hpp"

namespace memwall {

struct TensorKindRow {
    TensorKind id;
    Category category;
    RuleId rule;
    std::string_view live_from, live_until;
};

const TensorKindRow& row(TensorKind);

}  // namespace memwall
