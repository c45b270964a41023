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
    {LoraFa, "lora_A", {Rank, In}, AdapterUse::Frozen},
    {LoraFa, "lora_B", {Out, Rank}},
    {Dora, "lora_A", {Rank, In}},
    {Dora, "lora_B", {Out, Rank}},
    {Dora, "magnitude", {Out, One}},
    {Vera, "vera_A", {Rank, In}, AdapterUse::Shared},
    {Vera, "vera_B", {Out, Rank}, AdapterUse::Shared},
    {Vera, "lambda_b", {Out, One}},
    {Vera, "lambda_d", {Rank, One}},
    {Loha, "hada_w1_a", {Out, Rank}},
    {Loha, "hada_w1_b", {Rank, In}},
    {Loha, "hada_w2_a", {Out, Rank}},
    {Loha, "hada_w2_b", {Rank, In}},
    {Ia3, "ia3_l", {Out, One}},
    {Ia3Input, "ia3_l", {In, One}},
    {Bottleneck, "down", {Rank, Out}},
    {Bottleneck, "down.bias", {Rank, One}},
    {Bottleneck, "up", {Out, Rank}},
    {Bottleneck, "up.bias", {Out, One}},
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

AdapterVariant at_down_projection(AdapterVariant adapter) { return adapter == Ia3 ? Ia3Input : adapter; }

bool merges(AdapterVariant adapter) { return adapter != Bottleneck && adapter != AdapterVariant::None; }

bool has_low_rank(AdapterVariant adapter) {
    return adapter == Lora || adapter == LoraFa || adapter == Dora || adapter == Loha;
}

std::string_view name(AdapterSide side) { return kSideNames[static_cast<std::size_t>(side)]; }

std::span<const AdapterTensorRow> adapter_tensors(AdapterVariant adapter) {
    const auto is_of = [adapter](const AdapterTensorRow& row) { return row.adapter == adapter; };
    const auto* first = std::find_if(std::begin(kTensors), std::end(kTensors), is_of);
    const auto* last = std::find_if_not(first, std::end(kTensors), is_of);
    return {first, last};
}

}  // namespace memwall
