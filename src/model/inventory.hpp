// Inventory: how parameters() collects tensors; internal to the parameters*.cpp files.
//
// A Place says where the next tensors stand (name prefix, stack, layers); a Shape grows dimension by
// dimension: by() starts one, times() multiplies it, plus() starts another term of the sum inside it.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "model/families.hpp"
#include "model/parameters.hpp"

namespace memwall {

class ShapeBuilder {
  public:
    ShapeBuilder() { factors_.reserve(5); }
    ShapeBuilder& by(std::string_view name, std::int64_t value) { return add(name, value, ++dimension_, 0); }
    ShapeBuilder& times(std::string_view name, std::int64_t value) { return add(name, value, dimension_, term_); }
    ShapeBuilder& plus(std::string_view name, std::int64_t value) {
        return add(name, value, dimension_, static_cast<std::uint8_t>(term_ + 1));
    }
    std::vector<Factor> take() { return std::move(factors_); }

  private:
    ShapeBuilder& add(std::string_view name, std::int64_t value, std::uint8_t dimension, std::uint8_t term) {
        dimension_ = dimension;
        term_ = term;
        factors_.push_back({name, value, static_cast<std::uint8_t>(dimension - 1), term});
        return *this;
    }
    std::vector<Factor> factors_;
    std::uint8_t dimension_ = 0, term_ = 0;
};

enum class Bias : std::uint8_t { No, Yes };
constexpr Bias bias_if(bool present) { return present ? Bias::Yes : Bias::No; }

struct Place {
    std::string_view prefix, scope;
    Stack stack = Stack::Outside;
    Factor copies{"one", 1, 0, 0};
    LayerSet layers;
};

class Inventory {
  public:
    Place place;

    void weight(Role, std::string_view stem, ShapeBuilder, std::string_view suffix = ".weight");
    void bias(Role, std::string_view stem, ShapeBuilder, std::string_view suffix = ".bias");
    // A matrix out x in, and a vector of `out`.
    void linear(Role, std::string_view stem, Factor out, Factor in, Bias);
    void norm(Role, std::string_view stem, Norm, Factor width);
    // The last added weight shares its storage with the token embedding.
    void share_with_embedding() { tensors_.back().tying = Tying::SharesEmbedding; }
    // Adds the tensors of one more kind of layer; what equals a tensor already there gets its layers.
    void merge(Inventory&&);
    void append(std::vector<ParameterTensor>&&);
    std::vector<ParameterTensor> take() { return std::move(tensors_); }

  private:
    void add(Role, ParameterKind, std::string_view stem, std::string_view suffix, ShapeBuilder);
    std::vector<ParameterTensor> tensors_;
};

// Parts with formulas of their own.
void add_vision_tower(const Architecture&, Inventory&);          // parameters_vision.cpp
void add_vit(const Architecture&, Inventory&);                   // "
void add_dual_encoder(const Architecture&, Inventory&);          // "
void add_clip_text(const Architecture&, Inventory&);             // "
void add_t5(const Architecture&, Inventory&);                    // parameters_encoder_decoder.cpp
void add_bart(const Architecture&, Inventory&);                  // "
void add_whisper(const Architecture&, Inventory&);               // "
void add_resnet(const Architecture&, Inventory&);                // parameters_image.cpp
void add_vgg(const Architecture&, Inventory&);                   // "
void add_diffusion(const Architecture&, Blueprint, Inventory&);  // parameters_diffusion.cpp

}  // namespace memwall
