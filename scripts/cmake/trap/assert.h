// assert() where bytes count: what ships to the web ends in a trap that names nothing. The same scenario run natively
// (src/cli) names file, line and condition. No include guard, as the standard has it.
#undef assert
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif
