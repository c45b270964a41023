// Formulas as people read them: every number has a name, and nothing is multiplied out behind one.
#include <catch_amalgamated.hpp>
#include <string>

#include "scenario_of.hpp"
#include "view/present.hpp"

using namespace memwall;

namespace {

// The literals of a formula that stand for a size of the model: not what is added or taken away, nor the small numbers
// of operators (a scalar, two random numbers, multiples of 8 and 32, per mille).
std::string unnamed_number(const std::string& formula) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t at = 0; at < formula.size(); ++at) {
        if (!is_digit(formula[at])) continue;
        std::size_t end = at;
        while (end < formula.size() && is_digit(formula[end]))
            ++end;
        const bool starts = at == 0 || formula[at - 1] == ' ' || formula[at - 1] == '(';
        const std::string number = formula.substr(at, end - at);
        const std::string before = formula.substr(0, at);
        const bool shifted = before.ends_with("− ") || before.ends_with("+ ");
        const bool small = number == "1" || number == "2" || number == "8" || number == "32" || number == "1000";
        if (starts && !shifted && !small) return number;
        at = end;
    }
    return {};
}

std::string formula_of(const Estimate& e, std::string_view key) {
    const LedgerRow* row = e.worst().device.find(key);
    INFO(key);
    REQUIRE(row != nullptr);
    return e.worst().device.elements(*row).formula();
}

constexpr std::string_view kModels[] = {
    "meta-llama/Llama-3.2-1B",
    "gpt2",
    "bert-base-uncased",
    "t5-small",
    "t5-v1_1-xxl",
    "Mixtral-8x7B-v0.1",
    "deit-small",
    "phi-4",
    "pythia-160m",
    "gpt-j",
    "gemma-3-1b-it",
    "DeepSeek-V2",
    "Jamba-v0.1",
    "whisper-small",
    "Qwen1.5-MoE-A2.7B",
};

}  // namespace

// Regressions: "24 × micro_batch_size × ..." for 12 layers of keys and values, "36 × hidden_size × hidden_size" for the
// projections of t5, "150528 × micro_batch_size" for the pixels of an image, "7680 × hidden_size" for a fused
// projection.
TEST_CASE("no row of any family hides a number", "[golden]") {
    for (const std::string_view model : kModels)
        for (const std::string_view task : {"finetune", "inference"})
            for (const std::string_view attention : {"flash", "eager"}) {
                const auto made = estimate(scenario_of({{"model", model}, {"task", task}, {"attention", attention}}));
                if (!made) continue;  // a model whose code has no such kernel
                for (const LedgerRow& row : made->worst().device.rows) {
                    const std::string formula = made->worst().device.elements(row).formula();
                    INFO(model << ", " << task << ", " << row.key() << ": " << formula);
                    CHECK(unnamed_number(formula).empty());
                }
            }
}

TEST_CASE("layers of two stacks are counted apart", "[golden]") {
    const Estimate e = estimate_of({{"model", "google-t5/t5-small"}, {"task", "finetune"}, {"optimizer", "sgd"}});
    CHECK(formula_of(e, "activations.q.cast") ==
          "num_encoder_layers × micro_batch_size × sequence_length × hidden_size");
    CHECK(formula_of(e, "activations.q.cast_2") ==
          "num_decoder_layers × micro_batch_size × target_sequence_length × hidden_size");
    CHECK(formula_of(e, "activations.hidden_states.block_output") ==
          "(num_encoder_layers − 2) × micro_batch_size × sequence_length × hidden_size");
}

TEST_CASE("layers with and without a window keep caches of their own", "[golden]") {
    const Estimate e =
        estimate_of({{"model", "google/gemma-3-27b-it"}, {"task", "inference"}, {"serving.context_tokens", "8192"}});
    CHECK(formula_of(e, "kv_cache.keys_and_values_in_the_window.cache") ==
          "K and V × layers with a window × num_key_value_heads × head_dim × sequences × min(tokens, sliding_window)");
    CHECK(formula_of(e, "kv_cache.keys_and_values.cache") ==
          "K and V × layers with full attention × num_key_value_heads × head_dim × sequences × tokens");
}

// llama.cpp, block_q8_0: 32 numbers and a scale of two bytes; once printed as a bare 136.
TEST_CASE("a quantised cache names the bytes of its blocks", "[golden]") {
    const Estimate e =
        estimate_of({{"model", "meta-llama/Llama-3.1-8B"}, {"task", "inference"}, {"serving.kv_cache_dtype", "q8_0"}});
    CHECK(formula_of(e, "kv_cache.keys_and_values.cache") ==
          "K and V × num_hidden_layers × bytes a vector in blocks × num_key_value_heads × sequences × tokens");
}

// DeepSeek-AI, DeepSeek-V2 (2024), section 2.1: a latent of 512 and a rotated key of 64 numbers a token and layer.
TEST_CASE("latent attention keeps a latent and a rotated key", "[golden]") {
    const Estimate e =
        estimate_of({{"model", "deepseek-ai/DeepSeek-V2"}, {"task", "inference"}, {"serving.context_tokens", "4096"}});
    CHECK(formula_of(e, "kv_cache.latents.cache") == "num_hidden_layers × kv_lora_rank × sequences × tokens");
    CHECK(formula_of(e, "kv_cache.rotated_keys.cache") == "num_hidden_layers × qk_rope_head_dim × sequences × tokens");
    CHECK(e.worst().device.total(Category::KvCache).value == std::int64_t{2} * 60 * (512 + 64) * 4096);
}

// t5 once showed no cache at all: its layers stand in two stacks.
TEST_CASE("an encoder-decoder caches what it has written and what it reads", "[golden]") {
    const Estimate e = estimate_of({{"model", "google-t5/t5-base"},
                                    {"task", "inference"},
                                    {"serving.input_tokens", "100"},
                                    {"serving.new_tokens", "20"}});
    CHECK(formula_of(e, "kv_cache.keys_and_values.cache") ==
          "K and V × num_decoder_layers × num_key_value_heads × head_dim × sequences × new tokens");
    CHECK(formula_of(e, "kv_cache.keys_and_values_of_the_source.cache") ==
          "K and V × num_decoder_layers × num_key_value_heads × head_dim × sequences × tokens");
    CHECK(e.worst().device.total(Category::KvCache).value == 2 * 12 * 12 * 64 * (100 + 20) * 2);
}

// Once "32 × 32 × 128 × 4096 = 301,989,888 bytes", and a sum without its brackets.
TEST_CASE("the numbers of a row multiply out to its bytes, in blocks and over ranks", "[golden]") {
    const auto numbers = [](std::initializer_list<Setting> settings, std::string_view key) {
        const auto model = view(scenario_of(settings));
        REQUIRE(model);
        for (const GroupView& group : model->groups)
            for (const RowView& row : group.rows)
                if (row.key == key) return row.numbers + " = " + row.bytes_text;
        return std::string("no such row");
    };
    CHECK(numbers({{"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "4090"}, {"method", "qlora"}},
                  "weights.frozen.q_proj") == "⌈32 × 32 × 128 × 4096 ÷ 64⌉ × 36 = 301,989,888 bytes");
    CHECK(numbers({{"model", "openai-community/gpt2"}, {"gpu", "4090"}, {"gpus", "4"}, {"mesh.zero_stage", "3"}},
                  "optimizer_state.qkv_proj.bias") ==
          "2 × 12 × round_up(⌈(12 × 64 + 2 × 12 × 64) ÷ 4⌉ × 4, 512) = 61,440 bytes");
}
