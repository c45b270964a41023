#include "model/adapters.hpp"

#include <algorithm>

#include "base/word_list.hpp"

namespace memwall {

namespace {

using enum AdapterVariant;
using enum AdapterSide;

// In the order of the variants.
constexpr AdapterTensorRow kTensors[] = {
    {Lora, "lora_A", {Rank, In}},
    {Lora, "lora_B", {Out, Rank}},
};

constexpr WordList kSideNames = "one|rank|in_features|out_features";
static_assert(kSideNames.size() == static_cast<std::size_t>(Out) + 1);

}  // namespace

std::int64_t side_value(AdapterSide side, const AdapterSides& of) {
    switch (side) {
        case One:
            return 1;
        case Rank:
            return of.rank;
        case In:
            return of.in;
        case Out:
            return of.out;
    }
    return 1;
}

std::string_view name(AdapterSide side) { return kSideNames[static_cast<std::size_t>(side)]; }

std::span<const AdapterTensorRow> adapter_tensors(AdapterVariant adapter) {
    const auto is_of = [adapter](const AdapterTensorRow& row) { return row.adapter == adapter; };
    const auto* first = std::find_if(std::begin(kTensors), std::end(kTensors), is_of);
    const auto* last = std::find_if_not(first, std::end(kTensors), is_of);
    return {first, last};
}

}  // namespace memwall
