#include "model/tensor_names.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/packed_rows.hpp"

namespace memwall {
namespace {

using enum Role;

// Blocks. Roles that stand for a part: KvLatentDown (latent attention), LinearAttention, Mamba, ShortConvolution,
// Router, ExpertsGateUp (all experts), SharedGate (the shared expert).
constexpr std::array kLlamaLayer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{AttentionNorm, "self_attn.attn_sub_norm"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{MlpScalars, "mlp.act_fn"},
    Slot{MlpNorm, "mlp.ffn_sub_norm"},
    Slot{Router, "mlp.gate"},
    Slot{ExpertsGateUp, "mlp.experts."},
    Slot{SharedGate, "mlp.shared_experts."},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kPhi3Layer{
    Slot{OProj, "self_attn.o_proj"},       Slot{QkvProj, "self_attn.qkv_proj"},
    Slot{GateUpProj, "mlp.gate_up_proj"},  Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1}, Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kQwenLayer{
    Slot{InputNorm, "ln_1", 1},         Slot{QkvProj, "attn.c_attn"}, Slot{OProj, "attn.c_proj"},
    Slot{PostAttentionNorm, "ln_2", 2}, Slot{GateProj, "mlp.w2"},     Slot{UpProj, "mlp.w1"},
    Slot{DownProj, "mlp.c_proj"},
};
constexpr std::array kBaichuanLayer{
    Slot{QkvProj, "self_attn.W_pack"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kGemma2Layer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
    Slot{PreFeedforwardNorm, "pre_feedforward_layernorm", 3},
    Slot{PostFeedforwardNorm, "post_feedforward_layernorm", 4},
};
constexpr std::array kGemma4Layer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{Router, "router.proj"},
    Slot{ExpertsGateUp, "experts."},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
    Slot{PreFeedforwardNorm, "pre_feedforward_layernorm", 3},
    Slot{PostFeedforwardNorm, "post_feedforward_layernorm", 4},
    Slot{PostFeedforwardNorm, "post_per_layer_input_norm", 5},
    Slot{PostFeedforwardNorm, "post_feedforward_layernorm_2", 6},
    Slot{PreFeedforwardNorm, "pre_feedforward_layernorm_2", 7},
    Slot{PerLayerEmbedding, "per_layer_"},
    Slot{Other, "layer_scalar"},
};
constexpr std::array kOlmo2Layer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{PostAttentionNorm, "post_attention_layernorm", 1},
    Slot{PostFeedforwardNorm, "post_feedforward_layernorm", 2},
};
constexpr std::array kGlm4Layer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{GateUpProj, "mlp.gate_up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
    Slot{PostAttentionNorm, "post_self_attn_layernorm", 3},
    Slot{PostFeedforwardNorm, "post_mlp_layernorm", 4},
};
// grok-1, arctic, afmoe: three or four norms around attention and experts.
constexpr std::array kMultiNormLayer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{AttentionGate, "self_attn.gate_proj"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{Router, "mlp.router.gate"},
    Slot{ExpertsGateUp, "mlp.experts."},
    Slot{SharedGate, "mlp.shared_experts."},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
    Slot{PreFeedforwardNorm, "pre_mlp_layernorm", 3},
    Slot{PostFeedforwardNorm, "post_mlp_layernorm", 4},
};
constexpr std::array kGpt2Layer{
    Slot{InputNorm, "ln_1", 1},         Slot{QkvProj, "attn.c_attn"}, Slot{OProj, "attn.c_proj"},
    Slot{PostAttentionNorm, "ln_2", 2}, Slot{UpProj, "mlp.c_fc"},     Slot{DownProj, "mlp.c_proj"},
};
constexpr std::array kGptNeoLayer{
    Slot{InputNorm, "ln_1", 1},
    Slot{KProj, "attn.attention.k_proj"},
    Slot{VProj, "attn.attention.v_proj"},
    Slot{QProj, "attn.attention.q_proj"},
    Slot{OProj, "attn.attention.out_proj"},
    Slot{PostAttentionNorm, "ln_2", 2},
    Slot{UpProj, "mlp.c_fc"},
    Slot{DownProj, "mlp.c_proj"},
};
constexpr std::array kGptNeoxLayer{
    Slot{InputNorm, "input_layernorm", 1},      Slot{PostAttentionNorm, "post_attention_layernorm", 2},
    Slot{QkvProj, "attention.query_key_value"}, Slot{OProj, "attention.dense"},
    Slot{UpProj, "mlp.dense_h_to_4h"},          Slot{DownProj, "mlp.dense_4h_to_h"},
};
constexpr std::array kGptJLayer{
    Slot{InputNorm, "ln_1", 1},   Slot{KProj, "attn.k_proj"}, Slot{VProj, "attn.v_proj"},   Slot{QProj, "attn.q_proj"},
    Slot{OProj, "attn.out_proj"}, Slot{UpProj, "mlp.fc_in"},  Slot{DownProj, "mlp.fc_out"},
};
constexpr std::array kOptLayer{
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{QProj, "self_attn.q_proj"},
    Slot{OProj, "self_attn.out_proj"},
    Slot{InputNorm, "self_attn_layer_norm", 1},
    Slot{UpProj, "fc1"},
    Slot{DownProj, "fc2"},
    Slot{PostAttentionNorm, "final_layer_norm", 2},
};
constexpr std::array kBloomLayer{
    Slot{InputNorm, "input_layernorm", 1}, Slot{QkvProj, "self_attention.query_key_value"},
    Slot{OProj, "self_attention.dense"},   Slot{PostAttentionNorm, "post_attention_layernorm", 2},
    Slot{UpProj, "mlp.dense_h_to_4h"},     Slot{DownProj, "mlp.dense_4h_to_h"},
};
constexpr std::array kFalconLayer{
    Slot{QkvProj, "self_attention.query_key_value"},
    Slot{OProj, "self_attention.dense"},
    Slot{UpProj, "mlp.dense_h_to_4h"},
    Slot{DownProj, "mlp.dense_4h_to_h"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kMptLayer{
    Slot{InputNorm, "norm_1", 1},         Slot{QkvProj, "attn.Wqkv"},  Slot{OProj, "attn.out_proj"},
    Slot{PostAttentionNorm, "norm_2", 2}, Slot{UpProj, "ffn.up_proj"}, Slot{DownProj, "ffn.down_proj"},
};
constexpr std::array kPhiLayer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.dense"},
    Slot{QNorm, "self_attn.q_layernorm"},
    Slot{KNorm, "self_attn.k_layernorm"},
    Slot{UpProj, "mlp.fc1"},
    Slot{DownProj, "mlp.fc2"},
    Slot{InputNorm, "input_layernorm", 1},
};
constexpr std::array kStarcoder2Layer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{UpProj, "mlp.c_fc"},
    Slot{DownProj, "mlp.c_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kMixtralLayer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{Router, "mlp.gate"},
    Slot{ExpertsGateUp, "mlp.experts."},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kQwenMoeLayer{
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{ExpertsGateUp, "mlp.experts."},
    Slot{Router, "mlp.gate"},
    Slot{SharedGate, "mlp.shared_expert."},
    Slot{SharedExpertGate, "mlp.shared_expert_gate"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kDeepseekLayer{
    Slot{KvLatentDown, "self_attn."},
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{AttentionGate, "self_attn.g_proj"},
    Slot{ExpertsGateUp, "mlp.experts."},
    Slot{Router, "mlp.gate"},
    Slot{SharedGate, "mlp.shared_experts."},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kGptOssLayer{
    Slot{Sinks, "self_attn.sinks"},
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{Router, "mlp.router"},
    Slot{ExpertsGateUp, "mlp.experts."},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kHybridLayer{
    Slot{LinearAttention, "linear_attn."},
    Slot{Mamba, "mamba."},
    Slot{ShortConvolution, "conv."},
    Slot{KvLatentDown, "self_attn."},
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{QNorm, "self_attn.q_norm"},
    Slot{KNorm, "self_attn.k_norm"},
    Slot{ExpertsGateUp, "mlp.experts."},
    Slot{Router, "mlp.gate"},
    Slot{SharedGate, "mlp.shared_expert."},
    Slot{SharedExpertGate, "mlp.shared_expert_gate"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.up_proj"},
    Slot{DownProj, "mlp.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PostAttentionNorm, "post_attention_layernorm", 2},
};
constexpr std::array kMambaLayer{
    Slot{InputNorm, "norm", 1},
    Slot{Mamba, "mixer."},
};
constexpr std::array kNemotronHLayer{
    Slot{InputNorm, "norm", 1},
    Slot{Mamba, "mixer."},
    Slot{QProj, "mixer.q_proj"},
    Slot{KProj, "mixer.k_proj"},
    Slot{VProj, "mixer.v_proj"},
    Slot{OProj, "mixer.o_proj"},
    Slot{UpProj, "mixer.up_proj"},
    Slot{DownProj, "mixer.down_proj"},
    Slot{ExpertsGateUp, "mixer.experts."},
    Slot{Router, "mixer.gate"},
    Slot{SharedGate, "mixer.shared_experts."},
};
constexpr std::array kJambaLayer{
    Slot{Mamba, "mamba."},
    Slot{QProj, "self_attn.q_proj"},
    Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},
    Slot{OProj, "self_attn.o_proj"},
    Slot{Router, "feed_forward.router"},
    Slot{ExpertsGateUp, "feed_forward.experts."},
    Slot{GateProj, "feed_forward.gate_proj"},
    Slot{UpProj, "feed_forward.up_proj"},
    Slot{DownProj, "feed_forward.down_proj"},
    Slot{InputNorm, "input_layernorm", 1},
    Slot{PreFeedforwardNorm, "pre_ff_layernorm", 2},
};
constexpr std::array kLfm2Layer{
    Slot{QProj, "self_attn.q_proj"},      Slot{KProj, "self_attn.k_proj"},
    Slot{VProj, "self_attn.v_proj"},      Slot{OProj, "self_attn.out_proj"},
    Slot{QNorm, "self_attn.q_layernorm"}, Slot{KNorm, "self_attn.k_layernorm"},
    Slot{ShortConvolution, "conv."},      Slot{GateProj, "feed_forward.w1"},
    Slot{UpProj, "feed_forward.w3"},      Slot{DownProj, "feed_forward.w2"},
    Slot{Router, "feed_forward.gate"},    Slot{ExpertsGateUp, "feed_forward.experts."},
    Slot{InputNorm, "operator_norm", 1},  Slot{PostAttentionNorm, "ffn_norm", 2},
};
constexpr std::array kBertLayer{
    Slot{QProj, "attention.self.query"},
    Slot{KProj, "attention.self.key"},
    Slot{VProj, "attention.self.value"},
    Slot{OProj, "attention.output.dense"},
    Slot{PostAttentionNorm, "attention.output.LayerNorm", 1},
    Slot{UpProj, "intermediate.dense"},
    Slot{DownProj, "output.dense"},
    Slot{PostFeedforwardNorm, "output.LayerNorm", 2},
};
constexpr std::array kDebertaLayer{
    Slot{QProj, "attention.self.query_proj"},
    Slot{KProj, "attention.self.key_proj"},
    Slot{VProj, "attention.self.value_proj"},
    Slot{OProj, "attention.output.dense"},
    Slot{PostAttentionNorm, "attention.output.LayerNorm", 1},
    Slot{UpProj, "intermediate.dense"},
    Slot{DownProj, "output.dense"},
    Slot{PostFeedforwardNorm, "output.LayerNorm", 2},
};
constexpr std::array kAlbertLayer{
    Slot{PostFeedforwardNorm, "full_layer_layer_norm", 1},
    Slot{QProj, "attention.query"},
    Slot{KProj, "attention.key"},
    Slot{VProj, "attention.value"},
    Slot{OProj, "attention.dense"},
    Slot{PostAttentionNorm, "attention.LayerNorm", 2},
    Slot{UpProj, "ffn"},
    Slot{DownProj, "ffn_output"},
};
constexpr std::array kDistilBertLayer{
    Slot{QProj, "attention.q_lin"},
    Slot{KProj, "attention.k_lin"},
    Slot{VProj, "attention.v_lin"},
    Slot{OProj, "attention.out_lin"},
    Slot{PostAttentionNorm, "sa_layer_norm", 1},
    Slot{UpProj, "ffn.lin1"},
    Slot{DownProj, "ffn.lin2"},
    Slot{PostFeedforwardNorm, "output_layer_norm", 2},
};
constexpr std::array kModernBertLayer{
    Slot{InputNorm, "attn_norm", 1},         Slot{QkvProj, "attn.Wqkv"}, Slot{OProj, "attn.Wo"},
    Slot{PreFeedforwardNorm, "mlp_norm", 2}, Slot{GateUpProj, "mlp.Wi"}, Slot{DownProj, "mlp.Wo"},
};
constexpr std::array kVitLayer{
    Slot{QProj, "attention.q_proj"},
    Slot{KProj, "attention.k_proj"},
    Slot{VProj, "attention.v_proj"},
    Slot{OProj, "attention.o_proj"},
    Slot{InputNorm, "layernorm_before", 1},
    Slot{PostAttentionNorm, "layernorm_after", 2},
    Slot{GateUpProj, "mlp.weights_in"},
    Slot{GateProj, "mlp.gate_proj"},
    Slot{UpProj, "mlp.fc1"},
    Slot{DownProj, "mlp.fc2"},
    Slot{LayerScale, "layer_scale1"},
    Slot{LayerScale, "layer_scale2"},
};

constexpr std::array kClipVisionLayer{
    Slot{KProj, "self_attn.k_proj"},   Slot{VProj, "self_attn.v_proj"},           Slot{QProj, "self_attn.q_proj"},
    Slot{OProj, "self_attn.out_proj"}, Slot{InputNorm, "layer_norm1", 1},         Slot{UpProj, "mlp.fc1"},
    Slot{DownProj, "mlp.fc2"},         Slot{PostAttentionNorm, "layer_norm2", 2},
};

// Before and after the blocks.
constexpr std::array kLlamaBefore{Slot{Embedding, "model.embed_tokens"}, Slot{PerLayerEmbedding, "model."}};
constexpr std::array kLlamaAfter{Slot{FinalNorm, "model.norm"}, Slot{LmHead, "lm_head"}};
constexpr std::array kLfm2After{Slot{FinalNorm, "model.embedding_norm"}, Slot{LmHead, "lm_head"}};
constexpr std::array kJambaAfter{Slot{FinalNorm, "model.final_layernorm"}, Slot{LmHead, "lm_head"}};
constexpr std::array kPhiAfter{Slot{FinalNorm, "model.final_layernorm"}, Slot{LmHead, "lm_head"}};
constexpr std::array kGpt2Before{Slot{Embedding, "transformer.wte"}, Slot{PositionEmbedding, "transformer.wpe"}};
constexpr std::array kGpt2After{Slot{FinalNorm, "transformer.ln_f"}, Slot{LmHead, "lm_head"}};
constexpr std::array kNeoxBefore{Slot{Embedding, "gpt_neox.embed_in"}};
constexpr std::array kNeoxAfter{Slot{FinalNorm, "gpt_neox.final_layer_norm"}, Slot{LmHead, "embed_out"}};
constexpr std::array kOptBefore{
    Slot{Embedding, "model.decoder.embed_tokens"}, Slot{PositionEmbedding, "model.decoder.embed_positions"},
    Slot{EmbeddingProjection, "model.decoder."}, Slot{FinalNorm, "model.decoder.final_layer_norm"}};
constexpr std::array kOptAfter{Slot{LmHead, "lm_head"}};
constexpr std::array kBloomBefore{Slot{Embedding, "transformer.word_embeddings"},
                                  Slot{EmbeddingNorm, "transformer.word_embeddings_layernorm"}};
constexpr std::array kMptAfter{Slot{FinalNorm, "transformer.norm_f"}, Slot{LmHead, "lm_head"}};
constexpr std::array kMambaBefore{Slot{Embedding, "backbone.embeddings"}};
constexpr std::array kMambaAfter{Slot{FinalNorm, "backbone.norm_f"}, Slot{LmHead, "lm_head"}};

constexpr std::array kBertBefore{
    Slot{Embedding, "bert.embeddings.word_embeddings"}, Slot{PositionEmbedding, "bert.embeddings.position_embeddings"},
    Slot{TypeEmbedding, "bert.embeddings.token_type_embeddings"}, Slot{EmbeddingNorm, "bert.embeddings.LayerNorm"}};
constexpr std::array kBertAfter{Slot{Pooler, "bert.pooler.dense"},
                                Slot{LmHead, "cls.predictions", 0, SlotPart::Bias},
                                Slot{MlmTransform, "cls.predictions.transform.dense"},
                                Slot{MlmNorm, "cls.predictions.transform.LayerNorm"},
                                Slot{LmHead, "cls.predictions.decoder", 0, SlotPart::Weight},
                                Slot{Classifier, "classifier"}};
constexpr std::array kRobertaBefore{Slot{Embedding, "roberta.embeddings.word_embeddings"},
                                    Slot{TypeEmbedding, "roberta.embeddings.token_type_embeddings"},
                                    Slot{EmbeddingNorm, "roberta.embeddings.LayerNorm"},
                                    Slot{PositionEmbedding, "roberta.embeddings.position_embeddings"}};
constexpr std::array kRobertaAfter{Slot{Pooler, "roberta.pooler.dense"},
                                   Slot{LmHead, "lm_head", 0, SlotPart::Bias},
                                   Slot{MlmTransform, "lm_head.dense"},
                                   Slot{MlmNorm, "lm_head.layer_norm"},
                                   Slot{LmHead, "lm_head.decoder", 0, SlotPart::Weight},
                                   Slot{Classifier, "classifier"}};
constexpr std::array kAlbertBefore{Slot{Embedding, "albert.embeddings.word_embeddings"},
                                   Slot{PositionEmbedding, "albert.embeddings.position_embeddings"},
                                   Slot{TypeEmbedding, "albert.embeddings.token_type_embeddings"},
                                   Slot{EmbeddingNorm, "albert.embeddings.LayerNorm"},
                                   Slot{EmbeddingProjection, "albert.encoder.embedding_hidden_mapping_in"}};
constexpr std::array kAlbertAfter{Slot{Pooler, "albert.pooler"},
                                  Slot{LmHead, "predictions", 0, SlotPart::Bias},
                                  Slot{MlmNorm, "predictions.LayerNorm"},
                                  Slot{MlmTransform, "predictions.dense"},
                                  Slot{LmHead, "predictions.decoder", 0, SlotPart::Weight},
                                  Slot{Classifier, "classifier"}};
constexpr std::array kDistilBertBefore{Slot{Embedding, "distilbert.embeddings.word_embeddings"},
                                       Slot{PositionEmbedding, "distilbert.embeddings.position_embeddings"},
                                       Slot{TypeEmbedding, "distilbert.embeddings.token_type_embeddings"},
                                       Slot{EmbeddingNorm, "distilbert.embeddings.LayerNorm"}};
constexpr std::array kDistilBertAfter{Slot{Pooler, "pre_classifier"}, Slot{MlmTransform, "vocab_transform"},
                                      Slot{MlmNorm, "vocab_layer_norm"}, Slot{LmHead, "vocab_projector"},
                                      Slot{Classifier, "classifier"}};
constexpr std::array kElectraBefore{Slot{Embedding, "electra.embeddings.word_embeddings"},
                                    Slot{PositionEmbedding, "electra.embeddings.position_embeddings"},
                                    Slot{TypeEmbedding, "electra.embeddings.token_type_embeddings"},
                                    Slot{EmbeddingNorm, "electra.embeddings.LayerNorm"},
                                    Slot{EmbeddingProjection, "electra.embeddings_project"}};
constexpr std::array kElectraAfter{Slot{MlmNorm, "generator_predictions.LayerNorm"},
                                   Slot{MlmTransform, "generator_predictions.dense"}, Slot{LmHead, "generator_lm_head"},
                                   Slot{Pooler, "electra.pooler.dense"}, Slot{Classifier, "classifier"}};
constexpr std::array kModernBertBefore{Slot{Embedding, "model.embeddings.tok_embeddings"},
                                       Slot{EmbeddingNorm, "model.embeddings.norm"}};
constexpr std::array kModernBertAfter{Slot{FinalNorm, "model.final_norm"}, Slot{MlmTransform, "head.dense"},
                                      Slot{MlmNorm, "head.norm"}, Slot{LmHead, "decoder"},
                                      Slot{Classifier, "classifier"}};
constexpr std::array kDebertaBefore{Slot{Embedding, "deberta.embeddings.word_embeddings"},
                                    Slot{TypeEmbedding, "deberta.embeddings.token_type_embeddings"},
                                    Slot{EmbeddingNorm, "deberta.embeddings.LayerNorm"}};
constexpr std::array kDebertaAfter{Slot{RelativeBias, "deberta.encoder.rel_embeddings"},
                                   Slot{FinalNorm, "deberta.encoder.LayerNorm"},
                                   Slot{Convolution, "deberta.encoder.conv."},
                                   Slot{Pooler, "pooler.dense"},
                                   Slot{LmHead, "cls.predictions", 0, SlotPart::Bias},
                                   Slot{MlmTransform, "cls.predictions.transform.dense"},
                                   Slot{MlmNorm, "cls.predictions.transform.LayerNorm"},
                                   Slot{LmHead, "cls.predictions.decoder", 0, SlotPart::Weight},
                                   Slot{Classifier, "classifier"}};
constexpr std::array kVitAfter{Slot{FinalNorm, "vit.layernorm"}, Slot{Pooler, "vit.pooler.dense"},
                               Slot{Classifier, "classifier"}};
constexpr std::array kClipVisionAfter{Slot{FinalNorm, "vision_model.post_layernorm"}, Slot{Classifier, "classifier"}};

constexpr std::array kRows{
    TensorNamesRow{TensorNames::Llama, "model.layers.*.", kLlamaBefore, kLlamaLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::Phi3, "model.layers.*.", kLlamaBefore, kPhi3Layer, kLlamaAfter},
    TensorNamesRow{TensorNames::Gemma2, "model.layers.*.", kLlamaBefore, kGemma2Layer, kLlamaAfter},
    TensorNamesRow{TensorNames::Gemma4, "model.layers.*.", kLlamaBefore, kGemma4Layer, kLlamaAfter},
    TensorNamesRow{TensorNames::Olmo2, "model.layers.*.", kLlamaBefore, kOlmo2Layer, kLlamaAfter},
    TensorNamesRow{TensorNames::Glm4, "model.layers.*.", kLlamaBefore, kGlm4Layer, kLlamaAfter},
    TensorNamesRow{TensorNames::MultiNorm, "model.layers.*.", kLlamaBefore, kMultiNormLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::Gpt2, "transformer.h.*.", kGpt2Before, kGpt2Layer, kGpt2After},
    TensorNamesRow{TensorNames::GptBigcode, "transformer.h.*.", kGpt2Before, kGpt2Layer, kGpt2After},
    TensorNamesRow{TensorNames::GptNeo, "transformer.h.*.", kGpt2Before, kGptNeoLayer, kGpt2After},
    TensorNamesRow{TensorNames::GptNeox, "gpt_neox.layers.*.", kNeoxBefore, kGptNeoxLayer, kNeoxAfter},
    TensorNamesRow{TensorNames::GptJ, "transformer.h.*.", kGpt2Before, kGptJLayer, kGpt2After},
    TensorNamesRow{TensorNames::Opt, "model.decoder.layers.*.", kOptBefore, kOptLayer, kOptAfter},
    TensorNamesRow{TensorNames::Bloom, "transformer.h.*.", kBloomBefore, kBloomLayer, kGpt2After},
    TensorNamesRow{TensorNames::Falcon, "transformer.h.*.", kBloomBefore, kFalconLayer, kGpt2After},
    TensorNamesRow{TensorNames::Mpt, "transformer.blocks.*.", kGpt2Before, kMptLayer, kMptAfter},
    TensorNamesRow{TensorNames::Phi, "model.layers.*.", kLlamaBefore, kPhiLayer, kPhiAfter},
    TensorNamesRow{TensorNames::Starcoder2, "model.layers.*.", kLlamaBefore, kStarcoder2Layer, kLlamaAfter},
    TensorNamesRow{TensorNames::Nemotron, "model.layers.*.", kLlamaBefore, kLlamaLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::Mixtral, "model.layers.*.", kLlamaBefore, kMixtralLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::QwenMoe, "model.layers.*.", kLlamaBefore, kQwenMoeLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::Deepseek, "model.layers.*.", kLlamaBefore, kDeepseekLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::GptOss, "model.layers.*.", kLlamaBefore, kGptOssLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::Granite, "model.layers.*.", kLlamaBefore, kHybridLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::Hybrid, "model.layers.*.", kLlamaBefore, kHybridLayer, kLlamaAfter},
    TensorNamesRow{TensorNames::Mamba, "backbone.layers.*.", kMambaBefore, kMambaLayer, kMambaAfter},
    TensorNamesRow{TensorNames::NemotronH, "backbone.layers.*.", kMambaBefore, kNemotronHLayer, kMambaAfter},
    TensorNamesRow{TensorNames::Jamba, "model.layers.*.", kLlamaBefore, kJambaLayer, kJambaAfter},
    TensorNamesRow{TensorNames::Lfm2, "model.layers.*.", kLlamaBefore, kLfm2Layer, kLfm2After},
    TensorNamesRow{TensorNames::Bert, "bert.encoder.layer.*.", kBertBefore, kBertLayer, kBertAfter},
    TensorNamesRow{TensorNames::Roberta, "roberta.encoder.layer.*.", kRobertaBefore, kBertLayer, kRobertaAfter},
    TensorNamesRow{TensorNames::Albert, "albert.encoder.albert_layer_groups.0.albert_layers.0.", kAlbertBefore,
                   kAlbertLayer, kAlbertAfter},
    TensorNamesRow{TensorNames::DistilBert, "distilbert.transformer.layer.*.", kDistilBertBefore, kDistilBertLayer,
                   kDistilBertAfter},
    TensorNamesRow{TensorNames::Electra, "electra.encoder.layer.*.", kElectraBefore, kBertLayer, kElectraAfter},
    TensorNamesRow{TensorNames::ModernBert, "model.layers.*.", kModernBertBefore, kModernBertLayer, kModernBertAfter},
    TensorNamesRow{TensorNames::DebertaV2, "deberta.encoder.layer.*.", kDebertaBefore, kDebertaLayer, kDebertaAfter},
    TensorNamesRow{TensorNames::Vit, "vit.layers.*.", {}, kVitLayer, kVitAfter},
    TensorNamesRow{TensorNames::ClipVision, "vision_model.encoder.layers.*.", {}, kClipVisionLayer, kClipVisionAfter},
    TensorNamesRow{TensorNames::Qwen, "transformer.h.*.", kGpt2Before, kQwenLayer, kGpt2After},
    TensorNamesRow{TensorNames::Baichuan, "model.layers.*.", kLlamaBefore, kBaichuanLayer, kLlamaAfter},
};

constexpr bool rows_stand_at_their_index() {
    for (std::size_t i = 0; i < kRows.size(); ++i)
        if (static_cast<std::size_t>(kRows[i].id) != i) return false;
    return true;
}
static_assert(rows_stand_at_their_index());

// What is stored: the slots of all lists of all rows, one after the other, and how many there are in each.
constexpr std::size_t kSlotCount = [] {
    std::size_t count = 0;
    for (const TensorNamesRow& row : kRows)
        count += row.before.size() + row.layer.size() + row.after.size();
    return count;
}();
constexpr auto kSlots = [] {
    std::array<Slot, kSlotCount> out{};
    std::size_t next = 0;
    for (const TensorNamesRow& row : kRows)
        for (const std::span<const Slot> list : {row.before, row.layer, row.after})
            for (const Slot& slot : list)
                out[next++] = slot;
    return out;
}();
struct Lengths {
    std::string_view layer_prefix;
    std::uint8_t before, layer, after;
};
constexpr auto kLengths = [] {
    std::array<Lengths, kRows.size()> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = {kRows[i].layer_prefix, static_cast<std::uint8_t>(kRows[i].before.size()),
                  static_cast<std::uint8_t>(kRows[i].layer.size()), static_cast<std::uint8_t>(kRows[i].after.size())};
    return out;
}();

std::array<TensorNamesRow, kRows.size()> unpacked() {
    std::array<TensorNamesRow, kRows.size()> out{};
    std::span<const Slot> left = packed_rows<kSlots, &Slot::stem>();
    const auto take = [&left](std::size_t count) {
        const auto list = left.first(count);
        left = left.subspan(count);
        return list;
    };
    std::size_t next = 0;
    for (const Lengths& lengths : packed_rows<kLengths, &Lengths::layer_prefix>()) {
        TensorNamesRow& row = out[next];
        row = {static_cast<TensorNames>(next++), lengths.layer_prefix, take(lengths.before), take(lengths.layer), {}};
        row.after = take(lengths.after);
    }
    return out;
}

}  // namespace

const TensorNamesRow& row(TensorNames names) {
    static const std::array<TensorNamesRow, kRows.size()> rows = unpacked();
    const auto index = static_cast<std::size_t>(names);
    assert(index < rows.size());
    return rows[index];
}

}  // namespace memwall
