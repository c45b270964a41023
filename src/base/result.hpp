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

#include "base/concat.hpp"

namespace memwall {

enum class ErrorCode : unsigned char {
    OutOfRange,    // a value outside its field's limits
    Inconsistent,  // two values that contradict each other
    UnknownName,   // a model, accelerator, field or choice nobody knows
    Ambiguous,     // a name that fits several; the hint lists them
    Malformed,     // text that cannot be read
    Missing,       // nothing is said of an input without which there is no answer
    NotYet,        // known, and not computed by this version
    Overflow,      // a product beyond 63 bits
    Incomplete,    // what is said lacks a number that nobody can guess
};

struct Error {
    Error() = default;
    // Message and hint are one piece, or several in braces.
    [[gnu::cold]] Error(ErrorCode, const Piece& where, Pieces message, Pieces hint);
    [[gnu::cold]] Error(ErrorCode, const Piece& where, Pieces message, const Piece& hint);
    [[gnu::cold]] Error(ErrorCode, const Piece& where, const Piece& message, Pieces hint);
    [[gnu::cold]] Error(ErrorCode, const Piece& where, const Piece& message, const Piece& hint);

    ErrorCode code{};
    std::string where;
    std::string message;
    std::string hint;
};

// What an action without a value returns: nothing, or what was wrong. An error is rare, so it lies apart.
class [[nodiscard]] Failure {
  public:
    Failure() = default;
    Failure(std::nullopt_t) {}
    [[gnu::cold]] Failure(Error);
    Failure(const Failure&);
    Failure(Failure&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
    Failure& operator=(Failure other) noexcept {
        std::swap(error_, other.error_);
        return *this;
    }
    ~Failure();

    explicit operator bool() const { return error_ != nullptr; }
    bool has_value() const { return error_ != nullptr; }
    const Error& operator*() const {
        assert(error_ != nullptr);
        return *error_;
    }
    const Error* operator->() const { return &**this; }

  private:
    Error* error_ = nullptr;
};

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) : failure_(std::move(error)) {}
    Result(Failure failure) : failure_(std::move(failure)) { assert(failure_); }

    explicit operator bool() const { return value_.has_value(); }
    T& operator*() {
        assert(*this);
        return *value_;
    }
    const T& operator*() const {
        assert(*this);
        return *value_;
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }
    const Error& error() const { return *failure_; }
    Failure& failure() { return failure_; }

  private:
    std::optional<T> value_;
    Failure failure_;
};

}  // namespace memwall

// Declares `name` from a Result, or returns its error from the enclosing function.
#define MEMWALL_TRY(name, expression)                              \
    auto name##_result = (expression);                             \
    if (!name##_result) return std::move(name##_result.failure()); \
    auto& name = *name##_result /* the caller writes the semicolon */
