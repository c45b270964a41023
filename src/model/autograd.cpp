#include "model/autograd.hpp"

#include <algorithm>
#include <cassert>
#include <queue>
#include <span>

#include "model/layout.hpp"
#include "model/operators.hpp"
#include "model/optimizer_step.hpp"

namespace memwall {

namespace {

Node& node_at(Recorder& r, std::int32_t id) { return r.nodes[static_cast<std::size_t>(id)]; }

// The place of what a node kept that was gone before its block ran again: there the new node keeps it.
constexpr std::int32_t kUnwanted = -2;

// The node that collects the gradient of a leaf; it keeps the leaf alive.
std::int32_t accumulator_of(Recorder& r, const Tensor& leaf) {
    if (const std::int32_t known = r.at(leaf).accumulator; known >= 0) return known;
    Node node;
    node.op = Operator::AccumulateGrad;
    node.unit = r.unit;
    node.leaf = leaf.id();
    node.module = r.module;
    node.output_count = 1;
    node.outputs[0] = {leaf.shape(), leaf.dtype()};
    r.retain(leaf.id());
    r.nodes.push_back(node);
    return r.at(leaf).accumulator = static_cast<std::int32_t>(r.nodes.size()) - 1;
}

// Where the gradient of a tensor goes.
Edge edge_to(Recorder& r, const Tensor& t) {
    const std::int32_t made_by = r.at(t).node;
    return made_by >= 0 ? Edge{made_by, r.at(t).slot} : Edge{accumulator_of(r, t), 0};
}

}  // namespace

namespace {

// Products and kernels read what has been written; before it is kept: a block that runs again may end with its last
// product.
[[gnu::noinline]] void write_operands(Recorder& r, Operator op, std::initializer_list<const Tensor*> operands) {
    if (!reads_memory(op)) return;
    for (const Tensor* t : operands)
        r.materialize(*t);
}

}  // namespace

std::int32_t begin_node(Recorder& r, Operator op, std::initializer_list<const Tensor*> operands) {
    if (r.graph >= 0) write_operands(r, op, operands);
    if (!r.grad_enabled || r.stopped) return -1;
    bool any = false;
    for (const Tensor* t : operands)
        any = any || (*t && t->requires_grad());
    if (!any) return -1;
    std::array<Edge, kEdges> edges;
    std::size_t count = 0;
    for (const Tensor* t : operands) {
        Edge& edge = edges[count++];
        if (!*t || !t->requires_grad()) continue;
        edge = edge_to(r, *t);
        ++node_at(r, edge.node).references;
    }
    Node& node = r.nodes.emplace_back();
    node.op = op;
    node.unit = r.unit;
    node.graph = r.graph;
    node.module = r.module;
    node.edge_count = static_cast<std::int8_t>(count);
    node.edges = edges;
    return static_cast<std::int32_t>(r.nodes.size()) - 1;
}

bool needs(const Recorder& r, std::int32_t node, int edge) {
    return r.nodes[static_cast<std::size_t>(node)].edges[static_cast<std::size_t>(edge)].node >= 0;
}

void keep(Recorder& r, std::int32_t id, const Tensor& tensor) {
    if (id < 0 || r.stopped) return;
    SavedTensor saved;
    if (r.packing >= 0) {
        Frame& frame = r.frames[static_cast<std::size_t>(r.packing)];
        saved.frame = r.packing;
        saved.index = frame.packed++;
        ++frame.alive;
    } else {
        const bool goes = r.offloading && r.recomputed < 0 && !r.storage_of(tensor).resident;
        Tensor alias = goes ? r.hosted(tensor) : r.alias(tensor, tensor.shape(), r.at(tensor).strides);
        if (r.recomputed >= 0) {
            // Whoever keeps it is the node of the first run; this node is never walked.
            Frame& frame = r.frames[static_cast<std::size_t>(r.recomputed)];
            auto& place = frame.recomputed[static_cast<std::size_t>(r.pack_index++)];
            if (r.pack_index == frame.packed) r.stopped = true;
            if (place != kUnwanted) {
                place = alias.detach_count();
                return;
            }
        }
        saved.tensor = alias.detach_count();
    }
    Node& node = node_at(r, id);
    node.saved[static_cast<std::size_t>(node.saved_count++)] = saved;
}

void keep_aside(Recorder& r, std::int32_t id, int index, const Tensor& tensor) {
    if (id < 0 || r.stopped) return;
    Tensor alias = r.alias(tensor, tensor.shape(), r.at(tensor).strides);
    node_at(r, id).aside[static_cast<std::size_t>(index)] = alias.detach_count();
}

Tensor kept_aside(Recorder& r, std::int32_t id, int index) {
    const std::int32_t tensor = node_at(r, id).aside[static_cast<std::size_t>(index)];
    r.retain(tensor);
    return Tensor(&r, tensor);
}

void finish_node(Recorder& r, std::int32_t id, const Tensor& output, int slot) {
    if (id < 0) return;
    Node& node = node_at(r, id);
    node.outputs[static_cast<std::size_t>(slot)] = {output.shape(), output.dtype()};
    node.output_count = static_cast<std::int8_t>(std::max<int>(node.output_count, slot + 1));
    ++node.references;
    if (r.stopped) {  // nobody will walk it
        release_node(r, id);
        return;
    }
    TensorData& data = r.at(output);
    data.node = id;
    data.slot = static_cast<std::int8_t>(slot);
    data.requires_grad = true;
}

namespace {

void release_frame_place(Recorder& r, std::int32_t id) {
    Frame& frame = r.frames[static_cast<std::size_t>(id)];
    if (--frame.alive > 0) return;
    frame.input.clear();
    frame.results.clear();
    if (const std::int32_t outer = std::exchange(frame.place.frame, -1); outer >= 0) release_frame_place(r, outer);
}

void release_saved(Recorder& r, std::int32_t id) {
    if (node_at(r, id).op == Operator::Checkpoint) {
        BlockTensors& input = r.frames[static_cast<std::size_t>(node_at(r, id).argument[0])].input;
        for (std::int32_t i = 0; i < node_at(r, id).argument[1]; ++i)
            input[static_cast<std::size_t>(i)].reset();
    }
    const int count = std::exchange(node_at(r, id).saved_count, std::int8_t{0});
    for (int i = 0; i < count; ++i) {
        const SavedTensor saved = node_at(r, id).saved[static_cast<std::size_t>(i)];
        if (saved.tensor >= 0) r.release(saved.tensor);
        if (saved.frame < 0) continue;
        Frame& frame = r.frames[static_cast<std::size_t>(saved.frame)];
        if (!frame.done) frame.recomputed.resize(static_cast<std::size_t>(frame.packed), -1);
        if (const std::int32_t left =
                std::exchange(frame.recomputed[static_cast<std::size_t>(saved.index)], frame.done ? -1 : kUnwanted);
            left >= 0)
            r.release(left);
        release_frame_place(r, saved.frame);
    }
}

}  // namespace

namespace {

// After backward, outside of the layer's segment, once for every layer it stands for.
void release_aside(Recorder& r, std::int32_t id) {
    const std::array<std::int32_t, 2> tensors = std::exchange(node_at(r, id).aside, {-1, -1});
    const std::int32_t unit = node_at(r, id).unit;
    if (unit >= 0 && r.segments.back().copies == 1)
        r.release_copies = r.units[static_cast<std::size_t>(unit)].copies - 1;
    for (const std::int32_t tensor : tensors)
        if (tensor >= 0) r.release(tensor);
    r.release_copies = 0;
}

}  // namespace

void release_node(Recorder& r, std::int32_t id) {
    if (--node_at(r, id).references > 0) return;
    release_saved(r, id);
    release_aside(r, id);
    if (node_at(r, id).op == Operator::Checkpoint)
        r.frames[static_cast<std::size_t>(node_at(r, id).argument[0])].input.clear();
    const std::int32_t leaf = std::exchange(node_at(r, id).leaf, -1);
    if (leaf >= 0) {
        r.tensors[static_cast<std::size_t>(leaf)].accumulator = -1;
        r.release(leaf);
    }
    const int edges = std::exchange(node_at(r, id).edge_count, std::int8_t{0});
    for (int i = 0; i < edges; ++i)
        if (const std::int32_t next = node_at(r, id).edges[static_cast<std::size_t>(i)].node; next >= 0)
            release_node(r, next);
}

namespace {

// Runs a checkpointed block again until everything its nodes kept exists; first the one around it, if it is the first
// of its blocks.
void recompute(Recorder& r, std::int32_t id) {
    const auto at = static_cast<std::size_t>(id);
    BlockTensors given = r.frames[at].input;
    if (r.settings.offload && given[0]) given[0] = r.fetched(given[0]);
    if (const SavedTensor place = r.frames[at].place; place.frame >= 0) {
        const auto outer = static_cast<std::size_t>(place.frame);
        if (!r.frames[outer].done) recompute(r, place.frame);
        const std::int32_t input = std::exchange(r.frames[outer].recomputed[static_cast<std::size_t>(place.index)], -1);
        given[0] = Tensor(&r, input);
    }
    const bool grad_enabled = std::exchange(r.grad_enabled, true);
    const bool recomputing = std::exchange(r.recomputing, true);
    const std::string_view module = r.module;
    const std::int32_t unit = r.unit, graph = r.graph;
    r.frames[at].recomputed.resize(static_cast<std::size_t>(r.frames[at].packed), -1);
    r.recomputed = id;
    r.pack_index = r.products = 0;
    {
        const BlockTensors input = std::move(given);
        BlockTensors output = input;
        const BlockCall run = r.frames[at].run;
        run(output);
    }
    r.recomputed = -1;
    r.stopped = false;
    r.clear_cast_cache(Recorder::Scope::Layer);
    r.frames[static_cast<std::size_t>(id)].done = true;
    r.grad_enabled = grad_enabled;
    r.recomputing = recomputing;
    r.module = module;
    r.unit = unit;
    r.graph = graph;
}

}  // namespace

Tensor kept(Recorder& r, std::int32_t id, int index) {
    const SavedTensor saved = node_at(r, id).saved[static_cast<std::size_t>(index)];
    if (saved.tensor >= 0) {
        r.retain(saved.tensor);
        Tensor out(&r, saved.tensor);
        return r.settings.offload ? r.fetched(out) : out;
    }
    if (!r.frames[static_cast<std::size_t>(saved.frame)].done) recompute(r, saved.frame);
    auto& place = r.frames[static_cast<std::size_t>(saved.frame)].recomputed[static_cast<std::size_t>(saved.index)];
    assert(place >= 0);
    return Tensor(&r, std::exchange(place, -1));
}

namespace {

struct Walk {
    Recorder& r;
    std::priority_queue<std::int64_t> ready{};  // the youngest first; before all nodes leaves, the eldest first
    std::int32_t mark;

    void push(std::int32_t node) {
        const bool leaf = node_at(r, node).op == Operator::AccumulateGrad;
        ready.push(leaf ? kLeaf - node : node);
    }
    std::int32_t pop() {
        const std::int64_t key = ready.top();
        ready.pop();
        return static_cast<std::int32_t>(key > kLeaf / 2 ? kLeaf - key : key);
    }
    static constexpr std::int64_t kLeaf = std::int64_t{1} << 40;
    void count(std::int32_t root) {
        if (node_at(r, root).visited == mark) return;
        std::vector<std::int32_t> stack{root};
        node_at(r, root).visited = mark;
        while (!stack.empty()) {
            const std::int32_t at = stack.back();
            stack.pop_back();
            for (int i = 0; i < node_at(r, at).edge_count; ++i) {
                const std::int32_t next = node_at(r, at).edges[static_cast<std::size_t>(i)].node;
                if (next < 0) continue;
                ++node_at(r, next).waiting;
                if (node_at(r, next).visited == mark) continue;
                node_at(r, next).visited = mark;
                stack.push_back(next);
            }
        }
    }
    void add(const Edge& edge, Tensor& gradient);
    void accumulate_leaf(std::int32_t node, Tensor gradient);
    void run(std::int32_t node);
};

// Into the buffer of a node: the first gradient is taken as it is, later ones are added, and live until all of the
// node's have been.
void Walk::add(const Edge& edge, Tensor& gradient) {
    std::int32_t& buffer = node_at(r, edge.node).grads[static_cast<std::size_t>(edge.slot)];
    if (buffer < 0) {
        buffer = gradient.detach_count();
        return;
    }
    Tensor old(&r, std::exchange(buffer, -1));
    const TensorData& data = r.at(old);
    const bool owned = data.references == 1 && !data.view && r.storage_of(old).references == 1 && is_dense(r, data);
    if (r.settings.accumulate_in_place && owned && r.graph < 0) {
        node_at(r, edge.node).grads[static_cast<std::size_t>(edge.slot)] = old.detach_count();
        return;
    }
    Tensor sum = elementwise(Operator::GradientSum, old, gradient);
    node_at(r, edge.node).grads[static_cast<std::size_t>(edge.slot)] = sum.detach_count();
}

void Walk::accumulate_leaf(std::int32_t id, Tensor gradient) {
    const std::int32_t leaf = node_at(r, id).leaf;
    r.materialize(gradient);
    const bool parameter = r.tensors[static_cast<std::size_t>(leaf)].parameter;
    if (parameter && r.settings.gradients_into_main) return;
    if (r.tensors[static_cast<std::size_t>(leaf)].grad >= 0) return;  // added in place, then dropped
    // It lies as its leaf does.
    const TensorData& data = r.at(gradient);
    const Strides strides = strides_like(r, r.tensors[static_cast<std::size_t>(leaf)]);
    if (data.references != 1 || !equal_strides(r, data, strides))
        gradient = r.allocate(Operator::AccumulateGrad, Shape(data.shape), data.dtype, &strides);
    r.storage_of(gradient).gradient = parameter;
    r.storage_of(gradient).module = node_at(r, id).module;
    if (parameter && r.settings.step_in_backward) {
        r.retain(leaf);
        record_update_of_one(r, Tensor(&r, leaf), r.settings.optimizer);
        return;
    }
    r.tensors[static_cast<std::size_t>(leaf)].grad = gradient.detach_count();
}

void Walk::run(std::int32_t id) {
    Gradients incoming, outgoing;
    for (std::size_t i = 0; i < kOutputs; ++i)
        if (const std::int32_t grad = std::exchange(node_at(r, id).grads[i], -1); grad >= 0)
            incoming[i] = Tensor(&r, grad);
    r.module = node_at(r, id).module;
    r.graph = node_at(r, id).graph;
    if (node_at(r, id).op == Operator::AccumulateGrad) {
        if (incoming[0]) accumulate_leaf(id, std::move(incoming[0]));
        return;
    }
    if (r.graph >= 0) write_operands(r, node_at(r, id).op, {&incoming[0]});
    run_backward_formula(r, id, incoming, outgoing);
    const int edges = node_at(r, id).edge_count;
    for (int i = 0; i < edges; ++i) {
        const Edge edge = node_at(r, id).edges[static_cast<std::size_t>(i)];
        Tensor& gradient = outgoing[static_cast<std::size_t>(i)];
        if (edge.node < 0 || !gradient) continue;
        const OutputMeta wanted = node_at(r, edge.node).outputs[static_cast<std::size_t>(edge.slot)];
        gradient = sum_to(std::move(gradient), wanted.shape);
        if (gradient.dtype() != wanted.dtype) gradient = convert(Operator::Cast, gradient, wanted.dtype);
    }
    for (Tensor& t : incoming)
        t.reset();
    release_saved(r, id);
    for (int i = 0; i < edges; ++i) {
        const Edge edge = node_at(r, id).edges[static_cast<std::size_t>(i)];
        if (edge.node < 0) continue;
        if (outgoing[static_cast<std::size_t>(i)]) add(edge, outgoing[static_cast<std::size_t>(i)]);
        if (--node_at(r, edge.node).waiting == 0) push(edge.node);
    }
}

// What leaves a compiled graph.
[[gnu::noinline]] void materialize_gradients(Recorder& r, std::int32_t id) {
    for (const std::int32_t gradient : node_at(r, id).grads) {
        if (gradient < 0) continue;
        r.retain(gradient);
        r.materialize(Tensor(&r, gradient));
    }
}

// From those of the outputs that need a gradient; the caller holds their gradients to the end.
void walk(Recorder& r, std::span<const Tensor> outputs, const Tensor* gradients) {
    Walk w{.r = r, .mark = r.walks++};
    for (const Tensor& output : outputs)
        if (output && output.requires_grad()) w.count(edge_to(r, output).node);
    for (const Tensor& output : outputs) {
        Tensor gradient = *gradients++;
        if (!output || !output.requires_grad()) continue;
        const Edge edge = edge_to(r, output);
        w.add(edge, gradient);
        if (node_at(r, edge.node).waiting == 0) w.push(edge.node);
    }
    std::int32_t graph = -1;
    while (!w.ready.empty()) {
        const std::int32_t id = w.pop();
        if (node_at(r, id).op != Operator::AccumulateGrad) {
            if (node_at(r, id).graph != graph) materialize_gradients(r, id);
            graph = node_at(r, id).graph;
            r.enter_backward(node_at(r, id).unit);
        }
        w.run(id);
    }
    r.graph = -1;
}

}  // namespace

void backward(Recorder& r, const Tensor& loss) {
    const bool grad_enabled = std::exchange(r.grad_enabled, false);
    r.enter_backward(node_at(r, r.at(loss).node).unit);
    const Tensor one = r.allocate(Operator::Data, loss.shape(), loss.dtype());
    walk(r, std::span(&loss, 1), &one);
    r.grad_enabled = grad_enabled;
}

namespace {

Frame& make_frame(Recorder& r, BlockCall block, const BlockTensors& input) {
    Frame& frame = r.frames.emplace_back();
    frame.run = block;
    frame.input = BlockTensors(input);
    return frame;
}

// The input of a block inside the one that runs again.
void fill_place(Recorder& r, const Tensor& input) {
    Frame& frame = r.frames[static_cast<std::size_t>(r.recomputed)];
    auto& place = frame.recomputed[static_cast<std::size_t>(r.pack_index++)];
    if (r.pack_index == frame.packed) r.stopped = true;
    if (place == kUnwanted) return;
    Tensor alias = r.alias(input, input.shape(), r.at(input).strides);
    r.at(alias).requires_grad = input.requires_grad();
    place = alias.detach_count();
}

}  // namespace

// Inside of another one its input belongs to that one.
void checkpoint(Recorder& r, BlockCall block, BlockTensors& tensors) {
    const auto id = static_cast<std::int32_t>(r.frames.size());
    const std::int32_t outer = r.packing;
    Frame& frame = make_frame(r, block, tensors);
    frame.alive = 1;  // this function
    if (outer >= 0) {
        Frame& around = r.frames[static_cast<std::size_t>(outer)];
        frame.place = {-1, outer, around.packed++};
        ++around.alive;
        frame.input[0].reset();
    } else if (r.recomputed >= 0) {
        frame.input.clear();
        if (!r.stopped) fill_place(r, tensors[0]);
    } else {
        r.storage_of(tensors[0]).checkpointed = true;
        if (r.offloading) frame.input[0] = r.hosted(tensors[0]);
    }
    r.packing = id;
    const std::int32_t products = std::exchange(r.products, 0);
    block(tensors);
    r.products = products;
    r.packing = outer;
    release_frame_place(r, id);
}

// Forward without a graph of its own; one node stands for the block and keeps what it is called with. What the block
// hands on as it was given comes out as a view of it.
void checkpoint_reentrant(Recorder& r, BlockCall block, BlockTensors& tensors, std::size_t by_place) {
    const std::size_t id = r.frames.size();
    const std::int32_t node = begin_node(r, Operator::Checkpoint, {&tensors[0], &tensors[1], &tensors[2], &tensors[3]});
    if (node >= 0) {
        make_frame(r, block, tensors);
        r.storage_of(tensors[0]).checkpointed = true;
        node_at(r, node).argument = {static_cast<std::int32_t>(id), static_cast<std::int32_t>(by_place), 0};
    }
    const bool grad_enabled = std::exchange(r.grad_enabled, false);
    block(tensors);
    r.grad_enabled = grad_enabled;
    if (node < 0) return;
    for (std::size_t i = 0; i < kPassedOn; ++i) {
        Tensor& output = tensors[i];
        if (!output) continue;
        if (output.id() == r.frames[id].input[i].id()) output = r.alias(output, output.shape(), r.at(output).strides);
        finish_node(r, node, output, static_cast<int>(i));
    }
}

namespace {

// What takes part in a backward of its own: a leaf that needs a gradient where what it stands for does.
BlockTensors detached(Recorder& r, const BlockTensors& tensors) {
    BlockTensors out = tensors;
    for (Tensor& t : out) {
        if (!t) continue;
        const bool requires_grad = t.requires_grad();
        t = r.alias(t, t.shape(), r.at(t).strides);
        r.at(t).requires_grad = requires_grad;
        r.at(t).view = false;
    }
    return out;
}

}  // namespace

// Outputs that got no gradient have zeros for it.
void run_block_again(Recorder& r, std::int32_t node, Gradients& incoming, Gradients& outgoing) {
    const auto frame = static_cast<std::size_t>(node_at(r, node).argument[0]);
    const std::int32_t unit = std::exchange(r.unit, node_at(r, node).unit);
    for (int i = 0; i < node_at(r, node).output_count; ++i) {
        const OutputMeta output = node_at(r, node).outputs[static_cast<std::size_t>(i)];
        Tensor& gradient = incoming[static_cast<std::size_t>(i)];
        if (!gradient && output.shape.rank > 0) gradient = r.allocate(Operator::Zeros, output.shape, output.dtype);
    }
    const bool grad_enabled = std::exchange(r.grad_enabled, true);
    const bool recomputing = std::exchange(r.recomputing, true);
    const BlockTensors input = detached(r, r.frames[frame].input);
    BlockTensors output = input;
    r.frames[frame].run(output);
    r.clear_cast_cache(Recorder::Scope::Layer);
    r.grad_enabled = false;
    r.recomputing = recomputing;
    walk(r, std::span(output).first(kPassedOn), incoming.data());
    for (std::size_t i = 0; i < kPassedOn; ++i) {
        if (!input[i] || r.at(input[i]).grad < 0) continue;
        r.retain(r.at(input[i]).grad);
        outgoing[i] = Tensor(&r, r.at(input[i]).grad);
    }
    r.grad_enabled = grad_enabled;
    r.unit = unit;
}

}  // namespace memwall
