#include "import/hf_config.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/concat.hpp"
#include "import/config_reader.hpp"
#include "import/hf_config_parts.hpp"
#include "import/json_document.hpp"
#include "model/families.hpp"
#include "model/parameters.hpp"
#include "plan/model_defaults.hpp"

namespace memwall {
namespace {

struct ActivationRow {
    std::string_view word;
    ActivationFunction function;
};
constexpr std::array kActivations{
    ActivationRow{"silu", ActivationFunction::Silu},
    ActivationRow{"swish", ActivationFunction::Silu},
    ActivationRow{"swiglu", ActivationFunction::Silu},
    ActivationRow{"gelu", ActivationFunction::Gelu},
    ActivationRow{"gated-gelu", ActivationFunction::GeluNew},
    ActivationRow{"gelu_new", ActivationFunction::GeluNew},
    ActivationRow{"gelu_fast", ActivationFunction::GeluNew},
    ActivationRow{"gelu_pytorch_tanh", ActivationFunction::GeluTanh},
    ActivationRow{"quick_gelu", ActivationFunction::QuickGelu},
    ActivationRow{"relu", ActivationFunction::Relu},
    ActivationRow{"relu2", ActivationFunction::ReluSquared},
    ActivationRow{"xielu", ActivationFunction::XIelu},
    ActivationRow{"gegelu", ActivationFunction::Gegelu},
};

void read_activation(ConfigReader& config, Architecture& a) {
    constexpr Names kNames =
        "hidden_activation hidden_act activation_function mlp_hidden_act dense_act_fn feed_forward_proj activation";
    const auto word = config.word(kNames);
    if (!word) return;
    const auto known =
        std::find_if(kActivations.begin(), kActivations.end(), [&](const ActivationRow& r) { return r.word == *word; });
    if (known != kActivations.end()) {
        a.hidden_act = known->function;
        return;
    }
    std::string all;
    for (const ActivationRow& row : kActivations)
        all += concat({all.empty() ? "" : ", ", row.word});
    config.refuse_word(kNames, all);
}

void read_sizes(ConfigReader& config, Architecture& a) {
    config.size_or_sizes("intermediate_size ffn_dim d_ff hidden_dim n_inner ffn_hidden_size", a.intermediate_size,
                         a.intermediate_sizes);
    if (a.num_labels == 0) a.num_labels = config.entries("id2label");
    if (a.embedding_size == a.hidden_size) a.embedding_size = 0;
}

void read_attention_bias(ConfigReader& config, Architecture& a) {
    if (!config.has("attention_bias")) return;
    config.flag("attention_bias", a.qkv_bias);
    if (a.model_type != "glm" && a.model_type != "glm4" && a.model_type != "glm4_moe") a.o_bias = a.qkv_bias;
}

void read_rotary(ConfigReader& config, Architecture& a) {
    if (auto rope = config.object("rope_parameters")) {
        rope->permille("partial_rotary_factor", a.partial_rotary_permille);
        config.take_failure(*rope);
    }
    std::int64_t rotary_dim = 0;
    config.size("rotary_dim", rotary_dim);
    const std::int64_t head_dim = a.head_dim != 0              ? a.head_dim
                                  : a.num_attention_heads != 0 ? a.hidden_size / a.num_attention_heads
                                                               : 0;
    if (rotary_dim != 0 && head_dim != 0)
        a.partial_rotary_permille = std::min<std::int64_t>(1000, rotary_dim * 1000 / head_dim);
}

// The head the checkpoint was saved with: "BertForMaskedLM".
void read_task(ConfigReader& config, Architecture& a) {
    const std::string_view name = config.class_name();
    const auto ends_with = [name](std::string_view end) { return name.ends_with(end); };
    const bool roberta = a.model_type == "roberta" || a.model_type == "xlm-roberta" || a.model_type == "electra";
    if (ends_with("ForSequenceClassification")) {
        a.task_head = TaskHead::SequenceClassification;
        a.num_labels = std::max<std::int64_t>(a.num_labels, a.num_labels == 0 ? 2 : 1);
        a.encoder.classifier = roberta ? ClassifierHead::Dense : ClassifierHead::Linear;
        a.encoder.pooler = !roberta && a.model_type != "modernbert";
    } else if (ends_with("ForTokenClassification") && a.kind == ArchitectureKind::Encoder) {
        a.task_head = TaskHead::TokenClassification;
        a.num_labels = std::max<std::int64_t>(a.num_labels, a.num_labels == 0 ? 2 : 1);
        a.encoder.classifier = ClassifierHead::Linear;
    } else if (ends_with("ForMaskedLM") ||
               (a.kind == ArchitectureKind::Encoder && (ends_with("LMHeadModel") || ends_with("ForCausalLM")))) {
        a.task_head = TaskHead::MaskedLm;
        a.encoder.mlm_head = true;
    } else if (a.kind == ArchitectureKind::Encoder) {
        a.encoder.pooler = a.model_type != "distilbert" && a.model_type != "electra" && a.model_type != "deberta-v2" &&
                           a.model_type != "modernbert";
    }
    if (a.kind == ArchitectureKind::Vision) {
        const bool classifies = ends_with("ForImageClassification");
        a.task_head = classifies ? TaskHead::ImageClassification : TaskHead::None;
        if (!classifies) a.num_labels = 0;
        const bool pools = a.model_type == "vit" || a.model_type == "deit";
        a.encoder.pooler = pools && !classifies && (name.empty() || ends_with("Model"));
        if (ends_with("WithTeacher")) {
            a.image.second_classifier = true;
            a.num_labels = config.entries("id2label");
            config.size("num_labels", a.num_labels);
        }
    }
    if (ends_with("WithProjection")) {
        a.image.projection_dim = 512;
        config.size("projection_dim", a.image.projection_dim);
    }
}

Error missing_size(std::string_view file, std::string_view size, std::string_view needed) {
    return {ErrorCode::Incomplete, concat({file, ": ", size}), {size, " is missing"}, needed};
}

// A decoder's sizes; of other models the first one that some tensor of theirs needs.
Failure missing(const Architecture& a, std::string_view file) {
    constexpr std::array<std::string_view, 5> kNeeded{"hidden_size", "num_hidden_layers", "num_attention_heads",
                                                      "intermediate_size", "vocab_size"};
    constexpr std::string_view kCounted = "the count of its tensors needs it";
    const bool decodes = a.kind == ArchitectureKind::Decoder, mixers_only = a.mamba.only_block;
    const std::array<std::int64_t, 5> values{a.hidden_size, a.num_hidden_layers,
                                             mixers_only ? 1 : a.num_attention_heads,
                                             mixers_only || a.num_experts != 0 ? 1 : a.intermediate_size, a.vocab_size};
    for (std::size_t i = 0; decodes && i < values.size(); ++i)
        if (values[i] == 0)
            return missing_size(
                file, kNeeded[i],
                "needed: hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, vocab_size");
    if (decodes || a.kind == ArchitectureKind::TotalOnly) return std::nullopt;
    const bool stacks =
        a.kind != ArchitectureKind::Diffusion && a.convolution.blocks[0] == 0 && a.vision.kind == TowerKind::None;
    if (stacks && stacked_layers(a) == 0) return missing_size(file, kNeeded[1], kCounted);
    for (const ParameterTensor& t : parameters(a)) {
        if (t.copies.value == 0) return missing_size(file, t.copies.name, kCounted);
        for (const Factor& f : t.shape)
            if (f.value == 0) return missing_size(file, f.name, kCounted);
    }
    return std::nullopt;
}

// "LlamaForCausalLM" -> "llama" for configurations without a model_type.
std::string model_type_of_class(ConfigReader& config) {
    for (const std::string_view name : config.words("architectures")) {
        std::string lower;
        for (const char c : name.substr(0, name.find("For")))
            lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        for (const FamilyRow& r : families()) {
            std::string type(r.model_type);
            type.erase(std::remove_if(type.begin(), type.end(), [](char c) { return c == '_' || c == '-'; }),
                       type.end());
            if (type == lower) return std::string(r.model_type);
        }
    }
    return {};
}

std::string model_type_of(ConfigReader& config, std::string_view outer, Notes& notes) {
    std::string type(config.word("model_type").value_or(std::string_view()));
    // The text part of a vision-language model has a name of its own ("qwen2_5_vl_text"): the model's goes before.
    if (find_family(outer) != nullptr) return std::string(outer);
    if (find_family(type) != nullptr) return type;
    if (type.empty()) type = model_type_of_class(config);
    if (type.empty())
        notes.add(config.where("model_type"), "no model_type: read as a llama-style decoder");
    else if (find_family(type) == nullptr)
        config.fail(unknown_model_type(config.where("model_type"), type));
    return type;
}

}  // namespace

Architecture read_model(ConfigReader& config, std::string_view outer_type, Notes& notes) {
    const std::string type = model_type_of(config, outer_type, notes);
    Architecture a = architecture_from_family(family(type));
    a.model_type = type;
    read_plain_values(config, a);
    read_sizes(config, a);
    take_class_defaults(config, a, notes);
    read_activation(config, a);
    read_attention_bias(config, a);
    read_rotary(config, a);
    read_experts(config, a);
    read_mixers(config, a);
    read_layer_pattern(config, a);
    read_encoder_parts(config, a);
    read_task(config, a);
    refuse_unusual(config, a);
    read_family_specials(config, a);
    return a;
}

namespace {

// How a checkpoint is stored is a setting of the run here, not of the architecture.
void note_quantization(ConfigReader& config, Notes& notes) {
    std::optional<ConfigReader> stored = config.object("quantization_config");
    if (!stored) return;
    const std::string method(stored->is_text("quant_method") ? *stored->word("quant_method") : "?");
    notes.add(config.where("quantization_config"),
              {"quantised weights (", method, ") are not read: say precision.weights"});
}

Architecture read_any(ConfigReader& config, Notes& notes) {
    if (config.has("_class_name")) return read_diffusers(config);
    const std::string outer(config.word("model_type").value_or(std::string_view()));
    refuse_uncounted(config, outer);
    if (is_dual_encoder(outer)) return read_dual_encoder(config, outer, notes);
    std::optional<ConfigReader> inner = config.object("text_config");
    if (!inner) inner = config.object("llm_config");
    Architecture a = read_model(inner ? *inner : config, outer, notes);
    if (inner) {
        config.flag("tie_word_embeddings", a.tie_word_embeddings);
        config.take_failure(*inner);
    }
    if (a.kind == ArchitectureKind::Decoder) read_vision_tower(config, a);
    const std::string_view name = config.class_name();
    if (a.kind == ArchitectureKind::Decoder && name.ends_with("Model") && !name.ends_with("HeadModel"))
        a.task_head = TaskHead::None;
    return a;
}

}  // namespace

Result<Architecture> architecture_from_hf_config(std::string_view text, std::string_view file, Notes& notes) {
    MEMWALL_TRY(document, read_json_object(text, file, "a config.json", {kMaxConfigBytes, kMaxJsonDepth}));
    ConfigReader config(document.root(), file);
    Architecture a = read_any(config, notes);
    note_quantization(config, notes);
    if (config.failure()) return *config.failure();
    a = with_defaults(std::move(a));
    if (Failure failure = missing(a, file)) return *failure;
    if (Failure failure = check(a)) return *failure;
    return a;
}

}  // namespace memwall
