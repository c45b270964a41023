// Families: what the model code of a model_type fixes and config.json does not name.
//
// One row per model_type. `blueprint` chooses the counting formula, `block` the program a layer runs
// (model/blocks), `names` those of the tensors (model/tensor_names). Sources: the model code of
// transformers 5.12 and the class defaults of its configurations.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "model/architecture.hpp"

namespace memwall {

enum class Blueprint : std::uint8_t {
    None,
    Decoder,
    Bert,
    DebertaV2,
    ModernBert,
    T5,
    Bart,
    Whisper,
    Vit,
    DualEncoder,
    ClipText,
    Resnet,
    Vgg,
    Unet,
    Flux,
    Sd3,
    Dit,
    Wan,
    Swin,
};

// One per modeling file whose layer autograd sees differently; None = counted, activations not modelled.
enum class BlockFamily : std::uint8_t {
    None,
    Llama,
    Mistral,
    Qwen2,
    Qwen3,
    Gemma,
    Gemma2,
    Gemma3,
    Granite,
    Olmo,
    Olmo2,
    Smollm3,
    StableLm,
    Starcoder2,
    Phi,
    Phi3,
    Cohere,
    Mpt,
    Falcon,
    Gpt2,
    GptBigcode,
    GptNeo,
    GptNeox,
    GptJ,
    Opt,
    Bloom,
    Mixtral,
    QwenMoe,
    DeepseekV2,
    DeepseekV3,
    GptOss,
    Bert,
    Roberta,
    DistilBert,
    Electra,
    ModernBert,
    T5,
    Bart,
    Whisper,
    Vit,
    ClipVision,
    SiglipVision,
    Swin,
    Joint,  // code that comes with the weights: llama with one matrix for queries, keys and values
};

// Names and order of the tensors in the model code (model/tensor_names.cpp).
enum class TensorNames : std::uint8_t {
    Llama,
    Phi3,
    Gemma2,
    Gemma4,
    Olmo2,
    Glm4,
    MultiNorm,
    Gpt2,
    GptBigcode,
    GptNeo,
    GptNeox,
    GptJ,
    Opt,
    Bloom,
    Falcon,
    Mpt,
    Phi,
    Starcoder2,
    Nemotron,
    Mixtral,
    QwenMoe,
    Deepseek,
    GptOss,
    Granite,
    Hybrid,
    Mamba,
    NemotronH,
    Jamba,
    Lfm2,
    Bert,
    Roberta,
    Albert,
    DistilBert,
    Electra,
    ModernBert,
    DebertaV2,
    Vit,
    ClipVision,
    Qwen,
    Baichuan,
};

struct DropoutDefaults {  // per mille
    std::int16_t attention = 0, residual = 0, embedding = 0;
};

struct FamilyRow {
    std::string_view model_type;
    ArchitectureKind kind = ArchitectureKind::Decoder;
    Blueprint blueprint = Blueprint::Decoder;
    BlockFamily block = BlockFamily::None;
    TensorNames names = TensorNames::Llama;
    Norm norm = Norm::RmsNorm;
    std::int8_t norms_per_layer = 2;
    Position position = Position::Rope;
    ActivationFunction hidden_act = ActivationFunction::Silu;
    QkNorm qk_norm = QkNorm::None;
    bool mlp_gated = true;
    bool qkv_bias = false;
    bool o_bias = false;
    bool mlp_bias = false;
    bool lm_head_bias = false;
    bool parallel_residual = false;
    bool embedding_norm = false;
    bool plain_loss_in_4 = false;  // transformers 4.47 takes the logits as they are; others shift a copy in fp32
    bool ties_by_default = false;  // when config.json says nothing
    DropoutDefaults dropout{};
    std::int64_t partial_rotary_permille = 1000;  // when config.json says nothing
    std::int8_t n_group = 0, topk_group = 0;      // "; where there are groups, scores are divided by their sum
    // Where a window is stated without layer_types: layer n, 2n ... attends fully and the others slide; 1: all slide;
    // 0: the family's code uses no window.
    std::int8_t window_period = 0;
};

std::span<const FamilyRow> families();
const FamilyRow* find_family(std::string_view model_type);  // nullptr: unknown
// The row of the model type, or a llama-style decoder.
const FamilyRow& family(std::string_view model_type);
// An architecture with everything the family fixes filled in; sizes are 0.
Architecture architecture_from_family(const FamilyRow&);

}  // namespace memwall
