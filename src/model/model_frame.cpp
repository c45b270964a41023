#include "model/model_frame.hpp"

#include <algorithm>

#include "model/autograd.hpp"
#include "model/optimizer_step.hpp"
#include "model/parameters.hpp"
#include "model/program_tables.hpp"

namespace memwall {

namespace {

constexpr FamilyProgram decoder(BlockFamily family, BlockProgram block, Tensor (*embed)(ModelFrame&) = embed_decoder) {
    return {family, block, make_decoder_outside, make_decoder_head, embed, finish_decoder, decoder_logits, causal_loss};
}
constexpr FamilyProgram encoder(BlockFamily family, BlockProgram block, Tensor (*embed)(ModelFrame&) = embed_encoder) {
    return {family, block,          make_encoder_outside, make_encoder_head,
            embed,  finish_encoder, encoder_logits,       encoder_loss};
}

// clang-format off
constexpr FamilyProgram kPrograms[] = {
    decoder(BlockFamily::Llama, BlockProgram::Llama),
    decoder(BlockFamily::Mistral, BlockProgram::Llama),
    decoder(BlockFamily::Qwen2, BlockProgram::Llama),
    decoder(BlockFamily::Qwen3, BlockProgram::Llama),
    decoder(BlockFamily::Joint, BlockProgram::JointLlama),
    decoder(BlockFamily::Gemma, BlockProgram::Gemma),
    decoder(BlockFamily::Gemma2, BlockProgram::Gemma2),
    decoder(BlockFamily::Gemma3, BlockProgram::Gemma3),
    decoder(BlockFamily::Starcoder2, BlockProgram::Llama),
    decoder(BlockFamily::Phi, BlockProgram::Phi),
    decoder(BlockFamily::Phi3, BlockProgram::Phi3),
    decoder(BlockFamily::Gpt2, BlockProgram::Gpt2),
    decoder(BlockFamily::GptNeo, BlockProgram::GptNeo),
    decoder(BlockFamily::Bloom, BlockProgram::Bloom),
    decoder(BlockFamily::Mpt, BlockProgram::Mpt),
    decoder(BlockFamily::Falcon, BlockProgram::Falcon),
    decoder(BlockFamily::StableLm, BlockProgram::StableLm),
    decoder(BlockFamily::Olmo, BlockProgram::Olmo),
    decoder(BlockFamily::Olmo2, BlockProgram::Olmo2),
    decoder(BlockFamily::Granite, BlockProgram::Granite),
    decoder(BlockFamily::Cohere, BlockProgram::Cohere),
    decoder(BlockFamily::Smollm3, BlockProgram::Smollm3),
    decoder(BlockFamily::GptNeox, BlockProgram::Neox),
    decoder(BlockFamily::Opt, BlockProgram::Opt, embed_opt),
    decoder(BlockFamily::GptJ, BlockProgram::GptJ, embed_gptj),
    decoder(BlockFamily::Mixtral, BlockProgram::Mixtral),
    decoder(BlockFamily::QwenMoe, BlockProgram::QwenMoe),
    decoder(BlockFamily::DeepseekV2, BlockProgram::DeepseekV2),
    decoder(BlockFamily::DeepseekV3, BlockProgram::DeepseekV3),
    decoder(BlockFamily::GptOss, BlockProgram::GptOss),
    {BlockFamily::Vit, BlockProgram::Vit, make_vit_outside, make_vit_head, embed_vit, finish_vit, vit_logits, vit_loss},
    {BlockFamily::Swin, BlockProgram::Swin, make_swin_outside, make_swin_head, nullptr, nullptr, vit_classifier, vit_loss, make_swin_stages, run_swin_stages},
    {BlockFamily::ClipVision, BlockProgram::ClipVision, make_clip_outside, make_clip_head, embed_clip, finish_clip, clip_logits, vit_loss},
    {BlockFamily::SiglipVision, BlockProgram::ClipVision, make_siglip_outside, make_siglip_head, embed_siglip, finish_siglip, siglip_logits, vit_loss},
    encoder(BlockFamily::Bert, BlockProgram::Bert),
    encoder(BlockFamily::Roberta, BlockProgram::Bert),
    encoder(BlockFamily::Electra, BlockProgram::Bert),
    encoder(BlockFamily::DistilBert, BlockProgram::DistilBert),
    encoder(BlockFamily::ModernBert, BlockProgram::ModernBert, embed_modernbert),
    {BlockFamily::T5, BlockProgram::T5Encoder, make_t5_outside, make_t5_head, nullptr, nullptr, t5_logits, target_loss, make_t5_stacks, run_t5_stacks},
    {BlockFamily::Bart, BlockProgram::BartEncoder, make_t5_outside, make_bart_head, nullptr, nullptr, bart_logits, target_loss, make_bart_stacks, run_bart_stacks},
    {BlockFamily::Whisper, BlockProgram::WhisperEncoder, make_whisper_outside, make_whisper_head, nullptr, nullptr, plain_logits, target_loss, make_whisper_stacks, run_whisper_stacks},
};
// clang-format on

// Programs whose attention is as wide as the residual stream and has a key/value head for every head.
constexpr BlockFamily kEqualHeads[] = {
    BlockFamily::Gpt2,    BlockFamily::GptNeox,     BlockFamily::Opt,  BlockFamily::Bert,       BlockFamily::Roberta,
    BlockFamily::Electra, BlockFamily::DistilBert,  BlockFamily::Vit,  BlockFamily::ClipVision, BlockFamily::Bart,
    BlockFamily::Whisper, BlockFamily::ModernBert,  BlockFamily::GptJ, BlockFamily::GptNeo,     BlockFamily::Bloom,
    BlockFamily::Mpt,     BlockFamily::SiglipVision};

bool heads_fit(BlockFamily block, const Architecture& a) {
    for (const BlockFamily equal : kEqualHeads)
        if (block == equal) return a.num_key_value_heads == a.num_attention_heads && query_width(a) == a.hidden_size;
    if (block == BlockFamily::Falcon) return query_width(a) == a.hidden_size;
    if (block == BlockFamily::Gemma3) return a.qk_norm == QkNorm::Head;
    return a.kv_lora_rank == 0 || a.num_key_value_heads == a.num_attention_heads;
}

// What families with experts have in them; other families have none.
struct ExpertsRow {
    BlockFamily block;
    bool router_bias, expert_bias, latent, shared_expert, shared_gate;
};
constexpr ExpertsRow kExperts[] = {
    {BlockFamily::Mixtral, false, false, false, false, false},
    {BlockFamily::QwenMoe, false, false, false, true, true},
    {BlockFamily::DeepseekV2, false, false, true, true, false},
    {BlockFamily::DeepseekV3, true, false, true, true, false},
    {BlockFamily::GptOss, true, true, false, false, false},
};

bool runs_its_experts(BlockFamily block, const Architecture& a) {
    const auto* const row = std::find_if(std::begin(kExperts), std::end(kExperts),
                                         [block](const ExpertsRow& r) { return r.block == block; });
    if (row == std::end(kExperts)) return a.num_experts == 0 && a.kv_lora_rank == 0;
    const MoeLayout& moe = a.moe;
    const bool shared = shared_expert_width(a) > 0;
    const bool groups_divide = moe.n_group == 0 || (a.num_experts % moe.n_group == 0 && moe.topk_group > 0);
    return a.num_experts >= a.num_experts_per_tok && a.num_experts_per_tok > 0 && a.moe_intermediate_size > 0 &&
           moe.router_bias == row->router_bias && moe.expert_bias == row->expert_bias && !moe.dense_mlp_beside_moe &&
           (!shared || row->shared_expert) && moe.shared_expert_gate == (shared && row->shared_gate) &&
           (a.kv_lora_rank > 0) == row->latent && groups_divide;
}

// One class token, learned positions, a plain MLP and a classifier.
bool is_plain_vit(BlockFamily block, const Architecture& a) {
    const ImageParts& i = a.image;
    return i.patch_size > 0 && i.image_size >= i.patch_size && a.num_labels > 0 && !a.mlp_gated &&
           i.no_cls_token == (block == BlockFamily::SiglipVision) && !i.second_classifier && !i.mask_token &&
           !i.layer_scale && i.pre_norm == (block == BlockFamily::ClipVision) && !i.packed_gate &&
           i.register_tokens == 0 && i.patch_frames == 1 && a.task_head == TaskHead::ImageClassification;
}

// Heads the programs know: a label an image for vision, a label a sequence for encoders and decoders.
bool head_fits(const Architecture& a) {
    if (a.task_head == TaskHead::ImageClassification) return a.kind == ArchitectureKind::Vision;
    if (a.task_head == TaskHead::TokenClassification) return a.kind == ArchitectureKind::Encoder;
    if (a.task_head == TaskHead::SequenceClassification)
        return a.kind == ArchitectureKind::Decoder || a.kind == ArchitectureKind::Encoder;
    return true;
}

// A model that departs from its family in what the programs take for granted has none.
bool runs_as_its_family(const FamilyRow& family, const Architecture& a) {
    const bool known_activation =
        a.hidden_act != ActivationFunction::XIelu && a.hidden_act != ActivationFunction::Gegelu;
    const bool projects = a.embedding_size != 0 && a.embedding_size != a.hidden_size;
    if (projects && family.block != BlockFamily::Opt && family.block != BlockFamily::Electra) return false;
    const bool norms_heads = family.block == BlockFamily::StableLm && a.qk_norm == QkNorm::Full;
    const bool norms_no_heads = family.block == BlockFamily::StableLm || family.block == BlockFamily::Phi;
    if (norms_no_heads && !norms_heads && a.qk_norm != QkNorm::None) return false;
    if (family.block == BlockFamily::Joint && (!a.mlp_gated || a.qk_norm != QkNorm::None)) return false;
    const bool may_add_positions = family.block == BlockFamily::Falcon && a.position == Position::Alibi;
    const bool turns_whole_heads = family.block == BlockFamily::Cohere || family.block == BlockFamily::ModernBert;
    const HeadParts head = head_parts(a);
    if (a.position == Position::Rope && (head.rotated == 0 || (turns_whole_heads && head.passed > 0))) return false;
    if (a.norm == Norm::LayerNormNonParametric && a.norm != family.norm) return false;
    const EncoderDecoderParts& stacks = a.encoder_decoder;
    const bool two_stacks = stacks.num_encoder_layers > 0 && stacks.num_decoder_layers > 0;
    if (a.kind == ArchitectureKind::EncoderDecoder && !two_stacks) return false;
    if (family.block == BlockFamily::Bart && a.task_head != TaskHead::Seq2SeqLm) return false;
    if (family.block == BlockFamily::Swin)
        return runs_as_swin(a) && runs_its_experts(family.block, a) && known_activation && head_fits(a);
    return a.kind == family.kind && (a.position == family.position || may_add_positions) && known_activation &&
           runs_its_experts(family.block, a) && (a.kind != ArchitectureKind::Vision || is_plain_vit(family.block, a)) &&
           heads_fit(family.block, a) && head_fits(a) && (a.kind == ArchitectureKind::Decoder || a.norm == family.norm);
}

}  // namespace

bool only_eager_attention(const Architecture& a) {
    const FamilyRow* family = find_family(a.model_type);
    if (!family) return false;
    constexpr BlockFamily kOnly[] = {BlockFamily::GptJ, BlockFamily::GptNeo, BlockFamily::Bloom,
                                     BlockFamily::Mpt,  BlockFamily::GptOss, BlockFamily::T5};
    return std::find(std::begin(kOnly), std::end(kOnly), family->block) != std::end(kOnly);
}

namespace {

// One block for all: of them litgpt's and torchtune's own are built.
constexpr FamilyProgram kLitgpt = decoder(BlockFamily::Llama, BlockProgram::Litgpt, embed_litgpt);
constexpr FamilyProgram kTorchtune = {
    BlockFamily::Llama, BlockProgram::Torchtune, make_decoder_outside, make_decoder_head,
    embed_torchtune,    finish_decoder,          torchtune_logits,     causal_loss};
constexpr FamilyProgram kLitgptGemma = decoder(BlockFamily::Llama, BlockProgram::LitgptGemma, embed_litgpt);
constexpr FamilyProgram kLitgptGemma2 = decoder(BlockFamily::Llama, BlockProgram::LitgptGemma2, embed_litgpt);
constexpr BlockFamily kInLitgpt[] = {BlockFamily::Llama, BlockFamily::Mistral,  BlockFamily::Qwen2,
                                     BlockFamily::Phi,   BlockFamily::StableLm, BlockFamily::GptNeox,
                                     BlockFamily::Gemma, BlockFamily::Gemma2};

const FamilyProgram* program_of_litgpt(BlockFamily family, const Architecture& a) {
    const bool known = std::find(std::begin(kInLitgpt), std::end(kInLitgpt), family) != std::end(kInLitgpt);
    if (!known || a.qk_norm != QkNorm::None || a.task_head != TaskHead::CausalLm) return nullptr;
    if (family == BlockFamily::Gemma2) return a.norms_per_layer == 4 ? &kLitgptGemma2 : nullptr;
    if (a.norms_per_layer != 2 && !a.parallel_residual) return nullptr;
    return family == BlockFamily::Gemma ? &kLitgptGemma : &kLitgpt;
}

bool runs_in_torchtune(BlockFamily family, const Architecture& a) {
    const bool known = family == BlockFamily::Llama || family == BlockFamily::Mistral || family == BlockFamily::Qwen2;
    return known && a.qk_norm == QkNorm::None && a.task_head == TaskHead::CausalLm && a.norm == Norm::RmsNorm &&
           a.mlp_gated && !a.parallel_residual && head_parts(a).passed == 0;
}

}  // namespace

const FamilyProgram* family_program(const Architecture& a, LibraryVariant library) {
    const FamilyRow* family = find_family(a.model_type);
    if (!family || !runs_as_its_family(*family, a) || a.kind == ArchitectureKind::ParameterCount ||
        a.kind == ArchitectureKind::TotalOnly)
        return nullptr;
    const bool other_code =
        family->block == BlockFamily::Swin || family->block == BlockFamily::SiglipVision || a.image.distillation_token;
    if (other_code && library == LibraryVariant::Transformers4) return nullptr;
    if (library == LibraryVariant::Torchtune) return runs_in_torchtune(family->block, a) ? &kTorchtune : nullptr;
    if (library == LibraryVariant::Litgpt) return program_of_litgpt(family->block, a);
    for (const FamilyProgram& program : kPrograms)
        if (program.family == family->block) return &program;
    return nullptr;
}

namespace {

DimId target_tokens(Recorder& r, const StepInput& in) { return r.dim(in.target_tokens, 1, Monomial(Symbol::Target)); }

}  // namespace

ModelFrame::ModelFrame(Recorder& r, const StepInput& in)
    : c{.r = r, .a = in.architecture, .v = in.variant, .d = model_dims(r, in)},
      family(*family_program(in.architecture, in.variant.library)),
      input(in) {
    const ModelDims& d = c.d;
    c.program = family.block;
    tokens = in.tokens;
    const DimId text = leads_text(c.v.adapter) ? target_tokens(r, in) : d.tokens;
    c.causal = c.a.kind == ArchitectureKind::Decoder;
    if (family.family != BlockFamily::Whisper)
        ids = c.a.kind == ArchitectureKind::Vision ? make_pixels() : make_input("input_ids", Shape{d.batch, text});
    if (in.variant.run == RunVariant::Train) {
        const bool per_sequence =
            c.a.task_head == TaskHead::SequenceClassification || c.a.task_head == TaskHead::ImageClassification;
        const DimId target = c.a.kind == ArchitectureKind::EncoderDecoder ? target_tokens(r, in) : text;
        labels = make_input("labels", per_sequence ? Shape{d.batch} : Shape{d.batch, target});
    }
    if (in.variant.mask != MaskVariant::None) mask_input = make_input("attention_mask", Shape{d.batch, text});
    c.trainable = !in.variant.freezes_embeddings();
    family.make_outside(*this);
    if (family.make_stacks)
        family.make_stacks(*this);
    else
        make_layers(in);
    c.trainable = in.variant.trainable_layers == 0 || in.variant.trains_outside;
    c.copies = 1;
    family.make_head(*this);
    c.trainable = true;
    make_prompt(*this);
    make_towers();
}

// What a language model sees images with, and parameters that no word describes: counted, and trained where all of it
// is; their activations are not modelled.
void ModelFrame::make_towers() {
    const bool counted = c.v.train != TrainVariant::Adapters || c.v.trained_roles != 0;
    if (!counted) return;
    for (const ParameterTensor& t : parameters(c.a)) {
        const bool tower = c.a.kind == ArchitectureKind::Decoder && module_of(t.role) == Module::Vision;
        if (!(tower || t.stem == "extra") || t.tying != Tying::Own) continue;
        Shape shape;
        for (const std::int64_t side : dimensions(t))
            shape.dims[static_cast<std::size_t>(shape.rank++)] = c.r.dim(side, side, Monomial{});
        c.copies = static_cast<std::int32_t>(t.copies.value);
        c.trainable = !c.v.freezes_embeddings() || t.stack == Stack::Outside;
        not_run.push_back(make_parameter(c, name(t.role), shape));
    }
}

// They exist when backward ends, as every other gradient does.
void ModelFrame::give_tower_gradients() {
    Recorder& r = c.r;
    const bool dropped = r.settings.gradients_into_main || r.settings.step_in_backward;
    for (const Tensor& p : not_run) {
        if (r.settings.step_in_backward && p.requires_grad()) create_states(r, p, r.at(p).copies);
        if (dropped || !p.requires_grad() || r.at(p).grad >= 0) continue;
        Tensor gradient = r.allocate(Operator::AccumulateGrad, Shape(p.shape()), p.dtype());
        r.events.back().repeated = r.at(p).copies - 1;
        r.storage_of(gradient).gradient = true;
        r.storage_of(gradient).module = r.storage_of(p).module;
        r.at(p).grad = gradient.detach_count();
    }
}

Tensor ModelFrame::make_pixels() {
    const DimId colours = c.r.dim(3, 1, Monomial(Symbol::Channels));
    const DimId side = c.r.dim(c.a.image.image_size, 1, Monomial(Symbol::ImageSize));
    return make_input("pixel_values", Shape{c.d.batch, colours, side, side}, c.v.weights);
}

Tensor ModelFrame::make_input(std::string_view name, const Shape& shape, Dtype dtype) {
    const InModule module(c.r, name);
    Tensor out = c.r.allocate(Operator::Data, shape, dtype);
    c.r.storage_of(out).input = true;
    return out;
}

bool ModelFrame::has_windows() const { return tokens >= window_reach(c.a) && has_sliding_layers(c.a); }

namespace {

// The loop holds what a block has returned, probabilities too, until the next has: the second layer lets go of the
// first one's, which may be of another kind than its own.
bool holds_outputs(BlockFamily family) {
    constexpr BlockFamily kHold[] = {BlockFamily::Bloom, BlockFamily::Falcon, BlockFamily::GptNeo, BlockFamily::Mpt};
    return std::find(std::begin(kHold), std::end(kHold), family) != std::end(kHold);
}

}  // namespace

// S slides; N does not rotate (smollm3: every fourth, its default), or has no prompt. Small: a dense layer where others
// have experts.
char ModelFrame::kind_of_layer(std::int32_t layer) const {
    if (family.family == BlockFamily::Smollm3) return layer % 4 == 3 ? 'N' : 'F';
    if (has_prompts(c.v.adapter)) return layer < c.v.prompt_from_layer ? 'N' : 'F';
    const char letter = layer_letter(c.a, layer) == 'S' ? 'S' : 'F';
    return c.a.num_experts == 0 || is_moe_layer(c.a, layer) ? letter : static_cast<char>(letter + ('a' - 'A'));
}

namespace {

bool have_equal_experts(std::string_view letters, std::string_view others) {
    return std::equal(letters.begin(), letters.end(), others.begin(),
                      [](char a, char b) { return (a <= 'Z') == (b <= 'Z'); });
}

}  // namespace

// Runs of equal segments (of one layer, unless more are checkpointed together): a run ends where trainability changes
// and, where it makes a difference, the kind of layer. The first segment of the model and of each kind stand alone.
void ModelFrame::make_layers(const StepInput& in) {
    const auto total = static_cast<std::int32_t>(in.architecture.num_hidden_layers);
    const auto length =
        static_cast<std::int32_t>(c.v.recompute == RecomputeVariant::None ? 1 : in.variant.segment_layers);
    const auto frozen = static_cast<std::int32_t>(in.variant.first_trainable_layer);
    // Behind the last one that trains, where only some do at a time.
    const auto behind =
        in.variant.trainable_layers > 0 ? frozen + static_cast<std::int32_t>(in.variant.trainable_layers) : total;
    const bool kinds_differ = (has_windows() && c.v.attention != AttentionVariant::Eager) ||
                              family.family == BlockFamily::Smollm3 || family.family == BlockFamily::Cohere ||
                              family.family == BlockFamily::ModernBert || has_prompts(c.v.adapter);
    const auto letters_of = [&](std::int32_t from) {
        std::string out;
        for (std::int32_t i = from; i < std::min(from + length, total); ++i)
            out += kind_of_layer(i);
        return out;
    };
    std::string seen;
    const auto stands_alone = [&](std::int32_t from, const std::string& letters) {
        const auto end = from + static_cast<std::int32_t>(letters.size());
        const bool lets_go =
            holds_outputs(family.family) && (from == length || (from <= frozen + 1 && frozen + 1 < end));
        const bool turns = (from <= frozen && frozen < end) || (from <= behind && behind < end);
        return turns || lets_go || letters.find_first_not_of(seen) != std::string::npos;
    };
    for (std::int32_t from = 0; from < total;) {
        const std::string letters = letters_of(from);
        const auto size = static_cast<std::int32_t>(letters.size());
        const auto continues = [&](std::int32_t i) {
            const std::string next = letters_of(i);
            if (next.size() != letters.size() || stands_alone(i, next)) return false;
            return next == letters || (!kinds_differ && have_equal_experts(next, letters));
        };
        std::int32_t to = from + size;
        if (!stands_alone(from, letters))
            while (to < total && continues(to))
                to += size;
        seen += letters;
        c.copies = (to - from) / size;
        LayerGroup group{{}, letters, from, c.copies, c.d};
        for (std::int32_t i = from; i < from + size; ++i) {
            c.trainable = i >= frozen && i < behind;
            c.letter = letters[static_cast<std::size_t>(i - from)];
            c.first_of_stack = i == 0;
            group.blocks.push_back(Block(c, family.block));
        }
        groups.push_back(std::move(group));
        from = to;
    }
}

// transformers 5 always does it under checkpointing, 4 for adapters only; neither where pixels or sounds go in.
bool ModelFrame::requires_input_grads() const {
    if (c.a.kind == ArchitectureKind::Vision || family.family == BlockFamily::Whisper) return false;
    if (c.v.run != RunVariant::Train || c.v.recompute == RecomputeVariant::None) return false;
    if (c.v.library == LibraryVariant::Litgpt || c.v.library == LibraryVariant::Torchtune) return false;
    return c.v.library == LibraryVariant::Transformers5 || c.v.train == TrainVariant::Adapters;
}

Tensor ModelFrame::embed_tokens() { return embed_tokens(ids); }

Tensor ModelFrame::embed_tokens(const Tensor& token_ids) {
    const InModule module(c.r, "embed_tokens");
    Tensor embedded = embedding(token_ids, embedding_weight);
    embedded = call(c, SharedFunction::Embedded, std::span(&embedded, 1));
    const bool sees = std::any_of(not_run.begin(), not_run.end(), [](const Tensor& p) { return p.requires_grad(); });
    if (requires_input_grads() || (sees && c.v.run == RunVariant::Train)) c.r.at(embedded).requires_grad = true;
    return with_prompt(*this, std::move(embedded));
}

namespace {

bool slides(char letter) { return letter == 'S' || letter == 's'; }

}  // namespace

Tensor ModelFrame::run_blocks(const LayerGroup& group, Tensor hidden) {
    for (std::size_t i = 0; i < group.blocks.size(); ++i) {
        const bool windowed = slides(group.letters[i]);
        if (windowed) std::swap(c.shared, sliding);
        if (c.v.compile != CompileVariant::None) c.r.graph = c.r.unit;
        hidden = group.blocks[i](c, hidden);
        c.r.materialize(hidden);
        if (c.v.compile == CompileVariant::Blocks) c.r.graph = -1;
        if (windowed) std::swap(c.shared, sliding);
    }
    return hidden;
}

// Masks are arguments of the blocks by place, or by name: then a re-entrant one never lets go of them.
std::size_t ModelFrame::passed_masks() const {
    if (family.family == BlockFamily::T5) return 2;
    const bool encodes = c.a.kind != ArchitectureKind::Decoder && family.family != BlockFamily::ModernBert;
    return encodes || family.family == BlockFamily::Gpt2 || c.v.library == LibraryVariant::Transformers4 ? 1 : 0;
}

namespace {

void swap_shared(ModelFrame& m, BlockTensors& x) {
    const std::span members = program_tables().shared;
    for (std::size_t i = 0; i < members.size(); ++i) {
        std::swap(m.c.shared.*members[i], x[1 + i]);
        std::swap(m.sliding.*members[i], x[1 + members.size() + i]);
    }
}

void run_call(void* model, const void* block, BlockTensors& x) {
    ModelFrame& m = *static_cast<ModelFrame*>(model);
    const LayerGroup& group = *static_cast<const LayerGroup*>(block);
    const ModelDims outside_dims = std::exchange(m.c.d, group.dims);
    swap_shared(m, x);
    x[0] = m.run_blocks(group, std::move(x[0]));
    swap_shared(m, x);
    x[2].reset();  // encoded tokens are no result
    m.c.d = outside_dims;
}

}  // namespace

// What the blocks are called with is held until they have run again.
Tensor ModelFrame::run_checkpointed(const LayerGroup& group, Tensor hidden) {
    const bool full = group.letters.find_first_not_of("Ss") != std::string::npos;
    const bool windowed = group.letters.find_first_of("Ss") != std::string::npos;
    const std::span members = program_tables().shared;
    BlockTensors tensors(1 + 2 * members.size());
    tensors[0] = std::move(hidden);
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (full) tensors[1 + i] = c.shared.*members[i];
        if (windowed) tensors[1 + members.size() + i] = sliding.*members[i];
    }
    const BlockCall call{run_call, this, &group};
    if (c.v.recompute == RecomputeVariant::Full)
        checkpoint(c.r, call, tensors);
    else
        checkpoint_reentrant(c.r, call, tensors, kPassedOn + passed_masks());
    c.shared.position_bias = tensors[1];
    c.shared.cross_bias = tensors[3];
    return tensors[0];
}

Tensor ModelFrame::run_group(const LayerGroup& group, Tensor hidden) {
    if (!c.r.recomputing) c.r.enter({Phase::Forward, Phase::Backward, group.layer, group.copies});
    return c.v.recompute == RecomputeVariant::None ? run_blocks(group, hidden) : run_checkpointed(group, hidden);
}

Tensor ModelFrame::run_layers(const std::vector<LayerGroup>& stack, Tensor hidden) {
    for (const LayerGroup& group : stack)
        hidden = run_group(group, hidden);
    return hidden;
}

Tensor ModelFrame::run_model() {
    if (family.run_stacks) return family.run_stacks(*this);
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    c.r.offloading = c.v.offload;
    Tensor hidden = family.embed(*this);
    c.r.materialize(hidden);
    hidden = run_layers(groups, std::move(hidden));
    c.r.enter({Phase::HeadAndLoss, Phase::HeadBackward, -1, 1});
    hidden = family.finish(*this, std::move(hidden));
    c.r.offloading = false;
    locals.clear();
    c.held.reset();
    c.shared = {};
    sliding = {};
    return hidden;
}

StepOutputs ModelFrame::forward() {
    const Tensor hidden = run_model();
    StepOutputs out;
    if (c.v.loss == LossVariant::FusedLinear) {
        out.loss = fused_linear_loss(*this, hidden);
    } else if (c.v.loss == LossVariant::Chunked) {
        out.loss = chunked_loss(*this, hidden, out.logits);
    } else {
        const Tensor logits = family.logits(*this, hidden);
        out.loss = family.loss(*this, logits);
        if (c.v.keep_outputs) out.logits.push_back({logits});
        if (c.v.keep_outputs && encoded) out.logits.push_back({encoded});
    }
    for (Tensor* local : {&pooler_input, &pooled, &encoded, &target_ids})
        local->reset();
    locals.clear();
    wrapped.clear();
    c.r.materialize(out.loss);
    c.r.graph = -1;
    return out;
}

void ModelFrame::prefill() {
    const Tensor hidden = run_model();
    const bool one = c.causal || c.a.kind == ArchitectureKind::EncoderDecoder;
    const Tensor last = one ? slice(hidden, 1, 0) : hidden;
    const Tensor logits = family.logits(*this, last);
}

}  // namespace memwall
