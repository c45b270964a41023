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
    {Adalora, "lora_A", {Rank, In}},
    {Adalora, "lora_E", {Rank, One}},
    {Adalora, "lora_B", {Out, Rank}},
    {Adalora, "ranknum", {One, One}},
    {Lokr, "lokr_w1", {OutLeft, InLeft}},
    {Lokr, "lokr_w2_a", {OutRight, RightRank}},
    {Lokr, "lokr_w2_b", {RightRankIfLow, InRight}},
    {Oft, "oft_R", {Blocks, PairsOfBlock}},
    {Oft, "rows", {PairsOfBlock, One}, AdapterUse::Indices},
    {Oft, "cols", {PairsOfBlock, One}, AdapterUse::Indices},
    {Boft, "boft_R", {In, Rank}},
    {Boft, "boft_s", {Out, One}},
    {PromptAndScale, "adapter_bias", {Out, One}},
    {PromptAndScale, "adapter_scale", {Out, One}},
};

constexpr WordList kSideNames =
    "one|rank|in_features|out_features|left rows|left columns|right rows|right columns|rank|rank|blocks|pairs";
static_assert(kSideNames.size() == static_cast<std::size_t>(PairsOfBlock) + 1);

// The larger of two factors that are as close as they can be. Source: peft's tuners/lokr/layer.py, factorization.
std::int64_t larger_factor(std::int64_t of) {
    std::int64_t smaller = 1;
    for (std::int64_t i = 1; i * i <= of; ++i)
        if (of % i == 0) smaller = i;
    return of / smaller;
}

// A whole matrix where a product of low ranks is no smaller.
bool is_low(const AdapterSides& of) { return 2 * of.rank < std::max(larger_factor(of.out), larger_factor(of.in)); }

}  // namespace

// Source: peft's tuners/oft/layer.py, adjust_oft_parameters.
std::int64_t block_width(const AdapterSides& of) {
    std::int64_t lower = std::min(of.rank, of.in), higher = lower;
    while (of.in % higher != 0)
        ++higher;
    while (of.in % lower != 0)
        --lower;
    return of.rank - lower <= higher - of.rank ? lower : higher;
}

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
        case OutLeft:
            return of.out / larger_factor(of.out);
        case InLeft:
            return of.in / larger_factor(of.in);
        case OutRight:
            return larger_factor(of.out);
        case InRight:
            return larger_factor(of.in);
        case RightRank:
            return is_low(of) ? of.rank : larger_factor(of.in);
        case RightRankIfLow:
            return is_low(of) ? of.rank : 0;
        case Blocks:
            return of.in / block_width(of);
        case PairsOfBlock:
            return block_width(of) * (block_width(of) - 1) / 2;
    }
    return 1;
}

AdapterVariant at_down_projection(AdapterVariant adapter) { return adapter == Ia3 ? Ia3Input : adapter; }

bool has_prompts(AdapterVariant adapter) { return adapter == Prompt || adapter == PromptAndScale; }

bool merges(AdapterVariant adapter) {
    return adapter != Bottleneck && adapter != AdapterVariant::None && adapter < Prompt;
}

bool has_low_rank(AdapterVariant adapter) {
    return adapter == Lora || adapter == LoraFa || adapter == Dora || adapter == Loha || adapter == Adalora;
}

std::string_view name(AdapterSide side) { return kSideNames[static_cast<std::size_t>(side)]; }

std::span<const AdapterTensorRow> adapter_tensors(AdapterVariant adapter) {
    const auto is_of = [adapter](const AdapterTensorRow& row) { return row.adapter == adapter; };
    const auto* first = std::find_if(std::begin(kTensors), std::end(kTensors), is_of);
    const auto* last = std::find_if_not(first, std::end(kTensors), is_of);
    return {first, last};
}

}  // namespace memwall
