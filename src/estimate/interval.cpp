#include "estimate/interval.hpp"

#include <algorithm>

#include "model/model_program.hpp"

namespace memwall {
namespace {

struct IntervalRow {
    bool (*applies)(const Scenario&);
    std::int64_t permille;  // of the device total, to either side
    std::string_view basis;
};

bool counted_only(const Scenario& s) { return !has_block_program(s.model.architecture); }
bool other_implementation(const Scenario& s) { return s.implementation.name != ImplementationName::HfTransformers; }
bool several(const Scenario& s) { return s.mesh.world_size > 1; }
bool inference(const Scenario& s) { return s.task == Task::Inference; }
bool always(const Scenario&) { return true; }

// The first row that applies.
constexpr IntervalRow kRows[] = {
    {counted_only, 250, "default of ±25 %, not yet measured: activations are estimated from the number of parameters"},
    {other_implementation, 200,
     "default of ±20 %, not yet measured: block programs are those of Hugging Face transformers"},
    {several, 150, "default of ±15 %, not yet measured: several accelerators"},
    {inference, 100, "default of ±10 %, not yet measured: inference on one accelerator"},
    {always, 100, "default of ±10 %, not yet measured: training with a block program on one accelerator"},
};

}  // namespace

Interval interval_around(Bytes device_total, const Scenario& completed) {
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                   [&](const IntervalRow& candidate) { return candidate.applies(completed); });
    // Division first: a device total may be close to 2^63.
    const Bytes half(device_total.value / 1000 * row->permille + device_total.value % 1000 * row->permille / 1000);
    return {device_total - half, device_total + half, row->basis};
}

}  // namespace memwall
