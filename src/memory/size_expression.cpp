#include "memory/size_expression.hpp"

#include <array>

namespace memwall {

namespace {

// Symbols that are computed from another one print how.
enum class Derivation : std::uint8_t { None, MinusOne, PlusOne, RoundUp8, RoundUp32, HalfOf };

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
    SymbolRow{Symbol::TargetMinusOne, Derivation::MinusOne, Symbol::Target},
    SymbolRow{Symbol::TargetPlusOne, Derivation::PlusOne, Symbol::Target},
    SymbolRow{Symbol::TargetRounded32, Derivation::RoundUp32, Symbol::Target},
    SymbolRow{Symbol::RotaryHalf, Derivation::HalfOf, Symbol::RotaryHalf},
};

Expression expression_of(Symbol s, const SymbolValues& values) {
    const std::int64_t value = values[static_cast<std::size_t>(s)];
    for (const SymbolRow& row : kDerived) {
        if (row.id != s) continue;
        const Expression base = Expression::named(name(row.base), values[static_cast<std::size_t>(row.base)]);
        switch (row.derivation) {
            case Derivation::MinusOne:
                return difference(base, Expression::literal(1));
            case Derivation::PlusOne:
                return sum({base, Expression::literal(1)});
            case Derivation::RoundUp8:
                return round_up(base, Expression::literal(8));
            case Derivation::RoundUp32:
                return round_up(base, Expression::literal(32));
            case Derivation::HalfOf:
                return quotient(Expression::named("rotary_dim", value * 2), Expression::literal(2));
            case Derivation::None:
                break;
        }
    }
    return Expression::named(name(s), value);
}

}  // namespace

std::vector<Expression> factors_of(const Size& size, const SymbolValues& values) {
    std::vector<Expression> out;
    if (size.coefficient != 1 || size.symbols == Monomial{}) out.push_back(Expression::literal(size.coefficient));
    for (int i = 0; i < kSymbols; ++i) {
        const auto symbol = static_cast<Symbol>(i);
        for (int power = size.symbols.power(symbol); power > 0; --power)
            out.push_back(expression_of(symbol, values));
    }
    return out;
}

Expression count_of_layers(std::int64_t count, std::int64_t layers) {
    if (layers < 2 || count * 2 < layers) return Expression::literal(count);
    const Expression named = Expression::named("num_hidden_layers", layers);
    const std::int64_t times = (count + layers / 2) / layers;
    const Expression whole = times == 1 ? named : product({Expression::literal(times), named});
    const std::int64_t rest = count - times * layers;
    if (rest == 0) return whole;
    if (rest > 0) return sum({whole, Expression::literal(rest)});
    return difference(whole, Expression::literal(-rest));
}

}  // namespace memwall
