#include "memory/expression.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

#include "base/checked.hpp"
#include "base/concat.hpp"

namespace memwall {

Expression Expression::literal(std::int64_t value) {
    assert(value >= 0);
    Expression out;
    out.nodes_.push_back({Operation::Literal, 0, value, {}});
    return out;
}

Expression Expression::named(std::string_view name, std::int64_t value) {
    assert(value >= 0);
    Expression out;
    out.nodes_.push_back({Operation::Named, 0, value, name});
    return out;
}

void Expression::Nodes::reserve(std::size_t count) {
    if (count <= few_.size() || !many_.empty()) return;
    many_.reserve(count);
    many_.assign(few_.begin(), few_.begin() + static_cast<std::ptrdiff_t>(size_));
}

void Expression::Nodes::push_back(const Node& node) {
    if (many_.empty() && many_.capacity() == 0) {
        if (size_ < few_.size()) {
            few_[size_++] = node;
            return;
        }
        many_.reserve(8);
        many_.assign(few_.begin(), few_.end());
    }
    many_.push_back(node);
    ++size_;
}

void Expression::Nodes::append(const Nodes& other) {
    reserve(size_ + other.size_);
    for (std::size_t i = 0; i < other.size_; ++i)
        push_back(other[i]);
}

Expression Expression::combine(Operation operation, std::vector<Expression> parts) {
    assert(!parts.empty());
    Expression out;
    std::size_t count = 1;
    for (const Expression& part : parts)
        count += part.nodes_.size();
    out.nodes_.reserve(count);
    out.nodes_.push_back({operation, static_cast<std::int32_t>(parts.size()), 0, {}});
    for (const Expression& part : parts)
        out.nodes_.append(part.nodes_);
    return out;
}

Expression product(std::vector<Expression> factors) {
    return Expression::combine(Operation::Product, std::move(factors));
}
Expression sum(std::vector<Expression> terms) { return Expression::combine(Operation::Sum, std::move(terms)); }
Expression difference(Expression from, Expression taken) {
    return Expression::combine(Operation::Difference, {std::move(from), std::move(taken)});
}
Expression quotient(Expression dividend, Expression divisor) {
    return Expression::combine(Operation::Quotient, {std::move(dividend), std::move(divisor)});
}
Expression ceil_div(Expression dividend, Expression divisor) {
    return Expression::combine(Operation::CeilDiv, {std::move(dividend), std::move(divisor)});
}
Expression round_up(Expression of, Expression step) {
    return Expression::combine(Operation::RoundUp, {std::move(of), std::move(step)});
}
Expression min_of(std::vector<Expression> candidates) {
    return Expression::combine(Operation::Min, std::move(candidates));
}
Expression max_of(std::vector<Expression> candidates) {
    return Expression::combine(Operation::Max, std::move(candidates));
}

namespace {

std::optional<std::int64_t> apply(Operation operation, std::int64_t a, std::int64_t b) {
    switch (operation) {
        case Operation::Product:
            return checked_multiply(a, b);
        case Operation::Sum:
            return checked_add(a, b);
        case Operation::Difference:
            assert(a >= b);
            return a - b;
        case Operation::Quotient:
            assert(b > 0 && a % b == 0);
            return a / b;
        case Operation::Min:
            return std::min(a, b);
        case Operation::Max:
            return std::max(a, b);
        case Operation::CeilDiv:
            assert(b > 0);
            return ceil_div(a, b);
        case Operation::RoundUp: {
            assert(b > 0);
            const auto room = checked_add(a, b);
            return room ? std::optional(round_up(a, b)) : std::nullopt;
        }
        case Operation::Literal:
        case Operation::Named:
            break;
    }
    assert(false);
    return std::nullopt;
}

struct Symbols {
    std::string_view before, between, after;
    int strength;  // a part of lower strength needs parentheses
};

Symbols symbols_of(Operation operation) {
    switch (operation) {
        case Operation::Product:
            return {"", " × ", "", 2};
        case Operation::Quotient:
            return {"", " ÷ ", "", 2};
        case Operation::Sum:
            return {"", " + ", "", 1};
        case Operation::Difference:
            return {"", " − ", "", 1};
        case Operation::Min:
            return {"min(", ", ", ")", 3};
        case Operation::Max:
            return {"max(", ", ", ")", 3};
        case Operation::CeilDiv:
            return {"⌈", " ÷ ", "⌉", 3};
        case Operation::RoundUp:
            return {"round_up(", ", ", ")", 3};
        case Operation::Literal:
        case Operation::Named:
            return {"", "", "", 3};
    }
    return {};
}

bool is_call(Operation operation) { return symbols_of(operation).strength == 3; }

}  // namespace

std::optional<std::int64_t> Expression::evaluate(std::size_t& at) const {
    const Node& node = nodes_[at++];
    if (node.children == 0) return node.value;
    std::optional<std::int64_t> out = evaluate(at);
    for (std::int32_t i = 1; i < node.children; ++i) {
        const std::optional<std::int64_t> next = evaluate(at);
        if (!out || !next) return std::nullopt;
        out = apply(node.operation, *out, *next);
    }
    return out;
}

Result<std::int64_t> Expression::value() const {
    assert(!nodes_.empty());
    std::size_t at = 0;
    if (const auto value = evaluate(at)) return *value;
    return Error{ErrorCode::Overflow, "", concat({numbers(), " is above 2^63"}), "Take smaller numbers."};
}

void Expression::print(std::size_t& at, Text text, int outer_strength, std::string& out) const {
    const Node& node = nodes_[at++];
    if (node.children == 0) {
        if (text == Text::Formula && node.operation == Operation::Named)
            out += node.name;
        else
            out += std::to_string(node.value);
        return;
    }
    const Symbols s = symbols_of(node.operation);
    const bool parentheses = !is_call(node.operation) && s.strength < outer_strength;
    out += parentheses ? "(" : s.before;
    const int inner = is_call(node.operation) ? 0 : s.strength;
    for (std::int32_t i = 0; i < node.children; ++i) {
        if (i > 0) out += s.between;
        // What stands after ÷ or − is bracketed unless it is a single name.
        const bool right = i > 0 && (node.operation == Operation::Quotient || node.operation == Operation::Difference);
        print(at, text, right ? inner + 1 : inner, out);
    }
    out += parentheses ? ")" : s.after;
}

std::string Expression::formula() const {
    std::string out;
    std::size_t at = 0;
    print(at, Text::Formula, 0, out);
    return out;
}

std::string Expression::numbers() const {
    std::string out;
    std::size_t at = 0;
    print(at, Text::Numbers, 0, out);
    return out;
}

}  // namespace memwall
