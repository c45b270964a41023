// Tensors of MLPs and of mixtures of experts.
#include "model/parameters_slots.hpp"

namespace memwall {
namespace {

Factor width(const SlotContext& c) { return {"intermediate_size", c.kind.intermediate_size, 0, 0}; }

// A matrix out x in with its bias, stored transposed where the family does.
void add_matrix(const SlotContext& c, const Factor& out, const Factor& in) {
    if (!is_transposed(c.family)) {
        c.to.linear(c.slot.role, c.slot.stem, out, in, bias_if(c.a.mlp_bias));
        return;
    }
    c.to.weight(c.slot.role, c.slot.stem, ShapeBuilder().by(in).by(out));
    if (c.a.mlp_bias) c.to.bias(c.slot.role, c.slot.stem, ShapeBuilder().by(out));
}

}  // namespace

void add_gate(const SlotContext& c) {
    if (c.kind.dense_mlp && c.a.mlp_gated && !c.a.image.packed_gate) add_matrix(c, width(c), hidden(c.a));
}

void add_up(const SlotContext& c) {
    if (c.kind.dense_mlp && !c.a.image.packed_gate) add_matrix(c, width(c), hidden(c.a));
}

void add_gate_up(const SlotContext& c) {
    const bool always_packed = c.family.names != TensorNames::Vit;
    if (!c.kind.dense_mlp || !(always_packed || c.a.image.packed_gate)) return;
    const auto rows = [&] {
        ShapeBuilder shape;
        shape.by("gate and up", c.a.mlp_gated ? 2 : 1).times("intermediate_size", c.kind.intermediate_size);
        return shape;
    };
    c.to.weight(c.slot.role, c.slot.stem, matrix(rows(), hidden(c.a)));
    if (c.a.mlp_bias) c.to.bias(c.slot.role, c.slot.stem, rows());
}

void add_down(const SlotContext& c) {
    if (c.kind.dense_mlp) add_matrix(c, hidden(c.a), width(c));
}

void add_mlp_norm(const SlotContext& c) {
    if (c.kind.dense_mlp && c.a.mlp_sub_norm) c.to.norm(c.slot.role, c.slot.stem, Norm::RmsNorm, width(c));
}

void add_mlp_scalars(const SlotContext& c) {
    if (c.kind.dense_mlp && c.a.mlp_extra_parameters != 0)
        c.to.weight(c.slot.role, c.slot.stem, ShapeBuilder().by("scalars of the activation", c.a.mlp_extra_parameters),
                    "");
}

void add_router(const SlotContext& c) {
    if (!c.kind.experts) return;
    const Factor experts{"num_experts", c.a.num_experts, 0, 0};
    c.to.linear(c.slot.role, c.slot.stem, experts, hidden(c.a), Bias::No);
    if (!c.a.moe.router_bias) return;
    const bool plain = c.family.names == TensorNames::GptOss;
    c.to.bias(c.slot.role, c.slot.stem, ShapeBuilder().by(experts), plain ? ".bias" : kScoreCorrection);
}

void add_experts(const SlotContext& c) {
    if (!c.kind.experts) return;
    const Architecture& a = c.a;
    const bool input_first = c.family.names == TensorNames::GptOss;
    const auto up_columns = [&](ShapeBuilder shape) {
        if (a.mlp_gated) return shape.by("gate and up", 2).times("moe_intermediate_size", a.moe_intermediate_size);
        return shape.by("moe_intermediate_size", a.moe_intermediate_size);
    };
    const auto experts = [&] { return ShapeBuilder().by("num_experts", a.num_experts); };
    const Role up_role = a.mlp_gated ? Role::ExpertsGateUp : Role::ExpertsUp;
    const std::string_view up_stem = a.mlp_gated ? "gate_up_proj" : "up_proj";
    c.to.place.scope = c.slot.stem;
    if (input_first)
        c.to.weight(up_role, up_stem, up_columns(experts().by("hidden_size", a.hidden_size)), "");
    else
        c.to.weight(up_role, up_stem, up_columns(experts()).by("hidden_size", a.hidden_size), "");
    if (a.moe.expert_bias) c.to.bias(up_role, up_stem, up_columns(experts()), "_bias");
    const Factor inner{"moe_intermediate_size", a.moe_intermediate_size, 0, 0};
    const Factor first = input_first ? inner : hidden(a), second = input_first ? hidden(a) : inner;
    c.to.weight(Role::ExpertsDown, "down_proj", experts().by(first).by(second), "");
    if (a.moe.expert_bias)
        c.to.bias(Role::ExpertsDown, "down_proj", experts().by("hidden_size", a.hidden_size), "_bias");
    c.to.place.scope = {};
}

void add_shared_expert(const SlotContext& c) {
    const std::int64_t inner = shared_expert_width(c.a);
    if (!c.kind.experts || inner == 0) return;
    const Factor shared{"shared_expert_intermediate_size", inner, 0, 0};
    c.to.place.scope = c.slot.stem;
    if (c.a.mlp_gated) c.to.linear(Role::SharedGate, "gate_proj", shared, hidden(c.a), Bias::No);
    c.to.linear(Role::SharedUp, "up_proj", shared, hidden(c.a), Bias::No);
    c.to.linear(Role::SharedDown, "down_proj", hidden(c.a), shared, Bias::No);
    c.to.place.scope = {};
}

void add_shared_expert_gate(const SlotContext& c) {
    if (c.kind.experts && c.a.moe.shared_expert_gate)
        c.to.linear(c.slot.role, c.slot.stem, {"one", 1, 0, 0}, hidden(c.a), Bias::No);
}

}  // namespace memwall
