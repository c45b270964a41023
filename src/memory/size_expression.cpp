#include "memory/size_expression.hpp"

#include <array>

namespace memwall {

namespace {

// Symbols that are computed from another one print how.
enum class Derivation : std::uint8_t {
    None,
    MinusOne,
    PlusOne,
    RoundUp8,
    RoundUp32,
    AtMostWindow,
    HalfRotary,
    WithKeysAndValues,
    OverPatch,
    LatentPlusRope,
    NopePlusValue,
};

struct SymbolRow {
    Symbol id;
    Derivation derivation;
    Symbol base;
};

constexpr std::array kDerived = {
    SymbolRow{Symbol::SequenceMinusOne, Derivation::MinusOne, Symbol::Sequence},
    SymbolRow{Symbol::SequencePlusOne, Derivation::PlusOne, Symbol::Sequence},
    SymbolRow{Symbol::SequenceRounded8, Derivation::RoundUp8, Symbol::Sequence},
    SymbolRow{Symbol::SequenceRounded32, Derivation::RoundUp32, Symbol::Sequence},
    SymbolRow{Symbol::WindowedSequence, Derivation::AtMostWindow, Symbol::Sequence},
    SymbolRow{Symbol::TargetMinusOne, Derivation::MinusOne, Symbol::Target},
    SymbolRow{Symbol::TargetPlusOne, Derivation::PlusOne, Symbol::Target},
    SymbolRow{Symbol::TargetRounded32, Derivation::RoundUp32, Symbol::Target},
    SymbolRow{Symbol::RotaryHalf, Derivation::HalfRotary, Symbol::RotaryHalf},
    SymbolRow{Symbol::QueryAndCacheHeads, Derivation::WithKeysAndValues, Symbol::Heads},
    SymbolRow{Symbol::PatchesASide, Derivation::OverPatch, Symbol::ImageSize},
    SymbolRow{Symbol::LatentAndRope, Derivation::LatentPlusRope, Symbol::KvRank},
    SymbolRow{Symbol::NopeAndValue, Derivation::NopePlusValue, Symbol::PassHeadDim},
};

std::string_view word_of(Symbol s, SizeWords words) {
    if (words == SizeWords::Serving) {
        if (s == Symbol::MicroBatch) return "sequences";
        if (s == Symbol::Sequence) return "tokens";
        if (s == Symbol::Target) return "new tokens";
    }
    return name(s);
}

void write_derived(Formulas& to, const SymbolRow& row, const SymbolValues& values, SizeWords words) {
    const auto named = [&](Symbol s) { to.named(word_of(s, words), values[static_cast<std::size_t>(s)]); };
    const auto with_literal = [&](Operation operation, std::int64_t literal) {
        named(row.base);
        to.literal(literal);
        to.apply(operation, 2);
    };
    const std::int64_t value = values[static_cast<std::size_t>(row.id)];
    const std::int64_t base = values[static_cast<std::size_t>(row.base)];
    switch (row.derivation) {
        case Derivation::MinusOne:
            return with_literal(Operation::Difference, 1);
        case Derivation::PlusOne:
            return with_literal(Operation::Sum, 1);
        case Derivation::RoundUp8:
            return with_literal(Operation::RoundUp, 8);
        case Derivation::RoundUp32:
            return with_literal(Operation::RoundUp, 32);
        case Derivation::AtMostWindow:
            named(row.base);
            if (value == base) return;  // a window that is longer than the sequence cuts nothing
            to.named("sliding_window", value);
            return to.apply(Operation::Min, 2);
        case Derivation::HalfRotary:
            to.named("rotary_dim", value * 2);
            to.literal(2);
            return to.apply(Operation::Quotient, 2);
        case Derivation::WithKeysAndValues:
            named(Symbol::Heads);
            to.named("K and V", 2);
            named(Symbol::KvHeads);
            to.apply(Operation::Product, 2);
            return to.apply(Operation::Sum, 2);
        case Derivation::OverPatch: {
            const std::int64_t whole = value * values[static_cast<std::size_t>(Symbol::PatchSize)];
            to.named(whole == base ? word_of(row.base, words) : "image_size cut to whole patches", whole);
            named(Symbol::PatchSize);
            return to.apply(Operation::Quotient, 2);
        }
        case Derivation::LatentPlusRope:
            named(row.base);
            named(Symbol::RopeHeadDim);
            return to.apply(Operation::Sum, 2);
        case Derivation::NopePlusValue:
            named(row.base);
            named(Symbol::ValueHeadDim);
            return to.apply(Operation::Sum, 2);
        case Derivation::None:
            break;
    }
    named(row.id);
}

void write_symbol(Formulas& to, Symbol s, const SymbolValues& values, SizeWords words) {
    for (const SymbolRow& row : kDerived)
        if (row.id == s) return write_derived(to, row, values, words);
    to.named(word_of(s, words), values[static_cast<std::size_t>(s)]);
}

// The factors of one word of powers, in the order of the symbols.
int write_powers(Formulas& to, std::size_t word, std::uint64_t powers, const SymbolValues& values, SizeWords words) {
    int count = 0;
    for (; powers != 0; ++count) {
        const auto at = static_cast<unsigned>(__builtin_ctzll(powers)) / Monomial::kASymbol;
        write_symbol(to, static_cast<Symbol>(word * Monomial::kAWord + at), values, words);
        powers -= std::uint64_t{1} << (at * Monomial::kASymbol);
    }
    return count;
}

}  // namespace

int write_factors(Formulas& to, const Size& size, const SymbolValues& values, SizeWords words, FactorOrder order) {
    const bool counts = size.coefficient != 1 || size.symbols == Monomial{};
    if (counts && order == FactorOrder::BatchLast)  // a quantised cache: numbers with their scales
        to.named("bytes a vector in blocks", size.coefficient);
    else if (counts)
        to.literal(size.coefficient);
    int count = counts ? 1 : 0;
    const auto& powers = size.symbols.powers;
    const std::uint64_t varying = powers[0] & kVaryingPowers;
    if (order == FactorOrder::BatchFirst) count += write_powers(to, 0, varying, values, words);
    for (std::size_t word = 0; word < powers.size(); ++word)
        count += write_powers(to, word, word == 0 ? powers[0] & ~kVaryingPowers : powers[word], values, words);
    if (order == FactorOrder::BatchLast) count += write_powers(to, 0, varying, values, words);
    return count;
}

void write_count(Formulas& to, std::int64_t count, const LayerCount& in) {
    if (in.layers < 2 || count * 2 < in.layers) return to.named("tensors", count);
    const std::int64_t times = (count + in.layers / 2) / in.layers;
    if (times > 1) to.named("tensors a layer", times);
    to.named(in.stack, in.layers);
    if (times > 1) to.apply(Operation::Product, 2);
    const std::int64_t rest = count - times * in.layers;
    if (rest == 0) return;
    to.literal(rest > 0 ? rest : -rest);
    to.apply(rest > 0 ? Operation::Sum : Operation::Difference, 2);
}

}  // namespace memwall
