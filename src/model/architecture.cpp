#include "model/architecture.hpp"

#include <array>
#include <string>

#include "base/concat.hpp"
#include "model/facts.hpp"
#include "model/families.hpp"
#include "model/parameters.hpp"

namespace memwall {
namespace {

std::string key_of(std::string_view word) {
    const bool is_structure = word == "learned_positions";  // the one size that config.json does not name
    return concat({is_structure ? "model.structure." : "model.config.", word});
}

std::string text(std::int64_t value) { return with_commas(value); }

// 0 where a size is needed says that nobody stated it.
Error out_of_range(std::string_view word, std::int64_t value, std::int64_t low, std::int64_t high) {
    const bool missing = value == 0 && low == 1;
    return {missing ? ErrorCode::Incomplete : ErrorCode::OutOfRange,
            key_of(word),
            {word, " is ", missing ? "missing" : text(value)},
            {"allowed: ", text(low), " to ", text(high)}};
}

// What a size needs a value for.
enum class Need : std::uint8_t { Never, Width, Layers, Vocabulary, Attention, Mlp, Experts, Latent, LearnedPositions };

struct SizeRule {
    std::string_view word;
    std::int64_t Architecture::*member;
    std::int64_t high;
    Need need;
};

constexpr std::array kSizeRules{
    SizeRule{"hidden_size", &Architecture::hidden_size, 1 << 20, Need::Width},
    SizeRule{"num_hidden_layers", &Architecture::num_hidden_layers, kMaxLayers, Need::Layers},
    SizeRule{"vocab_size", &Architecture::vocab_size, 1 << 26, Need::Vocabulary},
    SizeRule{"num_attention_heads", &Architecture::num_attention_heads, 1 << 16, Need::Attention},
    SizeRule{"num_key_value_heads", &Architecture::num_key_value_heads, 1 << 16, Need::Attention},
    SizeRule{"head_dim", &Architecture::head_dim, 1 << 16, Need::Attention},
    SizeRule{"intermediate_size", &Architecture::intermediate_size, 1 << 24, Need::Mlp},
    SizeRule{"max_position_embeddings", &Architecture::max_position_embeddings, 1LL << 40, Need::Never},
    SizeRule{"learned_positions", &Architecture::learned_positions, 1 << 26, Need::LearnedPositions},
    SizeRule{"sliding_window", &Architecture::sliding_window, 1LL << 40, Need::Never},
    SizeRule{"word_embed_proj_dim", &Architecture::embedding_size, 1 << 20, Need::Never},
    SizeRule{"num_labels", &Architecture::num_labels, 1 << 26, Need::Never},
    SizeRule{"num_experts", &Architecture::num_experts, 1 << 16, Need::Never},
    SizeRule{"num_experts_per_tok", &Architecture::num_experts_per_tok, 1 << 16, Need::Experts},
    SizeRule{"moe_intermediate_size", &Architecture::moe_intermediate_size, 1 << 24, Need::Experts},
    SizeRule{"n_shared_experts", &Architecture::num_shared_experts, 1 << 16, Need::Never},
    SizeRule{"shared_expert_intermediate_size", &Architecture::shared_expert_intermediate_size, 1 << 24, Need::Never},
    SizeRule{"first_k_dense_replace", &Architecture::first_k_dense, kMaxLayers, Need::Never},
    SizeRule{"q_lora_rank", &Architecture::q_lora_rank, 1 << 20, Need::Never},
    SizeRule{"kv_lora_rank", &Architecture::kv_lora_rank, 1 << 20, Need::Never},
    SizeRule{"qk_nope_head_dim", &Architecture::qk_nope_head_dim, 1 << 16, Need::Latent},
    SizeRule{"qk_rope_head_dim", &Architecture::qk_rope_head_dim, 1 << 16, Need::Latent},
    SizeRule{"v_head_dim", &Architecture::v_head_dim, 1 << 16, Need::Latent},
};

bool has_letter(const Architecture& a, std::string_view letters) {
    if (a.layer_pattern.empty()) return letters.find('F') != std::string_view::npos;
    return a.layer_pattern.find_first_of(letters) != std::string::npos;
}

bool is_stack(const Architecture& a) {
    return a.kind == ArchitectureKind::Decoder ||
           (a.kind == ArchitectureKind::Encoder && family(a.model_type).blueprint != Blueprint::ClipText);
}

bool is_vit(const Architecture& a) {
    return a.kind == ArchitectureKind::Vision && family(a.model_type).blueprint == Blueprint::Vit;
}

bool is_needed(const Architecture& a, Need need) {
    const bool two_stacks = a.kind == ArchitectureKind::EncoderDecoder, sees = is_vit(a);
    if (!is_stack(a) && !two_stacks && !sees) return false;
    switch (need) {
        case Need::Never:
            return false;
        case Need::Width:
            return true;
        case Need::Layers:
            return !two_stacks;  // a number for each: check_stacks
        case Need::Vocabulary:
            return !sees;
        case Need::Attention:
            return has_letter(a, "FSAP");
        case Need::Mlp:
            return a.num_experts == 0 && !(a.mamba.only_block && !has_letter(a, "FSLKGCP-"));
        case Need::Experts:
            return a.num_experts != 0;
        case Need::Latent:
            return a.kv_lora_rank != 0;
        case Need::LearnedPositions:
            return a.position == Position::Learned && !sees;
    }
    return false;
}

// What only two stacks, and what only images have.
Failure check_parts(const Architecture& a) {
    const EncoderDecoderParts& parts = a.encoder_decoder;
    // An encoder may stand alone, as text encoders of diffusion models do.
    if (a.kind == ArchitectureKind::EncoderDecoder && parts.num_encoder_layers + parts.num_decoder_layers == 0)
        return out_of_range("num_encoder_layers", 0, 1, kMaxLayers);
    if (is_vit(a) && a.image.image_size == 0) return out_of_range("image_size", 0, 1, 1 << 16);
    if (is_vit(a) && a.image.patch_size == 0) return out_of_range("patch_size", 0, 1, 1 << 16);
    return std::nullopt;
}

Failure check_sizes(const Architecture& a) {
    for (const SizeRule& rule : kSizeRules) {
        const std::int64_t value = a.*rule.member;
        const std::int64_t low = is_needed(a, rule.need) ? 1 : 0;
        if (value < low || value > rule.high) return out_of_range(rule.word, value, low, rule.high);
    }
    for (const FactRow& fact : facts())
        if (fact_value(fact, a) < 0) return out_of_range(fact.key, fact_value(fact, a), 0, 1 << 24);
    if (Failure failure = check_parts(a)) return failure;
    const std::int64_t layers = stacked_layers(a);
    if (layers > kMaxLayers) return out_of_range("num_encoder_layers", layers, 0, kMaxLayers);
    for (const std::int64_t width : a.intermediate_sizes)
        if (width < 1 || width > 1 << 24) return out_of_range("intermediate_size", width, 1, 1 << 24);
    return std::nullopt;
}

Failure check_heads(const Architecture& a) {
    if (!is_needed(a, Need::Attention)) return std::nullopt;
    if (a.num_attention_heads % a.num_key_value_heads != 0) {
        return Error{ErrorCode::Inconsistent,
                     key_of("num_key_value_heads"),
                     {"num_key_value_heads (", text(a.num_key_value_heads), ") must divide num_attention_heads (",
                      text(a.num_attention_heads), ")"},
                     {"allowed: a divisor of ", text(a.num_attention_heads)}};
    }
    if (a.qk_rope_head_dim % 2 != 0) {
        return Error{ErrorCode::Inconsistent,
                     key_of("qk_rope_head_dim"),
                     {"qk_rope_head_dim (", text(a.qk_rope_head_dim), ") is odd: halves of it are turned"},
                     {"allowed: an even number"}};
    }
    if (a.num_experts != 0 && a.num_experts_per_tok > a.num_experts)
        return out_of_range("num_experts_per_tok", a.num_experts_per_tok, 1, a.num_experts);
    return std::nullopt;
}

Failure check_pattern(const Architecture& a) {
    if (a.layer_pattern.empty()) return std::nullopt;
    const auto length = static_cast<std::int64_t>(a.layer_pattern.size());
    if (length != a.num_hidden_layers) {
        return Error{ErrorCode::Inconsistent,
                     key_of("layer_types"),
                     {"layer_types names ", text(length), " layers, num_hidden_layers is ", text(a.num_hidden_layers)},
                     "one entry for each layer"};
    }
    const std::size_t unknown = a.layer_pattern.find_first_not_of("FSLKGmMCPA-Efs");
    if (unknown == std::string::npos) return std::nullopt;
    return Error{ErrorCode::Malformed,
                 key_of("layer_types"),
                 {"layer ", text(static_cast<std::int64_t>(unknown)), " has the unknown kind '",
                  a.layer_pattern.substr(unknown, 1), "'"},
                 "allowed: F S L K G m M C P A - E f s"};
}

// Which heads a kind of model has: one bit each, and their words in the order of TaskHead.
Failure check_task_head(const Architecture& a) {
    const auto bit = [](TaskHead head) { return 1U << static_cast<unsigned>(head); };
    const FactRow& fact = *find_fact("task_head");
    unsigned heads = bit(TaskHead::None);
    switch (a.kind) {
        case ArchitectureKind::ParameterCount:
        case ArchitectureKind::TotalOnly:
            return std::nullopt;
        case ArchitectureKind::Decoder:
            heads |= bit(TaskHead::CausalLm) | bit(TaskHead::SequenceClassification);
            break;
        case ArchitectureKind::Encoder:
            heads |=
                bit(TaskHead::MaskedLm) | bit(TaskHead::SequenceClassification) | bit(TaskHead::TokenClassification);
            break;
        case ArchitectureKind::EncoderDecoder:
            heads |= bit(TaskHead::Seq2SeqLm);
            break;
        case ArchitectureKind::Vision:
            heads |= bit(TaskHead::ImageClassification);
            break;
        case ArchitectureKind::Diffusion:
            break;
    }
    if ((heads & bit(a.task_head)) != 0) return std::nullopt;
    std::string allowed;
    std::int64_t index = 0;
    for (const std::string_view word : fact.words)
        if ((heads >> index++ & 1U) != 0) allowed += concat({allowed.empty() ? "" : ", ", word});
    return Error{ErrorCode::Inconsistent,
                 "model.structure.task_head",
                 {"task_head is ", fact.words[static_cast<std::size_t>(a.task_head)], ", and ", a.model_type,
                  " has no such head"},
                 {"allowed: ", allowed}};
}

// In floating point, because whole numbers may not hold what is to be refused.
double approximate_parameters(const Architecture& a) {
    double total = 0;
    const auto tensors = shared_parameters(a);
    for (const ParameterTensor& t : *tensors) {
        double tensor = static_cast<double>(t.copies.value);
        double dimension = 0, term = 0;
        for (std::size_t i = 0; i < t.shape.size(); ++i) {
            const Factor& f = t.shape[i];
            const bool same_dimension = i > 0 && f.dimension == t.shape[i - 1].dimension;
            const bool same_term = same_dimension && f.term == t.shape[i - 1].term;
            if (i > 0 && !same_dimension) tensor *= dimension;
            const double next = same_term ? term * static_cast<double>(f.value) : static_cast<double>(f.value);
            dimension = (same_dimension ? dimension - (same_term ? term : 0) : 0) + next;
            term = next;
        }
        total += tensor * dimension;
    }
    return total;
}

Failure check_total(const Architecture& a) {
    const bool counted = a.kind != ArchitectureKind::ParameterCount && a.kind != ArchitectureKind::TotalOnly;
    if (!counted && (a.total_parameters < 1 || a.total_parameters > kMaxParameters)) {
        return Error{ErrorCode::OutOfRange,
                     "model.params",
                     {"params is ", text(a.total_parameters)},
                     {"allowed: 1 to ", text(kMaxParameters)}};
    }
    const double parameters = counted ? approximate_parameters(a) : 1;
    if (parameters == 0) return out_of_range("hidden_size", 0, 1, 1 << 20);
    if (counted && parameters > static_cast<double>(kMaxParameters)) {
        return Error{ErrorCode::OutOfRange,
                     key_of("hidden_size"),
                     {"the model would have more than ", text(kMaxParameters), " parameters"},
                     {"make hidden_size (", text(a.hidden_size), "), num_hidden_layers (", text(a.num_hidden_layers),
                      "), intermediate_size (", text(a.intermediate_size), ") or vocab_size (", text(a.vocab_size),
                      ") smaller"}};
    }
    return std::nullopt;
}

}  // namespace

Architecture with_defaults(Architecture a) {
    if (a.num_key_value_heads == 0) a.num_key_value_heads = a.num_attention_heads;
    if (a.head_dim == 0 && a.num_attention_heads > 0 && a.hidden_size % a.num_attention_heads == 0)
        a.head_dim = a.hidden_size / a.num_attention_heads;
    if (a.position == Position::Learned && a.learned_positions == 0) a.learned_positions = a.max_position_embeddings;
    // These classes put their classifier on a pooled first token.
    const TensorNames names = family(a.model_type).names;
    if (a.encoder.classifier == ClassifierHead::Linear && a.kind == ArchitectureKind::Encoder &&
        a.task_head != TaskHead::TokenClassification &&
        (names == TensorNames::Bert || names == TensorNames::Albert || names == TensorNames::DistilBert))
        a.encoder.pooler = true;
    if (a.kind == ArchitectureKind::Vision && a.num_labels > 0 && a.task_head == TaskHead::None)
        a.task_head = TaskHead::ImageClassification;
    // ModernBERT's norms have no bias, whatever a record calls them.
    if (a.norm == Norm::LayerNorm && family(a.model_type).blueprint == Blueprint::ModernBert)
        a.norm = Norm::LayerNormNoBias;
    if (a.num_experts != 0 && a.moe_intermediate_size == 0) a.moe_intermediate_size = a.intermediate_size;
    return a;
}

Failure check(const Architecture& a) {
    const bool can_divide = a.head_dim == 0 && a.num_attention_heads > 0 && a.hidden_size > 0;
    if (is_needed(a, Need::Attention) && can_divide && a.hidden_size % a.num_attention_heads != 0) {
        return Error{ErrorCode::Inconsistent,
                     key_of("num_attention_heads"),
                     {"num_attention_heads (", text(a.num_attention_heads), ") must divide hidden_size (",
                      text(a.hidden_size), ")"},
                     {"allowed: a divisor of ", text(a.hidden_size), ", or give head_dim"}};
    }
    for (Failure (*rule)(const Architecture&) : {check_sizes, check_heads, check_pattern, check_task_head, check_total})
        if (Failure failure = rule(a)) return failure;
    return std::nullopt;
}

}  // namespace memwall
