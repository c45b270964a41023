// config.json files: all families' names, guesses that are noted, and files that must not be believed.
#include "import/hf_config.hpp"

#include <catch_amalgamated.hpp>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "import/detect.hpp"
#include "import/import_text.hpp"
#include "model/families.hpp"
#include "model/model_program.hpp"
#include "model/parameters.hpp"
#include "plan/defaults.hpp"

using namespace memwall;

namespace {

struct ConfigCase {
    const char* id;  // in the catalogue, whose count it must give
    const char* text;
};

// The fields of published config.json files that shapes follow from.
const ConfigCase kConfigs[] = {
    {"meta-llama/Llama-3.1-8B",
     R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","attention_bias":false,"attention_dropout":0.0,
         "hidden_act":"silu","hidden_size":4096,"intermediate_size":14336,"max_position_embeddings":131072,"mlp_bias":false,
         "num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,"rms_norm_eps":1e-05,
         "rope_scaling":{"factor":8.0,"rope_type":"llama3"},"tie_word_embeddings":false,"vocab_size":128256})"},
    {"openai-community/gpt2",
     R"({"activation_function":"gelu_new","architectures":["GPT2LMHeadModel"],"attn_pdrop":0.1,"embd_pdrop":0.1,
         "model_type":"gpt2","n_ctx":1024,"n_embd":768,"n_head":12,"n_layer":12,"n_positions":1024,"resid_pdrop":0.1,
         "task_specific_params":{"text-generation":{"do_sample":true,"max_length":50}},"vocab_size":50257})"},
    {"facebook/opt-350m",
     R"({"model_type":"opt","activation_function":"relu","attention_dropout":0.0,"do_layer_norm_before":false,"dropout":0.1,
         "ffn_dim":4096,"hidden_size":1024,"max_position_embeddings":2048,"num_attention_heads":16,"num_hidden_layers":24,
         "vocab_size":50272,"word_embed_proj_dim":512})"},
    {"tiiuae/falcon-7b",
     R"({"model_type":"falcon","alibi":false,"bias":false,"hidden_size":4544,"multi_query":true,"new_decoder_architecture":false,
         "num_attention_heads":71,"num_hidden_layers":32,"num_kv_heads":71,"parallel_attn":true,"vocab_size":65024})"},
    {"tiiuae/falcon-40b",
     R"({"model_type":"falcon","alibi":false,"bias":false,"hidden_size":8192,"new_decoder_architecture":true,
         "num_attention_heads":128,"num_hidden_layers":60,"num_kv_heads":8,"parallel_attn":true,"vocab_size":65024})"},
    {"bigscience/bloom-560m",
     R"({"model_type":"bloom","hidden_size":1024,"n_head":16,"n_layer":24,"vocab_size":250880,"offset_alibi":100})"},
    {"EleutherAI/gpt-j-6b",
     R"({"model_type":"gptj","activation_function":"gelu_new","n_embd":4096,"n_head":16,"n_inner":null,"n_layer":28,
         "n_positions":2048,"rotary_dim":64,"tie_word_embeddings":false,"vocab_size":50400})"},
    {"EleutherAI/gpt-neo-125m",
     R"({"model_type":"gpt_neo","attention_layers":["global","local","global","local","global","local","global","local",
         "global","local","global","local"],"hidden_size":768,"intermediate_size":null,"max_position_embeddings":2048,
         "num_heads":12,"num_layers":12,"vocab_size":50257,"window_size":256})"},
    {"EleutherAI/pythia-6.9b",
     R"({"model_type":"gpt_neox","hidden_act":"gelu","hidden_size":4096,"intermediate_size":16384,"num_attention_heads":32,
         "max_position_embeddings":2048,"num_hidden_layers":32,"rotary_pct":0.25,"tie_word_embeddings":false,
         "use_parallel_residual":true,"vocab_size":50432})"},
    {"mosaicml/mpt-7b",
     R"({"model_type":"mpt","attn_config":{"alibi":true,"attn_pdrop":0},"d_model":4096,"expansion_ratio":4,"max_seq_len":2048,
         "n_heads":32,"n_layers":32,"no_bias":true,"vocab_size":50432})"},
    {"microsoft/phi-2",
     R"({"model_type":"phi","hidden_act":"gelu_new","hidden_size":2560,"intermediate_size":10240,"num_attention_heads":32,
         "max_position_embeddings":2048,"num_hidden_layers":32,"partial_rotary_factor":0.4,"resid_pdrop":0.1,
         "tie_word_embeddings":false,"vocab_size":51200})"},
    {"bigcode/starcoder2-3b",
     R"({"model_type":"starcoder2","hidden_act":"gelu_pytorch_tanh","hidden_size":3072,"intermediate_size":12288,
         "max_position_embeddings":16384,"num_attention_heads":24,"num_hidden_layers":30,"num_key_value_heads":2,
         "sliding_window":4096,"use_bias":true,"vocab_size":49152})"},
    {"Qwen/Qwen-7B",
     R"({"model_type":"qwen","hidden_size":4096,"intermediate_size":22016,"num_attention_heads":32,"num_hidden_layers":32,
         "kv_channels":128,"seq_length":8192,"tie_word_embeddings":false,"vocab_size":151936})"},
    {"Qwen/Qwen3-0.6B",
     R"({"model_type":"qwen3","attention_bias":false,"head_dim":128,"hidden_size":1024,"intermediate_size":3072,
         "max_position_embeddings":40960,"num_attention_heads":16,"num_hidden_layers":28,"num_key_value_heads":8,
         "sliding_window":null,"tie_word_embeddings":true,"use_sliding_window":false,"vocab_size":151936})"},
    {"google/gemma-2-2b",
     R"({"model_type":"gemma2","head_dim":256,"hidden_activation":"gelu_pytorch_tanh","hidden_size":2304,
         "intermediate_size":9216,"max_position_embeddings":8192,"num_attention_heads":8,"num_hidden_layers":26,
         "num_key_value_heads":4,"sliding_window":4096,"vocab_size":256000})"},
    {"google/gemma-3-4b-it",
     R"({"architectures":["Gemma3ForConditionalGeneration"],"model_type":"gemma3","text_config":{"model_type":"gemma3_text",
         "head_dim":256,"hidden_size":2560,"intermediate_size":10240,"num_attention_heads":8,"num_hidden_layers":34,
         "num_key_value_heads":4,"sliding_window":1024,"vocab_size":262208,"max_position_embeddings":131072},
         "vision_config":{"hidden_size":1152,"image_size":896,"intermediate_size":4304,"num_attention_heads":16,
         "num_hidden_layers":27,"patch_size":14,"vision_use_head":false}})"},
    {"Qwen/Qwen2.5-VL-3B-Instruct",
     R"({"model_type":"qwen2_5_vl","hidden_size":2048,"intermediate_size":11008,"num_attention_heads":16,
         "num_hidden_layers":36,"num_key_value_heads":2,"tie_word_embeddings":true,"vocab_size":151936,
         "vision_config":{"depth":32,"hidden_size":1280,"intermediate_size":3420,"num_heads":16,"out_hidden_size":2048,
         "patch_size":14,"spatial_merge_size":2}})"},
    {"mistralai/Mixtral-8x7B-Instruct-v0.1",
     R"({"model_type":"mixtral","hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,"num_experts_per_tok":2,
         "num_hidden_layers":32,"num_key_value_heads":8,"num_local_experts":8,"sliding_window":null,
         "tie_word_embeddings":false,"vocab_size":32000,"max_position_embeddings":32768})"},
    {"Qwen/Qwen3-30B-A3B",
     R"({"model_type":"qwen3_moe","decoder_sparse_step":1,"head_dim":128,"hidden_size":2048,"intermediate_size":6144,
         "mlp_only_layers":[],"moe_intermediate_size":768,"num_attention_heads":32,"num_experts":128,
         "num_experts_per_tok":8,"num_hidden_layers":48,"num_key_value_heads":4,"vocab_size":151936})"},
    {"deepseek-ai/DeepSeek-V3",
     R"({"model_type":"deepseek_v3","first_k_dense_replace":3,"hidden_size":7168,"intermediate_size":18432,"kv_lora_rank":512,
         "moe_intermediate_size":2048,"moe_layer_freq":1,"n_routed_experts":256,"n_shared_experts":1,
         "num_attention_heads":128,"num_experts_per_tok":8,"num_hidden_layers":61,"num_key_value_heads":128,
         "q_lora_rank":1536,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"topk_method":"noaux_tc","v_head_dim":128,
         "vocab_size":129280,"max_position_embeddings":163840})"},
    {"openai/gpt-oss-20b",
     R"({"model_type":"gpt_oss","attention_bias":true,"experts_per_token":4,"head_dim":64,"hidden_size":2880,
         "intermediate_size":2880,"num_attention_heads":64,"num_experts_per_tok":4,"num_hidden_layers":24,
         "num_key_value_heads":8,"num_local_experts":32,"sliding_window":128,"vocab_size":201088})"},
    {"state-spaces/mamba-130m-hf",
     R"({"model_type":"mamba","conv_kernel":4,"expand":2,"hidden_size":768,"num_hidden_layers":24,"state_size":16,
         "time_step_rank":48,"vocab_size":50280})"},
    {"ai21labs/Jamba-v0.1",
     R"({"model_type":"jamba","attn_layer_offset":4,"attn_layer_period":8,"expert_layer_offset":1,"expert_layer_period":2,
         "hidden_size":4096,"intermediate_size":14336,"mamba_d_conv":4,"mamba_d_state":16,"mamba_dt_rank":256,
         "mamba_expand":2,"num_attention_heads":32,"num_experts":16,"num_experts_per_tok":2,"num_hidden_layers":32,
         "num_key_value_heads":8,"tie_word_embeddings":false,"vocab_size":65536})"},
    {"google-bert/bert-base-uncased",
     R"({"architectures":["BertModel"],"model_type":"bert","hidden_size":768,"intermediate_size":3072,
         "max_position_embeddings":512,"num_attention_heads":12,"num_hidden_layers":12,"type_vocab_size":2,
         "hidden_dropout_prob":0.1,"attention_probs_dropout_prob":0.1,"vocab_size":30522})"},
    {"answerdotai/ModernBERT-base",
     R"({"architectures":["ModernBertModel"],"model_type":"modernbert","global_attn_every_n_layers":3,"hidden_size":768,
         "intermediate_size":1152,"local_attention":128,"max_position_embeddings":8192,"num_attention_heads":12,
         "num_hidden_layers":22,"vocab_size":50368})"},
    {"google-t5/t5-small",
     R"({"model_type":"t5","d_ff":2048,"d_kv":64,"d_model":512,"dropout_rate":0.1,"feed_forward_proj":"relu","num_heads":8,
         "num_layers":6,"relative_attention_num_buckets":32,"vocab_size":32128})"},
    {"facebook/bart-base",
     R"({"model_type":"bart","attention_dropout":0.1,"d_model":768,"decoder_layers":6,"dropout":0.1,"encoder_layers":6,
         "encoder_attention_heads":12,"decoder_attention_heads":12,"encoder_ffn_dim":3072,"decoder_ffn_dim":3072,
         "max_position_embeddings":1024,"vocab_size":50265})"},
    {"openai/whisper-tiny",
     R"({"model_type":"whisper","d_model":384,"decoder_layers":4,"encoder_layers":4,"encoder_attention_heads":6,
         "encoder_ffn_dim":1536,"max_source_positions":1500,"max_target_positions":448,"num_mel_bins":80,
         "vocab_size":51865})"},
    {"google/vit-base-patch16-224 (1000 classes)",
     R"({"architectures":["ViTForImageClassification"],"model_type":"vit","hidden_size":768,"image_size":224,
         "intermediate_size":3072,"num_attention_heads":12,"num_hidden_layers":12,"patch_size":16,"num_labels":1000})"},
};

Result<Architecture> read(std::string_view text, Notes& notes) {
    return architecture_from_hf_config(text, "config.json", notes);
}

std::string with(std::string_view key, std::string_view value) {
    std::string text = "{";
    for (const auto& [name, usual] : {std::pair<std::string_view, std::string_view>{"model_type", "\"llama\""},
                                      {"hidden_size", "4096"},
                                      {"intermediate_size", "11008"},
                                      {"num_attention_heads", "32"},
                                      {"num_hidden_layers", "32"},
                                      {"vocab_size", "32000"}})
        if (name != key) text.append("\"").append(name).append("\":").append(usual).append(",");
    return text + "\"" + std::string(key) + "\":" + std::string(value) + "}";
}

struct Attack {
    const char* name;
    std::string text;
    ErrorCode code;
    const char* where;
    const char* part;  // of the message or the hint
};

}  // namespace

TEST_CASE("published configurations give the catalogue's counts", "[import]") {
    for (const ConfigCase& c : kConfigs) {
        INFO(c.id);
        Notes notes;
        const auto a = read(c.text, notes);
        INFO((a ? "" : a.error().where + ": " + a.error().message));
        REQUIRE(a);
        CHECK(notes.all().empty());
        const Architecture known = architecture_from_row(**find_model(c.id));
        CHECK(count_parameters(*a).total.value == count_parameters(known).total.value);
        CHECK(count_parameters(*a).active.value == count_parameters(known).active.value);
        CHECK(a->model_type == known.model_type);
        CHECK(a->norm == known.norm);
        CHECK(a->position == known.position);
        CHECK(a->num_key_value_heads == known.num_key_value_heads);
        CHECK(a->head_dim == known.head_dim);
        CHECK(a->layer_pattern == known.layer_pattern);
        CHECK(a->tie_word_embeddings == known.tie_word_embeddings);
        CHECK(a->residual_dropout_permille == known.residual_dropout_permille);
        CHECK(detect_import("x.txt", c.text) == ImportKind::HfConfig);
    }
}

TEST_CASE("a decoder saved without its head is counted without, and trained with one", "[import]") {
    Notes notes;
    const auto bare = read(with("architectures", "[\"LlamaModel\"]"), notes);
    const auto whole = read(with("architectures", "[\"LlamaForCausalLM\"]"), notes);
    REQUIRE(bare);
    REQUIRE(whole);
    CHECK(count_parameters(*whole).total.value - count_parameters(*bare).total.value == 32'000 * 4'096);
    const auto tied = read(with("architectures", "[\"GPT2LMHeadModel\"]"), notes);
    REQUIRE(tied);
    CHECK(tied->task_head == TaskHead::CausalLm);
    CHECK(notes.all().empty());
    Scenario scenario;
    scenario.model.architecture = *bare;
    scenario.task = Task::Finetune;
    const auto trained = complete(scenario, notes);
    REQUIRE(trained);
    CHECK(trained->model.architecture.task_head == TaskHead::CausalLm);
    CHECK(notes.all()[0].where == "model.structure.task_head");
}

// Counted over the model code of transformers 5.12.
TEST_CASE("CLIP as an image classifier is its vision tower and a matrix of labels", "[import]") {
    const char* text =
        R"({"architectures":["CLIPForImageClassification"],"model_type":"clip","num_labels":1000,"projection_dim":512,
            "text_config":{"hidden_size":512},"vision_config":{"hidden_size":768,"patch_size":32}})";
    Notes notes;
    const auto a = architecture_from_hf_config(text, "config.json", notes);
    REQUIRE(a);
    CHECK(a->model_type == "clip_vision_model");
    CHECK(count_parameters(*a).total.value == 88'225'000);
}

// microsoft/swin-tiny-patch4-window7-224: as many as torchvision's swin_t.
TEST_CASE("swin is counted stage by stage, and runs where no map is smaller than its window", "[import]") {
    const auto read = [](const std::string& sizes) {
        Notes notes;
        return architecture_from_hf_config(
            R"({"architectures":["SwinForImageClassification"],"model_type":"swin","image_size":224,"patch_size":4,)" +
                sizes + R"("embed_dim":96,"window_size":7,"mlp_ratio":4.0,"hidden_size":768,"num_labels":1000})",
            "config.json", notes);
    };
    const auto tiny = read(R"("depths":[2,2,6,2],"num_heads":[3,6,12,24],)");
    REQUIRE(tiny);
    CHECK(count_parameters(*tiny).total.value == 28'288'354);
    CHECK(tiny->num_hidden_layers == 12);
    CHECK(has_block_program(*tiny));
    CHECK_FALSE(has_block_program(*tiny, LibraryVariant::Transformers4));
    Architecture small = *tiny;
    small.image.image_size = 112;
    CHECK_FALSE(has_block_program(small));
    const auto other_heads = read(R"("depths":[2,2,6,2],"num_heads":[3,3,3,3],)");
    CHECK((!other_heads || other_heads->kind == ArchitectureKind::TotalOnly));
}

TEST_CASE("a config.json without a model_type is read as a llama-style decoder, with a note", "[import]") {
    Notes notes;
    const auto a = read(
        R"({"hidden_size":4096,"intermediate_size":11008,"num_attention_heads":32,"num_hidden_layers":32,"vocab_size":32000})",
        notes);
    REQUIRE(a);
    REQUIRE(notes.all().size() == 1);
    CHECK(notes.all()[0].message == "no model_type: read as a llama-style decoder");
    CHECK(count_parameters(*a).total.value == 6738415616);  // huggyllama/llama-7b
}

TEST_CASE("quantised weights of a file are not passed over in silence", "[import]") {
    Notes notes;
    REQUIRE(read(
        R"({"model_type":"llama","hidden_size":4096,"intermediate_size":11008,"num_attention_heads":32,
            "num_hidden_layers":32,"vocab_size":32000,"quantization_config":{"quant_method":"gptq","bits":4}})",
        notes));
    REQUIRE(notes.all().size() == 1);
    CHECK(notes.all()[0].message.find("gptq") != std::string::npos);
    CHECK(notes.all()[0].message.find("precision.weights") != std::string::npos);
}

TEST_CASE("a configuration without model_type is told by its class", "[import]") {
    Notes notes;
    const auto a = read(
        R"({"architectures":["Qwen2ForCausalLM"],"hidden_size":896,"intermediate_size":4864,"num_attention_heads":14,
            "num_key_value_heads":2,"num_hidden_layers":24,"vocab_size":151936,"tie_word_embeddings":true})",
        notes);
    REQUIRE(a);
    CHECK(a->model_type == "qwen2");
    CHECK(count_parameters(*a).total.value == 494032768);  // Qwen/Qwen2-0.5B-Instruct
}

TEST_CASE("a file that cannot be right is refused with its place, its value and what is allowed", "[import]") {
    const std::string deep = "{\"a\":" + std::string(100, '[') + std::string(100, ']') + "}";
    const Attack attacks[] = {
        {"empty", "", ErrorCode::Malformed, "config.json", "empty"},
        {"blank", " \n\t ", ErrorCode::Malformed, "config.json", "empty"},
        {"truncated", "{\n  \"hidden_size\": 40", ErrorCode::Malformed, "config.json:2:", "not JSON"},
        {"cut in a key", "{\"hidden_si", ErrorCode::Malformed, "config.json:1:", "not JSON"},
        {"no JSON", "<html>404</html>", ErrorCode::Malformed, "config.json:1:1", "not JSON"},
        {"trailing comma", "{\"a\":1,}", ErrorCode::Malformed, "config.json:1:7", "not JSON"},
        {"two documents", "{} {}", ErrorCode::Malformed, "config.json:1:", "not JSON"},
        {"a list", "[1,2]", ErrorCode::Malformed, "config.json:1:1", "no object"},
        {"a number", "7", ErrorCode::Malformed, "config.json:1:1", "no object"},
        {"deep nesting", deep, ErrorCode::Malformed, "config.json:1:", "nested too deep"},
        {"zero bytes", std::string("{\"a\":1\0}", 8), ErrorCode::Malformed, "config.json:1:", "not JSON"},
        {"an empty object", "{}", ErrorCode::Incomplete, "config.json: hidden_size", "hidden_size is missing"},
        {"text for a number", with("num_key_value_heads", "\"8\""), ErrorCode::OutOfRange,
         "config.json: num_key_value_heads", "the text \"8\""},
        {"negative", with("num_key_value_heads", "-8"), ErrorCode::OutOfRange, "config.json: num_key_value_heads",
         "is -8"},
        {"zero", with("num_key_value_heads", "0"), ErrorCode::OutOfRange, "config.json: num_key_value_heads",
         "allowed: a whole number from 1 to 65,536"},
        {"above the limit of its field", with("vocab_size", "16777217"), ErrorCode::OutOfRange,
         "config.json: vocab_size", "vocab_size is 16777217 allowed: a whole number from 1 to 16,777,216"},
        {"a size no field sets", with("conv_L_cache", "-1"), ErrorCode::OutOfRange, "config.json: conv_L_cache",
         "allowed: a whole number from 1 to 16,777,216"},
        {"a key that stands twice", with("head_dim", "128, \"head_dim\": 64"), ErrorCode::Inconsistent,
         "config.json: head_dim", "head_dim stands twice"},
        {"a model_type nobody knows", with("model_type", "\"lama\""), ErrorCode::UnknownName, "config.json: model_type",
         "model_type is \"lama\", which is not known did you mean llama"},
        {"a model_type unlike any", with("model_type", "\"foo-of-tomorrow\""), ErrorCode::UnknownName,
         "config.json: model_type", "allowed: the model_type of any model in the catalogue"},
        {"an activation nobody knows", with("hidden_act", "\"geluu\""), ErrorCode::OutOfRange,
         "config.json: hidden_act", "hidden_act is the text \"geluu\" allowed: silu, swish"},
        {"a layer type nobody knows", with("layer_types", "[\"full\"]"), ErrorCode::UnknownName,
         "config.json: layer_types", "layer_types has \"full\" allowed: full_attention, attention"},
        {"fraction", with("head_dim", "127.5"), ErrorCode::OutOfRange, "config.json: head_dim", "is 127.5"},
        {"beyond 63 bits", with("head_dim", "99999999999999999999"), ErrorCode::OutOfRange, "config.json: head_dim",
         "is 99999999999999999999"},
        {"exponent", with("head_dim", "1e300"), ErrorCode::OutOfRange, "config.json: head_dim", "is 1e300"},
        {"true for a number", with("head_dim", "true"), ErrorCode::OutOfRange, "config.json: head_dim", "is true"},
        {"a list for a number", with("head_dim", "[128]"), ErrorCode::OutOfRange, "config.json: head_dim", "is a list"},
        {"an object for a number", with("head_dim", "{\"a\":1}"), ErrorCode::OutOfRange, "config.json: head_dim",
         "is an object"},
        {"a number for a switch", with("tie_word_embeddings", "1"), ErrorCode::OutOfRange,
         "config.json: tie_word_embeddings", "true or false"},
        {"a dropout above one", with("attention_dropout", "10"), ErrorCode::OutOfRange,
         "config.json: attention_dropout", "from 0 to 1"},
        {"a list of texts with a number", with("layer_types", "[\"full_attention\", 3]"), ErrorCode::OutOfRange,
         "config.json: layer_types", "a list of texts"},
        {"too few layer types", with("layer_types", "[\"sliding_attention\"]"), ErrorCode::Inconsistent,
         "model.config.layer_types", "names 1 layers"},
        {"heads that do not divide", with("num_key_value_heads", "5"), ErrorCode::Inconsistent,
         "model.config.num_key_value_heads", "num_key_value_heads (5) must divide num_attention_heads (32)"},
        {"too large", with("num_experts", "60000"), ErrorCode::Incomplete, "model.config.num_experts_per_tok",
         "num_experts_per_tok is missing allowed: 1 to 65,536"},
        {"a list of widths that is empty", R"({"model_type":"llama","intermediate_size":[]})", ErrorCode::OutOfRange,
         "config.json: intermediate_size", "one for each layer"},
        {"text_config is a text", with("text_config", "\"x\""), ErrorCode::OutOfRange, "config.json: text_config",
         "an object"},
    };
    for (const Attack& attack : attacks) {
        INFO(attack.name);
        Notes notes;
        const auto a = read(attack.text, notes);
        REQUIRE_FALSE(a);
        INFO(a.error().where << " | " << a.error().message << " | " << a.error().hint);
        CHECK(a.error().code == attack.code);
        CHECK(a.error().where.find(attack.where) == 0);
        CHECK((a.error().message + " " + a.error().hint).find(attack.part) != std::string::npos);
    }
}

TEST_CASE("a heads count that does not divide the hidden size is refused", "[import]") {
    Notes notes;
    const auto a = read(
        R"({"model_type":"llama","hidden_size":4096,"intermediate_size":11008,"num_attention_heads":30,"num_hidden_layers":32,"vocab_size":32000})",
        notes);
    REQUIRE_FALSE(a);
    CHECK(a.error().message == "num_attention_heads (30) must divide hidden_size (4,096)");
}

TEST_CASE("a file beyond the limit is refused before it is read", "[import]") {
    Notes notes;
    const auto a = read(std::string(kMaxConfigBytes + 1, ' '), notes);
    REQUIRE_FALSE(a);
    CHECK(a.error().message.find("bytes") != std::string::npos);
}

TEST_CASE("every cut of a good file is an error or a good answer, never a crash", "[import]") {
    const std::string text = kConfigs[15].text;  // text_config and vision_config
    for (std::size_t length = 0; length < text.size(); ++length) {
        Notes notes;
        CHECK_FALSE(read(std::string_view(text).substr(0, length), notes));
    }
}

TEST_CASE("every single change of a byte is an error or a good answer, never a crash", "[import]") {
    const std::string good = kConfigs[19].text;
    int read_well = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const char c : {'\0', '"', '{', '}', '9', '-', 'e', '\\', static_cast<char>(0xff)}) {
            std::string text = good;
            text[at] = c;
            Notes notes;
            const auto a = read(text, notes);
            if (!a) continue;
            ++read_well;
            CHECK(count_parameters(*a).total.value > 0);
        }
    }
    CHECK(read_well > 0);
}

TEST_CASE("what a text is follows from its content", "[import]") {
    CHECK(detect_import("a.json", R"({"model":{"ref":"gpt2"},"accelerator":{"name":"4090"}})") == ImportKind::Scenario);
    CHECK(detect_import("a.json", R"({"model":{"config":{"hidden_size":64}}})") == ImportKind::Scenario);
    CHECK(detect_import("", "#0=1&model=gpt2") == ImportKind::ShareLink);
    CHECK(detect_import("", "https://example.org/#0=1") == ImportKind::ShareLink);
    CHECK(detect_import("x", R"({"id":"a","measured":{"bytes":1},"model":{}})") == ImportKind::Record);
    CHECK(detect_import("", "hello") == ImportKind::Unknown);
    // An empty object and one with an unknown key were once read as a config.json.
    CHECK(detect_import("a.json", "{}") == ImportKind::Scenario);
    CHECK(detect_import("a.json", R"({"modle":{"ref":"gpt2"}})") == ImportKind::Scenario);
    CHECK(detect_import("config.json", "{}") == ImportKind::HfConfig);
    CHECK(detect_import("", "") == ImportKind::Unknown);
}

TEST_CASE("qwen2 slides in its last layers where its file says so, and has no window otherwise", "[import]") {
    const auto read = [](std::string_view more) {
        Notes notes;
        const std::string text =
            R"({"model_type":"qwen2","hidden_size":64,"num_hidden_layers":4,"num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":128,"vocab_size":1000,"max_position_embeddings":1024,"sliding_window":128)" +
            std::string(more) + "}";
        const auto scenario = import_text(text, "config.json", notes);
        REQUIRE(scenario);
        return scenario->model.architecture;
    };
    const Architecture used = read(R"(,"use_sliding_window":true,"max_window_layers":2)");
    CHECK(used.layer_pattern == "FFSS");
    CHECK(used.sliding_window == 128);
    const Architecture unused = read(R"(,"use_sliding_window":false,"max_window_layers":2)");
    CHECK(unused.layer_pattern.empty());
    CHECK(unused.sliding_window == 0);
}
