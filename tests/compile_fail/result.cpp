// What must not be done with a Result: ignored, or taken for its value or for a truth value without asking.
#include "base/result.hpp"
#include "base/units.hpp"

using namespace memwall;

Result<Bytes> weights();

Bytes good() {
    auto result = weights();
    return result ? *result : Bytes(0);
}

#if BAD == 1
void ignored() { weights(); }
#endif
#if BAD == 2
Bytes unasked() { return weights(); }
#endif
#if BAD == 3
bool truth() { return weights(); }
#endif
