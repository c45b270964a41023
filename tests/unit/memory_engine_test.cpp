// The engine by small questions: what one line of the rules says, checked alone.
#include <catch_amalgamated.hpp>

#include "memory/evaluate.hpp"
#include "memory/lower.hpp"
#include "memory/rules.hpp"
#include "model/families.hpp"

namespace memwall {

namespace {

Architecture llama(std::int64_t layers) {
    Architecture a = architecture_from_family(*find_family("llama"));
    a.hidden_size = 256;
    a.intermediate_size = 688;
    a.num_hidden_layers = layers;
    a.num_attention_heads = 4;
    a.vocab_size = 1000;
    return with_defaults(a);
}

Architecture gpt2() {
    Architecture a = architecture_from_family(*find_family("gpt2"));
    a.hidden_size = 768;
    a.intermediate_size = 3072;
    a.num_hidden_layers = 12;
    a.num_attention_heads = 12;
    a.vocab_size = 50257;
    a.learned_positions = 1024;
    a.tie_word_embeddings = true;
    return with_defaults(a);
}

Scenario training(Architecture a) {
    Scenario s;
    s.task = Task::Pretrain;
    s.model.architecture = std::move(a);
    s.precision.weights = WeightFormat::Bf16;
    s.precision.autocast = false;
    s.precision.gradients = FloatDtype::Bf16;
    s.optimizer.state_dtype = StateDtype::Bf16;
    s.optimizer.implementation = OptimizerImplementation::Fused;
    s.batch.micro_batch_size = 2;
    s.batch.sequence_length = 64;
    return s;
}

struct Answer {
    Program program;
    Evaluation evaluation;
};

Answer answer(const Scenario& s, Policy policy = Policy::Ledger) {
    Notes notes;
    auto program = lower(s, notes, policy);
    INFO((program ? "" : program.error().message));
    REQUIRE(program);
    Evaluation evaluation = evaluate(*program, sizes_of(s));
    return {std::move(*program), std::move(evaluation)};
}

const PhaseTotals& steady(const Answer& a) { return a.evaluation.phases.back(); }

Bytes of(const Evaluation& e, Segment segment, Category category) {
    Bytes out;
    for (const Instant& i : e.instants)
        if (i.segment == segment && i.step == 2) out = std::max(out, i.by_category[static_cast<std::size_t>(category)]);
    return out;
}

}  // namespace

TEST_CASE("gpt2 at 32 x 1024 has fp32 logits of 32 x 1024 x 50257 x 4 bytes", "[memory]") {
    Scenario s = training(gpt2());
    s.batch.micro_batch_size = 32;
    s.batch.sequence_length = 1024;
    const Answer a = answer(s);
    const std::int64_t kOneCopy = std::int64_t{32} * 1024 * 50257 * 4;  // arithmetic of issue 2
    bool found = false;
    for (std::size_t i = 0; i < a.evaluation.instants.size(); ++i) {
        const auto ledger = rows_at(a.program, a.evaluation, i);
        REQUIRE(ledger);
        for (const LedgerRow& row : ledger->rows)
            found = found || (row.category == Category::Logits && row.bytes.value == kOneCopy);
    }
    CHECK(found);
}

TEST_CASE("the backward of cross entropy holds twelve bytes a logit", "[memory]") {
    // bf16 with an fp32 loss: log-probabilities and two gradients of their size (oracle.md, section 4).
    const Answer a = answer(training(llama(2)));
    const std::int64_t logits = 2 * 64 * 1000;
    CHECK(of(a.evaluation, Segment::HeadBackward, Category::Logits).value == 12 * logits);
}

TEST_CASE("memory is linear in the number of equal layers", "[memory]") {
    for (const Checkpointing checkpointing : {Checkpointing::None, Checkpointing::Full})
        for (const bool autocast : {false, true}) {
            const auto forward_end = [&](std::int64_t layers) {
                Scenario s = training(llama(layers));
                s.savers.activation_checkpointing = checkpointing;
                s.precision.autocast = autocast;
                s.precision.weights = autocast ? WeightFormat::Fp32 : WeightFormat::Bf16;
                return steady(answer(s)).forward_end.value;
            };
            CHECK(forward_end(7) - forward_end(6) == forward_end(6) - forward_end(5));
            CHECK(forward_end(40) - forward_end(2) == 38 * (forward_end(3) - forward_end(2)));
        }
}

TEST_CASE("checkpointing never raises what is alive at the end of forward", "[memory]") {
    for (const std::string_view family : {"llama", "gpt2", "qwen3", "gemma", "gpt_neox", "opt", "phi"})
        for (const bool autocast : {false, true}) {
            Architecture architecture = architecture_from_family(*find_family(family));
            const Architecture sizes = llama(4);
            architecture.hidden_size = sizes.hidden_size;
            architecture.intermediate_size = sizes.intermediate_size;
            architecture.num_hidden_layers = 4;
            architecture.num_attention_heads = 4;
            architecture.vocab_size = 1000;
            architecture.learned_positions = architecture.position == Position::Learned ? 128 : 0;
            Scenario s = training(with_defaults(architecture));
            s.precision.autocast = autocast;
            s.precision.weights = autocast ? WeightFormat::Fp32 : WeightFormat::Bf16;
            const std::int64_t plain = steady(answer(s)).forward_end.value;
            s.savers.activation_checkpointing = Checkpointing::Full;
            INFO(family);
            CHECK(steady(answer(s)).forward_end.value <= plain);
        }
}

TEST_CASE("a tied embedding holds three gradients of its size when they are added", "[memory]") {
    Architecture a = llama(2);
    a.vocab_size = 50'000;
    a.tie_word_embeddings = true;
    Scenario s = training(a);
    s.batch.micro_batch_size = 1;
    s.batch.sequence_length = 16;
    const Answer tied = answer(s);
    const std::int64_t table = std::int64_t{50'000} * 256 * 2;
    std::int64_t gradients = 0;
    for (const Instant& i : tied.evaluation.instants)
        if (i.segment == Segment::EmbeddingBackward && i.step == 1)
            gradients = std::max(gradients, i.total.value - i.by_category[0].value);
    CHECK(gradients >= 3 * table);
    CHECK(gradients < 4 * table);
}

TEST_CASE("the first step has no optimizer state before its optimizer step, later ones have it throughout",
          "[memory]") {
    const Answer a = answer(training(llama(3)));
    REQUIRE(a.evaluation.phases.size() == 2);
    const PhaseTotals &first = a.evaluation.phases[0], &second = a.evaluation.phases[1];
    const Bytes state = of(a.evaluation, Segment::Forward, Category::OptimizerState);
    CHECK(state.value > 0);
    CHECK(second.backward_end - first.backward_end == state);
    CHECK(first.end == second.end);
    CHECK(first.optimizer_peak == second.optimizer_peak);
    CHECK(first.backward_peak < second.backward_peak);
}

TEST_CASE("under accumulation gradients are resident from the second micro-step on", "[memory]") {
    Scenario s = training(llama(3));
    const std::int64_t once = steady(answer(s)).forward_end.value;
    s.batch.gradient_accumulation_steps = 4;
    const Answer a = answer(s);
    REQUIRE(a.evaluation.phases.size() == 4);
    CHECK(a.evaluation.phases[2].forward_end.value == once);
    const std::int64_t gradients = a.evaluation.phases[3].forward_end.value - once;
    const Bytes weights = of(a.evaluation, Segment::Forward, Category::Weights);
    CHECK(gradients == weights.value);
}

TEST_CASE("a device rounds every tensor up to blocks of 512 bytes", "[memory]") {
    Scenario s = training(llama(3));
    const Answer a = answer(s, Policy::Device);
    for (std::size_t i = 0; i < a.evaluation.instants.size(); ++i) {
        CHECK(a.evaluation.instants[i].total.value % 512 == 0);
        const auto ledger = rows_at(a.program, a.evaluation, i);
        REQUIRE(ledger);
        CHECK(ledger->total() == a.evaluation.instants[i].total);
    }
}

TEST_CASE("the same program answers for other batch and sequence sizes", "[memory]") {
    Scenario s = training(llama(5));
    const Answer recorded = answer(s, Policy::Device);
    for (const std::int64_t batch : {2, 3, 7})
        for (const std::int64_t length : {64, 96, 1024}) {
            s.batch.micro_batch_size = batch;
            s.batch.sequence_length = length;
            REQUIRE(covers(recorded.program, sizes_of(s)));
            const Answer fresh = answer(s, Policy::Device);
            CHECK(peak(recorded.program, sizes_of(s)) == fresh.evaluation.instants[fresh.evaluation.peak].total);
        }
    s.batch.micro_batch_size = 1;
    CHECK_FALSE(covers(recorded.program, sizes_of(s)));
}

TEST_CASE("ZeRO's example: 7.5 billion parameters on 64 GPUs", "[memory]") {
    // Rajbhandari et al. (2020), figure 1: 120, 31.4, 16.6 and 1.9 GB of model states a GPU.
    const double expected[] = {120, 31.4, 16.6, 1.9};
    for (std::int64_t stage = 0; stage < 4; ++stage) {
        Scenario s = training(Architecture{});
        s.model.architecture.kind = ArchitectureKind::ParameterCount;
        s.model.architecture.total_parameters = 7'500'000'000;
        s.precision.weights = WeightFormat::Fp16;
        s.precision.gradients = FloatDtype::Fp16;
        s.precision.master_weights = MasterWeights::Fp32;
        s.optimizer.state_dtype = StateDtype::Fp32;
        s.optimizer.implementation = OptimizerImplementation::Foreach;
        s.mesh.zero_stage = stage;
        s.mesh.sharding = stage == 0 ? Sharding::Ddp : Sharding::Deepspeed;
        s.mesh.world_size = s.mesh.dp_shard = 64;
        const Answer a = answer(s, Policy::Ledger);
        const double gigabytes = static_cast<double>(steady(a).optimizer_peak.value) / 1e9;
        INFO("stage " << stage);
        CHECK(gigabytes == Catch::Approx(expected[stage]).margin(0.05));
    }
}

TEST_CASE("16, 18 and 20 bytes a parameter, by what is kept in fp32", "[memory]") {
    // Anthony et al. (2023) and Megatron's main gradients: 2 + 2 + 4 + 8, 2 + 4 + 4 + 8, 2 + 2 + 4 + 4 + 8.
    Scenario s = training(Architecture{});
    s.model.architecture.kind = ArchitectureKind::ParameterCount;
    s.model.architecture.total_parameters = 1'000'000;
    s.precision.master_weights = MasterWeights::Fp32;
    s.optimizer.state_dtype = StateDtype::Fp32;
    s.optimizer.implementation = OptimizerImplementation::Foreach;
    CHECK(steady(answer(s)).optimizer_peak.value == 16'000'000);
    s.precision.gradients = FloatDtype::Fp32;
    CHECK(steady(answer(s)).optimizer_peak.value == 18'000'000);
    s.precision.gradients = FloatDtype::Bf16;
    s.precision.gradient_accumulation_dtype = AccumulationDtype::Fp32;
    CHECK(steady(answer(s)).optimizer_peak.value == 20'000'000);
}

TEST_CASE("Llama-3.1-8B keeps 131,072 bytes of bf16 cache a token, Llama-2-70B 327,680", "[memory]") {
    struct Case {
        std::int64_t layers, kv_heads, head_dim, bytes;
    };
    for (const Case& expected : {Case{32, 8, 128, 131'072}, Case{80, 8, 128, 327'680}}) {
        Architecture a = llama(expected.layers);
        a.num_attention_heads = 8 * expected.kv_heads;
        a.num_key_value_heads = expected.kv_heads;
        a.head_dim = expected.head_dim;
        Scenario s = training(a);
        s.task = Task::Inference;
        s.serving.context_tokens = 1000;
        s.serving.concurrent_sequences = 3;
        const Answer answered = answer(s);
        CHECK(answered.evaluation.instants.back().by_category[static_cast<std::size_t>(Category::KvCache)].value ==
              3 * 1000 * expected.bytes);
    }
}

TEST_CASE("frozen layers have neither gradients nor optimizer state", "[memory]") {
    Scenario s = training(llama(6));
    const Answer full = answer(s);
    s.method.name = MethodName::Freeze;
    s.method.first_trainable_layer = 4;
    const Answer frozen = answer(s);
    const auto total = [](const Answer& a, Category c) { return of(a.evaluation, Segment::OptimizerStep, c).value; };
    CHECK(total(frozen, Category::Weights) == total(full, Category::Weights));
    CHECK(total(frozen, Category::Gradients) < total(full, Category::Gradients));
    CHECK(total(frozen, Category::OptimizerState) < total(full, Category::OptimizerState));
    CHECK(steady(frozen).forward_end < steady(full).forward_end);
}

TEST_CASE("adapters have fewer states than full training, and may keep more activations", "[memory]") {
    Scenario s = training(llama(6));
    const Answer full = answer(s);
    s.method.name = MethodName::Lora;
    s.method.rank = 8;
    s.method.target_modules = 0x7F;
    const Answer lora = answer(s);
    const auto total = [](const Answer& a, Category c) { return of(a.evaluation, Segment::OptimizerStep, c).value; };
    CHECK(total(lora, Category::OptimizerState) < total(full, Category::OptimizerState));
    CHECK(total(lora, Category::Gradients) < total(full, Category::Gradients));
    // fp32 adapters on bf16 weights keep an fp32 copy of every wrapped input.
    CHECK(of(lora.evaluation, Segment::HeadBackward, Category::Activations) >
          of(full.evaluation, Segment::HeadBackward, Category::Activations));
}

TEST_CASE("every instant: the highest is the peak, each has its rows, and the dominant ones are among them",
          "[memory]") {
    Scenario s = training(llama(5));
    s.method.name = MethodName::Lora;
    s.method.target_modules = 0x7F;
    const Answer a = answer(s, Policy::Device);
    Evaluation every = a.evaluation;
    every.instants = every_instant(a.program, a.evaluation.sizes);
    Bytes highest;
    for (const Instant& i : every.instants)
        highest = std::max(highest, i.total);
    CHECK(highest == a.evaluation.instants[a.evaluation.peak].total);
    for (std::size_t i = 0; i < every.instants.size(); i += 97) {
        const auto rows = rows_at(a.program, every, i);
        REQUIRE(rows);
        CHECK(rows->total() == every.instants[i].total);
    }
    for (const Instant& dominant : a.evaluation.instants) {
        if (dominant.event == 0 || dominant.segment == Segment::Load) continue;
        const auto same = [&](const Instant& i) {
            return i.segment == dominant.segment && i.step == dominant.step && i.event == dominant.event &&
                   i.copy == dominant.copy && i.total == dominant.total && i.by_category == dominant.by_category;
        };
        INFO(name(dominant.segment) << " " << dominant.event << " " << dominant.copy);
        CHECK(std::any_of(every.instants.begin(), every.instants.end(), same));
    }
}

// Regression: adapters on the MLP alone left the first layer's attention without gradients, and the rotary tables died
// once for every other layer; temporaries ended at -62,914,560 bytes for Llama-3.1-8B.
TEST_CASE("tables shared by the layers die once, also where the first layer's attention needs no gradient",
          "[memory]") {
    Scenario s = training(llama(6));
    s.method.name = MethodName::Lora;
    s.method.target_modules = 1U << static_cast<unsigned>(TargetModule::UpProj);
    const Evaluation e = answer(s).evaluation;
    REQUIRE_FALSE(e.instants.empty());
    for (const Instant& instant : e.instants)
        for (const Bytes part : instant.by_category)
            CHECK(part.value >= 0);
}

TEST_CASE("every rule has a sentence and a source", "[memory]") {
    for (const RuleRow& rule : rules()) {
        INFO(rule.key);
        CHECK_FALSE(rule.because.empty());
        CHECK_FALSE(rule.source.empty());
        CHECK(&row(rule.id) == &rule);
    }
}

}  // namespace memwall
