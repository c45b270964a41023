// Autograd: building the graph in forward, walking it in backward.
//
// The engine's rules, as PyTorch has them: among the nodes that are ready the youngest runs first; a node that
// collects the gradient of a leaf runs at once. A node unpacks what was kept, computes all gradients of its
// inputs, reduces and casts each to the shape and type of its operand, then drops the incoming gradient, then
// what was kept, then adds into the buffers of the nodes before it. Checkpointed blocks keep their input alone
// and run again when the first of their nodes unpacks something; the run stops when the last kept tensor exists.
#pragma once
#include <initializer_list>

#include "model/recorder.hpp"

namespace memwall {

// Starts the node of an operator; -1 when no operand needs a gradient. Operands become edges in their order.
std::int32_t begin_node(Recorder&, Operator, std::initializer_list<const Tensor*> operands);
bool needs(const Recorder&, std::int32_t node, int edge);
void keep(Recorder&, std::int32_t node, const Tensor&);
// What a function of Python writes on its context: checkpointing does not see it, and it lives as long as the node.
void keep_aside(Recorder&, std::int32_t node, int index, const Tensor&);
Tensor kept_aside(Recorder&, std::int32_t node, int index);
void finish_node(Recorder&, std::int32_t node, const Tensor& output, int slot = 0);
void release_node(Recorder&, std::int32_t node);

// What the node kept, in the order of keep(). Of a checkpointed block: runs it again if need be.
Tensor kept(Recorder&, std::int32_t node, int index);

using Gradients = std::array<Tensor, kEdges>;
// The formulas (operators_backward.cpp): gradients of the node's operands from those of its outputs.
void run_backward_formula(Recorder&, std::int32_t node, Gradients& incoming, Gradients& outgoing);

// Of the operators of operators_routing.cpp.
void run_routing_formula(Recorder&, std::int32_t node, Gradients& incoming, Gradients& outgoing);

void run_convolution_formula(Recorder&, std::int32_t node, Gradients& incoming, Gradients& outgoing);

void run_hadamard_formula(Recorder&, std::int32_t node, Gradients& incoming, Gradients& outgoing);

void run_quantized_formula(Recorder&, std::int32_t node, Gradients& incoming, Gradients& outgoing);

// Re-entrant checkpointing: forward of the node's block again, and a backward inside this one.
void run_block_again(Recorder&, std::int32_t node, Gradients& incoming, Gradients& outgoing);

void backward(Recorder&, const Tensor& loss);

// A block under non-re-entrant checkpointing: what it is called with lives until its backward is over.
void checkpoint(Recorder&, BlockCall, BlockTensors&);
// The same, re-entrant: forward without a graph, a backward of its own. It lets go of the first `by_place` tensors when
// that is over, of the others with its node.
void checkpoint_reentrant(Recorder&, BlockCall, BlockTensors&, std::size_t by_place);

}  // namespace memwall
