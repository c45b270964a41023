#include <catch_amalgamated.hpp>

#include "memory/expression.hpp"
#include "memory/size_expression.hpp"

namespace memwall {

namespace {

Expression count_of_tensors(std::int64_t count, const LayerCount& layers) {
    Formulas formulas;
    write_count(formulas, count, layers);
    return Expression(formulas.expression(formulas.root()));
}

Expression factors_of(const Size& size, const SymbolValues& values, SizeWords words) {
    Formulas formulas;
    formulas.apply(Operation::Product, write_factors(formulas, size, values, words, FactorOrder::BatchFirst));
    return Expression(formulas.expression(formulas.root()));
}

}  // namespace

TEST_CASE("an expression prints the names and the numbers it is made of", "[expression]") {
    const Expression cache = product({Expression::named("K and V", 2), Expression::named("num_hidden_layers", 80),
                                      Expression::named("head_dim", 128)});
    CHECK(cache.formula() == "K and V × num_hidden_layers × head_dim");
    CHECK(cache.numbers() == "2 × 80 × 128");
    CHECK(*cache.value() == 20'480);
}

TEST_CASE("a sum inside a product is bracketed, and so is what stands after a quotient", "[expression]") {
    const Expression a = Expression::named("a", 2), b = Expression::named("b", 3), c = Expression::named("c", 5);
    CHECK(product({sum({a, b}), c}).formula() == "(a + b) × c");
    CHECK(quotient(Expression::literal(30), product({a, b})).formula() == "30 ÷ (a × b)");
    CHECK(difference(c, sum({a, b})).numbers() == "5 − (2 + 3)");
    CHECK(*difference(c, sum({a, b})).value() == 0);
}

TEST_CASE("rounding and choices have names of their own", "[expression]") {
    const Expression n = Expression::named("sequence_length", 33);
    CHECK(*round_up(n, Expression::literal(8)).value() == 40);
    CHECK(round_up(n, Expression::literal(8)).formula() == "round_up(sequence_length, 8)");
    CHECK(*ceil_div(n, Expression::literal(8)).value() == 5);
    CHECK(*min_of({n, Expression::named("sliding_window", 20)}).value() == 20);
    CHECK(*max_of({n, Expression::named("sliding_window", 20)}).value() == 33);
}

TEST_CASE("a product beyond 63 bits is an error that shows its numbers, not a wrapped value", "[expression]") {
    const Expression big = Expression::named("vocab_size", std::int64_t{1} << 40);
    const auto value = product({big, big}).value();
    REQUIRE_FALSE(value);
    CHECK(value.error().code == ErrorCode::Overflow);
    CHECK(value.error().message.find("1099511627776 × 1099511627776") != std::string::npos);
}

TEST_CASE("a count of tensors is said as a multiple of the layers", "[expression]") {
    const LayerCount layers{"num_hidden_layers", 80};
    CHECK(count_of_tensors(239, layers).formula() == "tensors a layer × num_hidden_layers − 1");
    CHECK(count_of_tensors(239, layers).numbers() == "3 × 80 − 1");
    CHECK(count_of_tensors(80, layers).formula() == "num_hidden_layers");
    CHECK(count_of_tensors(161, layers).formula() == "tensors a layer × num_hidden_layers + 1");
    CHECK(count_of_tensors(3, layers).formula() == "tensors");
    for (std::int64_t count = 1; count < 400; ++count)
        CHECK(*count_of_tensors(count, layers).value() == count);
}

TEST_CASE("a size prints how its rounded and shifted factors are made", "[expression]") {
    SymbolValues values{};
    values[static_cast<std::size_t>(Symbol::Sequence)] = 33;
    values[static_cast<std::size_t>(Symbol::SequenceRounded8)] = 40;
    values[static_cast<std::size_t>(Symbol::MicroBatch)] = 4;
    const Size bias{1, Monomial(Symbol::MicroBatch) * Monomial(Symbol::Sequence) * Monomial(Symbol::SequenceRounded8),
                    Dtype::Bf16};
    const Expression printed = factors_of(bias, values, SizeWords::Training);
    CHECK(printed.formula() == "micro_batch_size × sequence_length × round_up(sequence_length, 8)");
    CHECK(*printed.value() * 2 == bytes(bias, values));
    CHECK(factors_of(bias, values, SizeWords::Serving).formula() == "sequences × tokens × round_up(tokens, 8)");
}

}  // namespace memwall
