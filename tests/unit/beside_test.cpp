// What happens beside the steps: loading, evaluation, generation, saving.
#include <catch_amalgamated.hpp>

#include "estimate/moments.hpp"
#include "memory/lower.hpp"
#include "plan/fields.hpp"
#include "plan/number_text.hpp"
#include "search/probe.hpp"
#include "search/solver.hpp"
#include "view/present.hpp"

namespace memwall {
namespace {

using Settings = std::vector<std::pair<std::string_view, std::string_view>>;

Scenario scenario_of(const Settings& settings) {
    Scenario s;
    for (const auto& [key, value] : settings) {
        const Failure refused = set_field(s, key, value);
        INFO(key << " " << value);
        REQUIRE_FALSE(refused);
    }
    return s;
}

Estimate answer(Settings more) {
    Settings all = {{"model", "gpt2"}, {"gpu", "4090"}, {"batch.sequence_length", "256"}};
    all.insert(all.end(), more.begin(), more.end());
    auto made = estimate(scenario_of(all));
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return std::move(*made);
}

Bytes most_in(const Estimate& e, RunStage stage) {
    Bytes out;
    for (const Instant& instant : e.worst().instants)
        if (instant.step == number(stage)) out = std::max(out, instant.total);
    return out;
}

const Settings kAll = {{"phases.loading", "second_copy"},
                       {"phases.evaluation_batch_size", "16"},
                       {"phases.evaluation_samples", "64"},
                       {"phases.generation_tokens", "128"}};

}  // namespace

TEST_CASE("what is beside the steps is off until its field asks for it") {
    const Estimate plain = answer({});
    for (const RunStage stage : {RunStage::Loading, RunStage::Evaluation, RunStage::Generation, RunStage::Saving})
        CHECK(most_in(plain, stage).value == 0);
    const Estimate all = answer(kAll);
    for (const RunStage stage : {RunStage::Loading, RunStage::Evaluation, RunStage::Generation})
        CHECK(most_in(all, stage).value > 0);
    CHECK(most_in(all, RunStage::SteadyStep) == most_in(plain, RunStage::SteadyStep));
}

TEST_CASE("the worst of all stages is the peak, and is named") {
    const Estimate all = answer(kAll);
    CHECK(all.worst().allocated == most_in(all, RunStage::Evaluation));
    CHECK(present(all, {}).verdict.peak.find("most during the head and loss of the evaluation; ") == 0);
    const Estimate small = answer({{"phases.evaluation_batch_size", "1"}});
    CHECK(small.worst().allocated == most_in(small, RunStage::SteadyStep));
    const Estimate loading = answer({{"phases.loading", "second_copy"},
                                     {"method", "bitfit"},
                                     {"batch", "1"},
                                     {"batch.sequence_length", "8"},
                                     {"precision.recipe", "fp32"}});
    CHECK(present(loading, {}).verdict.peak.find("most during the loading; ") == 0);
}

TEST_CASE("rows of every instant beside the steps add up to its total") {
    for (const Settings& settings :
         {kAll, Settings{{"gpus", "4"}, {"mesh.zero_stage", "3"}, {"phases.saving", "gathered"}},
          Settings{{"task", "inference"}, {"phases.loading", "second_copy"}},
          Settings{{"method", "qlora"}, {"phases.loading", "quantize_whole"}, {"model", "llama-3.2-1b"}},
          Settings{{"precision.recipe", "bf16"}, {"phases.loading", "cast"}}}) {
        const Estimate e = answer(settings);
        const auto moments = moments_of(e);
        REQUIRE(moments);
        for (const Moment& m : *moments)
            CHECK(m.rows.total() == m.instant.total);
        const auto every = every_instant(e);
        REQUIRE(every);
        Bytes highest;
        for (const Instant& instant : *every)
            highest = std::max(highest, instant.total);
        CHECK(highest == e.worst().allocated);
        CHECK(moment_of(e, *every, every->size() - 1));
    }
}

TEST_CASE("solver and fit map meet the estimate where another stage is the worst") {
    const Scenario s = scenario_of({{"model", "gpt2"},
                                    {"gpu", "4090"},
                                    {"phases.evaluation_batch_size", "16"},
                                    {"phases.evaluation_samples", "64"}});
    MemoryProbe probe(s, {FieldId::MicroBatchSize, FieldId::SequenceLength});
    for (const std::int64_t sequence : {128, 200, 256, 1000})
        for (const std::int64_t batch : {1, 2, 8}) {
            const std::int64_t values[] = {batch, sequence};
            const auto needed = probe.needed(values);
            Scenario same = s;
            REQUIRE_FALSE(set_value(same, FieldId::MicroBatchSize, batch));
            REQUIRE_FALSE(set_value(same, FieldId::SequenceLength, sequence));
            const auto made = estimate(same);
            REQUIRE(needed);
            REQUIRE(made);
            CHECK(*needed == made->worst().device_total);
        }
    const auto longest = largest_that_fits(s, FieldId::SequenceLength);
    REQUIRE(longest);
    CHECK(longest->value < 1024);
}

TEST_CASE("kept predictions are samples × tokens × vocabulary, twice while they are joined") {
    const Estimate kept = answer({{"phases.evaluation_batch_size", "8"}, {"phases.evaluation_samples", "80"}});
    const std::int64_t each = 256 * 50257 * 4;
    const Bytes difference = most_in(kept, RunStage::Evaluation);
    CHECK(difference.value > (80 + 72) * each);
    CHECK(difference.value < (80 + 72 + 3 * 8) * each + most_in(kept, RunStage::SteadyStep).value);
}

TEST_CASE("a matrix that is quantised on its way exists once in 16 bits") {
    const Settings qlora = {{"model", "llama-3.2-1b"}, {"method", "qlora"}};
    const auto loading = [&](std::string_view how) {
        Settings s = qlora;
        s.emplace_back("phases.loading", how);
        return most_in(answer(s), RunStage::Loading).value;
    };
    const std::int64_t largest = 2 * 2048 * 8192;  // a matrix of the MLP
    const std::int64_t each = loading("quantize_each"), whole = loading("quantize_whole");
    CHECK(whole > each);
    const Estimate plain = answer({{"model", "llama-3.2-1b"}, {"method", "qlora"}, {"task", "finetune"}});
    CHECK(each - largest <= plain.worst().device.total(Category::Weights).value);
    CHECK(each - largest >= plain.worst().device.total(Category::Weights).value * 95 / 100);  // without adapters
}

TEST_CASE("an evaluation under a chunked loss is not computed, and says so") {
    const Estimate e = answer({{"phases.evaluation_batch_size", "8"}, {"savers.loss", "chunked"}});
    bool said = false;
    for (const Note& note : e.notes.all())
        said = said || (note.where == "phases.evaluation_batch_size" && note.message.find("loss") != std::string::npos);
    CHECK(said);
}

TEST_CASE("the longest batch decides, and one of the mean length is told beside it") {
    const Estimate e = answer({{"batch.sequence_length", "1024"}, {"batch.mean_length", "300"}, {"batch", "4"}});
    CHECK(e.worst().device_total == answer({{"batch.sequence_length", "1024"}, {"batch", "4"}}).worst().device_total);
    const Bytes usual = answer({{"batch.sequence_length", "300"}, {"batch", "4"}}).worst().device_total;
    bool told = false;
    for (const Note& note : e.notes.all())
        told = told ||
               (note.where == "batch.mean_length" && note.message.find(with_commas(usual.value)) != std::string::npos);
    CHECK(told);
    const Estimate beyond = answer({{"batch.sequence_length", "100"}, {"batch.mean_length", "101"}});
    bool unused = false;
    for (const Note& note : beyond.notes.all())
        unused = unused || (note.where == "batch.mean_length" && note.message.starts_with("not used: 101 tokens"));
    CHECK(unused);
}

TEST_CASE("what cannot be beside a run is left out with a note, or refused with its numbers") {
    const auto notes_of = [](const Estimate& e, std::string_view field) {
        for (const Note& note : e.notes.all())
            if (note.where == field) return std::string(note.message);
        return std::string();
    };
    const Estimate one = answer({{"phases.saving", "gathered"}});
    CHECK(notes_of(one, "phases.saving") == "not used: no rank holds a part of the weights alone");
    const Estimate run = answer({{"task", "inference"}, {"phases.evaluation_batch_size", "8"}});
    constexpr std::string_view kInference = "not used: it belongs to training, and the task is inference";
    CHECK(notes_of(run, "phases.evaluation_batch_size") == kInference);
    CHECK(notes_of(answer({{"task", "inference"}, {"phases.generation_tokens", "8"}}), "phases.generation_tokens") ==
          kInference);
    CHECK(notes_of(answer({{"task", "inference"}, {"phases.saving", "gathered"}}), "phases.saving") == kInference);
    // It was silent.
    CHECK(notes_of(answer({{"phases.evaluation_samples", "8"}}), "phases.evaluation_samples") ==
          "not used: phases.evaluation_batch_size is 0, which is no evaluation");
    const auto beyond =
        estimate(scenario_of({{"model", "gpt2"}, {"gpu", "4090"}, {"phases.generation_tokens", "1024"}}));
    REQUIRE_FALSE(beyond);
    CHECK(beyond.error().where == "phases.generation_tokens");
    CHECK(beyond.error().message == "2,048 tokens are beyond the 1,024 positions the model has");
}

}  // namespace memwall
