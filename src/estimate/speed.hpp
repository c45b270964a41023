// Speed: the work of one step and the rates of the accelerator, from what the estimate already knows.
#pragma once
#include <optional>

#include "estimate/estimate.hpp"

namespace memwall {

// A micro-step of training, or one decoded token of every sequence.
std::optional<Throughput> throughput_of(const Estimate&);

}  // namespace memwall
