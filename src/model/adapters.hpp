// Adapters: the tensors that a method puts beside a matrix of the model, in order of registration.
//
// One row a tensor (adapters.cpp). The engine's program makes them where a linear is made, the ledger's rows beside
// the matrix they belong to: both read this table. What is done with them stands in programs/adapters.program.
// Source: huggingface/peft 0.20, src/peft/tuners.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace memwall {

enum class AdapterVariant : std::uint8_t {
    None,
    Lora,
    LoraFa,  // A stays as it was drawn
    Dora,
    Vera,
    Loha,
    Ia3,
    Ia3Input,  // of a feed-forward matrix: scales what goes in
    Bottleneck,
    Adalora,
    Lokr,
    Oft,
    Boft,
    Prompt,          // tokens that every attention looks at, as litgpt's adapter; beside no matrix
    PromptAndScale,  // and a bias and a scale behind every matrix: its adapter_v2
    TextPrompt,      // tokens in front of the text, of an embedding or of a network that makes them: peft
    EncodedPrompt,
};
constexpr bool leads_text(AdapterVariant v) { return v >= AdapterVariant::TextPrompt; }
// What a matrix gets: some adapters differ where the MLP projects back.
AdapterVariant at_down_projection(AdapterVariant);
bool has_prompts(AdapterVariant);
bool merges(AdapterVariant);        // into its matrix, so that inference has nothing more to do
bool has_low_rank(AdapterVariant);  // its rank is at most the matrix's shorter side

// The sides of an adapter's tensors, from those of the matrix and the rank. In and out are each a product of two, as
// close to each other as they can be, where a Kronecker product stands for the matrix; its right factor is a product
// of two low ranks if that is smaller. Blocks on the diagonal are as wide as the rank.
enum class AdapterSide : std::uint8_t {
    One,
    Rank,
    In,
    Out,
    OutLeft,
    InLeft,
    OutRight,
    InRight,
    RightRank,
    RightRankIfLow,
    Blocks,
    PairsOfBlock
};
struct AdapterSides {
    std::int64_t rank = 1, in = 1, out = 1;
};
std::int64_t side_value(AdapterSide, const AdapterSides&);  // 0: there is no such tensor
std::int64_t block_width(const AdapterSides&);              // of blocks that rotate what goes in: divides it
std::string_view name(AdapterSide);                         // "in_features"

// Shared: one for all matrices, not trained. Indices: a buffer of int64 that no file keeps.
enum class AdapterUse : std::uint8_t { Trained, Frozen, Shared, Indices };
struct AdapterTensorRow {
    AdapterVariant adapter;
    std::string_view name;  // "lora_A"
    std::array<AdapterSide, 2> sides;
    AdapterUse use = AdapterUse::Trained;
};
inline constexpr std::size_t kAdapterTensors = 4;  // of one matrix, at most
std::span<const AdapterTensorRow> adapter_tensors(AdapterVariant);

}  // namespace memwall
