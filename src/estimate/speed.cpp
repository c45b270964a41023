#include "estimate/speed.hpp"

#include "catalogue/catalogue.hpp"
#include "perf/flops.hpp"

namespace memwall {
namespace {

// Columns of AcceleratorRow::tflops_tenths.
int rate_column(ComputeDtype compute) {
    switch (compute) {
        case ComputeDtype::Fp32:
            return 0;
        case ComputeDtype::Fp16:
            return 2;
        case ComputeDtype::Bf16:
            return 3;
        case ComputeDtype::Fp8:
            return 4;
    }
    return 0;
}

AcceleratorSpeed speed_of(const AcceleratorRow& row, ComputeDtype compute) {
    AcceleratorSpeed out;
    out.compute = FlopsPerSecond(row.tflops_tenths[rate_column(compute)] * 1e11);
    out.bandwidth = BytesPerSecond(row.memory_bandwidth_gbs * 1e9);
    out.dollars_per_hour_low = row.price_low_cents / 100.0;
    out.dollars_per_hour_high = row.price_high_cents / 100.0;
    return out;
}

Work training_work(const Estimate& e) {
    const Batch& batch = e.scenario.batch;
    const std::int64_t tokens = batch.micro_batch_size * batch.sequence_length * batch.gradient_accumulation_steps;
    const Recompute recompute =
        e.scenario.savers.activation_checkpointing == Checkpointing::Full ? Recompute::FullBlocks : Recompute::None;
    Work out;
    out.flops =
        training_flops_per_token(e.scenario.model.architecture, e.active_parameters, batch.sequence_length, recompute) *
        static_cast<double>(tokens);
    out.tokens = tokens * e.scenario.mesh.world_size;
    out.accelerators = e.scenario.mesh.world_size;
    return out;
}

Work decoding_work(const Estimate& e) {
    const std::int64_t sequences = e.scenario.serving.concurrent_sequences;
    Work out;
    out.flops =
        forward_flops_per_token(e.scenario.model.architecture, e.active_parameters, e.scenario.serving.context_tokens) *
        static_cast<double>(sequences);
    out.moved = e.worst().device.total(Category::Weights) + e.worst().device.total(Category::KvCache);
    out.tokens = sequences * e.scenario.mesh.world_size;
    out.accelerators = e.scenario.mesh.world_size;
    return out;
}

}  // namespace

std::optional<Throughput> throughput_of(const Estimate& e) {
    const auto row = find_accelerator(e.scenario.accelerator.name);
    if (!row) return std::nullopt;
    const Work work = e.scenario.task == Task::Inference ? decoding_work(e) : training_work(e);
    return throughput(work, speed_of(**row, e.scenario.precision.compute));
}

}  // namespace memwall
