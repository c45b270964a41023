#include "base/result.hpp"

namespace memwall {

Error::Error(ErrorCode code_, const Piece& where_, Pieces message_, Pieces hint_)
    : code(code_), where(where_.text), message(concat(message_)), hint(concat(hint_)) {}
Error::Error(ErrorCode code_, const Piece& where_, Pieces message_, const Piece& hint_)
    : Error(code_, where_, message_, Pieces{hint_}) {}
Error::Error(ErrorCode code_, const Piece& where_, const Piece& message_, Pieces hint_)
    : Error(code_, where_, Pieces{message_}, hint_) {}
Error::Error(ErrorCode code_, const Piece& where_, const Piece& message_, const Piece& hint_)
    : Error(code_, where_, Pieces{message_}, Pieces{hint_}) {}

Failure::Failure(Error error) : error_(new Error(std::move(error))) {}
Failure::Failure(const Failure& other) : error_(other ? new Error(*other) : nullptr) {}
Failure::~Failure() { delete error_; }

}  // namespace memwall
