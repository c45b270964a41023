#include "model/inventory.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace memwall {
namespace {

bool same_tensor(const ParameterTensor& a, const ParameterTensor& b) {
    const auto same_factor = [](const Factor& x, const Factor& y) {
        return x.value == y.value && x.dimension == y.dimension && x.term == y.term;
    };
    return a.scope == b.scope && a.stem == b.stem && a.suffix == b.suffix &&
           std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(), same_factor);
}

}  // namespace

LayerSet layers_from(std::int64_t first, std::int64_t count) {
    LayerSet out;
    for (std::int64_t i = first; i < first + count; ++i)
        out.set(static_cast<std::size_t>(i));
    return out;
}

ShapeBuilder& ShapeBuilder::add(std::string_view name, std::int64_t value) {
    assert(count_ < kMostFactors);
    factors_[count_++] = {name, value, static_cast<std::uint8_t>(dimensions_ - 1), term_};
    return *this;
}

ShapeBuilder& ShapeBuilder::by(std::string_view name, std::int64_t value) {
    ++dimensions_;
    term_ = 0;
    return add(name, value);
}

ShapeBuilder& ShapeBuilder::by(const Factor& f) { return by(f.name, f.value); }

ShapeBuilder& ShapeBuilder::times(std::string_view name, std::int64_t value) { return add(name, value); }

ShapeBuilder& ShapeBuilder::plus(std::string_view name, std::int64_t value) {
    ++term_;
    return add(name, value);
}

void Inventory::append(std::vector<ParameterTensor>&& tensors) {
    tensors_.insert(tensors_.end(), std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end()));
}

void Inventory::merge(Inventory&& other) {
    std::size_t position = 0;  // behind the last tensor that both have
    for (ParameterTensor& t : other.tensors_) {
        const auto same = std::find_if(tensors_.begin(), tensors_.end(),
                                       [&t](const ParameterTensor& known) { return same_tensor(known, t); });
        if (same == tensors_.end()) {
            tensors_.insert(tensors_.begin() + static_cast<std::ptrdiff_t>(position), std::move(t));
            ++position;
        } else {
            same->copies.value += t.copies.value;
            same->layers |= t.layers;
            position = static_cast<std::size_t>(same - tensors_.begin()) + 1;
        }
    }
}

void Inventory::add(Role role, ParameterKind kind, std::string_view stem, std::string_view suffix,
                    const ShapeBuilder& shape) {
    ParameterTensor& t = tensors_.emplace_back();
    t.prefix = place.prefix;
    t.scope = place.scope;
    t.stem = stem;
    t.suffix = suffix;
    t.role = role;
    t.stack = place.stack;
    t.kind = kind;
    t.shape = shape.factors();
    t.copies = place.copies;
    t.layers = place.layers;
}

void Inventory::weight(Role role, std::string_view stem, const ShapeBuilder& shape, std::string_view suffix) {
    add(role, ParameterKind::Weight, stem, suffix, shape);
}

void Inventory::bias(Role role, std::string_view stem, const ShapeBuilder& shape, std::string_view suffix) {
    add(role, ParameterKind::Bias, stem, suffix, shape);
}

void Inventory::linear(Role role, std::string_view stem, const Factor& out, const Factor& in, Bias with_bias) {
    weight(role, stem, ShapeBuilder().by(out).by(in));
    if (with_bias == Bias::Yes) bias(role, stem, ShapeBuilder().by(out));
}

void Inventory::norm(Role role, std::string_view stem, Norm kind, const Factor& width) {
    if (kind == Norm::LayerNormNonParametric) return;
    weight(role, stem, ShapeBuilder().by(width));
    if (kind == Norm::LayerNorm) bias(role, stem, ShapeBuilder().by(width));
}

}  // namespace memwall
