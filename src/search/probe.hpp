// MemoryProbe: what a scenario needs with some of its fields at other values; keeps the recorded step while it holds.
//
// Used where one question is asked many times: the solver, the fit map. The fields are chosen once; when they only
// change the numbers a recorded step is replayed with (micro-batch size, sequence length), a value costs one replay
// and not a new recording. The answer is the device total of `estimate`, to the byte.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "estimate/estimate.hpp"
#include "memory/program.hpp"
#include "plan/fields.hpp"

namespace memwall {

class MemoryProbe {
  public:
    MemoryProbe(const Scenario& scenario, std::vector<FieldId> fields);

    // One value for each field, in their order. Errors: those of the fields, of complete(), validate() and lower();
    // Overflow above kLargestExact.
    Result<Bytes> needed(std::span<const std::int64_t> values);

    Bytes certain() const;                                    // below this the truth cannot be (estimate/interval.hpp)
    const Scenario& completed() const { return completed_; }  // of the last values asked for

  private:
    Failure complete_anew(std::span<const std::int64_t> values);
    Failure record();

    Scenario scenario_;
    std::vector<FieldId> fields_;
    std::vector<std::int64_t> values_;  // that completed_ has; empty: none yet
    Scenario completed_;
    Program program_;
    bool recorded_ = false;  // program_ is of completed_, or of other sizes
};

}  // namespace memwall
