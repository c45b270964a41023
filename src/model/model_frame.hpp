// Model frame: what stands around the blocks: embedding, tables and masks, final norm, head, loss.
//
// One FamilyProgram row per family (model_frame.cpp) chooses the functions. `locals` are the variables of the
// model's own forward function: they live until it returns, whether anything needs them or not.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/families.hpp"
#include "model/losses.hpp"
#include "model/model_program.hpp"
#include "model/program.hpp"

namespace memwall {

// Consecutive layers with equal program and trainability: [first, rest]. Where several blocks are checkpointed
// together, consecutive segments of them.
struct LayerGroup {
    std::vector<Block> blocks;  // of one copy
    std::string letters;        // of each block: full or sliding attention
    std::int32_t layer = 0, copies = 1;
    ModelDims dims{};
};

struct FamilyProgram;

// Of one stack of an encoder-decoder: its positions and the norm of what is embedded.
struct StackWeights {
    Tensor positions;
    NormWeights norm;
};

// Of swin: the last group of a stage's blocks, and what joins four patches behind them.
struct StageEnd {
    std::size_t first_group = 0, groups = 0;  // from, to
    std::int32_t last_layer = 0;
    NormWeights norm;
    Linear reduction;
};

struct StepOutputs {
    Tensor loss;
    std::vector<ChunkLogits> logits;  // if the caller keeps the model's outputs
};

struct ModelFrame {
    Context c;
    const FamilyProgram& family;
    Tensor ids, labels, mask_input;
    Tensor embedding_weight, position_weight, type_weight;
    Tensor class_token, distillation_token, patch_bias;  // of image models
    NormWeights embedding_norm, final_norm, head_norm;
    Linear project_in, project_out, head_dense, head;
    Tensor pooler_input, pooled;  // variables of a classification head
    Tensor encoded, target_ids;   // of an encoder-decoder, until its forward returns
    std::vector<LayerGroup> groups, encoder_groups;
    std::vector<StageEnd> stages;
    NormWeights encoder_norm;
    StackWeights encoder_start, decoder_start;
    std::vector<Block> pooling;       // siglip's head, which runs although no loss asks for it ...
    std::vector<Tensor> not_reached;  // ... and what it consists of
    std::vector<Tensor> prompt;       // parameters of trained tokens in front of the text
    std::vector<Tensor> wrapped;      // variables of the function that puts them there: they outlive the loss
    std::vector<Tensor> locals;
    std::vector<Tensor> not_run;    // parameters of towers that no program runs
    SharedTensors sliding;          // what layers with sliding attention are called with; others take Context::shared
    std::vector<ChunkLogits> held;  // of the step before, by the loop's variable, until this one's have been returned
    std::int64_t tokens = 0;

    const StepInput& input;

    ModelFrame(Recorder& r, const StepInput& in);
    StepOutputs forward();
    // Without gradients: what reads the prompt (of an encoder-decoder its encoder), and the head of a decoder on one
    // token of each sequence.
    void prefill();

    Tensor make_input(std::string_view name, const Shape&, Dtype = Dtype::Int64);
    Tensor make_pixels();
    void make_layers(const StepInput& in);
    void make_towers();
    void give_tower_gradients();
    char kind_of_layer(std::int32_t layer) const;
    bool has_windows() const;           // some layers see fewer tokens than there are
    bool requires_input_grads() const;  // enable_input_require_grads: the embedding's output becomes a leaf
    Tensor embed_tokens();              // with that
    Tensor embed_tokens(const Tensor& token_ids);
    Tensor run_blocks(const LayerGroup&, Tensor hidden);
    std::size_t passed_masks() const;
    Tensor run_checkpointed(const LayerGroup&, Tensor hidden);
    Tensor run_group(const LayerGroup&, Tensor hidden);
    Tensor run_layers(const std::vector<LayerGroup>&, Tensor hidden);
    Tensor run_model();  // the model without its head
    Tensor keep_local(Tensor t) {
        locals.push_back(t);
        return t;
    }
};

struct FamilyProgram {
    BlockFamily family;
    BlockProgram block;
    void (*make_outside)(ModelFrame&);             // parameters before the layers
    void (*make_head)(ModelFrame&);                // and after them
    Tensor (*embed)(ModelFrame&);                  // to the first block's input
    Tensor (*finish)(ModelFrame&, Tensor hidden);  // after the last block, inside the model's function
    Tensor (*logits)(ModelFrame&, const Tensor& hidden);
    Tensor (*loss)(ModelFrame&, const Tensor& logits);
    void (*make_stacks)(ModelFrame&) = nullptr;   // encoder-decoder: both stacks, instead of `block`
    Tensor (*run_stacks)(ModelFrame&) = nullptr;  // and the model without its head
};
void make_prompt(ModelFrame&);                     // frames_prompt.cpp
Tensor with_prompt(ModelFrame&, Tensor embedded);  // and the text behind it
const FamilyProgram* family_program(const Architecture&, LibraryVariant);

// Pieces that several families share (model_frame.cpp, frames_*.cpp).
Tensor make_position_ids(ModelFrame&);
enum class MaskShape : std::uint8_t { Causal, Bidirectional };
void make_mask(ModelFrame&, MaskShape);
void make_cross_mask(ModelFrame&);  // what the decoder does not see of the encoded tokens
void make_rotary_tables(ModelFrame&);
void make_decoder_outside(ModelFrame&);
void make_decoder_head(ModelFrame&);
Tensor embed_decoder(ModelFrame&);
Tensor embed_opt(ModelFrame&);
Tensor embed_gptj(ModelFrame&);
Tensor embed_litgpt(ModelFrame&);
Tensor embed_torchtune(ModelFrame&);
Tensor torchtune_logits(ModelFrame&, const Tensor& hidden);
Tensor finish_decoder(ModelFrame&, Tensor hidden);
Tensor decoder_logits(ModelFrame&, const Tensor& hidden);
void make_stack(ModelFrame&, std::vector<LayerGroup>&, std::int64_t layers, std::int32_t offset, BlockProgram);
Tensor shifted_labels(ModelFrame&);
void make_t5_outside(ModelFrame&);
void make_t5_stacks(ModelFrame&);
void make_t5_head(ModelFrame&);
Tensor run_t5_stacks(ModelFrame&);
Tensor t5_logits(ModelFrame&, const Tensor& hidden);
struct StackRunners {
    Tensor (*target_ids)(ModelFrame&);
    Tensor (*encoder)(ModelFrame&);
    Tensor (*decoder)(ModelFrame&);
};
Tensor run_two_stacks(ModelFrame&, const StackRunners&);
void make_whisper_outside(ModelFrame&);
void make_whisper_stacks(ModelFrame&);
void make_whisper_head(ModelFrame&);
Tensor run_whisper_stacks(ModelFrame&);
Tensor plain_logits(ModelFrame&, const Tensor& hidden);
void make_bart_stacks(ModelFrame&);
void make_bart_head(ModelFrame&);
Tensor run_bart_stacks(ModelFrame&);
Tensor bart_logits(ModelFrame&, const Tensor& hidden);
Tensor target_loss(ModelFrame&, const Tensor& logits);
void make_vit_outside(ModelFrame&);
void make_vit_head(ModelFrame&);
Tensor embed_vit(ModelFrame&);
Tensor finish_vit(ModelFrame&, Tensor hidden);
Tensor vit_logits(ModelFrame&, const Tensor& hidden);
Tensor vit_loss(ModelFrame&, const Tensor& logits);
void make_patch_filter(ModelFrame&);
Tensor patch_rows(ModelFrame&);  // the image in patches, [batch, patches, hidden]
Tensor vit_classifier(ModelFrame&, const Tensor& pooled);
void make_classifier(ModelFrame&, DimId width);
bool runs_as_swin(const Architecture&);
void make_swin_outside(ModelFrame&);
void make_swin_stages(ModelFrame&);
void make_swin_head(ModelFrame&);
Tensor run_swin_stages(ModelFrame&);
void make_siglip_outside(ModelFrame&);
void make_siglip_head(ModelFrame&);
Tensor embed_siglip(ModelFrame&);
Tensor finish_siglip(ModelFrame&, Tensor hidden);
Tensor siglip_logits(ModelFrame&, const Tensor& hidden);
void make_clip_outside(ModelFrame&);
void make_clip_head(ModelFrame&);
Tensor embed_clip(ModelFrame&);
Tensor finish_clip(ModelFrame&, Tensor hidden);
Tensor clip_logits(ModelFrame&, const Tensor& hidden);
void make_encoder_outside(ModelFrame&);
void make_encoder_head(ModelFrame&);
Tensor embed_encoder(ModelFrame&);
Tensor embed_modernbert(ModelFrame&);
Tensor finish_encoder(ModelFrame&, Tensor hidden);
Tensor encoder_logits(ModelFrame&, const Tensor& hidden);
Tensor encoder_loss(ModelFrame&, const Tensor& logits);

}  // namespace memwall
