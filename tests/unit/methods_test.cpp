// Optimizers, methods and weights of few bits: what each keeps, by numbers of their publications, and that every
// combination is either estimated or refused with a sentence.
#include <catch_amalgamated.hpp>
#include <string>

#include "catalogue/catalogue.hpp"
#include "memory/evaluate.hpp"
#include "memory/lower.hpp"
#include "model/model_program.hpp"
#include "model/operators_table.hpp"
#include "plan/defaults.hpp"
#include "plan/optimizers.hpp"
#include "plan/target_modules.hpp"
#include "scenario_of.hpp"

using namespace memwall;

namespace {

// All optimizer states of one tensor, on device and host.
std::int64_t states_of(const Estimate& e, std::string_view subject) {
    std::int64_t out = 0;
    for (const Ledger* ledger : {&e.worst().device, &e.worst().host})
        for (const LedgerRow& row : ledger->rows)
            if (row.category == Category::OptimizerState && row.subject == subject && row.detail.empty())
                out += row.bytes.value;
    return out;
}

}  // namespace

// Bytes a parameter in fp32 training as catalogue/optimizers.jsonl and its sources give them.
TEST_CASE("optimizers keep the bytes a parameter that are published", "[methods]") {
    constexpr std::pair<std::string_view, std::int64_t> kPublished[] = {
        // in 1/1,000,000 byte
        {"sgd", 0},
        {"sgd_momentum", 4'000'000},
        {"sgd_momentum_8bit", 1'015'625},
        {"adamw", 8'000'000},
        {"adamw_amsgrad", 12'000'000},
        {"adam_8bit", 2'031'250},
        {"adamw_8bit", 2'031'250},
        {"paged_adamw_8bit", 2'031'250},
        {"paged_adamw_32bit", 8'000'000},
        {"lion_8bit", 1'015'625},
        {"ademamix", 12'000'000},
        {"ademamix_8bit", 3'046'875},
        {"adamw_4bit", 1'062'500},
        {"adamw_fp8", 2'031'250},
        {"nadam", 8'000'000},
        {"adagrad", 4'000'000},
        {"rmsprop", 4'000'000},
        {"adadelta", 8'000'000},
        {"lion", 4'000'000},
        {"sophia", 8'000'000},
        {"lars", 4'000'000},
        {"adan", 16'000'000},
        {"prodigy", 16'000'000},
        {"dadapt_adam", 12'000'000},
        {"schedule_free_sgd", 4'000'000},
        {"schedule_free_adamw", 8'000'000},
        {"grokfast_adamw", 12'000'000},
    };
    constexpr std::int64_t kEmbedding = std::int64_t{50257} * 768;
    for (const auto& [word, micro] : kPublished) {
        const Estimate e = estimate_of({{"model", "openai-community/gpt2"}, {"gpu", "4090"}, {"optimizer", word}});
        INFO(word);
        CHECK(states_of(e, "embed_tokens") == kEmbedding * micro / 1'000'000);
    }
}

TEST_CASE("tensors below 4096 elements keep their states in fp32 under 8-bit optimizers", "[methods]") {
    const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"optimizer", "adamw_8bit"}});
    CHECK(e.worst().device.find("optimizer_state.o_proj.bias")->stored == Dtype::Fp32);  // 768
    CHECK(e.worst().device.find("optimizer_state.o_proj")->stored == Dtype::Int8Block256);
}

TEST_CASE("paged states wait in the host's memory, those of small tensors stay on the device", "[methods]") {
    const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"optimizer", "paged_adamw_32bit"}});
    CHECK(e.worst().host.find("optimizer_state.o_proj") != nullptr);
    CHECK(e.worst().device.find("optimizer_state.o_proj") == nullptr);
    CHECK(e.worst().device.find("optimizer_state.o_proj.bias") != nullptr);
    CHECK(e.worst().host.total(Category::OptimizerState).value > 0);
}

TEST_CASE("an optimizer is not taken with states it has not", "[methods]") {
    for (const auto& [optimizer, state] :
         {std::pair{"adamw_8bit", "fp32"}, std::pair{"adamw", "int8"}, std::pair{"lion", "fp32_factored"}}) {
        auto refused = estimate(scenario_of({{"model", "gpt2"}, {"optimizer", optimizer}, {"state-dtype", state}}));
        REQUIRE_FALSE(refused);
        CHECK(refused.error().where == "optimizer.state_dtype");
        CHECK_FALSE(refused.error().hint.empty());
    }
}

TEST_CASE("states that are created one weight after the other are those that stay", "[methods]") {
    constexpr auto kStates = static_cast<std::size_t>(Category::OptimizerState);
    for (const char* model : {"gpt2", "google-t5/t5-small", "mistralai/Mixtral-8x7B-v0.1"})
        for (const char* method : {"full", "lora"})
            for (const std::string_view optimizer : field(FieldId::OptimizerName).choices) {
                if (optimizer == "mezo") continue;  // it has no backward
                const Estimate e = estimate_of({{"model", model},
                                                {"gpu", "4090"},
                                                {"seq", "64"},
                                                {"method", method},
                                                {"optimizer", optimizer},
                                                {"optimizer.in_backward", "true"}});
                INFO(model << " " << method << " " << optimizer);
                Bytes created, stays;
                std::size_t different = 0;
                for (const Instant& instant : e.worst().instants) {
                    const Bytes now = instant.by_category[kStates];
                    if (instant.step == 1 && now != created) ++different;
                    (instant.step == 1 ? created : stays) = now;
                }
                CHECK(created == stays);
                CHECK((stays.value == 0 || different > 1));
                for (const Note& note : e.notes.all())
                    CHECK(note.message.find("at its end") == std::string::npos);
            }
}

TEST_CASE("qlora keeps its base in 4 bits with scales, and in nothing else", "[methods]") {
    const Estimate e = estimate_of({{"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "4090"}, {"method", "qlora"}});
    constexpr std::int64_t kQuery = std::int64_t{32} * 4096 * 4096;
    CHECK(e.worst().device.find("weights.frozen.q_proj")->bytes.value == kQuery / 2 + kQuery / 64 * 4);
    CHECK(e.worst().device.find("weights.frozen.embed_tokens")->stored == Dtype::Fp32);
    CHECK(e.trainable_parameters.value == std::int64_t{32} * 8 * (4096 + 4096 + 4096 + 1024));
    auto refused = estimate(scenario_of({{"model", "gpt2"}, {"method", "qlora"}, {"precision.weights", "bf16"}}));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "precision.weights");
    refused = estimate(scenario_of({{"model", "gpt2"}, {"method", "full"}, {"precision.weights", "nf4"}}));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "precision.weights");
}

TEST_CASE("every method with every optimizer and precision is estimated or refused with a sentence", "[methods]") {
    const FieldRow& methods = field(FieldId::MethodName);
    int estimated = 0, at = 0;
    for (const std::string_view method : methods.choices) {
        const bool of_litgpt = method.starts_with("adapter");
        const std::string_view model = of_litgpt ? "EleutherAI/pythia-14m" : "openai-community/gpt2";
        if (methods.computed >> at++ & 1U)
            for (const std::string_view optimizer : field(FieldId::OptimizerName).choices)
                for (const char* recipe : {"amp_bf16", "fp32", "bf16", "bf16_master"})
                    for (const char* weights : {"", "nf4", "int8"}) {
                        std::vector<Setting> settings{{"model", model},   {"gpu", "4090"},          {"seq", "64"},
                                                      {"method", method}, {"optimizer", optimizer}, {"recipe", recipe}};
                        if (*weights != 0) settings.push_back({"precision.weights", weights});
                        const auto e = estimate(scenario_of(settings));
                        INFO(method << " " << optimizer << " " << recipe << " " << weights << ": "
                                    << (e ? "" : e.error().where + ": " + e.error().message));
                        estimated += e ? 1 : 0;
                        if (e)
                            CHECK(e->worst().device_total.value > 0);
                        else
                            CHECK((*weights != 0 || method == "qlora"));
                    }
    }
    CHECK(estimated > 800);
}

// transformers' _keep_in_fp32_modules; quantised, it was cast to four bits and the rows were 3,211,264 bytes short.
TEST_CASE("the second matrix of t5's MLP is never quantised", "[methods]") {
    const Estimate e =
        estimate_of({{"model", "google/flan-t5-xxl"}, {"gpu", "4090"}, {"method", "qlora"}, {"checkpointing", "full"}});
    std::int64_t second = 0, first = 0;
    for (const LedgerRow& row : e.worst().device.rows) {
        if (row.category != Category::Weights) continue;
        second += row.subject == "down_proj" || row.detail == "down_proj" ? row.bytes.value : 0;
        first += row.subject == "up_proj" || row.detail == "up_proj" ? row.bytes.value : 0;
    }
    CHECK(second == std::int64_t{48} * 4096 * 10240 * 4);  // peft turns what is not quantised to fp32
    CHECK(first < second / 3);
}

TEST_CASE("litgpt adapts queries and values of a matrix that is joint in transformers too", "[validate]") {
    const auto trained = [](std::string_view modules) {
        std::vector<Setting> given{{"model", "EleutherAI/pythia-1b"}, {"implementation", "litgpt"}, {"method", "lora"}};
        if (!modules.empty()) given.emplace_back("target-modules", modules);
        return estimate(scenario_of(given))->trainable_parameters.value;
    };
    constexpr std::int64_t kLayers = 16, kHidden = 2048, kRank = 8;
    constexpr std::int64_t kOne = kLayers * kRank * 2 * kHidden;  // of one part: lora_A and lora_B
    CHECK(trained("") == 2 * kOne);
    CHECK(trained("q_proj,v_proj") == 2 * kOne);
    CHECK(trained("q_proj,k_proj,v_proj") == 3 * kOne);
}

TEST_CASE("what corrects the scores of a router is no bias that BitFit trains", "[methods]") {
    const auto made = estimate(scenario_of({{"model", "moonshotai/Moonlight-16B-A3B"}, {"method", "bitfit"}}));
    REQUIRE_FALSE(made);  // it once ended the program: nothing led to the loss
    CHECK(made.error().message == "method bitfit trains nothing: the model has no such parameters");
}

namespace {

// Freezing all modules but one: the parameters that the ledger trains, and the gradients that backward gives.
struct TrainedAlone {
    std::int64_t parameters = 0, gradients = 0;
};
TrainedAlone trained_alone(const Scenario& s) {
    Notes notes;
    const auto program = lower(s, notes, Policy::Ledger);
    REQUIRE(program);
    std::int64_t gradients = 0;
    for (const Instant& i : evaluate(*program, sizes_of(s)).instants)
        if (i.segment == Segment::OptimizerStep)
            gradients = std::max(gradients, i.by_category[static_cast<std::size_t>(Category::Gradients)].value);
    return {program->trainable_parameters.value, gradients};
}

}  // namespace

// The engine knows a module by the name its program gives it, the ledger by its role: they have to mean the same.
TEST_CASE("every module of every family trains alone: as many gradients as trained parameters", "[methods]") {
    std::vector<std::string> seen;
    int checked = 0;
    for (const ModelRow& row : models()) {
        const std::string type(row.model_type);
        if (std::find(seen.begin(), seen.end(), type) != seen.end()) continue;
        const Architecture whole = architecture_from_row(row);
        if (!has_block_program(whole)) continue;
        seen.push_back(type);
        for (std::uint32_t word = 0; word < 31; ++word) {
            if ((existing_modules(whole) >> word & 1U) == 0) continue;
            const std::string modules = text_from_value(field(FieldId::TargetModules), std::int64_t{1} << word);
            INFO(row.id << " " << modules);
            Notes notes;
            const auto made = complete(scenario_of({{"model", row.id},
                                                    {"method", "freeze"},
                                                    {"target-modules", modules},
                                                    {"batch", "2"},
                                                    {"precision.recipe", "fp32"}}),
                                       notes);
            REQUIRE(made);
            const TrainedAlone alone = trained_alone(*made);
            CHECK(alone.gradients == 4 * alone.parameters);
            ++checked;
        }
    }
    CHECK(checked > 500);
}

TEST_CASE("operators that checkpointing keeps are called as the operator table calls them", "[methods]") {
    for (const std::string_view word : field(FieldId::KeptOperators).choices) {
        const auto named = [word](const OperatorRow& row) { return row.name == word; };
        INFO(word);
        CHECK(std::any_of(operators().begin(), operators().end(), named));
    }
}

// Keeping more never lengthens what is computed again, and costs what is kept.
TEST_CASE("a list keeps what its preset keeps", "[methods]") {
    const auto allocated = [](std::string_view key, std::string_view words) {
        return estimate_of(
                   {{"model", "gpt2"}, {"gpu", "4090"}, {"batch", "8"}, {"checkpointing", "selective"}, {key, words}})
            .worst()
            .allocated.value;
    };
    CHECK(allocated("kept-operators", "flash attention,memory-efficient attention") ==
          allocated("selective-policy", "attention"));
    CHECK(allocated("kept-operators", "flash attention,memory-efficient attention,linear,matrix product") ==
          allocated("selective-policy", "matmul_and_attention"));
}

TEST_CASE("what is named trains in the layers that are not frozen, and tied weights by either name", "[methods]") {
    const auto trained = [](std::string_view model, std::string_view modules, std::string_view first) {
        return estimate_of({{"model", model},
                            {"method", "freeze"},
                            {"target-modules", modules},
                            {"method.first_trainable_layer", first},
                            {"gpu", "4090"}})
            .trainable_parameters.value;
    };
    constexpr std::int64_t kMatrix = std::int64_t{768} * 3072 + 3072;
    CHECK(trained("gpt2", "up_proj", "0") == 12 * kMatrix);
    CHECK(trained("gpt2", "up_proj", "10") == 2 * kMatrix);
    CHECK(trained("gpt2", "lm_head", "12") == std::int64_t{50257} * 768);
    CHECK(trained("gpt2", "embed_tokens", "0") == std::int64_t{50257} * 768);
}

// gpt2 stores its matrices as inputs x outputs: peft 0.20 trains 2304 numbers beside c_attn and 3072 before c_proj.
TEST_CASE("a trained number for each output is as many as there are outputs", "[methods]") {
    Scenario s = scenario_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "finetune"}, {"method", "ia3"}});
    Notes notes;
    const auto completed = complete(s, notes);
    REQUIRE(completed);
    const auto program = lower(*completed, notes);
    REQUIRE(program);
    CHECK(program->trainable_parameters.value == 12 * (2304 + 3072));
}

// BERT-large of the transformers docs (V100, PyTorch 1.10): 11.4 GB were computed where 13.7 GB were read.
TEST_CASE("torch before 1.11 keeps what goes into a softmax, before 2.0 its zeroed gradients", "[methods]") {
    const auto allocated = [](std::string_view version, std::string_view steps) {
        return estimate_of({{"model", "google-bert/bert-large-uncased"},
                            {"gpu", "4090"},
                            {"task", "finetune"},
                            {"model.structure.cls_head", "linear"},
                            {"recipe", "fp32"},
                            {"attention", "eager"},
                            {"batch", "4"},
                            {"seq", "512"},
                            {"gradient-accumulation-steps", steps},
                            {"implementation.version", version}})
            .worst()
            .allocated.value;
    };
    constexpr std::int64_t kScores = std::int64_t{4} * 24 * 4 * 16 * 512 * 512;  // fp32, layers, samples, heads
    const std::int64_t now = allocated("4.47, torch 2.6", "4");
    CHECK(allocated("4.1, PyTorch 1.10", "4") - now == kScores);
    CHECK(allocated("4.1, PyTorch 1.10", "1") - now == kScores);
    CHECK(allocated("4.1, PyTorch 1.13", "1") == now);
    CHECK(allocated("4.47, torch 2.6", "1") < now);
}

// A masked language model with 30,522 logits a token was trained in its stead.
TEST_CASE("an encoder that is said to have a classification head trains that one", "[methods]") {
    const Estimate e = estimate_of({{"model", "google-bert/bert-large-uncased"},
                                    {"gpu", "4090"},
                                    {"task", "finetune"},
                                    {"model.structure.cls_head", "linear"}});
    CHECK(e.scenario.model.architecture.task_head == TaskHead::SequenceClassification);
    CHECK(e.trainable_parameters.value == 335'143'938);
}

// huggingface/peft, method_comparison/MetaMathQA/results: num_trainable_params of its runs on Llama-3.2-3B.
TEST_CASE("adapters that rotate, multiply and share ranks have peft's parameters", "[methods]") {
    const auto trained = [](std::string_view model, std::string_view method, std::string_view rank) {
        std::vector<Setting> given{
            {"model", model}, {"gpu", "H100 SXM5 80GB"}, {"task", "finetune"}, {"method", method}};
        if (!rank.empty()) given.emplace_back("rank", rank);
        const auto made = estimate(scenario_of(given));
        INFO(method << (made ? "" : made.error().message));
        REQUIRE(made);
        return made->trainable_parameters.value;
    };
    constexpr std::string_view kModel = "meta-llama/Llama-3.2-3B";
    CHECK(trained(kModel, "boft", "") == 802'816);
    CHECK(trained(kModel, "oft", "96") == 8'171'520);
    CHECK(trained(kModel, "oft", "95") == 8'171'520);  // no divisor of 3072: the nearest is taken
    // 3072 = 48 × 64, 1024 = 32 × 32, and 64 × 8 and 8 × 64 for the right factor.
    CHECK(trained(kModel, "lokr", "") == 28 * (48 * 48 + 8 * (64 + 64) + 32 * 48 + 8 * (32 + 64)));
    CHECK(trained(kModel, "lokr", "512") == 28 * (48 * 48 + 64 * 64 + 32 * 48 + 32 * 64));  // the whole factor
    CHECK(trained(kModel, "adalora", "") == 28 * (12 * (3072 + 1 + 3072 + 3072 + 1 + 1024) + 2));
    const auto refused = estimate(scenario_of({{"model", kModel}, {"method", "boft"}, {"rank", "7"}}));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "method.rank");
    // Families for which peft takes other modules: all six matrices of opt, two of phi's MLP.
    CHECK(trained("facebook/opt-125m", "adalora", "") == 12 * (12 * (4 * (768 + 768 + 1) + 2 * (768 + 3072 + 1)) + 6));
    CHECK(trained("microsoft/phi-2", "lora", "") == 32 * 8 * (2 * (2560 + 2560) + 2 * (2560 + 10240)));
    CHECK(trained("Qwen/Qwen2.5-0.5B", "ia3", "") == 24 * (896 + 128 + 4864));
}

// peft's layers_to_transform: what stands before the first adapter keeps nothing for backward.
TEST_CASE("adapters in the last layers alone leave the first ones without activations", "[methods]") {
    const auto made = [](std::string_view first) {
        return estimate_of({{"model", "meta-llama/Llama-3.1-8B"},
                            {"gpu", "H100 SXM5 80GB"},
                            {"method", "lora"},
                            {"method.first_trainable_layer", first}});
    };
    const Estimate all = made("0"), half = made("16");
    CHECK(half.trainable_parameters.value * 2 == all.trainable_parameters.value);
    const auto activations = [](const Estimate& e) { return e.worst().device.total(Category::Activations).value; };
    CHECK(activations(half) < activations(all) * 11 / 20);
    const auto refused =
        estimate(scenario_of({{"model", "gpt2"}, {"method", "lora"}, {"method.first_trainable_layer", "12"}}));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "method.first_trainable_layer");
}

// bitsandbytes issue 1780: the 4-bit model was larger than the one in 16 bits.
TEST_CASE("experts are quantised where they are linears; where nobody says, nothing is said", "[methods]") {
    const auto weights = [](std::string_view model, std::string_view version) {
        const Estimate e = estimate_of(
            {{"model", model}, {"gpu", "H100 SXM5 80GB"}, {"method", "qlora"}, {"implementation.version", version}});
        return e.worst().device.total(Category::Weights).value / 1'000'000'000;
    };
    constexpr std::string_view kMixtral = "mistralai/Mixtral-8x7B-Instruct-v0.1";
    CHECK(weights(kMixtral, "4.57") == 27);
    CHECK(weights(kMixtral, "5") == 182);  // fp32, as peft's helper leaves what is not quantised
    const auto open = estimate(scenario_of({{"model", kMixtral}, {"gpu", "H100 SXM5 80GB"}, {"method", "qlora"}}));
    REQUIRE(open);
    CHECK(open->verdict == Verdict::CannotSay);
    CHECK(open->missing == "implementation.version");
}

// unsloth issue 2366: 14,000 tokens ran on 80 GB, 15,000 did not.
TEST_CASE("libraries with code of their own are assumed to keep what transformers keeps, and say so", "[methods]") {
    for (const std::string_view library : {"unsloth", "mlx", "nanogpt"}) {
        const Estimate e =
            estimate_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "finetune"}, {"implementation.name", library}});
        INFO(library);
        CHECK(std::any_of(e.notes.all().begin(), e.notes.all().end(),
                          [](const Note& note) { return note.where == "implementation.name"; }));
    }
}

TEST_CASE("trained tokens stand in front of the text, and are all that trains", "[methods]") {
    const auto made = [](std::string_view method, std::string_view length) {
        return estimate_of({{"model", "meta-llama/Llama-3.2-1B"},
                            {"gpu", "H100 SXM5 80GB"},
                            {"task", "finetune"},
                            {"method", method},
                            {"prompt-length", length}});
    };
    CHECK(made("prompt_tuning", "100").trainable_parameters.value == 100 * 2048);
    CHECK(made("ptuning", "20").trainable_parameters.value == 20 * 2048 + 3 * (2048 * 2048 + 2048));
    CHECK(made("prompt_tuning", "1000").worst().allocated > made("prompt_tuning", "10").worst().allocated);
    for (const char* model : {"google-bert/bert-large-uncased", "google/flan-t5-xxl"}) {
        const auto refused = estimate(scenario_of({{"model", model}, {"task", "finetune"}, {"method", "ptuning"}}));
        REQUIRE_FALSE(refused);
        CHECK(refused.error().where == "method.name");
    }
}

TEST_CASE("some layers at a time have gradients and states of those layers alone", "[methods]") {
    const auto made = [](std::string_view method) {
        return estimate_of({{"model", "meta-llama/Llama-3.1-8B"},
                            {"gpu", "H100 SXM5 80GB"},
                            {"task", "finetune"},
                            {"method", method}});
    };
    constexpr std::int64_t kLayer = 218'112'000, kOutside = 2 * std::int64_t{128'256} * 4096 + 4096;
    CHECK(made("badam").trainable_parameters.value == kLayer);
    CHECK(made("lisa").trainable_parameters.value == 2 * kLayer + kOutside);
    CHECK(made("badam").worst().allocated < made("lisa").worst().allocated);
    for (const char* model : {"gpt2", "google/gemma-2-2b", "google-bert/bert-base-uncased", "EleutherAI/pythia-1b"})
        for (const char* method : {"lisa", "badam"}) {
            INFO(model << " " << method);
            Notes notes;
            const auto completed = complete(
                scenario_of({{"model", model}, {"method", method}, {"task", "finetune"}, {"recipe", "fp32"}}), notes);
            REQUIRE(completed);
            const TrainedAlone alone = trained_alone(*completed);
            CHECK(alone.gradients == 4 * alone.parameters);
        }
    CHECK(made("lisa").worst().allocated < made("full").worst().allocated);
}

TEST_CASE("without a backward pass there are no gradients, no states and little beside the weights", "[methods]") {
    const auto made = [](std::string_view optimizer) {
        return estimate_of({{"model", "meta-llama/Llama-3.2-1B"},
                            {"gpu", "H100 SXM5 80GB"},
                            {"task", "finetune"},
                            {"recipe", "bf16"},
                            {"optimizer", optimizer}});
    };
    const Estimate mezo = made("mezo"), adamw = made("adamw");
    for (const Category none : {Category::Gradients, Category::OptimizerState})
        CHECK(mezo.worst().device.total(none).value == 0);
    CHECK(mezo.worst().allocated.value < adamw.worst().allocated.value / 2);
    CHECK(mezo.trainable_parameters == adamw.trainable_parameters);
}
