#include "perf/throughput.hpp"

namespace memwall {
namespace {

// A step of thirty thousand years, or a model of a few numbers: nothing to say about its speed.
constexpr double kBeyondSense = 1e12;

template <class Rate>
Rate achieved(Rate peak, std::int64_t efficiency_permille) {
    return peak * (static_cast<double>(efficiency_permille) / 1000.0);
}

double dollars_per_million(double per_hour, const Work& work, double tokens_per_second) {
    return per_hour * static_cast<double>(work.accelerators) / 3600.0 / tokens_per_second * 1e6;
}

}  // namespace

std::optional<Throughput> throughput(const Work& work, const AcceleratorSpeed& speed) {
    if (work.tokens == 0 || !(speed.compute.value > 0)) return std::nullopt;
    if (work.moved.value > 0 && !(speed.bandwidth.value > 0)) return std::nullopt;
    Throughput out;
    out.step = work.flops / achieved(speed.compute, kComputeEfficiencyPermille);
    out.roof = Roof::Compute;
    out.efficiency_permille = kComputeEfficiencyPermille;
    if (work.moved.value > 0) {
        const Seconds moving = work.moved / achieved(speed.bandwidth, kBandwidthEfficiencyPermille);
        if (moving > out.step) {
            out.step = moving;
            out.roof = Roof::Bandwidth;
            out.efficiency_permille = kBandwidthEfficiencyPermille;
        }
    }
    out.tokens_per_second = static_cast<double>(work.tokens) / out.step.value;
    if (!(out.step.value < kBeyondSense) || !(out.tokens_per_second < kBeyondSense)) return std::nullopt;
    out.dollars_per_million_tokens_low = dollars_per_million(speed.dollars_per_hour_low, work, out.tokens_per_second);
    out.dollars_per_million_tokens_high = dollars_per_million(speed.dollars_per_hour_high, work, out.tokens_per_second);
    return out;
}

}  // namespace memwall
