// Random scenarios from the field table, the same on every machine.
//
// A seed is a whole scenario: a failure prints it, MEMWALL_SEED=N runs it alone. MEMWALL_SEEDS=N sets how many
// seeds each property tries (500 by default). ctest gives each test a part of them (MEMWALL_SEEDS_PART=2/4).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "plan/fields.hpp"

namespace memwall {

class Random {  // splitmix64
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits();
    std::int64_t between(std::int64_t low, std::int64_t high);      // both ends included
    std::int64_t log_between(std::int64_t low, std::int64_t high);  // small numbers as likely as large ones
    bool one_in(std::int64_t n) { return between(1, n) == 1; }

  private:
    std::uint64_t state_;
};

struct Seeds {
    std::int64_t first = 1, last = 500;
};
Seeds seeds();

// A value that the field allows and this version computes.
std::int64_t random_value(Random&, const FieldRow&);
// Text that people and files might put into a field: allowed, nearly allowed, or nonsense.
std::string random_words(Random&, const FieldRow&);

enum class ModelSource : std::uint8_t { Any, ByHand };
Scenario random_scenario(std::uint64_t seed, ModelSource = ModelSource::Any);

}  // namespace memwall
