// Result<T>: a value, or an Error with an address.
//
// Errors are for what a user or a file did; bugs are asserts (kept on in release builds); guesses are
// notes (base/notes.hpp). `where` is a field key ("mesh.tp") or a file position ("config.json:1:17").
// The message substitutes the numbers, the hint says what is allowed or what to do.
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/concat.hpp"

namespace memwall {

enum class ErrorCode : unsigned char {
    OutOfRange,    // a value outside its field's limits
    Inconsistent,  // two values that contradict each other
    UnknownName,   // a model, accelerator, field or choice nobody knows
    Ambiguous,     // a name that fits several; the hint lists them
    Malformed,     // text that cannot be read
    Missing,       // an input without which nothing can be said
    NotYet,        // known, and not computed by this version
    Overflow,      // a product beyond 63 bits
};

struct Error {
    Error() = default;
    // Message and hint are one piece, or several in braces.
    Error(ErrorCode, const Piece& where, Pieces message, Pieces hint);
    Error(ErrorCode, const Piece& where, Pieces message, const Piece& hint);
    Error(ErrorCode, const Piece& where, const Piece& message, Pieces hint);
    Error(ErrorCode, const Piece& where, const Piece& message, const Piece& hint);

    ErrorCode code{};
    std::string where;
    std::string message;
    std::string hint;
};

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() {
        assert(*this);
        return *std::get_if<0>(&state_);
    }
    const T& operator*() const {
        assert(*this);
        return *std::get_if<0>(&state_);
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }
    const Error& error() const {
        assert(!*this);
        return *std::get_if<1>(&state_);
    }

  private:
    std::variant<T, Error> state_;
};

// What an action without a value returns: nothing, or what was wrong.
using Failure = std::optional<Error>;

}  // namespace memwall

// Declares `name` from a Result, or returns its error from the enclosing function.
#define MEMWALL_TRY(name, expression)                 \
    auto name##_result = (expression);                \
    if (!name##_result) return name##_result.error(); \
    auto& name = *name##_result /* the caller writes the semicolon */
