// The image tower of a vision-language configuration (vision_config); models of two towers; what is not counted.
#include <array>
#include <string>

#include "base/word_list.hpp"
#include "import/hf_config_parts.hpp"
#include "model/families.hpp"

namespace memwall {
namespace {

std::int64_t patches(const VisionTower& v) {
    const std::int64_t side = v.patch_size == 0 ? 0 : v.image_size / v.patch_size;
    return side * side;
}

void read_siglip(ConfigReader& vision, const Architecture& a, VisionTower& v) {
    v.pooling_head = true;
    vision.flag("vision_use_head", v.pooling_head);
    v.num_positions = patches(v);
    v.projector_parameters = v.hidden_size * a.hidden_size + v.hidden_size;  // a matrix and a norm
}

void read_pixtral(ConfigReader&, const Architecture& a, VisionTower& v) {
    const std::int64_t merged = 4 * v.hidden_size;  // 2 x 2 patches
    v.projector_parameters =
        merged * v.hidden_size + v.hidden_size + v.hidden_size * a.hidden_size + a.hidden_size * a.hidden_size;
}

void read_llama4(ConfigReader& vision, const Architecture& a, VisionTower& v) {
    std::int64_t width = 4096;
    vision.size("projector_output_dim vision_output_dim", width);
    v.num_positions = patches(v) + 1;
    v.projector_parameters = v.intermediate_size * width + width * width + width * a.hidden_size;
}

void read_qwen2(ConfigReader& vision, const Architecture& a, VisionTower& v) {
    std::int64_t ratio = 4;
    vision.size("embed_dim", v.hidden_size);
    vision.size("mlp_ratio", ratio);
    if (v.intermediate_size == 0) v.intermediate_size = ratio * v.hidden_size;
    v.out_hidden_size = a.hidden_size;
}

void read_qwen(ConfigReader& vision, const Architecture& a, VisionTower& v) {
    vision.size("out_hidden_size", v.out_hidden_size);
    if (v.out_hidden_size == 0) v.out_hidden_size = a.hidden_size;
    constexpr std::int64_t kPositions = 2304;  // of Qwen3VLVisionConfig
    if (v.kind == TowerKind::Qwen3Vl) v.num_positions = kPositions;
    vision.size("num_position_embeddings", v.num_positions);
    v.deepstack_layers = vision.entries("deepstack_visual_indexes");
}

void read_qwen3(ConfigReader& vision, const Architecture& a, VisionTower& v) {
    read_qwen(vision, a, v);
    constexpr std::int64_t kDeepstack = 3;
    if (!vision.has("deepstack_visual_indexes")) v.deepstack_layers = kDeepstack;
}

struct TowerRow {
    std::string_view model_type;  // of the whole model
    TowerKind kind;
    void (*read)(ConfigReader&, const Architecture&, VisionTower&);
    // Of the class in transformers, where the file does not say: layers, heads, widths, image, patch, merged patches.
    std::uint16_t layers, heads, hidden, intermediate, image = 0, patch = 14, merge = 2;
};
constexpr std::array kTowers{
    TowerRow{"gemma3", TowerKind::Siglip, read_siglip, 12, 12, 768, 3072, 224, 16, 0},
    TowerRow{"mistral3", TowerKind::Pixtral, read_pixtral, 24, 16, 1024, 4096, 1024, 16, 0},
    TowerRow{"llama4", TowerKind::Llama4, read_llama4, 34, 16, 768, 5632, 448, 14, 0},
    TowerRow{"qwen2_vl", TowerKind::Qwen2Vl, read_qwen2, 32, 16, 1280, 0},
    TowerRow{"qwen2_5_vl", TowerKind::Qwen25Vl, read_qwen, 32, 16, 3584, 3420},
    TowerRow{"qwen3_vl", TowerKind::Qwen3Vl, read_qwen3, 27, 16, 1152, 4304, 0, 16},
    TowerRow{"qwen3_vl_moe", TowerKind::Qwen3Vl, read_qwen3, 27, 16, 1152, 4304, 0, 16},
    TowerRow{"qwen3_5", TowerKind::Qwen3Vl, read_qwen, 27, 16, 1152, 4304, 0, 16},
    TowerRow{"qwen3_5_moe", TowerKind::Qwen3Vl, read_qwen, 27, 16, 1152, 4304, 0, 16},
};

constexpr JsonValue kEmptyObject{JsonKind::Object, {}, {}, 0, 1};

const TowerRow* tower_of(std::string_view model_type) {
    for (const TowerRow& r : kTowers)
        if (r.model_type == model_type) return &r;
    return nullptr;
}

}  // namespace

void read_vision_tower(ConfigReader& config, Architecture& a) {
    const TowerRow* row = tower_of(config.word("model_type").value_or(std::string_view()));
    if (row == nullptr) return;
    std::optional<ConfigReader> vision = config.object("vision_config");
    if (!vision && config.class_name().ends_with("ForConditionalGeneration"))
        vision = ConfigReader(kEmptyObject, "config.json", "vision_config");
    if (!vision) return;
    VisionTower v{.kind = row->kind,
                  .hidden_size = row->hidden,
                  .intermediate_size = row->intermediate,
                  .num_hidden_layers = row->layers,
                  .num_attention_heads = row->heads,
                  .image_size = row->image,
                  .patch_size = row->patch,
                  .spatial_merge_size = row->merge};
    if (row->kind != TowerKind::Qwen2Vl) vision->size("hidden_size", v.hidden_size);
    vision->size("intermediate_size", v.intermediate_size);
    vision->size("num_hidden_layers depth", v.num_hidden_layers);
    vision->size("num_attention_heads num_heads", v.num_attention_heads);
    vision->size("image_size", v.image_size);
    vision->size("patch_size spatial_patch_size", v.patch_size);
    vision->size("temporal_patch_size", v.temporal_patch_size);
    vision->size("spatial_merge_size", v.spatial_merge_size);
    row->read(*vision, a, v);
    config.take_failure(*vision);
    a.vision = v;
}

namespace {

Architecture read_tower(ConfigReader& config, std::string_view key, std::string_view model_type, Notes& notes) {
    ConfigReader inner = config.object(key).value_or(ConfigReader(kEmptyObject, "config.json", key));
    Architecture out = read_model(inner, model_type, notes);
    config.take_failure(inner);
    return out;
}

// Heads that are not counted: of every model, and of those that are no encoders.
constexpr WordList kOtherHeads =
    "ForQuestionAnswering|ForMultipleChoice|ForNextSentencePrediction|ForPreTraining|ForMaskedImageModeling|"
    "DoubleHeadsModel|ForAudioClassification";
constexpr WordList kEncoderHeads = "ForTokenClassification|ForMaskedLM";

bool has_other_head(std::string_view class_name, ArchitectureKind kind) {
    for (const std::string_view head : kOtherHeads)
        if (class_name.ends_with(head)) return true;
    for (const std::string_view head : kEncoderHeads)
        if (class_name.ends_with(head)) return kind != ArchitectureKind::Encoder;
    const bool half = class_name.ends_with("ForSequenceClassification") || class_name.ends_with("ForCausalLM");
    return half && kind == ArchitectureKind::EncoderDecoder;
}
constexpr WordList kOtherParts = "vision_config|audio_config|speech_config|thinker_config|encoder|decoder";

}  // namespace

bool is_dual_encoder(std::string_view model_type) { return model_type == "clip" || model_type == "siglip"; }

Architecture read_dual_encoder(ConfigReader& config, std::string_view model_type, Notes& notes) {
    const bool clip = model_type == "clip";
    const Architecture image =
        read_tower(config, "vision_config", clip ? "clip_vision_model" : "siglip_vision_model", notes);
    if (config.class_name().find("ForImageClassification") != std::string_view::npos) {
        Architecture out = image;
        out.num_labels = config.entries("id2label");
        config.size("num_labels", out.num_labels);
        out.task_head = TaskHead::ImageClassification;
        return out;
    }
    const Architecture text = read_tower(config, "text_config", clip ? "clip_text_model" : "siglip_text_model", notes);
    Architecture out = architecture_from_family(family(model_type));
    out.hidden_act = image.hidden_act;
    out.vision = {.kind = clip ? TowerKind::Clip : TowerKind::Siglip,
                  .hidden_size = image.hidden_size,
                  .intermediate_size = image.intermediate_size,
                  .num_hidden_layers = image.num_hidden_layers,
                  .num_attention_heads = image.num_attention_heads,
                  .image_size = image.image.image_size,
                  .patch_size = image.image.patch_size};
    out.text = {text.hidden_size,         text.intermediate_size, text.num_hidden_layers,
                text.num_attention_heads, text.vocab_size,        text.max_position_embeddings};
    out.image.projection_dim = clip ? 512 : 0;
    if (clip) config.size("projection_dim", out.image.projection_dim);
    return out;
}

void refuse_uncounted(ConfigReader& config, std::string_view model_type) {
    const std::string_view name = config.class_name();
    if (has_other_head(name, family(model_type).kind))
        config.not_counted("architectures", {"the head of ", name, " is"},
                           "language models, classifiers of sequences, tokens (encoders) and images, and Model");
    for (const std::string_view part : kOtherParts)
        if (config.is_object(part) && !is_dual_encoder(model_type) &&
            (part != kOtherParts[0] || tower_of(model_type) == nullptr))
            config.not_counted(
                part, {"this part of a model of model_type \"", model_type, "\" is"},
                "vision towers of gemma3, mistral3, llama4 and qwen; or the language model's object alone");
    if (find_family(model_type) == nullptr &&
        config.has("image_size patch_size num_channels depths num_mel_bins encoder_layers"))
        config.not_counted(
            "model_type", {"models of model_type \"", model_type, "\" are"},
            "beside language models bert and the like, t5, bart, mbart, whisper, vit, deit, dinov2, swin, "
            "resnet, clip, siglip");
}

}  // namespace memwall
