#include "model/parameters_blocks.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace memwall {
namespace {

struct KindOfLayers {
    LayerKind kind;
    LayerSet layers;
};

bool layers_differ(const Architecture& a, const FamilyRow& family) {
    return !a.layer_pattern.empty() || !a.intermediate_sizes.empty() || a.num_experts != 0 ||
           a.attention.num_kv_shared_layers != 0 || family.blueprint == Blueprint::ModernBert;
}

std::vector<KindOfLayers> kinds_of_layers(const Architecture& a, const FamilyRow& family) {
    std::vector<KindOfLayers> out;
    if (a.num_hidden_layers == 0) return out;
    if (!layers_differ(a, family)) {
        out.push_back({layer_kind(a, family, 0), layers_from(0, a.num_hidden_layers)});
        return out;
    }
    for (std::int64_t layer = 0; layer < a.num_hidden_layers; ++layer) {
        const LayerKind kind = layer_kind(a, family, layer);
        auto found = std::find_if(out.begin(), out.end(), [&](const KindOfLayers& k) { return k.kind == kind; });
        if (found == out.end()) found = out.insert(out.end(), KindOfLayers{kind, {}});
        found->layers.set(static_cast<std::size_t>(layer));
    }
    return out;
}

std::string_view name_of_layers(char letter) {
    switch (letter) {
        case 'F':
        case 'A':
            return "full-attention layers";
        case 'S':
            return "sliding-window layers";
        case 'L':
        case 'K':
        case 'G':
            return "linear-attention layers";
        case 'm':
        case 'M':
            return "state-space layers";
        case 'C':
            return "convolution layers";
        case 'P':
            return "attention and state-space layers";
        default:
            return "layers";
    }
}

// Tensors of every layer are counted by num_hidden_layers, others by what they have in common.
void name_copies(const Architecture& a, std::vector<ParameterTensor>& tensors) {
    for (ParameterTensor& t : tensors) {
        if (a.encoder.shared_layers) {
            t.copies = {"shared by all layers", 1, 0, 0};
        } else if (t.copies.value == a.num_hidden_layers) {
            t.copies.name = "num_hidden_layers";
        } else if (module_of(t.role) == Module::Experts) {
            t.copies.name = "layers with experts";
        } else if (module_of(t.role) == Module::Mlp) {
            t.copies.name = a.num_experts != 0 ? "dense layers" : "layers of this width";
        } else if (module_of(t.role) == Module::Norm) {
            t.copies.name = "layers with this norm";
        }
    }
}

std::vector<ParameterTensor> block_tensors(const Architecture& a, const FamilyRow& family,
                                           const TensorNamesRow& names) {
    Inventory out;
    for (const KindOfLayers& k : kinds_of_layers(a, family)) {
        Inventory block;
        block.place = {.prefix = names.layer_prefix,
                       .scope = {},
                       .stack = Stack::Layers,
                       .copies = {name_of_layers(k.kind.letter), static_cast<std::int64_t>(k.layers.count()), 0, 0},
                       .layers = k.layers};
        for (const Slot& slot : names.layer)
            add_slot(a, family, k.kind, slot, block);
        out.merge(std::move(block));
    }
    std::vector<ParameterTensor> tensors = out.take();
    name_copies(a, tensors);
    return tensors;
}

}  // namespace

LayerKind layer_kind(const Architecture& a, const FamilyRow& family, std::int64_t layer) {
    LayerKind kind;
    kind.letter = layer_letter(a, layer);
    kind.experts = is_moe_layer(a, layer);
    const bool mixer_only = kind.letter == 'A' || (a.mamba.only_block && (kind.letter == 'm' || kind.letter == 'M'));
    if (mixer_only) kind.experts = false;
    kind.dense_mlp = !mixer_only && (!kind.experts || a.moe.dense_mlp_beside_moe);
    kind.shares_keys_and_values = layer >= a.num_hidden_layers - a.attention.num_kv_shared_layers;
    kind.first = layer == 0 && family.blueprint == Blueprint::ModernBert;
    kind.intermediate_size = intermediate_size(a, layer);
    return kind;
}

void add_stack(const Architecture& a, Inventory& inventory) {
    const FamilyRow& family = memwall::family(a.model_type);
    const TensorNamesRow& names = row(family.names);
    const LayerKind outside{};
    for (const Slot& slot : names.before)
        add_slot(a, family, outside, slot, inventory);
    inventory.append(block_tensors(a, family, names));
    for (const Slot& slot : names.after)
        add_slot(a, family, outside, slot, inventory);
    if (a.vision.kind != TowerKind::None) add_vision_tower(a, inventory);
    if (a.extra_parameters != 0)
        inventory.weight(Role::Other, "extra", ShapeBuilder().by("extra_params", a.extra_parameters), "");
}

}  // namespace memwall
