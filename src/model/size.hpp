// Size: the number of bytes of a tensor as a product of named dimensions, never a computed number.
//
// A Size is coefficient × product of symbols (with small powers) × bits of the dtype. The recorded step
// (model/tape.hpp) keeps Sizes, so it can be replayed with other numbers and every ledger row can print
// its formula. Powers are packed, four bits a symbol: a product of two Sizes is an addition.
// Invariant: a power stays below 16.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "model/dtype.hpp"

namespace memwall {

// clang-format off
enum class Symbol : std::uint8_t {
    MicroBatch, Sequence, SequenceMinusOne, SequencePlusOne, SequenceRounded8, SequenceRounded32,
    Target, TargetMinusOne, TargetPlusOne, WindowedSequence, TargetRounded32,
    Hidden, Intermediate, Heads, KvHeads, HeadDim, Vocabulary, LearnedPositions, EmbeddingSize, RotaryHalf,
    LoraRank, ChunkTokens, Experts, ExpertsPerToken, ExpertIntermediate, SharedIntermediate,
    QueryRank, KvRank, RopeHeadDim, PassHeadDim, ValueHeadDim, Labels,
    QueryKeyValue, GateAndUp, QueryAndCacheHeads, HeadSharing, Channels, ImageSize, PatchSize, PatchesASide,
    RelativeBuckets, TypeVocabulary, Positions, BytesPerToken, LatentAndRope, NopeAndValue,
    MelBins, KernelWidth,
};
// clang-format on
inline constexpr int kSymbols = static_cast<int>(Symbol::KernelWidth) + 1;
std::string_view name(Symbol);  // "num_key_value_heads"

using SymbolValues = std::array<std::int64_t, kSymbols>;

// A product of symbols without a coefficient.
struct Monomial {
    static constexpr unsigned kASymbol = 4, kAWord = 64 / kASymbol;  // bits, symbols
    std::array<std::uint64_t, 3> powers{};

    constexpr Monomial() = default;
    constexpr explicit Monomial(Symbol s) {
        const auto i = static_cast<unsigned>(s);
        powers[i / kAWord] = std::uint64_t{1} << (i % kAWord * kASymbol);
    }
    constexpr int power(Symbol s) const {
        const auto i = static_cast<unsigned>(s);
        return static_cast<int>((powers[i / kAWord] >> (i % kAWord * kASymbol)) & 15U);
    }
    friend constexpr Monomial operator*(Monomial a, const Monomial& b) {
        for (std::size_t word = 0; word < a.powers.size(); ++word)
            a.powers[word] += b.powers[word];
        return a;
    }
    friend constexpr bool operator==(const Monomial&, const Monomial&) = default;
};

static_assert(kSymbols <= 3 * static_cast<int>(Monomial::kAWord));

struct Size {
    std::int64_t coefficient = 0;  // of elements
    Monomial symbols;
    Dtype dtype{};
    friend constexpr bool operator==(const Size&, const Size&) = default;
};

// The symbols before it are batch and sequence lengths, which a replay gives other numbers: all in the first word.
inline constexpr Symbol kFirstFixedSymbol = Symbol::Hidden;
inline constexpr std::uint64_t kVaryingPowers =
    (std::uint64_t{1} << (static_cast<unsigned>(kFirstFixedSymbol) * Monomial::kASymbol)) - 1;

// One dimension of a tensor: its number, and the symbols it is made of.
struct Dim {
    std::int64_t value = 1;
    std::int64_t coefficient = 1;
    Monomial symbols;
};

// The number of bytes; the field limits keep it below 2^63 (checked when a row is made).
std::int64_t bytes(const Size&, const SymbolValues&);
// The factor that no batch and no sequence length changes.
std::int64_t fixed_bytes(Size, const SymbolValues&);
// Of the formats that tensors of a running step have: whole bytes an element.
constexpr std::int64_t element_bytes(Dtype d) {
    if (d == Dtype::Fp64 || d == Dtype::Int64) return 8;
    if (d == Dtype::Fp32 || d == Dtype::Int32) return 4;
    return d == Dtype::Bf16 || d == Dtype::Fp16 ? 2 : 1;
}

}  // namespace memwall
