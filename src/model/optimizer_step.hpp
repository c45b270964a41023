// Optimizer step: what the update of parameters allocates, by optimizer and implementation.
//
// Sources: torch/optim (adamw, adafactor) and transformers/optimization.py.
#pragma once
#include <span>

#include "model/recorder.hpp"

namespace memwall {

// All of them at once, in order of registration; only the highest moment of a loop over them is recorded.
void record_update(Recorder&, std::span<const Tensor> trained, OptimizerVariant);
// What the optimizer keeps of a parameter, so many times: it stays.
void create_states(Recorder&, const Tensor& parameter, std::int32_t times);
// One parameter by an optimizer of its own, as soon as its gradient exists.
void record_update_of_one(Recorder&, const Tensor& parameter, OptimizerVariant);
void release_gradients(Recorder&, std::span<const Tensor> parameters);

}  // namespace memwall
