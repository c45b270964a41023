#include <catch_amalgamated.hpp>

#include "perf/flops.hpp"
#include "perf/throughput.hpp"

using namespace memwall;

namespace {
Architecture llama_7b() {
    Architecture a;
    a.num_hidden_layers = 32;
    a.num_attention_heads = 32;
    a.head_dim = 128;
    return a;
}
}  // namespace

// Chowdhery et al., PaLM (2022), appendix B: (6N + 12LHQT) operations a token.
TEST_CASE("a trained token costs 6 operations per parameter and 12 × layers × width × sequence", "[perf]") {
    const Flops flops = training_flops_per_token(llama_7b(), Count(6'738'415'616), 2048, Recompute::None);
    CHECK(flops.value == 6.0 * 6'738'415'616.0 + 12.0 * 32 * 4096 * 2048);
}

TEST_CASE("full recomputation costs one more forward pass", "[perf]") {
    const Flops plain = training_flops_per_token(llama_7b(), Count(1000), 1, Recompute::None);
    const Flops recomputed = training_flops_per_token(llama_7b(), Count(1000), 1, Recompute::FullBlocks);
    CHECK(recomputed.value / plain.value == Catch::Approx(4.0 / 3.0));
}

// Chen, Transformer Inference Arithmetic (2022): below the ratio of rates a decoded token takes the time of reading the
// weights. 1.555 TB/s and 52 GB of weights: 33 ms at full bandwidth, 48 ms at 0.70 of it.
TEST_CASE("a decoded token of one sequence takes the time of reading the weights", "[perf]") {
    Work work;
    work.flops = Flops(2.0 * 26e9);
    work.moved = Bytes(52'000'000'000);
    work.tokens = 1;
    AcceleratorSpeed a100{FlopsPerSecond(312e12), BytesPerSecond(1.555e12), 0, 0};
    const auto found = throughput(work, a100);
    REQUIRE(found);
    CHECK(found->roof == Roof::Bandwidth);
    CHECK(found->step.value == Catch::Approx(52e9 / (1.555e12 * 0.7)));
    CHECK(found->tokens_per_second == Catch::Approx(1 / found->step.value));
}

TEST_CASE("a price an hour becomes a price per million tokens of all accelerators", "[perf]") {
    Work work;
    work.flops = Flops(40e12);
    work.tokens = 8000;
    work.accelerators = 8;
    AcceleratorSpeed card{FlopsPerSecond(100e12), BytesPerSecond(0), 1.8, 3.6};
    const auto found = throughput(work, card);
    REQUIRE(found);
    CHECK(found->step.value == Catch::Approx(1.0));  // 40e12 of 100e12 at 0.40
    CHECK(found->dollars_per_million_tokens_low == Catch::Approx(1.8 * 8 / 3600 / 8000 * 1e6));
    CHECK(found->dollars_per_million_tokens_high == Catch::Approx(2 * found->dollars_per_million_tokens_low));
}

TEST_CASE("an unknown rate gives no throughput instead of a made-up one", "[perf]") {
    Work work;
    work.flops = Flops(1);
    work.tokens = 1;
    CHECK_FALSE(throughput(work, AcceleratorSpeed{}));
    work.moved = Bytes(1);
    CHECK_FALSE(throughput(work, AcceleratorSpeed{FlopsPerSecond(1e12), BytesPerSecond(0), 0, 0}));
}
