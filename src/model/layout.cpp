#include "model/layout.hpp"

#include <algorithm>

namespace memwall {

Strides contiguous_strides(const Recorder& r, const Shape& shape) {
    Strides out{};
    std::int64_t step = 1;
    for (int i = shape.rank - 1; i >= 0; --i) {
        out[static_cast<std::size_t>(i)] = step;
        step *= r.size(shape[i]);
    }
    return out;
}

bool equal_strides(const Recorder& r, const TensorData& t, const Strides& strides) {
    for (int i = 0; i < t.shape.rank; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (r.size(t.shape[i]) != 1 && t.strides[at] != strides[at]) return false;
    }
    return true;
}

bool is_contiguous(const Recorder& r, const TensorData& t) {
    return equal_strides(r, t, contiguous_strides(r, t.shape));
}

namespace {

// Dimensions from the innermost outward, by stride; those of size 1 first.
std::array<int, kRank> by_stride(const Recorder& r, const TensorData& t) {
    std::array<int, kRank> order{};
    for (int i = 0; i < t.shape.rank; ++i)
        order[static_cast<std::size_t>(i)] = t.shape.rank - 1 - i;
    const auto key = [&](int i) {
        return r.size(t.shape[i]) == 1 ? std::int64_t{0} : t.strides[static_cast<std::size_t>(i)];
    };
    for (int i = 1; i < t.shape.rank; ++i)
        for (int j = i; j > 0; --j) {
            auto& a = order[static_cast<std::size_t>(j - 1)];
            auto& b = order[static_cast<std::size_t>(j)];
            if (key(a) <= key(b)) break;
            std::swap(a, b);
        }
    return order;
}

}  // namespace

bool is_dense(const Recorder& r, const TensorData& t) {
    const auto order = by_stride(r, t);
    std::int64_t step = 1;
    for (int i = 0; i < t.shape.rank; ++i) {
        const int d = order[static_cast<std::size_t>(i)];
        const std::int64_t n = r.size(t.shape[d]);
        if (n == 1) continue;
        if (t.strides[static_cast<std::size_t>(d)] != step) return false;
        step *= n;
    }
    return true;
}

std::optional<Strides> view_strides(const Recorder& r, const TensorData& t, const Shape& wanted) {
    Strides out{};
    int view = wanted.rank - 1;
    std::int64_t elements = 1, view_elements = 1;
    std::int64_t chunk_stride = t.shape.rank > 0 ? t.strides[static_cast<std::size_t>(t.shape.rank - 1)] : 1;
    for (int i = t.shape.rank - 1; i >= 0; --i) {
        elements *= r.size(t.shape[i]);
        const auto before = static_cast<std::size_t>(i - 1);
        // A chunk ends where the dimension before is not a continuation of this one.
        const bool ends = i == 0 || (r.size(t.shape[i - 1]) != 1 && t.strides[before] != elements * chunk_stride);
        if (!ends) continue;
        while (view >= 0 && (view_elements < elements || r.size(wanted[view]) == 1)) {
            out[static_cast<std::size_t>(view)] = view_elements * chunk_stride;
            view_elements *= r.size(wanted[view]);
            --view;
        }
        if (view_elements != elements) return std::nullopt;
        if (i > 0) {
            chunk_stride = t.strides[before];
            elements = 1;
            view_elements = 1;
        }
    }
    if (view != -1) return std::nullopt;
    return out;
}

Strides strides_like(const Recorder& r, const TensorData& t) {
    if (is_dense(r, t)) return t.strides;
    const TensorData* const operand = &t;
    return elementwise_strides(r, t.shape, std::span(&operand, 1));
}

Shape broadcast_shape(const Recorder& r, const Shape& a, const Shape& b) {
    Shape out;
    out.rank = std::max(a.rank, b.rank);
    for (int i = 0; i < out.rank; ++i) {
        const int in_a = i - (out.rank - a.rank);
        const int in_b = i - (out.rank - b.rank);
        if (in_a < 0)
            out[i] = b[in_b];
        else if (in_b < 0 || r.size(a[in_a]) != 1)
            out[i] = a[in_a];
        else
            out[i] = b[in_b];
    }
    return out;
}

namespace {

// TensorIterator's order of two dimensions: 1 = `a` is outside `b`, -1 = inside, 0 = cannot say.
int compare_dimensions(const Recorder& r, std::span<const TensorData* const> operands, const Shape& result, int a,
                       int b) {
    for (const TensorData* t : operands) {
        const int shift = result.rank - t->shape.rank;
        const auto stride = [&](int d) {  // 0 where the operand is broadcast
            if (d < shift || (r.size(t->shape[d - shift]) == 1 && r.size(result[d]) != 1)) return std::int64_t{0};
            return t->strides[static_cast<std::size_t>(d - shift)];
        };
        const std::int64_t stride_a = stride(a), stride_b = stride(b);
        if (stride_a == 0 || stride_b == 0) continue;
        if (stride_a < stride_b) return -1;
        if (stride_a > stride_b) return 1;
        if (r.size(t->shape[a - shift]) > r.size(t->shape[b - shift])) return 1;
    }
    return 0;
}

}  // namespace

Strides elementwise_strides(const Recorder& r, const Shape& result, std::span<const TensorData* const> operands) {
    const int rank = result.rank;
    std::array<int, kRank> order{};  // innermost first
    for (int i = 0; i < rank; ++i)
        order[static_cast<std::size_t>(i)] = rank - 1 - i;
    for (int i = 1; i < rank; ++i) {
        int at = i;
        for (int j = i - 1; j >= 0; --j) {
            const int c = compare_dimensions(r, operands, result, order[static_cast<std::size_t>(j)],
                                             order[static_cast<std::size_t>(at)]);
            if (c > 0) {
                std::swap(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(at)]);
                at = j;
            } else if (c < 0) {
                break;
            }
        }
    }
    Strides out{};
    std::int64_t step = 1;
    for (int i = 0; i < rank; ++i) {
        const int d = order[static_cast<std::size_t>(i)];
        out[static_cast<std::size_t>(d)] = step;
        step *= r.size(result[d]);
    }
    return out;
}

}  // namespace memwall
