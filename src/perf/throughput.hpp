// Throughput: a roofline with a stated, assumed efficiency; first parts.
//
// Time of a step is the longer of operations ÷ (peak rate × efficiency) and bytes ÷ (bandwidth ×
// efficiency). Training counts the operations of a micro-step on one accelerator and ignores
// communication; decoding counts one token of every sequence and moves the weights and the cache once.
// Efficiencies are assumptions, not measurements: 0.40 of the dense peak in training (Chowdhery et al.,
// PaLM (2022), table 3: 21 to 46 %), 0.70 of the bandwidth in decoding.
#pragma once
#include <cstdint>
#include <optional>

#include "base/units.hpp"

namespace memwall {

struct AcceleratorSpeed {
    FlopsPerSecond compute;                                      // dense, in the compute dtype; 0: unknown
    BytesPerSecond bandwidth;                                    // 0: unknown
    double dollars_per_hour_low = 0, dollars_per_hour_high = 0;  // 0: no price known
};

struct Work {  // of one step on one accelerator
    Flops flops;
    Bytes moved;              // weights and cache read once; 0 for training
    std::int64_t tokens = 0;  // handled in the step, all accelerators together
    std::int64_t accelerators = 1;
};

enum class Roof : std::uint8_t { Compute, Bandwidth };

struct Throughput {
    Seconds step;
    double tokens_per_second = 0;
    Roof roof{};
    std::int64_t efficiency_permille = 0;  // assumed, of the roof that decides
    double dollars_per_million_tokens_low = 0, dollars_per_million_tokens_high = 0;  // 0: no price known
};

inline constexpr std::int64_t kComputeEfficiencyPermille = 400;
inline constexpr std::int64_t kBandwidthEfficiencyPermille = 700;

// nullopt when a rate that is needed is unknown, or the result is beyond sense (10^12 seconds or tokens a second).
std::optional<Throughput> throughput(const Work&, const AcceleratorSpeed&);

}  // namespace memwall
