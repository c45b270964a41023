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
};

std::string_view word_of(Symbol s, SizeWords words) {
    if (words == SizeWords::Serving) {
        if (s == Symbol::MicroBatch) return "sequences";
        if (s == Symbol::Sequence) return "tokens";
    }
    return name(s);
}

Expression derived(const SymbolRow& row, const SymbolValues& values, SizeWords words) {
    const auto named = [&](Symbol s) {
        return Expression::named(word_of(s, words), values[static_cast<std::size_t>(s)]);
    };
    const std::int64_t value = values[static_cast<std::size_t>(row.id)];
    switch (row.derivation) {
        case Derivation::MinusOne:
            return difference(named(row.base), Expression::literal(1));
        case Derivation::PlusOne:
            return sum({named(row.base), Expression::literal(1)});
        case Derivation::RoundUp8:
            return round_up(named(row.base), Expression::literal(8));
        case Derivation::RoundUp32:
            return round_up(named(row.base), Expression::literal(32));
        case Derivation::AtMostWindow:  // a window that is longer than the sequence cuts nothing
            if (value == values[static_cast<std::size_t>(row.base)]) return named(row.base);
            return min_of({named(row.base), Expression::named("sliding_window", value)});
        case Derivation::HalfRotary:
            return quotient(Expression::named("rotary_dim", value * 2), Expression::literal(2));
        case Derivation::WithKeysAndValues:
            return sum({named(Symbol::Heads), product({Expression::named("K and V", 2), named(Symbol::KvHeads)})});
        case Derivation::OverPatch: {
            const std::int64_t patch = values[static_cast<std::size_t>(Symbol::PatchSize)];
            const bool whole = value * patch == values[static_cast<std::size_t>(row.base)];
            const std::string_view side = whole ? word_of(row.base, words) : "image_size cut to whole patches";
            return quotient(Expression::named(side, value * patch), named(Symbol::PatchSize));
        }
        case Derivation::None:
            break;
    }
    return named(row.id);
}

Expression expression_of(Symbol s, const SymbolValues& values, SizeWords words) {
    for (const SymbolRow& row : kDerived)
        if (row.id == s) return derived(row, values, words);
    return Expression::named(word_of(s, words), values[static_cast<std::size_t>(s)]);
}

}  // namespace

std::vector<Expression> factors_of(const Size& size, const SymbolValues& values, SizeWords words, FactorOrder order) {
    std::vector<Expression> out;
    if (size.coefficient != 1 || size.symbols == Monomial{}) out.push_back(Expression::literal(size.coefficient));
    const auto add = [&](int first, int end) {
        for (int i = first; i < end; ++i) {
            const auto symbol = static_cast<Symbol>(i);
            for (int power = size.symbols.power(symbol); power > 0; --power)
                out.push_back(expression_of(symbol, values, words));
        }
    };
    const int batch_end = static_cast<int>(Symbol::Hidden);
    if (order == FactorOrder::BatchFirst) add(0, batch_end);
    add(batch_end, kSymbols);
    if (order == FactorOrder::BatchLast) add(0, batch_end);
    return out;
}

Expression count_of_tensors(std::int64_t count, const LayerCount& in) {
    if (in.layers < 2 || count * 2 < in.layers) return Expression::named("tensors", count);
    const Expression named = Expression::named(in.stack, in.layers);
    const std::int64_t times = (count + in.layers / 2) / in.layers;
    const Expression whole = times == 1 ? named : product({Expression::named("tensors a layer", times), named});
    const std::int64_t rest = count - times * in.layers;
    if (rest == 0) return whole;
    if (rest > 0) return sum({whole, Expression::literal(rest)});
    return difference(whole, Expression::literal(-rest));
}

}  // namespace memwall
