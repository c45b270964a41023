#include "memory/expression.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

#include "base/checked.hpp"
#include "base/concat.hpp"

namespace memwall {

namespace {

constexpr std::int64_t kOverflow = -1;

std::int64_t combined(Operation operation, std::int64_t a, std::int64_t b) {
    if (a < 0 || b < 0) return kOverflow;
    std::optional<std::int64_t> out;
    switch (operation) {
        case Operation::Product:
            out = checked_multiply(a, b);
            break;
        case Operation::Sum:
            out = checked_add(a, b);
            break;
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
        case Operation::RoundUp:
            assert(b > 0);
            out = checked_add(a, b);
            if (out) out = round_up(a, b);
            break;
        case Operation::Literal:
        case Operation::Named:
            assert(false);
    }
    return out.value_or(kOverflow);
}

}  // namespace

void Formulas::literal(std::int64_t value) {
    assert(value >= 0);
    nodes_.push_back({.operation = Operation::Literal, .value = value, .name = {}});
}

void Formulas::named(std::string_view name, std::int64_t value) {
    assert(value >= 0);
    nodes_.push_back({.operation = Operation::Named, .value = value, .name = name});
}

void Formulas::apply(Operation operation, int operands) {
    assert(operands > 0);
    std::size_t end = nodes_.size();
    ExpressionNode out{.operation = operation, .operands = static_cast<std::int16_t>(operands), .name = {}};
    for (int i = 0; i < operands; ++i) {
        const ExpressionNode& operand = nodes_[end - 1];
        out.value = i == 0 ? operand.value : combined(operation, operand.value, out.value);
        out.nodes += operand.nodes;
        end -= static_cast<std::size_t>(operand.nodes);
    }
    nodes_.push_back(out);
}

void Formulas::append(std::span<const ExpressionNode> nodes) {
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
}

std::span<const ExpressionNode> Formulas::expression(std::int32_t root) const {
    const auto count = static_cast<std::size_t>(nodes_[static_cast<std::size_t>(root)].nodes);
    return std::span(nodes_).subspan(static_cast<std::size_t>(root) + 1 - count, count);
}

Expression Expression::literal(std::int64_t value) {
    Expression out;
    out.nodes_.literal(value);
    return out;
}

Expression Expression::named(std::string_view name, std::int64_t value) {
    Expression out;
    out.nodes_.named(name, value);
    return out;
}

Expression Expression::combine(Operation operation, const std::vector<Expression>& operands) {
    Expression out;
    for (const Expression& operand : operands)
        out.nodes_.append(operand.nodes());
    out.nodes_.apply(operation, static_cast<int>(operands.size()));
    return out;
}

Expression product(const std::vector<Expression>& factors) { return Expression::combine(Operation::Product, factors); }
Expression sum(const std::vector<Expression>& terms) { return Expression::combine(Operation::Sum, terms); }
Expression difference(const Expression& from, const Expression& taken) {
    return Expression::combine(Operation::Difference, {from, taken});
}
Expression quotient(const Expression& dividend, const Expression& divisor) {
    return Expression::combine(Operation::Quotient, {dividend, divisor});
}
Expression ceil_div(const Expression& dividend, const Expression& divisor) {
    return Expression::combine(Operation::CeilDiv, {dividend, divisor});
}
Expression round_up(const Expression& of, const Expression& step) {
    return Expression::combine(Operation::RoundUp, {of, step});
}
Expression min_of(const std::vector<Expression>& candidates) { return Expression::combine(Operation::Min, candidates); }
Expression max_of(const std::vector<Expression>& candidates) { return Expression::combine(Operation::Max, candidates); }

namespace {

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

// One pass over nodes that stand operands first.
struct Printer {
    enum class Text : std::uint8_t { Formula, Numbers };
    std::span<const ExpressionNode> nodes;
    Text text;
    std::string out{};

    // The expression that ends at `root`.
    void print(std::int32_t root, int outer_strength) {
        const ExpressionNode& node = nodes[static_cast<std::size_t>(root)];
        if (node.operands == 0) {
            if (text == Text::Formula && node.operation == Operation::Named)
                out += node.name;
            else
                out += std::to_string(node.value);
            return;
        }
        const Symbols s = symbols_of(node.operation);
        const bool parentheses = !is_call(node.operation) && s.strength < outer_strength;
        out += parentheses ? "(" : s.before;
        print_operands(node.operation, root - 1, node.operands);
        out += parentheses ? ")" : s.after;
    }

    // The first `count` operands of an operation; the last of them ends at `root`.
    void print_operands(Operation operation, std::int32_t root, int count) {
        const Symbols s = symbols_of(operation);
        if (count > 1) {
            print_operands(operation, root - nodes[static_cast<std::size_t>(root)].nodes, count - 1);
            out += s.between;
        }
        // What stands after ÷ or − is bracketed unless it is a single name.
        const bool divides = operation == Operation::Quotient || operation == Operation::CeilDiv;
        const bool right = count > 1 && (divides || operation == Operation::Difference);
        const int strength = divides ? symbols_of(Operation::Quotient).strength : is_call(operation) ? 0 : s.strength;
        print(root, strength + (right ? 1 : 0));
    }
};

std::string printed(std::span<const ExpressionNode> nodes, Printer::Text text) {
    Printer printer{nodes, text};
    printer.print(static_cast<std::int32_t>(nodes.size()) - 1, 0);
    return std::move(printer.out);
}

}  // namespace

Result<std::int64_t> Expression::value() const {
    if (nodes_.value() >= 0) return nodes_.value();
    return Error{ErrorCode::Overflow, "", {numbers(), " is above 2^63"}, "Take smaller numbers."};
}

std::string Expression::formula() const { return printed(nodes(), Printer::Text::Formula); }
std::string Expression::numbers() const { return printed(nodes(), Printer::Text::Numbers); }

}  // namespace memwall
