// Tensor: a counted reference to a tensor of the recorder, like a Python variable.
//
// A shape is a list of dimensions by their number in Recorder::dims; strides are numbers of elements. The
// destructor of the last reference releases the tensor, and with it possibly its storage.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>

#include "model/dtype.hpp"

namespace memwall {

inline constexpr int kRank = 5;
using DimId = std::uint8_t;  // index into Recorder::dims; 0 is the dimension of size 1

struct Shape {
    std::int8_t rank = 0;
    std::array<DimId, kRank> dims{};
    Shape() = default;
    Shape(std::initializer_list<DimId> list) {
        for (const DimId d : list)
            dims[static_cast<std::size_t>(rank++)] = d;
    }
    DimId& operator[](int i) { return dims[static_cast<std::size_t>(i)]; }
    DimId operator[](int i) const { return dims[static_cast<std::size_t>(i)]; }
    friend bool operator==(const Shape&, const Shape&) = default;
};
using Strides = std::array<std::int64_t, kRank>;

class Recorder;

// A counted reference to a tensor of the recorder, like a Python variable.
class Tensor {
  public:
    Tensor() = default;
    Tensor(Recorder* recorder, std::int32_t id) : recorder_(recorder), id_(id) {}  // takes over one count
    Tensor(const Tensor& other);
    Tensor(Tensor&& other) noexcept : recorder_(other.recorder_), id_(other.id_) { other.recorder_ = nullptr; }
    Tensor& operator=(Tensor other) noexcept;
    ~Tensor();
    explicit operator bool() const { return recorder_ != nullptr; }
    void reset() { *this = Tensor(); }
    Recorder& recorder() const { return *recorder_; }
    std::int32_t id() const { return id_; }
    std::int32_t detach_count();  // gives the count to the caller

    const Shape& shape() const;
    Dtype dtype() const;
    bool requires_grad() const;

  private:
    Recorder* recorder_ = nullptr;
    std::int32_t id_ = -1;
};

}  // namespace memwall
