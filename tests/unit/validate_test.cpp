// validate(): contradictions between fields, with the numbers in the sentence.
#include "plan/validate.hpp"

#include <array>
#include <catch_amalgamated.hpp>

#include "model/model_program.hpp"
#include "plan/defaults.hpp"
#include "plan/fields.hpp"
#include "plan/mesh.hpp"

using namespace memwall;

namespace {

using Values = std::initializer_list<std::pair<std::string_view, std::string_view>>;

Failure outcome(Values values) {
    Scenario scenario;
    for (const auto& [key, value] : values)
        if (Failure failure = set_field(scenario, key, value)) return failure;
    Notes notes;
    const auto completed = complete(scenario, notes);
    if (!completed) return completed.error();
    return validate(*completed);
}

Error refusal(Values values) {
    const Failure failure = outcome(values);
    REQUIRE(failure);
    CHECK_FALSE(failure->hint.empty());
    CHECK(find_field(failure->where) != nullptr);
    return *failure;
}

}  // namespace

TEST_CASE("a mesh that does not multiply to the world size prints the equation", "[validate]") {
    const Mesh mesh{.world_size = 8, .dp_replicate = 2, .dp_shard = 2};
    const Failure failure = check(mesh);
    REQUIRE(failure);
    CHECK(failure->message == "dp_replicate (2) × dp_shard (2) × cp (1) × tp (1) × pp (1) = 4, world_size is 8");
    CHECK(failure->where == "mesh.world_size");
    CHECK_FALSE(check(Mesh{.world_size = 4, .dp_replicate = 2, .dp_shard = 2}));
    const Mesh huge{.world_size = 8, .dp_replicate = 1LL << 40, .dp_shard = 1LL << 40};
    CHECK(check(huge)->message.find("more than 2^63") != std::string::npos);
    const Mesh experts{.world_size = 8, .dp_replicate = 8, .ep = 3};
    CHECK(check(experts)->message == "ep (3) must divide the data-parallel ranks (8)");
}

TEST_CASE("axes that do not divide the world size are refused with the equation", "[validate]") {
    CHECK(refusal({{"model", "gpt2"}, {"gpus", "8"}, {"dp-shard", "3"}}).message.find("world_size is 8") !=
          std::string::npos);
    CHECK(refusal({{"model", "gpt2"}, {"gpus", "8"}, {"world-size", "4"}}).message ==
          "mesh.world_size (4) is not accelerator.count (8)");
}

TEST_CASE("a sequence beyond the learned positions is refused with both numbers", "[validate]") {
    const Error error = refusal({{"model", "gpt2"}, {"seq", "2048"}});
    CHECK(error.where == "batch.sequence_length");
    CHECK(error.message ==
          "batch.sequence_length (2,048) is beyond the model's model.structure.learned_positions (1,024)");
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"seq", "1024"}}));
    CHECK(refusal({{"model", "gpt2"}, {"task", "inference"}, {"seq", "100"}, {"context", "4096"}}).where ==
          "serving.context_tokens");
    CHECK(refusal({{"model", "gpt2"}, {"task", "inference"}, {"seq", "500"}, {"context", "100"}}).where ==
          "batch.sequence_length");
}

TEST_CASE("settings that contradict each other are refused by their field", "[validate]") {
    CHECK(refusal({{"model", "gpt2"}, {"gpus", "2"}, {"zero", "2"}, {"sharding", "ddp"}}).where == "mesh.zero_stage");
    CHECK(refusal({{"model", "gpt2"}, {"gpus", "2"}, {"zero", "3"}, {"sharding", "megatron_distopt"}}).where ==
          "mesh.zero_stage");
    CHECK(refusal({{"model", "gpt2"}, {"recipe", "fp32"}, {"attention", "flash"}}).where == "savers.attention");
    CHECK(refusal({{"model", "gpt2"}, {"compute", "fp32"}, {"autocast", "true"}}).where == "precision.autocast");
    CHECK(refusal({{"model", "gpt2"}, {"heads", "7"}}).where.starts_with("model.config."));
}

TEST_CASE("products beyond 63 bits are refused before the engine multiplies", "[validate]") {
    const Error error = refusal({{"model", "meta-llama/Llama-3.1-8B"}, {"batch", "1M"}, {"seq", "16M"}});
    CHECK(error.code == ErrorCode::Overflow);
    CHECK(error.message.find("1,000,000 sequences of 16,777,216 tokens") != std::string::npos);
    CHECK_FALSE(outcome({{"model", "meta-llama/Llama-3.1-8B"}, {"batch", "1024"}, {"seq", "1M"}}));
    CHECK(refusal({{"model", "gpt2"}, {"batch", "1M"}, {"gradient-accumulation-steps", "1M"}, {"gpus", "1M"}}).where ==
          "batch.gradient_accumulation_steps");
}

TEST_CASE("a rank above the smaller side of a target names the matrix", "[validate]") {
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"method", "lora"}, {"rank", "768"}}));
    const Error error = refusal({{"model", "gpt2"}, {"method", "lora"}, {"rank", "769"}});
    CHECK(error.where == "method.rank");
    CHECK(error.message == "method.rank (769) is larger than qkv_proj (768 × 2,304)");
    CHECK(refusal({{"model", "gpt2"}, {"method", "lora"}, {"rank", "0"}}).where == "method.rank");
}

TEST_CASE("target modules that match nothing are answered with those that exist", "[validate]") {
    const Error error = refusal({{"model", "gpt2"}, {"method", "lora"}, {"target-modules", "q_proj,v_proj"}});
    CHECK(error.where == "method.target_modules");
    CHECK(error.message == "method.target_modules (q_proj,v_proj) match no matrix of the model");
    CHECK(error.hint == "the model has: o_proj,up_proj,down_proj,qkv_proj,lm_head");
}

TEST_CASE("where neither layers freeze nor adapters are computed, nothing points to the other", "[validate]") {
    for (const std::string_view method : {"freeze", "lora"}) {
        const Error error = refusal({{"model", "torchvision resnet50"}, {"method", method}});
        CHECK(error.where == "method.name");
        CHECK(error.hint == "take method.name full");
    }
    CHECK_FALSE(outcome({{"model", "torchvision resnet50"}, {"method", "full"}}));
}

TEST_CASE("modules that train in full are those of the model, and some of them are not frozen", "[validate]") {
    const Error none = refusal({{"model", "gpt2"}, {"method", "freeze"}, {"target-modules", "q_proj"}});
    CHECK(none.message == "method.target_modules (q_proj) match no module of the model");
    CHECK(none.hint.find("embed_tokens") != std::string::npos);
    const Error all = refusal({{"model", "gpt2"},
                               {"method", "freeze"},
                               {"target-modules", "up_proj"},
                               {"method.first_trainable_layer", "12"}});
    CHECK(all.message == "method.target_modules (up_proj) stand in the 12 layers that are frozen: nothing trains");
    const Error twice = refusal(
        {{"model", "gpt2"}, {"method", "lora"}, {"target-modules", "qkv_proj"}, {"modules-to-save", "qkv_proj"}});
    CHECK(twice.where == "method.modules_to_save");
    const Error quantized =
        refusal({{"model", "meta-llama/Llama-3.1-8B"}, {"method", "qlora"}, {"modules-to-save", "down_proj"}});
    CHECK(quantized.message == "down_proj is quantised and cannot be trained");
    CHECK_FALSE(outcome({{"model", "meta-llama/Llama-3.1-8B"}, {"method", "qlora"}, {"modules-to-save", "lm_head"}}));
}

TEST_CASE("litgpt has no adapters but LoRA's", "[validate]") {
    for (const char* const method : {"dora", "vera", "loha", "ia3", "lora_fa", "houlsby", "pfeiffer"}) {
        const Error error =
            refusal({{"model", "meta-llama/Llama-3.1-8B"}, {"method", method}, {"implementation.name", "litgpt"}});
        CHECK(error.message == std::string("litgpt has no method ") + method);
    }
}

TEST_CASE("prompts in every attention are litgpt's, from a layer the model has", "[validate]") {
    const std::pair<std::string_view, std::string_view> llama{"model", "meta-llama/Llama-2-7b-hf"};
    CHECK_FALSE(outcome({llama, {"method", "adapter"}}));
    CHECK_FALSE(outcome({llama, {"method", "adapter_v2"}}));
    CHECK(refusal({llama, {"method", "adapter"}, {"implementation", "hf_transformers"}}).where ==
          "implementation.name");
    CHECK(refusal({llama, {"method", "adapter"}, {"method.adapter_start_layer", "32"}}).where ==
          "method.adapter_start_layer");
}

TEST_CASE("torchtune has its own model code, LoRA, and saved tensors on the host", "[validate]") {
    const std::pair<std::string_view, std::string_view> llama{"model", "meta-llama/Llama-3.1-8B"},
        torchtune{"implementation", "torchtune"};
    CHECK(refusal({llama, torchtune, {"method", "dora"}}).message == "torchtune has no method dora");
    CHECK(refusal({{"model", "gpt2"}, torchtune}).where == "implementation.name");
    CHECK(refusal({llama, torchtune, {"activation-offload", "true"}}).where == "savers.activation_offload");
    CHECK_FALSE(outcome({llama, torchtune, {"activation-offload", "true"}, {"checkpointing", "full"}}));
}

TEST_CASE("torch.compile of what is no dense stack is refused", "[validate]") {
    const std::pair<std::string_view, std::string_view> compiled{"compile", "true"};
    CHECK(refusal({{"model", "mistralai/Mixtral-8x7B-Instruct-v0.1"}, compiled}).where == "savers.compile");
    CHECK(refusal({{"model", "google/flan-t5-base"}, compiled}).where == "savers.compile");
    CHECK(refusal({{"model", "gpt2"}, compiled, {"checkpointing", "full"}, {"checkpoint-reentrant", "true"}}).where ==
          "savers.compile");
    CHECK_FALSE(outcome({{"model", "gpt2"}, compiled}));
}

TEST_CASE("experts are adapted as the parameters they are", "[validate]") {
    const char* const mixtral = "mistralai/Mixtral-8x7B-Instruct-v0.1";
    const Error half = refusal({{"model", mixtral}, {"method", "lora"}, {"target-modules", "q_proj,gate_proj"}});
    CHECK(half.where == "method.target_modules");
    CHECK(half.message == "gate_proj and up_proj are one parameter of the experts");
    const Error dropped =
        refusal({{"model", mixtral}, {"method", "lora"}, {"target-modules", "router"}, {"dropout", "0.1"}});
    CHECK(dropped.where == "method.dropout");
    const Error latent =
        refusal({{"model", "deepseek-ai/DeepSeek-V3"}, {"method", "lora"}, {"target-modules", "q_proj,router"}});
    CHECK(latent.message == "method.target_modules (q_proj,router) match no matrix of the model");
    CHECK(latent.hint ==
          "the model has: o_proj,gate_proj,up_proj,down_proj,lm_head,q_a_proj,q_b_proj,kv_a_proj_with_mqa,kv_b_proj");
}

TEST_CASE("adapters sit on query and value projections when nothing is said", "[defaults]") {
    for (const auto& [model, targets] : {std::pair{"Llama-3.2-1B", "q_proj,v_proj"}, {"gpt2", "qkv_proj"}}) {
        Scenario scenario;
        REQUIRE_FALSE(set_field(scenario, "model", model));
        REQUIRE_FALSE(set_field(scenario, "method", "lora"));
        Notes notes;
        const auto completed = complete(scenario, notes);
        REQUIRE(completed);
        CHECK(text(*completed, FieldId::TargetModules) == targets);
    }
}

TEST_CASE("no more layers are frozen than there are", "[validate]") {
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"method", "freeze"}, {"first-trainable-layer", "12"}, {"seq", "128"}}));
    const Error error =
        refusal({{"model", "gpt2"}, {"method", "freeze"}, {"first-trainable-layer", "13"}, {"seq", "128"}});
    CHECK(error.where == "method.first_trainable_layer");
    CHECK(error.message == "method.first_trainable_layer (13) is beyond model.config.num_hidden_layers (12)");
    CHECK(error.hint == "allowed: 0 to 12");
}

TEST_CASE("the layers of an encoder are frozen before those of its decoder", "[validate]") {
    const Values all = {{"model", "t5-small"}, {"method", "freeze"}, {"first-trainable-layer", "12"}, {"seq", "128"}};
    CHECK_FALSE(outcome(all));
    CHECK(refusal({{"model", "t5-small"}, {"method", "freeze"}, {"first-trainable-layer", "13"}, {"seq", "128"}})
              .message == "method.first_trainable_layer (13) is beyond the layers of both stacks");
}

TEST_CASE("an encoder of sound takes one length, its decoder no more than was learned", "[validate]") {
    CHECK_FALSE(outcome({{"model", "whisper-small"}}));
    CHECK_FALSE(outcome({{"model", "whisper-small"}, {"task", "inference"}}));
    CHECK(refusal({{"model", "whisper-small"}, {"seq", "1000"}}).message ==
          "batch.sequence_length (1,000) is not model.config.max_source_positions (1,500)");
    CHECK(refusal({{"model", "whisper-small"}, {"batch.target_sequence_length", "449"}}).message ==
          "batch.target_sequence_length (449) is beyond the model's model.structure.learned_positions (448)");
}

// torch: "element 0 of tensors does not require grad and does not have a grad_fn"
TEST_CASE("re-entrant checkpoints of what sees or hears need weights that train before them", "[validate]") {
    const auto reentrant = [](std::string_view method) {
        return outcome({{"model", "google/vit-base-patch16-224 (1000 classes)"},
                        {"method", method},
                        {"checkpointing", "full"},
                        {"checkpoint-reentrant", "true"}});
    };
    CHECK_FALSE(reentrant("full"));
    REQUIRE(reentrant("lora"));
    CHECK(reentrant("lora")->where == "savers.checkpoint_reentrant");
}

TEST_CASE("encoder-decoders may have re-entrant checkpoints", "[validate]") {
    for (const std::string_view model : {"facebook/bart-base", "google-t5/t5-small", "whisper-small"})
        CHECK_FALSE(outcome({{"model", model}, {"checkpointing", "full"}, {"checkpoint-reentrant", "true"}}));
}

TEST_CASE("factored states belong to Adafactor", "[validate]") {
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"optimizer", "adafactor"}, {"state-dtype", "fp32_factored"}}));
    CHECK(refusal({{"model", "gpt2"}, {"state-dtype", "fp32_factored"}}).message ==
          "optimizer.state_dtype (fp32_factored) is not how adamw keeps its states");
}

TEST_CASE("adapters and freezing need layers", "[validate]") {
    CHECK(refusal({{"model.params", "7B"}, {"method", "lora"}}).where == "method.name");
    CHECK(refusal({{"model.params", "7B"}, {"method", "freeze"}}).where == "method.name");
}

TEST_CASE("a vision transformer takes the tokens of its image and no others", "[validate]") {
    Scenario scenario;
    REQUIRE_FALSE(set_field(scenario, "model", "google/vit-base-patch16-224"));
    Notes notes;
    const auto completed = complete(scenario, notes);
    REQUIRE(completed);
    CHECK(completed->batch.sequence_length == 197);
    CHECK(completed->batch.image_size == 224);
    CHECK(has_block_program(completed->model.architecture));
    CHECK(refusal({{"model", "google/vit-base-patch16-224"}, {"seq", "128"}}).where == "batch.sequence_length");
    CHECK(refusal({{"model", "google/vit-base-patch16-224"}, {"image-size", "384"}}).where == "batch.image_size");
}

TEST_CASE("training runs where the model code is that of transformers; inference with any engine", "[validate]") {
    CHECK(refusal({{"model", "gpt2"}, {"implementation", "litgpt"}}).where == "implementation.name");
    CHECK(refusal({{"model", "gpt2"}, {"implementation", "vllm"}}).where == "implementation.name");
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"implementation", "trl"}}));
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"implementation", "vllm"}, {"task", "inference"}}));
}

TEST_CASE("quantised weights run and are not trained over", "[validate]") {
    CHECK(refusal({{"model", "gpt2"}, {"precision.weights", "nf4"}}).where == "precision.weights");
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"precision.weights", "nf4"}, {"task", "inference"}}));
    CHECK(outcome({{"model", "gpt2"}, {"precision.weights", "exl2"}, {"task", "inference"}}));
}

TEST_CASE("a prompt and its answer fit into the context they are given", "[validate]") {
    CHECK(refusal({{"model", "gpt2"},
                   {"task", "inference"},
                   {"context", "100"},
                   {"input-tokens", "80"},
                   {"new-tokens", "30"}})
              .where == "serving.context_tokens");
    const auto context = [](Values values) {
        Scenario scenario;
        for (const auto& [key, value] : values)
            REQUIRE_FALSE(set_field(scenario, key, value));
        Notes notes;
        return complete(scenario, notes)->serving.context_tokens;
    };
    CHECK(context({{"model", "gpt2"}, {"task", "inference"}, {"input-tokens", "80"}, {"new-tokens", "30"}}) == 110);
    CHECK(context({{"model", "gpt2"}, {"task", "inference"}, {"max-model-len", "77"}}) == 77);
    CHECK(context({{"model", "gpt2"}, {"task", "inference"}, {"max-model-len", "77"}, {"context", "9"}}) == 9);
}

TEST_CASE("checkpoints span no more blocks than there are, and only re-entrant ones keep no results", "[validate]") {
    const Error more = refusal({{"model", "gpt2"}, {"checkpointing", "full"}, {"checkpoint-every", "13"}});
    CHECK(more.where == "savers.checkpoint_every");
    CHECK(more.message == "savers.checkpoint_every (13) is more than model.config.num_hidden_layers (12)");
    CHECK(refusal({{"model", "gpt2"}, {"checkpoint-every", "2"}}).where == "savers.checkpoint_every");
    CHECK(refusal({{"model", "gpt2"}, {"checkpointing", "selective"}, {"checkpoint-reentrant", "true"}}).where ==
          "savers.checkpoint_reentrant");
    CHECK_FALSE(outcome({{"model", "google-t5/t5-base"}, {"checkpointing", "full"}, {"checkpoint-every", "2"}}));
    CHECK(refusal({{"model", "gpt2"}, {"kept-operators", "linear"}}).where == "savers.kept_operators");
    CHECK(refusal({{"model", "gpt2"}, {"checkpointing", "selective"}, {"selective-policy", "operators"}}).where ==
          "savers.kept_operators");
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"checkpointing", "selective"}, {"kept-operators", "linear, layer norm"}}));
    CHECK(refusal({{"model", "google-t5/t5-base"}, {"checkpointing", "full"}, {"checkpoint-every", "13"}}).where ==
          "savers.checkpoint_every");
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"checkpointing", "selective"}, {"checkpoint-every", "12"}}));
}

TEST_CASE("a loss fits the head, and chunks fit the sequence", "[validate]") {
    CHECK(refusal({{"model", "google-t5/t5-base"}, {"loss", "fused_linear"}}).where == "savers.loss");
    CHECK(refusal({{"model", "gpt2"}, {"loss", "fused"}, {"loss-chunks", "4"}}).where == "savers.loss_chunks");
    const Error many = refusal({{"model", "gpt2"}, {"loss", "chunked"}, {"loss-chunks", "65"}, {"seq", "64"}});
    CHECK(many.message == "savers.loss_chunks (65) is more than batch.sequence_length (64)");
    CHECK(refusal({{"model", "gpt2"}, {"loss", "chunked"}, {"loss-chunks", "4"}, {"loss-chunk-tokens", "8"}}).where ==
          "savers.loss_chunk_tokens");
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"loss", "chunked"}}));
}

TEST_CASE("steps inside backward leave no gradients to sum", "[validate]") {
    CHECK(refusal({{"model", "gpt2"}, {"in-backward", "true"}, {"gradient-accumulation-steps", "2"}}).where ==
          "batch.gradient_accumulation_steps");
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"in-backward", "true"}}));
}

// It once ended the program: the last block's output was let go of in another number than it was made.
TEST_CASE("a fused head without a norm before it is refused", "[validate]") {
    const Error error = refusal({{"model", "facebook/opt-350m"}, {"loss", "fused_linear"}, {"seq", "128"}});
    CHECK(error.where == "savers.loss");
}

TEST_CASE("litgpt is refused where its model code is not known, with what is", "[validate]") {
    const Error error = refusal({{"model", "google/gemma-3-1b-it"}, {"implementation", "litgpt"}, {"seq", "128"}});
    CHECK(error.where == "implementation.name");
    CHECK(error.hint.find("llama") != std::string::npos);
    const Error one = refusal({{"model", "meta-llama/Llama-3.2-1B"},
                               {"implementation", "litgpt"},
                               {"method", "lora"},
                               {"target-modules", "q_proj"}});
    CHECK(one.where == "method.target_modules");
}

// Each ended the program.
TEST_CASE("a model that departs from what its family's program takes for granted is estimated", "[validate]") {
    constexpr std::array<std::string_view, 3> kChanged[] = {
        {"tiiuae/falcon-7b", "model.config.head_dim", "66"},
        {"CohereLabs/aya-23-8B", "model.config.head_dim", "13"},
        {"EleutherAI/gpt-j-6b", "model.config.partial_rotary_factor", "0.007"},
        {"google/gemma-3-1b-it", "model.structure.qk_norm", "none"},
        {"google/gemma-2-2b", "model.structure.norm", "layernorm_nonparam"},
        {"deepseek-ai/DeepSeek-V2-Lite", "model.config.num_key_value_heads", "8"},
    };
    for (const auto& [model, key, words] : kChanged) {
        INFO(model << " " << key);
        Scenario scenario;
        REQUIRE_FALSE(set_field(scenario, "model", model));
        REQUIRE_FALSE(set_field(scenario, key, words));
        Notes notes;
        const auto completed = complete(scenario, notes);
        REQUIRE(completed);
        CHECK_FALSE(has_block_program(completed->model.architecture));
    }
    CHECK(refusal({{"model", "deepseek-ai/DeepSeek-V2-Lite"}, {"model.config.qk_rope_head_dim", "13"}}).message ==
          "qk_rope_head_dim (13) is odd: halves of it are turned");
    CHECK(refusal({{"model", "mistralai/Mixtral-8x7B-v0.1"}, {"model.config.num_decoder_layers", "1000"}}).where ==
          "model.config.num_encoder_layers");
}

// 24.7 billion parameters said to be a t5 took 1.02 GiB.
TEST_CASE("a kind of model without its dimensions is its number of parameters", "[validate]") {
    for (const std::string_view arch : {"t5", "vit", "unet", "encoder"}) {
        Scenario scenario;
        REQUIRE_FALSE(set_field(scenario, "model.params", "24658936286"));
        REQUIRE_FALSE(set_field(scenario, "model.structure.arch", arch));
        Notes notes;
        const auto completed = complete(scenario, notes);
        REQUIRE(completed);
        CHECK(completed->model.architecture.kind == ArchitectureKind::TotalOnly);
        CHECK(completed->model.architecture.total_parameters == 24'658'936'286);
    }
    CHECK(refusal({{"model", "openai-community/gpt2"}, {"model.structure.arch", "unet"}}).where ==
          "model.structure.arch");
}

TEST_CASE("rows of a table of positions that no token stands on are no positions", "[validate]") {
    CHECK_FALSE(outcome({{"model", "opt-1.3b"}, {"batch.sequence_length", "2048"}}));
    CHECK(refusal({{"model", "opt-1.3b"}, {"batch.sequence_length", "2049"}}).where == "batch.sequence_length");
    CHECK(refusal({{"model", "bart-base"}, {"batch.target_sequence_length", "1025"}}).where ==
          "batch.target_sequence_length");
}

TEST_CASE("a head that a kind of model has not is refused with those it has", "[validate]") {
    const Error bert = refusal({{"model", "google-bert/bert-base-uncased"}, {"task-head", "causal_lm"}});
    CHECK(bert.message == "task_head is causal_lm, and bert has no such head");
    CHECK(bert.hint == "allowed: masked_lm, sequence_classification, token_classification, none");
    const Error t5 = refusal({{"model", "google-t5/t5-small"}, {"task-head", "masked_lm"}});
    CHECK(t5.message == "task_head is masked_lm, and t5 has no such head");
    CHECK(t5.hint == "allowed: seq2seq_lm, none");
}

// "abc" was once taken as transformers 5, and 4.47 for models that came later.
TEST_CASE("a version is a number or names a library, and has the model", "[validate]") {
    const Error unknown = refusal({{"model", "gpt2"}, {"implementation.version", "abc"}});
    CHECK(unknown.message == "Version \"abc\" is not computed by this version");
    const Error early =
        refusal({{"model", "answerdotai/ModernBERT-base"}, {"implementation.version", "transformers 4.47.1"}});
    CHECK(early.message == "transformers 4.47 has no modernbert: it came with 4.48");
    CHECK(early.hint == "allowed here: 4.48 or later, 5");
    CHECK_FALSE(outcome({{"model", "answerdotai/ModernBERT-base"}, {"implementation.version", "4.51.3"}}));
    CHECK_FALSE(outcome({{"model", "gpt2"}, {"implementation.version", "PyTorch 2021-22, CUDA 11.2"}}));
}
