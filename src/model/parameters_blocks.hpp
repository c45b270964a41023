// The slots of a stack of blocks, filled with the tensors of an architecture (model/tensor_names.hpp).
//
// Layers that have the same tensors are one kind; a kind is listed once, and what two kinds share is
// listed once for both.
#pragma once
#include <cstdint>

#include "model/inventory.hpp"
#include "model/tensor_names.hpp"

namespace memwall {

// What the shapes of one kind of layer depend on.
struct LayerKind {
    char letter = 'F';
    bool experts = false;
    bool dense_mlp = true;
    bool shares_keys_and_values = false;  // of an earlier layer (Gemma E models)
    bool first = false;                   // where the first layer differs (ModernBERT)
    std::int64_t intermediate_size = 0;
    friend bool operator==(const LayerKind&, const LayerKind&) = default;
};
LayerKind layer_kind(const Architecture&, const FamilyRow&, std::int64_t layer);

// Embeddings, blocks, head, and a vision tower where there is one.
void add_stack(const Architecture&, Inventory&);
void add_slot(const Architecture&, const FamilyRow&, const LayerKind&, const Slot&,
              Inventory&);  // parameters_slots.cpp

}  // namespace memwall
