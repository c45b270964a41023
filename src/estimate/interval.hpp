// The 90 % interval around a device total: where nine in ten comparable runs came to lie.
//
// interval_rows.inc is made by `memwall check --intervals tests/data/*.jsonl`: for each class of scenarios the
// central 90 % of measured ÷ predicted over the runs that are known (check/intervals.hpp says which). A class
// with too few runs takes the row of the next wider class, which the basis names. Where activations are
// estimated from the size of a model the row is a multiple of them; the interval is never narrower than for training
// whose activations are known, and is that where they are stated.
#pragma once
#include <span>

#include "estimate/estimate.hpp"

namespace memwall {

enum class IntervalClass : std::uint8_t {
    TrainingProgram,               // a block program, transformers, one accelerator
    TrainingElsewhere,             // another library, or several accelerators
    TrainingAny,                   // both
    TrainingEstimated,             // no block program
    TrainingEstimatedRecomputing,  // the same under checkpointing
    InferencePlain,                // weights of 16 or 32 bits, transformers, one accelerator
    InferenceQuantized,            // the same with fewer bits
    InferenceElsewhere,            // another library, or several accelerators
    InferenceAny,                  // all three
};

struct IntervalRow {
    IntervalClass id;
    std::int32_t runs;
    std::int32_t low_permille, high_permille;
};

struct IntervalClassRow {
    IntervalClass id, wider;
    std::string_view key, name;
};

std::span<const IntervalClassRow> interval_classes();
inline constexpr std::int32_t kFewestRuns = 20;  // a class with fewer has no interval of its own

IntervalClass interval_class(const Scenario& completed);
// The part of a device total that the class's row is a multiple of: not what others hold, nor a framework that is
// given.
Bytes interval_base(Bytes device_total, const Scenario& completed);
// `completed` scenario; low and high never leave [0, 2^63). `certain` is what the number cannot be below: what stays
// through the step, and what others hold.
Interval interval_around(Bytes device_total, Bytes certain, const Scenario& completed);

}  // namespace memwall
