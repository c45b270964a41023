// Expression: a number that remembers how it was made.
//
// The value of a ledger row is an expression over named numbers, so the printed formula cannot drift
// from the number. Leaves are literals and named numbers; nodes are product, exact quotient, sum,
// difference, min, max, ceil_div and round_up. A precomputed number behind a name is a defect.
// Nodes stand operands first, each with the value of all below it: writing is evaluating. A ledger keeps
// those of all its rows in one Formulas; texts are made when somebody reads them.
// Invariants: every value is >= 0 (a negative difference is a bug: assert); arithmetic is checked and
// gives Overflow instead of wrapping; names have static storage (table text).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace memwall {

enum class Operation : std::uint8_t { Literal, Named, Product, Quotient, Sum, Difference, Min, Max, CeilDiv, RoundUp };

struct ExpressionNode {
    Operation operation{};
    std::int16_t operands = 0;
    std::int32_t nodes = 1;  // of this node and all below it; they stand right before it
    std::int64_t value = 0;  // negative: above 2^63
    std::string_view name;   // of a named leaf
};

// Expressions being written, one after another.
class Formulas {
  public:
    void literal(std::int64_t value);
    // ("num_key_value_heads", 8); a literal with a meaning is a named number too: ("K and V", 2).
    void named(std::string_view name, std::int64_t value);
    // Makes one expression of the last `operands`.
    void apply(Operation, int operands);
    void append(std::span<const ExpressionNode>);  // one written elsewhere
    void reserve(std::size_t nodes) { nodes_.reserve(nodes); }

    std::int64_t value() const { return nodes_.back().value; }  // of the last one; negative: above 2^63
    std::int32_t root() const { return static_cast<std::int32_t>(nodes_.size()) - 1; }
    std::span<const ExpressionNode> expression(std::int32_t root) const;

  private:
    std::vector<ExpressionNode> nodes_;
};

class Expression {
  public:
    Expression() = default;
    explicit Expression(std::span<const ExpressionNode> nodes) { nodes_.append(nodes); }
    static Expression literal(std::int64_t value);
    static Expression named(std::string_view name, std::int64_t value);
    // The function behind the makers below.
    static Expression combine(Operation operation, const std::vector<Expression>& operands);

    Result<std::int64_t> value() const;
    std::string formula() const;  // "2 × num_hidden_layers × head_dim"
    std::string numbers() const;  // "2 × 80 × 128"

  private:
    std::span<const ExpressionNode> nodes() const { return nodes_.expression(nodes_.root()); }
    Formulas nodes_;
};

Expression product(const std::vector<Expression>& factors);
Expression sum(const std::vector<Expression>& terms);
Expression difference(const Expression& from, const Expression& taken);
Expression quotient(const Expression& dividend, const Expression& divisor);  // must divide exactly
Expression ceil_div(const Expression& dividend, const Expression& divisor);
Expression round_up(const Expression& of, const Expression& step);
Expression min_of(const std::vector<Expression>& candidates);
Expression max_of(const std::vector<Expression>& candidates);

}  // namespace memwall
