// Adders: one function for each role a slot can have; parameters_slots.cpp holds the table of them.
#pragma once
#include "model/parameters_blocks.hpp"

namespace memwall {

// The slot at hand: of which architecture, in which kind of layer, and where its tensors go.
struct SlotContext {
    const Architecture& a;
    const FamilyRow& family;
    const LayerKind& kind;
    const Slot& slot;
    Inventory& to;
};
using Adder = void (*)(const SlotContext&);

Factor hidden(const Architecture&);
Factor embedding_width(const Architecture&);
inline bool is_transposed(const FamilyRow& f) { return f.names == TensorNames::Gpt2; }  // Conv1D stores in x out
ShapeBuilder matrix(ShapeBuilder out, const Factor& in);

// parameters_attention.cpp
void add_query(const SlotContext&);
void add_key(const SlotContext&);
void add_value(const SlotContext&);
void add_fused_qkv(const SlotContext&);
void add_attention_output(const SlotContext&);
void add_query_norm(const SlotContext&);
void add_key_norm(const SlotContext&);
void add_attention_norm(const SlotContext&);
void add_attention_gate(const SlotContext&);
void add_sinks(const SlotContext&);
void add_latent_attention(const SlotContext&);

// parameters_mlp.cpp
void add_gate(const SlotContext&);
void add_up(const SlotContext&);
void add_gate_up(const SlotContext&);
void add_down(const SlotContext&);
void add_mlp_norm(const SlotContext&);
void add_mlp_scalars(const SlotContext&);
void add_router(const SlotContext&);
void add_experts(const SlotContext&);
void add_shared_expert(const SlotContext&);
void add_shared_expert_gate(const SlotContext&);

// parameters_mixers.cpp
void add_linear_attention(const SlotContext&);
void add_mamba(const SlotContext&);
void add_short_convolution(const SlotContext&);

}  // namespace memwall
