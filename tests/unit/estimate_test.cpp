#include "estimate/estimate.hpp"

#include <catch_amalgamated.hpp>

#include "estimate/interval.hpp"
#include "estimate/moments.hpp"
#include "estimate/overhead.hpp"
#include "scenario_of.hpp"
#include "view/moments.hpp"

using namespace memwall;

TEST_CASE("rows of the worst instant add up to the four numbers", "[estimate]") {
    for (const char* task : {"finetune", "inference"}) {
        const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", task}});
        const RankEstimate& rank = e.worst();
        Bytes sum;
        for (const LedgerRow& row : rank.device.rows)
            sum += row.bytes;
        CHECK(sum == rank.device_total);
        CHECK(rank.allocated == rank.instants[rank.peak].total);
        CHECK(rank.reserved == rank.allocated + rank.device.total(Category::AllocatorSlack));
        CHECK(rank.device_total ==
              rank.reserved + rank.device.total(Category::Framework) + rank.device.total(Category::InUseByOthers));
        for (const Instant& instant : rank.instants)
            CHECK(instant.total <= rank.allocated);
    }
}

// A length of 7 over a multiple of 8 leaves one smaller chunk; 9 of two sequences leaves chunks of one token, which
// read the labels in place. Both once ended the program.
TEST_CASE("a chunked loss has no more tensors at its end than it made, for any length", "[estimate]") {
    for (const char* sequences : {"1", "2"})
        for (int length = 8; length <= 40; ++length) {
            const std::string tokens = std::to_string(length);
            const Estimate e = estimate_of({{"model", "gpt2"},
                                            {"gpu", "4090"},
                                            {"loss", "chunked"},
                                            {"micro-batch-size", sequences},
                                            {"seq", tokens.c_str()}});
            CHECK(e.worst().instants.back().by_category[static_cast<std::size_t>(Category::Logits)].value == 0);
        }
}

TEST_CASE("without a model the answer is that a model is missing", "[estimate]") {
    const Estimate e = estimate_of({{"gpu", "4090"}});
    CHECK(e.verdict == Verdict::CannotSay);
    CHECK(e.missing == "model.ref");
    CHECK_FALSE(e.has_numbers());
}

TEST_CASE("without an accelerator the need is known and the verdict is not", "[estimate]") {
    const Estimate e = estimate_of({{"model", "gpt2"}});
    CHECK(e.verdict == Verdict::CannotSay);
    CHECK(e.missing == "accelerator.name");
    CHECK(e.has_numbers());
    CHECK_FALSE(e.usable);
    CHECK(e.worst().device_total > 1_GB);
}

TEST_CASE("memory in use by others is a row and moves the device total by itself", "[estimate]") {
    const Estimate alone = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const Estimate shared =
        estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"overhead.in_use_by_others_bytes", "3GiB"}});
    CHECK(shared.worst().device_total == alone.worst().device_total + 3_GiB);
    CHECK(shared.worst().reserved == alone.worst().reserved);
    CHECK(shared.worst().device.find("in_use_by_others") != nullptr);
    CHECK(alone.worst().device.find("in_use_by_others") == nullptr);
}

TEST_CASE("a model with sizes of another family has no program, and an estimate", "[estimate]") {
    for (const char* model : {"torchvision swin_t", "gpt2", "bert-base-uncased", "t5-small", "llama-3.2-1b"}) {
        const auto made = estimate(scenario_of({{"model", model}, {"model.config.kv_lora_rank", "1"}}));
        CHECK((!made || made->has_numbers()));
    }
}

TEST_CASE("norms that a family does not have break nothing", "[estimate]") {
    for (const char* norms : {"1", "2", "3", "4"})
        for (const char* method : {"full", "lora", "adapter_v2"}) {
            const auto made = estimate(scenario_of(
                {{"model", "llama-3.2-1b"}, {"model.structure.norms_per_layer", norms}, {"method", method}}));
            CHECK((!made || made->has_numbers()));
        }
}

TEST_CASE("every operator can be kept in a compiled step", "[estimate]") {
    for (const char* kept : {"layer norm", "linear", "layer norm,linear,add,multiply", "dropout,gelu,tanh"})
        CHECK(estimate(scenario_of({{"model", "gpt2"},
                                    {"savers.activation_checkpointing", "selective"},
                                    {"savers.selective_policy", "operators"},
                                    {"savers.compile", "true"},
                                    {"savers.kept_operators", kept}})));
}

TEST_CASE("the verdict asks which side of the interval the card is on", "[estimate]") {
    const Interval interval{Bytes(80), Bytes(120), "test", {}};
    CHECK(verdict_of(interval, Bytes(120)) == Verdict::Fits);
    CHECK(verdict_of(interval, Bytes(119)) == Verdict::Tight);
    CHECK(verdict_of(interval, Bytes(80)) == Verdict::Tight);
    CHECK(verdict_of(interval, Bytes(79)) == Verdict::DoesNotFit);
}

TEST_CASE("the interval is that of comparable runs, and its basis says which and how many", "[estimate]") {
    const Estimate counted = estimate_of({{"model.params", "7e9"}});
    const Estimate known = estimate_of({{"model", "gpt2"}});
    const auto half_width = [](const Estimate& e) {
        return (e.interval.high - e.worst().device_total) / e.worst().device_total;
    };
    CHECK(half_width(known) < half_width(counted));
    CHECK(known.interval.basis.find("training in transformers on one accelerator") != std::string::npos);
    CHECK(counted.interval.basis.find("activations estimated") != std::string::npos);
    // Too few runs of its own: the wider class, and what it stands for.
    const Estimate several = estimate_of({{"model", "gpt2"}, {"gpus", "4"}, {"task", "inference"}});
    CHECK(interval_class(several.scenario) == IntervalClass::InferenceElsewhere);
    CHECK(several.interval.basis.find("of them: inference in other libraries or on several accelerators)") !=
          std::string::npos);
    const Interval far = interval_around(Bytes(INT64_MAX / 2), Bytes(0), counted.scenario);
    CHECK(far.low.value >= 0);
    CHECK(far.high.value > 0);
}

TEST_CASE("no interval begins below what is certain, and what others hold is not stretched", "[estimate]") {
    // Once "tight": its interval began below the bare weights.
    const Estimate served =
        estimate_of({{"model", "meta-llama/Llama-3.1-8B"}, {"memory-gb", "14"}, {"task", "inference"}});
    CHECK(served.interval.low.value >= 2 * 8'030'261'248);
    CHECK(served.verdict == Verdict::DoesNotFit);
    const Estimate alone = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const Estimate beside = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"in-use", "18GiB"}});
    CHECK(beside.interval.high - beside.worst().device_total == alone.interval.high - alone.worst().device_total);
    CHECK(beside.interval.low == alone.interval.low + Bytes(std::int64_t{18} << 30));
}

TEST_CASE("an instant names the operator that made something, not the one whose tensor it lets go", "[estimate]") {
    const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}});
    for (const Instant& instant : e.worst().instants)
        if (instant.segment == Segment::HeadAndLoss && !instant.module.empty())
            CHECK((instant.module == "norm" || instant.module == "lm_head" || instant.module == "loss"));
}

TEST_CASE("where activations are estimated they are what is uncertain", "[estimate]") {
    const Estimate short_one = estimate_of({{"model.params", "7e9"}, {"seq", "2048"}});
    const Estimate long_one = estimate_of({{"model.params", "7e9"}, {"seq", "16384"}});
    const auto width = [](const Estimate& e) { return (e.interval.high - e.worst().device_total).value; };
    CHECK(static_cast<double>(width(long_one)) ==
          Catch::Approx(8.0 * static_cast<double>(width(short_one))).epsilon(1e-6));
}

// 7 billion parameters with 100 bytes a token once had an interval of 112.1 GiB to 112.1 GiB "of 250 known runs".
TEST_CASE("an interval is never narrower than where activations are known, and says when they are stated",
          "[estimate]") {
    const auto wide = [](const Estimate& e) {
        const std::int64_t total = e.worst().device_total.value;
        return e.interval.high.value - total >= total / 10 && total - e.interval.low.value >= total / 50;
    };
    const Estimate stated = estimate_of({{"model.params", "7e9"}, {"activation-bytes-per-token", "100"}});
    CHECK(wide(stated));
    CHECK(stated.interval.basis.ends_with(": training, if the activations are as stated"));
    const Estimate brief = estimate_of({{"model.params", "7e9"}, {"seq", "1"}});
    CHECK(wide(brief));
    CHECK(brief.interval.basis.ends_with("estimated from the size of the model"));
}

TEST_CASE("overhead without rows is what the overhead rows add up to", "[estimate]") {
    Overhead overhead;
    overhead.allocator_slack_permille = 37;
    overhead.framework_bytes = 1000;
    overhead.in_use_by_others_bytes = 7;
    for (const std::int64_t allocated : {0LL, 1LL, 999LL, 123'456'789'012LL}) {
        Ledger rows;
        REQUIRE_FALSE(add_overhead(overhead, Bytes(allocated), rows));
        const auto total = device_total(overhead, Bytes(allocated));
        REQUIRE(total);
        CHECK(Bytes(allocated) + rows.total() == *total);
    }
    CHECK_FALSE(device_total(overhead, Bytes(INT64_MAX)));
    Ledger rows;
    CHECK(add_overhead(overhead, Bytes(INT64_MAX), rows));
}

TEST_CASE("speed is said only where the accelerator's rates are known, and is an assumption", "[estimate]") {
    const Estimate trained = estimate_of({{"model", "gpt2"}, {"gpu", "H100 SXM5 80GB"}});
    REQUIRE(trained.throughput);
    CHECK(trained.throughput->roof == Roof::Compute);
    const Estimate run = estimate_of({{"model", "gpt2"}, {"gpu", "H100 SXM5 80GB"}, {"task", "inference"}});
    REQUIRE(run.throughput);
    CHECK(run.throughput->roof == Roof::Bandwidth);
    CHECK_FALSE(estimate_of({{"model", "gpt2"}, {"accelerator.memory_gb", "24"}}).throughput);
}

TEST_CASE("every moment's rows add up to its total, and the worst one is the headline's", "[estimate]") {
    for (const std::string_view task : {"finetune", "inference"}) {
        const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", task}});
        const auto moments = moments_of(e);
        REQUIRE(moments);
        REQUIRE(moments->size() == e.worst().instants.size());
        int worst = 0;
        for (const Moment& moment : *moments) {
            CHECK(moment.rows.total() == moment.instant.total);
            for (int i = 0; i < kCategories; ++i)
                CHECK(moment.rows.total(static_cast<Category>(i)) ==
                      moment.instant.by_category[static_cast<std::size_t>(i)]);
            worst += moment.worst ? 1 : 0;
            if (moment.worst) CHECK(moment.instant.total == e.worst().allocated);
        }
        CHECK(worst == 1);
    }
}

TEST_CASE("an update of all states at once works on this rank's part of them", "[estimate]") {
    for (const char* stage : {"0", "1", "2", "3"}) {
        const auto made = estimate(scenario_of({{"model", "llama-3.1-8b"},
                                                {"gpu", "H100 SXM5 80GB"},
                                                {"accelerator.count", "8"},
                                                {"mesh.zero_stage", stage},
                                                {"optimizer.implementation", "foreach"}}));
        REQUIRE(made);
        const auto at = [](const Instant& instant, Category category) {
            return instant.by_category[static_cast<std::size_t>(category)];
        };
        Bytes states, temporaries;  // of the update of a step after the first
        for (const Instant& instant : made->worst().instants)
            if (instant.segment == Segment::OptimizerStep) {
                states = std::max(states, at(instant, Category::OptimizerState));
                temporaries = std::max(temporaries, at(instant, Category::Temporaries));
            }
        INFO("ZeRO stage " << stage << ": " << states.value << " " << temporaries.value);
        CHECK(std::abs(2 * temporaries.value - states.value) < states.value / 1000);
    }
}

TEST_CASE("a layer is named by a number of the model's, or not at all", "[estimate]") {
    for (const char* model : {"gpt2", "facebook/bart-base", "google-t5/t5-small", "openai/whisper-small"}) {
        const Estimate e = estimate_of({{"model", model}, {"gpu", "H100 SXM5 80GB"}, {"task", "finetune"}});
        const auto every = every_instant(e);
        REQUIRE(every);
        bool any = false;
        for (const Instant& instant : *every)
            if (const auto layer = layer_at(e, instant)) {
                INFO(model << " " << *layer);
                any = true;
                CHECK(*layer >= 0);
                CHECK(*layer < e.scenario.model.architecture.num_hidden_layers);
            }
        CHECK(any == (e.scenario.model.architecture.num_hidden_layers > 0));
    }
}

TEST_CASE("what the timeline shows at any place is found among all instants", "[estimate]") {
    using Words = std::vector<Setting>;
    for (const Words& more :
         {Words{{"task", "finetune"}}, Words{{"task", "inference"}}, Words{{"task", "finetune"}, {"method", "lora"}},
          Words{{"task", "finetune"}, {"phases.saving", "gathered"}, {"phases.evaluation_batch_size", "4"}},
          Words{{"task", "pretrain"},
                {"batch.gradient_accumulation_steps", "4"},
                {"savers.activation_checkpointing", "full"}}}) {
        Words words{{"model", "gpt2"}, {"gpu", "4090"}};
        words.insert(words.end(), more.begin(), more.end());
        const Estimate e = estimate_of(words);
        const auto every = every_instant(e);
        REQUIRE(every);
        for (std::size_t at = 0; at < e.worst().instants.size(); ++at) {
            INFO(at << " of " << e.worst().instants.size());
            const auto place = place_among(*every, e, at);
            REQUIRE(place);
            const Instant &shown = e.worst().instants[at], &found = (*every)[*place];
            CHECK(found.step == shown.step);
            CHECK(std::abs(found.total.value - shown.total.value) <= shown.total.value / 100);
        }
        CHECK(!place_among(*every, e, e.worst().instants.size()));
        CHECK(!place_among({}, e, 0));
    }
}

TEST_CASE("a part of every instant lies around the one asked for, within the whole and on its scale", "[estimate]") {
    const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "finetune"}});
    const auto every = every_instant(e);
    REQUIRE(every);
    REQUIRE(every->size() > 2 * kInstantsInWindow);
    const WindowView highest = window_view(e, *every, std::nullopt);
    CHECK(highest.count == every->size());
    CHECK((*every)[highest.peak].total == e.worst().allocated);
    CHECK(highest.first + static_cast<std::size_t>(highest.timeline.worst) == highest.peak);
    for (const std::size_t around : {std::size_t{0}, std::size_t{700}, every->size() - 1, every->size() + 99}) {
        const WindowView part = window_view(e, *every, around);
        REQUIRE(part.timeline.instants.size() == kInstantsInWindow);
        CHECK(part.first <= around);
        CHECK(part.first + kInstantsInWindow >= std::min(around + 1, every->size()));
        CHECK(part.first + kInstantsInWindow <= every->size());
        CHECK(part.timeline.categories == highest.timeline.categories);
        for (const InstantView& instant : part.timeline.instants)
            CHECK(instant.fraction <=
                  highest.timeline.instants[static_cast<std::size_t>(highest.timeline.worst)].fraction);
    }
}
