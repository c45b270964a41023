// Quantities that must not mix. Each region below is compiled alone and has to be refused (check_case.py).
#include "base/units.hpp"

using namespace memwall;

Bytes good(Bytes a, Bytes b, Count n) { return a + b * 2 + Bytes(n.value) * 1; }

#if BAD == 1
Bytes sum_of_bytes_and_count(Bytes a, Count b) { return a + b; }
#endif
#if BAD == 2
Bytes sum_of_bytes_and_bits(Bytes a, Bits b) { return a + b; }
#endif
#if BAD == 3
Bytes bytes_from_bare_number() { return 1024; }
#endif
#if BAD == 4
std::int64_t bare_number_from_bytes(Bytes a) { return a; }
#endif
#if BAD == 5
Bytes square_bytes(Bytes a, Bytes b) { return a * b; }
#endif
#if BAD == 6
bool bytes_less_than_count(Bytes a, Count b) { return a < b; }
#endif
#if BAD == 7
Seconds time_of_bytes_at_flops(Bytes a, FlopsPerSecond rate) { return a / rate; }
#endif
#if BAD == 8
Bytes fraction_of_bytes(Bytes a) { return a * 0.5; }
#endif
#if BAD == 9
void add_count(Bytes& a, Count b) { a += b; }
#endif
