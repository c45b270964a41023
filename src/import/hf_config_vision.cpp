// The image tower of a vision-language configuration (vision_config).
#include <array>
#include <string>

#include "import/hf_config_parts.hpp"

namespace memwall {
namespace {

std::int64_t patches(const VisionTower& v) {
    const std::int64_t side = v.patch_size == 0 ? 0 : v.image_size / v.patch_size;
    return side * side;
}

void read_siglip(ConfigReader&, const Architecture& a, VisionTower& v) {
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
    vision.size("num_position_embeddings", v.num_positions);
    v.deepstack_layers = vision.entries("deepstack_visual_indexes");
}

struct TowerRow {
    std::string_view model_type;  // of the whole model
    TowerKind kind;
    void (*read)(ConfigReader&, const Architecture&, VisionTower&);
};
constexpr std::array kTowers{
    TowerRow{"gemma3", TowerKind::Siglip, read_siglip},      TowerRow{"mistral3", TowerKind::Pixtral, read_pixtral},
    TowerRow{"llama4", TowerKind::Llama4, read_llama4},      TowerRow{"qwen2_vl", TowerKind::Qwen2Vl, read_qwen2},
    TowerRow{"qwen2_5_vl", TowerKind::Qwen25Vl, read_qwen},  TowerRow{"qwen3_vl", TowerKind::Qwen3Vl, read_qwen},
    TowerRow{"qwen3_vl_moe", TowerKind::Qwen3Vl, read_qwen}, TowerRow{"qwen3_5", TowerKind::Qwen3Vl, read_qwen},
    TowerRow{"qwen3_5_moe", TowerKind::Qwen3Vl, read_qwen},
};

const TowerRow* tower_of(std::string_view model_type) {
    for (const TowerRow& r : kTowers)
        if (r.model_type == model_type) return &r;
    return nullptr;
}

}  // namespace

void read_vision_tower(ConfigReader& config, Architecture& a, Notes& notes) {
    if (a.kind != ArchitectureKind::Decoder) return;
    std::optional<ConfigReader> vision = config.object("vision_config");
    if (!vision) return;
    const TowerRow* row = tower_of(config.word("model_type").value_or(std::string_view()));
    if (row == nullptr) {
        notes.add(config.where("vision_config"), "the vision tower is not counted");
        return;
    }
    VisionTower v;
    v.kind = row->kind;
    vision->size("hidden_size", v.hidden_size);
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

}  // namespace memwall
