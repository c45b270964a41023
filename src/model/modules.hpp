// Modules: the pieces that block programs share, in the words of the real model code.
//
// A Context carries what every piece needs: the recorder, the architecture, the variant, the dimensions and
// the tensors all blocks share (rotary tables, mask). Makers create parameters, in order of registration;
// runners apply them, as functions of programs/shared.program.
#pragma once
#include <vector>

#include "model/adapters.hpp"
#include "model/architecture.hpp"
#include "model/model_program.hpp"
#include "model/operators.hpp"
#include "model/programs.hpp"
#include "model/variant.hpp"

namespace memwall {

struct ModelDims {
    DimId batch = 0, tokens = 0, source_tokens = 0, tokens_rounded_8 = 0, tokens_rounded_32 = 0, tokens_plus_one = 0,
          tokens_minus_one = 0;
    DimId hidden = 0, intermediate = 0, heads = 0, kv_heads = 0, groups = 0, head_dim = 0, vocabulary = 0;
    DimId query_width = 0, kv_width = 0, rotary_half = 0, rotary = 0, pass = 0, pass_or_nothing = 0, embedding = 0,
          positions = 0, rank = 0, double_rank = 0, prompt = 0;
    DimId two_hidden = 0, three_hidden = 0, two_intermediate = 0, three_head_dim = 0;
    DimId adapted_width = 0;  // of the parts of that matrix that have adapters (litgpt)
    DimId qkv_width = 0;      // of one matrix for q, k and v
    DimId rows = 0;           // batch × tokens
    DimId batch_heads = 0, heads_and_cache = 0, groups_and_two = 0;  // heads_and_cache: of q, k and v in one
    DimId two = 0, three = 0, positions_at_most = 0, relative_buckets = 0;
    DimId experts = 0, chosen = 0, expert_rows = 0;  // expert_rows: rows × chosen
    DimId expert_width = 0, two_expert_width = 0, shared_width = 0;
    DimId router_groups = 0, chosen_groups = 0, experts_of_group = 0;
    DimId query_rank = 0, kv_rank = 0,
          latent_and_rope = 0;  // latent attention; head_dim, rotary and pass are a query head's
    DimId grid = 0, padded_grid = 0, windows_a_side = 0, window = 0, window_row = 0, window_area = 0, batch_windows = 0,
          image_windows = 0, bias_rows = 0;  // swin's feature map, a side, and its windows
    DimId value_dim = 0, nope_and_value = 0, nope_and_value_width = 0, value_width = 0;
};
ModelDims model_dims(Recorder&, const StepInput&);

// What all blocks are called with; a checkpointed block keeps it until its backward is over. Those of t5's biases are
// made by the first block and passed on by the others; encoded is what cross-attention looks at.
struct SharedTensors {
    Tensor position_bias, encoded, cross_bias;  // may need gradients
    Tensor mask, encoded_mask;
    Tensor cos, sin, position_ids;
};

// The tensors of one adapter; programs reach them by a handle, a tensor that takes no memory.
struct AdapterParts {
    Tensor handle;
    std::array<Tensor, kAdapterTensors> tensors{};
};

struct Context {
    Recorder& r;
    const Architecture& a;
    const Variant& v;
    ModelDims d;
    SharedTensors shared{};
    std::int32_t copies = 1;  // layers that the parameters being made stand for
    bool trainable = true;    // of the parameters being made
    bool causal = true;
    BlockProgram program{};            // of the model's layers
    char letter = 'F';                 // kind of the layer that is made or run
    bool first_of_stack = false;       // t5: it holds the relative positions; modernbert: no norm before it
    Tensor held{};                     // of the latest block, by the model's loop
    std::vector<Tensor> parameters{};  // every one that was made, in order of registration
    std::vector<AdapterParts> adapters{};
    Dtype rotated_type = Dtype::Fp32;  // of what was rotated last: its matrix's result becomes that again
};

struct Linear {
    std::string_view name;
    Tensor weight, bias, adapter;  // the handle of its adapter
};
// The dimensions of a decoder's blocks: its tokens are those of the target.
void use_target_tokens(Context&, const StepInput&);

enum class LinearBias : std::uint8_t { No, Yes };
constexpr LinearBias bias_if(bool yes) { return yes ? LinearBias::Yes : LinearBias::No; }

struct NormWeights {
    std::string_view name;
    Tensor weight, bias;
};

// Which of a module's tensors a parameter is; some methods train one kind alone.
enum class ParameterPart : std::uint8_t { Weight, Bias, Norm, NormBias };

Tensor make_parameter(Context&, std::string_view name, const Shape&, ParameterPart = ParameterPart::Weight,
                      Projection = Projection::Other);
Linear make_linear(Context&, Projection, std::string_view name, DimId in, DimId out, LinearBias);
Linear make_conv1d(Context&, Projection, std::string_view name, DimId in, DimId out);
// Of a head whose matrix is the embedding: peft adapts it all the same.
void adapt_head(Context&, Linear&, DimId in);
// `count` matrices in one parameter (1: a plain one), as peft adapts parameters.
Linear make_matrices(Context&, Projection, std::string_view name, DimId count, DimId in, DimId out);
NormWeights make_norm(Context&, std::string_view name, DimId width);

Tensor run(Context&, const Linear&, Tensor x);
Tensor run(Context&, const NormWeights&, Tensor x);  // the architecture's kind of norm
Tensor activation(Context&, Tensor x);

// What adapters do that is no single operator of torch (operators_adapters.cpp), by their handles.
const std::array<Tensor, kAdapterTensors>& parts_of(const Context&, const Tensor& handle);
Tensor adapter_weight(const Context&, const Tensor& handle);      // as wide as the matrix: loha, lokr
Tensor rotated(Context&, const Tensor& x, const Tensor& handle);  // what goes into the matrix: oft, boft
// What comes out of it: by x of adalora, by the matrix's bias of boft.
Tensor finished(Context&, Tensor x_or_bias, Tensor result, const Tensor& handle);

// The function of the model code behind `sdpa`: chooses the kernel as PyTorch does.
Tensor scaled_dot_product_attention(Context&, const Tensor& q, const Tensor& k, const Tensor& v);

}  // namespace memwall
