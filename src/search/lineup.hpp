// Lineup: some scenarios side by side, on one scale.
//
// A scenario that is refused keeps its place, with the sentence. Fields differ where their values do once defaults are
// filled in.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "estimate/estimate.hpp"
#include "plan/fields.hpp"

namespace memwall {

inline constexpr std::size_t kMostInLineup = 256;

struct LineupCost {
    Verdict verdict{};
    Bytes needed;                 // device total
    std::optional<Bytes> usable;  // nullopt: no accelerator
    Trust usable_trust{};
    std::array<Bytes, kCategories> categories{};
};

struct LineupEntry {
    Scenario scenario;               // completed; as far as it was read where it is refused
    std::optional<LineupCost> cost;  // nullopt: refused
    std::string refusal;             // why
};

struct Lineup {
    std::vector<LineupEntry> entries;
    std::vector<FieldId> differing;  // of those that are computed
    Bytes scale;                     // the largest need, or what is usable
};

// 1 to kMostInLineup scenarios, as they were read.
Result<Lineup> lineup(const std::vector<Result<Scenario>>&);

}  // namespace memwall
