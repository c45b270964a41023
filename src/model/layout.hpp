// Layout: strides, and when a new shape is a view.
//
// The rules are PyTorch's: Tensor::view's stride computation, empty_like's "preserve" format, and the order of
// dimensions that TensorIterator gives the result of an elementwise operator.
#pragma once
#include <optional>
#include <span>

#include "model/recorder.hpp"

namespace memwall {

Strides contiguous_strides(const Recorder&, const Shape&);
bool is_contiguous(const Recorder&, const TensorData&);
bool equal_strides(const Recorder&, const TensorData&, const Strides&);  // of dimensions larger than 1
bool is_dense(const Recorder&, const TensorData&);                       // non-overlapping and dense, in some order

// The strides under which the tensor can be seen with another shape, if it can without a copy.
std::optional<Strides> view_strides(const Recorder&, const TensorData&, const Shape&);

// Dense strides in the order of the tensor's own.
Strides strides_like(const Recorder&, const TensorData&);

// Shape and strides of an elementwise result.
Shape broadcast_shape(const Recorder&, const Shape&, const Shape&);
Strides elementwise_strides(const Recorder&, const Shape& result, std::span<const TensorData* const> operands);

}  // namespace memwall
