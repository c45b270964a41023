// Graph: what autograd builds during forward and walks during backward.
//
// A node stands for one operator that was run on something that needs a gradient. It owns the tensors kept
// for backward and knows the shape and type of each of its outputs. Nodes are counted: one that no tensor and
// no later node refers to is gone, with what it kept. Its number is its creation order.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "model/dtype.hpp"
#include "model/operators_table.hpp"
#include "model/tensor.hpp"

namespace memwall {

struct Edge {
    std::int32_t node = -1;  // where the gradient goes, or -1: not needed
    std::int32_t slot = 0;
};

// Either a tensor, or a place in the frame of a checkpointed block.
struct SavedTensor {
    std::int32_t tensor = -1;
    std::int32_t frame = -1;
    std::int32_t index = -1;
};

struct OutputMeta {
    Shape shape;
    Dtype dtype{};
};

inline constexpr std::size_t kEdges = 5;
inline constexpr std::size_t kSaved = 8;
inline constexpr std::size_t kOutputs = 5;

struct Node {
    Operator op{};
    std::int8_t edge_count = 0, saved_count = 0, output_count = 0;
    std::int32_t references = 0;
    std::int32_t waiting = 0;   // gradients still to come, while backward runs
    std::int32_t visited = -1;  // by which backward
    std::int32_t unit = -1;     // block of the forward pass
    std::int32_t graph = -1;    // compiled graph
    std::int32_t leaf = -1;     // AccumulateGrad: the tensor
    std::string_view module;
    std::array<std::int32_t, 3> argument{};
    std::array<Edge, kEdges> edges{};
    std::array<SavedTensor, kSaved> saved{};
    std::array<std::int32_t, 2> aside{-1, -1};  // tensors that live as long as the node
    std::array<OutputMeta, kOutputs> outputs{};
    std::array<std::int32_t, kOutputs> grads{-1, -1, -1, -1, -1};  // tensors, or -1
};

// What a checkpointed block is called with, and in their place what it returns: hidden states, then SharedTensors
// (model/modules.hpp). The first kPassedOn may need gradients.
using BlockTensors = std::vector<Tensor>;
inline constexpr std::size_t kPassedOn = 4;
// A block of a model, and what runs it.
struct BlockCall {
    void (*function)(void* model, const void* block, BlockTensors&);
    void* model;
    const void* block;
    void operator()(BlockTensors& tensors) const { function(model, block, tensors); }
};

// A checkpointed block: its input, and the results it was told to keep, until its backward is over.
struct Frame {
    BlockCall run;
    BlockTensors input;
    SavedTensor place;  // where the first input is, in a checkpointed block around this one
    std::vector<Tensor> results;
    std::size_t reused = 0;  // of the results, by the run that repeats the block
    std::vector<std::int32_t> recomputed;
    std::int32_t packed = 0, alive = 0;
    bool done = false;
};

}  // namespace memwall
