// Tensors of convolutional networks, ResNet and VGG as torchvision builds them, and of Swin.
#include <array>

#include "model/inventory.hpp"

namespace memwall {
namespace {

struct Filter {
    std::int64_t in, out, width;
};

void add_filter(std::string_view stem, const Filter& f, Bias with_bias, Inventory& to) {
    to.weight(Role::Convolution, stem,
              ShapeBuilder()
                  .by("output channels", f.out)
                  .by("input channels", f.in)
                  .by("kernel", f.width)
                  .by("kernel", f.width));
    if (with_bias == Bias::Yes) to.bias(Role::Convolution, stem, ShapeBuilder().by("output channels", f.out));
}

// A convolution without bias and its batch norm; the running statistics are buffers.
void add_normed(std::string_view convolution, std::string_view norm, const Filter& f, Inventory& to) {
    add_filter(convolution, f, Bias::No, to);
    to.norm(Role::Convolution, norm, Norm::LayerNorm, {"output channels", f.out, 0, 0});
}

constexpr std::array<std::string_view, 4> kStages{"layer1.", "layer2.", "layer3.", "layer4."};
constexpr std::array<std::int64_t, 4> kStageWidths{64, 128, 256, 512};

std::int64_t outputs(const ConvolutionParts& c, std::int64_t width) { return c.bottleneck ? 4 * width : width; }

void add_residual_block(const ConvolutionParts& c, std::int64_t width, std::int64_t in, Inventory& to) {
    if (!c.bottleneck) {
        add_normed("conv1", "bn1", {in, width, 3}, to);
        add_normed("conv2", "bn2", {width, width, 3}, to);
        return;
    }
    const std::int64_t inner = width * c.width_multiplier;
    add_normed("conv1", "bn1", {in, inner, 1}, to);
    add_normed("conv2", "bn2", {inner, inner, 3}, to);
    add_normed("conv3", "bn3", {inner, 4 * width, 1}, to);
}

}  // namespace

void add_resnet(const Architecture& a, Inventory& to) {
    const ConvolutionParts& c = a.convolution;
    add_normed("conv1", "bn1", {3, 64, 7}, to);
    std::int64_t channels = 64;
    for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
        const std::int64_t width = kStageWidths[stage], out = outputs(c, width);
        if (c.blocks[stage] == 0) continue;
        to.place = {kStages[stage], "0.", Stack::Outside, {"first block of the stage", 1, 0, 0}, {}};
        add_residual_block(c, width, channels, to);
        if (channels != out || stage > 0) add_normed("downsample.0", "downsample.1", {channels, out, 1}, to);
        to.place = {
            kStages[stage], "*.", Stack::Outside, {"further blocks of the stage", c.blocks[stage] - 1, 0, 0}, {}};
        if (c.blocks[stage] > 1) add_residual_block(c, width, out, to);
        to.place = {};
        channels = out;
    }
    if (a.num_labels != 0)
        to.linear(Role::Classifier, "fc", {"num_labels", a.num_labels, 0, 0}, {"channels", channels, 0, 0}, Bias::Yes);
}

void add_vgg(const Architecture& a, Inventory& to) {
    constexpr std::array<std::int64_t, 5> kWidths{64, 128, 256, 512, 512};
    constexpr std::int64_t kPooledSide = 7;
    std::int64_t channels = 3;
    for (std::size_t stage = 0; stage < kWidths.size(); ++stage) {
        for (std::int64_t i = 0; i < a.convolution.blocks[stage]; ++i) {
            add_filter("features", {channels, kWidths[stage], 3}, Bias::Yes, to);
            channels = kWidths[stage];
        }
    }
    const Factor inner{"classifier width", 4096, 0, 0};
    to.weight(Role::Classifier, "classifier.0",
              ShapeBuilder()
                  .by(inner)
                  .by("channels", channels)
                  .times("pooled height", kPooledSide)
                  .times("pooled width", kPooledSide));
    to.bias(Role::Classifier, "classifier.0", ShapeBuilder().by(inner));
    to.linear(Role::Classifier, "classifier.3", inner, inner, Bias::Yes);
    to.linear(Role::Classifier, "classifier.6", {"num_labels", a.num_labels, 0, 0}, inner, Bias::Yes);
}

namespace {

constexpr std::array<std::array<std::string_view, 2>, 4> kSwinStages{{
    {"swin.encoder.layers.0.blocks.*.", "swin.encoder.layers.0.downsample."},
    {"swin.encoder.layers.1.blocks.*.", "swin.encoder.layers.1.downsample."},
    {"swin.encoder.layers.2.blocks.*.", "swin.encoder.layers.2.downsample."},
    {"swin.encoder.layers.3.blocks.*.", "swin.encoder.layers.3.downsample."},
}};

void add_swin_block(const Architecture& a, std::int64_t scale, Inventory& to) {
    const Factor hidden{"width of the stage", a.hidden_size * scale, 0, 0};
    const Factor width{"width of the stage's MLP", a.intermediate_size * scale, 0, 0};
    to.place.scope = "attention.";
    to.linear(Role::QProj, "q_proj", hidden, hidden, bias_if(a.qkv_bias));
    to.linear(Role::KProj, "k_proj", hidden, hidden, bias_if(a.qkv_bias));
    to.linear(Role::VProj, "v_proj", hidden, hidden, bias_if(a.qkv_bias));
    to.linear(Role::OProj, "o_proj", hidden, hidden, bias_if(a.o_bias));
    const std::int64_t reach = 2 * a.sliding_window - 1;
    to.weight(Role::RelativeBias, "relative_position_bias.relative_position_bias_table",
              ShapeBuilder().by("distances", reach * reach).by("heads of the stage", a.num_attention_heads * scale),
              "");
    to.place.scope = {};
    to.norm(Role::InputNorm, "layernorm_before", Norm::LayerNorm, hidden);
    to.norm(Role::PostAttentionNorm, "layernorm_after", Norm::LayerNorm, hidden);
    to.linear(Role::UpProj, "mlp.fc1", width, hidden, bias_if(a.mlp_bias));
    to.linear(Role::DownProj, "mlp.fc2", hidden, width, bias_if(a.mlp_bias));
}

}  // namespace

// Each stage but the last joins four patches to one of twice the width; what joins them freezes with the last block.
void add_swin(const Architecture& a, Inventory& to) {
    const Factor embedded{"hidden_size", a.hidden_size, 0, 0};
    to.weight(Role::Other, "swin.embeddings.patch_embeddings.projection",
              ShapeBuilder()
                  .by(embedded)
                  .by("image channels", 3)
                  .by("patch_size", a.image.patch_size)
                  .by("patch_size", a.image.patch_size));
    to.bias(Role::Other, "swin.embeddings.patch_embeddings.projection", ShapeBuilder().by(embedded));
    to.norm(Role::EmbeddingNorm, "swin.embeddings.norm", Norm::LayerNorm, embedded);
    std::int64_t first = 0, scale = 1;
    for (std::size_t stage = 0; stage < kSwinStages.size() && a.convolution.blocks[stage] > 0; ++stage) {
        const std::int64_t blocks = a.convolution.blocks[stage];
        to.place = {kSwinStages[stage][0],
                    {},
                    Stack::Layers,
                    {"blocks of the stage", blocks, 0, 0},
                    layers_from(first, blocks)};
        add_swin_block(a, scale, to);
        first += blocks;
        to.place = {};
        if (stage + 1 == kSwinStages.size() || a.convolution.blocks[stage + 1] == 0) break;
        const Factor four{"four patches", 4 * a.hidden_size * scale, 0, 0};
        to.place = {kSwinStages[stage][1], {}, Stack::Layers, {"one", 1, 0, 0}, layers_from(first - 1, 1)};
        to.linear(Role::EmbeddingProjection, "reduction", {"two patches", 2 * a.hidden_size * scale, 0, 0}, four,
                  Bias::No);
        to.norm(Role::MlpNorm, "norm", Norm::LayerNorm, four);
        to.place = {};
        scale *= 2;
    }
    const Factor last{"width of the last stage", a.hidden_size * scale, 0, 0};
    to.norm(Role::FinalNorm, "swin.layernorm", Norm::LayerNorm, last);
    if (a.num_labels > 0)
        to.linear(Role::Classifier, "classifier", {"num_labels", a.num_labels, 0, 0}, last, Bias::Yes);
}

}  // namespace memwall
