#include "base/result.hpp"

namespace memwall {

Error::Error(ErrorCode code_, const Piece& where_, const Piece& message_, const Piece& hint_)
    : code(code_), where(where_.text), message(message_.text), hint(hint_.text) {}

}  // namespace memwall
