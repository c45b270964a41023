#include <algorithm>
#include <catch_amalgamated.hpp>

#include "scenario_of.hpp"
#include "search/companions.hpp"
#include "search/grid.hpp"
#include "search/shortlist.hpp"
#include "search/solver.hpp"

using namespace memwall;

namespace {

Solution solved(const Scenario& scenario, FieldId field) {
    auto found = largest_that_fits(scenario, field);
    INFO((found ? "" : found.error().message));
    REQUIRE(found);
    return std::move(*found);
}

Bytes needed(Scenario scenario, FieldId field, std::int64_t value) {
    REQUIRE_FALSE(set_value(scenario, field, value));
    const auto made = estimate(scenario);
    REQUIRE(made);
    return made->worst().device_total;
}

}  // namespace

TEST_CASE("the largest value fits and the next does not, by the headline's own numbers", "[search]") {
    const Scenario scenario = scenario_of({{"model", "gpt2"}, {"gpu", "4090"}, {"batch.sequence_length", "1024"}});
    for (const FieldId field : {FieldId::MicroBatchSize, FieldId::InUseByOthersBytes}) {
        const Solution s = solved(scenario, field);
        CHECK(s.bound == Bound::Memory);
        REQUIRE(s.next);
        CHECK(*s.next == s.value + 1);
        CHECK(needed(scenario, field, s.value) == s.needed);
        CHECK(needed(scenario, field, *s.next) == s.next_needed);
        CHECK(s.needed <= s.usable);
        CHECK(s.next_needed > s.usable);
        CHECK(s.notes.all().empty());
    }
}

TEST_CASE("a value that the model refuses is a limit, not an answer of memory", "[search]") {
    // gpt2 has 1024 positions.
    const Solution s = solved(scenario_of({{"model", "gpt2"}, {"gpu", "4090"}}), FieldId::SequenceLength);
    CHECK(s.bound == Bound::FieldLimit);
    CHECK(s.value == 1024);
}

TEST_CASE("when not even one fits, the answer says what one would need", "[search]") {
    const Scenario scenario = scenario_of({{"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "H100 SXM5 80GB"}});
    const Solution s = solved(scenario, FieldId::MicroBatchSize);
    CHECK(s.bound == Bound::NothingFits);
    CHECK(s.needed > s.usable);
    CHECK(s.verdict == Verdict::DoesNotFit);
}

TEST_CASE("more sequences are found for inference", "[search]") {
    const Scenario scenario = scenario_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "inference"}});
    const Solution s = solved(scenario, FieldId::ConcurrentSequences);
    CHECK(s.value > 100);
    CHECK(needed(scenario, FieldId::ConcurrentSequences, s.value + 1) > s.usable);
}

TEST_CASE("a field whose growth costs nothing is refused with those that can be asked", "[search]") {
    const auto refused = largest_that_fits(scenario_of({{"model", "gpt2"}, {"gpu", "4090"}}), FieldId::ZeroStage);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "mesh.zero_stage");
    CHECK(refused.error().hint.find("batch.micro_batch_size") != std::string::npos);
}

TEST_CASE("without an accelerator there is no largest value", "[search]") {
    const auto refused = largest_that_fits(scenario_of({{"model", "gpt2"}}), FieldId::MicroBatchSize);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Missing);
    CHECK(refused.error().where == "accelerator.name");
}

// Switching the task on the page shows the number the pair showed: what was stated stays.
TEST_CASE("the pair is the same scenario with the other task", "[search]") {
    const Estimate trained = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"precision.recipe", "fp32"}});
    const Companions pair = companions(trained);
    REQUIRE(pair.run);
    REQUIRE(pair.train);
    CHECK(pair.train->needed == trained.worst().device_total);
    CHECK(pair.run->needed ==
          estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"precision.recipe", "fp32"}, {"task", "inference"}})
              .worst()
              .device_total);
    CHECK(pair.run->needed < pair.train->needed);
    const Estimate served =
        estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"method", "lora"}, {"task", "inference"}});
    CHECK(companions(served).train->needed ==
          estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"method", "lora"}, {"task", "finetune"}})
              .worst()
              .device_total);
    // What only one task can do is left out in the other.
    const Estimate quantised =
        estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"precision.weights", "q4_k_m"}, {"task", "inference"}});
    CHECK(companions(quantised).train);
}

TEST_CASE("the parameters of a counted model are no number to solve for", "[search]") {
    const auto refused = largest_that_fits(scenario_of({{"model", "gpt2"}, {"gpu", "4090"}}), FieldId::ModelParams);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "model.params");
}

TEST_CASE("the cache of a bare parameter count grows, so a largest number of sequences is found", "[search]") {
    // It once said that 1,048,576 sequences fit: no cache was counted.
    const Estimate bare = estimate_of({{"params", "7B"}, {"gpu", "4090"}, {"task", "inference"}});
    const auto largest = companions(bare).largest;
    REQUIRE(largest);
    CHECK(largest->bound == Bound::Memory);
    CHECK(largest->value == 9);
    CHECK(std::any_of(bare.notes.all().begin(), bare.notes.all().end(),
                      [](const Note& note) { return note.where == "serving.context_tokens"; }));
    CHECK(companions(estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "inference"}})).largest);
}

TEST_CASE("every cell of a grid is the estimate of its two values, and a refused one is marked", "[search]") {
    const Scenario scenario = scenario_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const GridAxis batches{FieldId::MicroBatchSize, {1, 3, 16}}, lengths{FieldId::SequenceLength, {100, 1024, 2048}};
    const auto found = grid(scenario, batches, lengths);
    REQUIRE(found);
    REQUIRE(found->needed_bytes.size() == 9);
    for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 3; ++x) {
            Scenario at = scenario;
            REQUIRE_FALSE(set_value(at, FieldId::SequenceLength, lengths.values[y]));
            const std::int64_t cell = found->needed_bytes[y * 3 + x];
            if (lengths.values[y] > 1024)
                CHECK(cell == kRefused);
            else
                CHECK(cell == needed(at, FieldId::MicroBatchSize, batches.values[x]).value);
        }
}

TEST_CASE("sequences and tokens to run with are sizes too: one recording answers a map of them, to the byte",
          "[search]") {
    const std::initializer_list<std::initializer_list<Setting>> scenarios = {
        {{"model", "gpt2"}, {"gpu", "4090"}, {"task", "inference"}},
        {{"model", "mistralai/Mistral-7B-v0.1"}, {"gpu", "4090"}, {"task", "inference"}},
        {{"model", "google/gemma-2-9b"}, {"gpu", "H100 SXM5 80GB"}, {"task", "inference"}, {"kv-cache-dtype", "int8"}},
        {{"model", "deepseek-ai/DeepSeek-V2-Lite"}, {"gpu", "H100 SXM5 80GB"}, {"task", "inference"}},
        {{"model", "google-t5/t5-base"}, {"gpu", "4090"}, {"task", "inference"}},
        {{"params", "7B"}, {"gpu", "4090"}, {"task", "inference"}},
    };
    const GridAxis sequences{FieldId::ConcurrentSequences, {1, 2, 7, 64}};
    const GridAxis tokens{FieldId::ContextTokens, {1, 128, 1000, 4096, 5003, 8192, 20000}};
    for (const auto& settings : scenarios) {
        const Scenario scenario = scenario_of(settings);
        const auto found = grid(scenario, sequences, tokens);
        REQUIRE(found);
        for (std::size_t y = 0; y < tokens.values.size(); ++y)
            for (std::size_t x = 0; x < sequences.values.size(); ++x) {
                Scenario at = scenario;
                REQUIRE_FALSE(set_value(at, FieldId::ContextTokens, tokens.values[y]));
                REQUIRE_FALSE(set_value(at, FieldId::ConcurrentSequences, sequences.values[x]));
                const auto made = estimate(at);
                INFO(scenario.model.name << ", " << sequences.values[x] << " × " << tokens.values[y]);
                CHECK(found->needed_bytes[y * sequences.values.size() + x] ==
                      (made ? made->worst().device_total.value : kRefused));
            }
    }
}

TEST_CASE("a grid of other fields than sizes records anew", "[search]") {
    const Scenario scenario = scenario_of({{"model", "llama-3.2-1b"}, {"gpu", "4090"}});
    const auto found = grid(scenario, {FieldId::NumHiddenLayers, {4, 8}}, {FieldId::GradientAccumulationSteps, {1, 4}});
    REQUIRE(found);
    CHECK(found->needed_bytes[0] < found->needed_bytes[1]);
    CHECK(found->needed_bytes[2] < found->needed_bytes[3]);
}

TEST_CASE("axes that make no grid are refused", "[search]") {
    const Scenario scenario = scenario_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const GridAxis batches{FieldId::MicroBatchSize, {1, 2}};
    CHECK_FALSE(grid(scenario, batches, batches));
    CHECK_FALSE(grid(scenario, batches, {FieldId::SequenceLength, {}}));
    CHECK_FALSE(grid(scenario, batches, {FieldId::Task, {0}}));
    const auto refused = grid(scenario, batches, {FieldId::SequenceLength, {4096}});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "batch.sequence_length");
}

TEST_CASE("the shortlist is the estimate on every accelerator, those that suffice first and the cheapest before",
          "[search]") {
    const Scenario scenario = scenario_of({{"model", "llama-3.1-8b"}, {"gpu", "4090"}, {"method", "lora"}});
    const auto list = shortlist(scenario);
    REQUIRE(list);
    CHECK(list->size() == accelerators().size());
    int places = 0;
    for (std::size_t i = 0; i + 1 < list->size(); ++i) {
        const ShortlistRow &a = (*list)[i], &b = (*list)[i + 1];
        INFO(a.accelerator->name << " before " << b.accelerator->name);
        places += a.verdict != b.verdict;
        if (a.verdict != b.verdict) continue;
        if (a.verdict == Verdict::Fits) {
            const bool both = a.accelerator->price_low_cents > 0 && b.accelerator->price_low_cents > 0;
            if (both) CHECK(a.accelerator->price_low_cents <= b.accelerator->price_low_cents);
            CHECK((a.accelerator->price_low_cents > 0 || b.accelerator->price_low_cents == 0));
        } else {
            CHECK(a.usable - a.needed >= b.usable - b.needed);
        }
    }
    CHECK(places == 2);
    for (const ShortlistRow& row : *list) {
        if (row.accelerator->name != "H100 SXM5 80GB") continue;
        const auto made =
            estimate(scenario_of({{"model", "llama-3.1-8b"}, {"gpu", "H100 SXM5 80GB"}, {"method", "lora"}}));
        REQUIRE(made);
        CHECK(row.needed == made->worst().device_total);
        CHECK(row.usable == *made->usable);
        CHECK(row.verdict == made->verdict);
    }
    const auto none = shortlist(scenario_of({{"gpu", "4090"}}));
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::Missing);
}
