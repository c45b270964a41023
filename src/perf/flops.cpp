#include "perf/flops.hpp"

namespace memwall {

Flops forward_flops_per_token(const Architecture& a, Count active_parameters, std::int64_t context) {
    const double matrices = 2.0 * static_cast<double>(active_parameters.value);
    const double attention = 4.0 * static_cast<double>(a.num_hidden_layers) * static_cast<double>(query_width(a)) *
                             static_cast<double>(context);
    return Flops(matrices + attention);
}

Flops training_flops_per_token(const Architecture& a, Count active_parameters, std::int64_t sequence_length,
                               Recompute recompute) {
    const double passes = recompute == Recompute::FullBlocks ? 4.0 : 3.0;
    return forward_flops_per_token(a, active_parameters, sequence_length) * passes;
}

}  // namespace memwall
