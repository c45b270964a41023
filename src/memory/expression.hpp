// Expression: a number that remembers how it was made.
//
// The value of a ledger row is an expression over named numbers, so the printed formula cannot drift
// from the number. Leaves are literals and named numbers; nodes are product, exact quotient, sum,
// difference, min, max, ceil_div and round_up. A precomputed number behind a name is a defect.
// Invariants: every value is >= 0 (a negative difference is a bug: assert); evaluation is checked and
// gives Overflow instead of wrapping; names have static storage (table text).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace memwall {

enum class Operation : std::uint8_t { Literal, Named, Product, Quotient, Sum, Difference, Min, Max, CeilDiv, RoundUp };

class Expression {
  public:
    static Expression literal(std::int64_t value);
    // {"num_key_value_heads", 8}; a literal with a meaning is a named number too: {"K and V", 2}.
    static Expression named(std::string_view name, std::int64_t value);

    Result<std::int64_t> value() const;
    std::string formula() const;  // "2 × num_hidden_layers × head_dim"
    std::string numbers() const;  // "2 × 80 × 128"

    // The function behind the makers below.
    static Expression combine(Operation operation, std::vector<Expression> parts);

  private:
    struct Node {
        Operation operation;
        std::int32_t children;  // of this node; they follow in prefix order
        std::int64_t value;     // of a leaf
        std::string_view name;  // of a named leaf
    };
    // A vector whose first nodes need no allocation: most expressions are a leaf or a short product, and a ledger
    // makes hundreds of them.
    class Nodes {
      public:
        Nodes() = default;
        Nodes(const Nodes& other) { append(other); }
        Nodes(Nodes&& other) noexcept : size_(other.size_), few_(other.few_), many_(std::move(other.many_)) {}
        Nodes& operator=(Nodes other) noexcept {
            size_ = other.size_;
            few_ = other.few_;
            many_ = std::move(other.many_);
            return *this;
        }
        ~Nodes() = default;
        void push_back(const Node& node);
        void append(const Nodes& other);
        void reserve(std::size_t count);
        std::size_t size() const { return size_; }
        bool empty() const { return size_ == 0; }
        const Node& operator[](std::size_t i) const { return many_.empty() ? few_[i] : many_[i]; }

      private:
        std::size_t size_ = 0;
        std::array<Node, 3> few_{};
        std::vector<Node> many_;  // all of them, once there are more
    };
    enum class Text : std::uint8_t { Formula, Numbers };
    std::optional<std::int64_t> evaluate(std::size_t& at) const;
    void print(std::size_t& at, Text text, int outer_strength, std::string& out) const;

    Nodes nodes_;  // prefix order
};

Expression product(std::vector<Expression> factors);
Expression sum(std::vector<Expression> terms);
Expression difference(Expression from, Expression taken);
Expression quotient(Expression dividend, Expression divisor);  // must divide exactly
Expression ceil_div(Expression dividend, Expression divisor);
Expression round_up(Expression of, Expression step);
Expression min_of(std::vector<Expression> candidates);
Expression max_of(std::vector<Expression> candidates);

}  // namespace memwall
