// Inventory: how parameters() collects tensors; internal to the parameters*.cpp files.
//
// A Place says where the next tensors stand (name prefix, stack, layers); a Shape grows dimension by
// dimension: by() starts one, times() multiplies it, plus() starts another term of the sum inside it.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "model/families.hpp"
#include "model/parameters.hpp"

namespace memwall {

class ShapeBuilder {
  public:
    ShapeBuilder& by(std::string_view name, std::int64_t value);
    ShapeBuilder& by(const Factor& f);
    ShapeBuilder& times(std::string_view name, std::int64_t value);
    ShapeBuilder& plus(std::string_view name, std::int64_t value);
    std::vector<Factor> factors() const { return {factors_.data(), factors_.data() + count_}; }

  private:
    static constexpr std::size_t kMostFactors = 12;
    ShapeBuilder& add(std::string_view name, std::int64_t value);
    std::array<Factor, kMostFactors> factors_;
    std::uint8_t count_ = 0, dimensions_ = 0, term_ = 0;
};

enum class Bias : std::uint8_t { No, Yes };
constexpr Bias bias_if(bool present) { return present ? Bias::Yes : Bias::No; }

LayerSet layers_from(std::int64_t first, std::int64_t count);

struct Place {
    std::string_view prefix, scope;
    Stack stack = Stack::Outside;
    Factor copies{"one", 1, 0, 0};
    LayerSet layers;
};

class Inventory {
  public:
    Inventory() { tensors_.reserve(32); }
    Place place;

    void weight(Role, std::string_view stem, const ShapeBuilder&, std::string_view suffix = ".weight");
    void bias(Role, std::string_view stem, const ShapeBuilder&, std::string_view suffix = ".bias");
    // A matrix out x in, and a vector of `out`.
    void linear(Role, std::string_view stem, const Factor& out, const Factor& in, Bias);
    void norm(Role, std::string_view stem, Norm, const Factor& width);
    // The last added weight shares its storage with the token embedding.
    void share_with_embedding() { tensors_.back().tying = Tying::SharesEmbedding; }
    // Adds the tensors of one more kind of layer; what equals a tensor already there gets its layers.
    void merge(Inventory&&);
    void append(std::vector<ParameterTensor>&&);
    std::vector<ParameterTensor> take() { return std::move(tensors_); }

  private:
    void add(Role, ParameterKind, std::string_view stem, std::string_view suffix, const ShapeBuilder&);
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
void add_swin(const Architecture&, Inventory&);                  // "
void add_diffusion(const Architecture&, Blueprint, Inventory&);  // parameters_diffusion.cpp

}  // namespace memwall
