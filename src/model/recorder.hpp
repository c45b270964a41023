// Recorder: runs a program of operators on tensors that have shapes and owners but no data.
//
// What PyTorch does to memory follows from three things, all kept here: storages with reference counts,
// strides (whether a reshape is a view or a copy), and the graph that keeps tensors for backward
// (model/autograd.hpp). Block programs are written with the operators of model/operators.hpp in the order of
// the real model code; the lifetime of a C++ variable is the lifetime of the Python variable it stands for.
// Every allocation and release becomes an event of the tape. Sources: PyTorch's derivatives.yaml, autograd
// engine and autocast lists; held against traces of real model code operator by operator (tests/golden).
// Invariant: no event is lost: a storage that was allocated is released, or alive when the step ends.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/dtype.hpp"
#include "model/graph.hpp"
#include "model/operators_table.hpp"
#include "model/tape.hpp"
#include "model/tensor.hpp"
#include "model/variant.hpp"

namespace memwall {

struct TensorData {
    std::int32_t references = 0;
    std::int32_t storage = -1;
    std::int32_t node = -1;         // that made it (model/autograd.hpp), or -1
    std::int32_t accumulator = -1;  // node that collects its gradient, for leaves
    std::int32_t grad = -1;         // tensor, for leaves
    std::int32_t copies = 1;        // layers a parameter stands for
    std::int8_t slot = 0;           // which output of the node
    Dtype dtype = Dtype::Fp32;
    bool requires_grad = false;
    bool parameter = false;
    bool view = false;  // made by a view operator: its gradient buffer is not reused in place
    Shape shape;
    Strides strides{};
};

struct StorageData {
    std::int32_t references = 0;
    std::int16_t size = 0;  // index into the tape's sizes
    bool resident = false;  // parameters and inputs: no events
    bool empty = false;     // made after a recomputation has stopped: nothing is allocated
    bool input = false;
    bool weight_cast = false;
    bool mask = false;
    bool gradient = false;  // became the gradient of a parameter
    bool recomputed = false;
    bool checkpointed = false;  // input of a checkpointed block
    bool hosted = false;        // waits in the host's memory: no events
    // The compiled graph that computes it where it is used, from `sources`, and never writes it; or -1.
    std::int32_t graph = -1;
    std::array<std::int32_t, 4> sources{};  // from 1; 0: none
    Operator made_by{};
    std::string_view module;
    std::int32_t born = -1, died = -1;  // events
};

// Named settings of the run, fixed while recording.
struct RecorderSettings {
    bool autocast = false;
    Dtype autocast_dtype = Dtype::Bf16;
    bool quantized_keeps_input = false;     // of a 4-bit product
    bool quantized_from_half = false;       // a matrix turned back is fp16 first
    Dtype quantized_compute = Dtype::Bf16;  // of products with weights of few bits
    bool composite_silu = false;            // ledger policy: see memory/program.hpp
    bool accumulate_in_place = false;       // device policy
    bool softmax_keeps_input = false;
    bool torch_2_6 = false;         // fused attention keeps seed and offset as two scalars
    bool step_in_backward = false;  // each parameter is updated, and its gradient dropped, as soon as it exists
    OptimizerVariant optimizer = OptimizerVariant::Foreach;
    std::int64_t optimizer_temporaries = 1;
    bool gradients_into_main = false;  // each is added into a resident fp32 buffer and dropped
    std::uint64_t kept_operators = 0;  // bits: checkpointed blocks keep their results
    bool every_second_product = false;
    CompileVariant compile = CompileVariant::None;
    bool offload = false;
};

class Recorder {
  public:
    explicit Recorder(RecorderSettings settings);
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    DimId dim(std::int64_t value, std::int64_t coefficient, Monomial symbols);
    std::int64_t size(DimId d) const { return dims[d].value; }

    // New tensors. `parameter` and `input` stay for the whole step and make no events.
    Tensor allocate(Operator made_by, const Shape&, Dtype, const Strides* = nullptr);
    Tensor parameter(const Shape&, Dtype, bool requires_grad, std::int32_t copies);
    Tensor resident(const Shape&, Dtype);
    Tensor add(const TensorData&);                                 // takes over one count of its storage
    Tensor alias(const Tensor& of, const Shape&, const Strides&);  // a view, without a graph node

    void retain(std::int32_t tensor) { ++tensors[static_cast<std::size_t>(tensor)].references; }
    void release(std::int32_t tensor);
    TensorData& at(const Tensor& t) { return tensors[static_cast<std::size_t>(t.id())]; }
    const TensorData& at(const Tensor& t) const { return tensors[static_cast<std::size_t>(t.id())]; }
    StorageData& storage_of(const Tensor& t) { return storages[static_cast<std::size_t>(at(t).storage)]; }

    // torch.compile: what elementwise operators make inside a graph has no memory of its own until a product, a kernel
    // or somebody outside of the graph reads it.
    void derive(const Tensor& made, const Tensor& from);
    void materialize(const Tensor&);
    std::int32_t graph = -1;  // the compiled graph whose operators are running
    bool offloading = false;  // what is kept for backward goes to the host
    Tensor hosted(const Tensor&);
    Tensor fetched(const Tensor&);

    void begin_segment(Phase, std::int32_t layer, std::int32_t copies);
    std::int32_t micro_step = 1;

    RecorderSettings settings;
    bool grad_enabled = true;
    bool stopped = false;  // a recomputation has everything it needs
    bool recomputing = false;
    std::string_view module;                // whose operators are running
    std::int32_t unit = -1;                 // block of the forward pass, for the segments of backward
    std::span<const CreatedState> created;  // by the optimizer, for each weight
    std::int32_t release_copies = 0;        // extra copies that the next releases stand for

    std::vector<Dim> dims;
    std::vector<TensorData> tensors;
    std::vector<StorageData> storages;
    struct RawEvent {
        std::int32_t storage;
        bool allocate;
        std::int32_t repeated;
    };
    std::vector<RawEvent> events;
    std::vector<TapeSegment> segments;
    std::vector<Size> sizes;

    // The blocks of the forward pass, for the segments of forward and backward.
    struct Unit {
        Phase forward{}, backward{};
        std::int32_t layer = -1, copies = 1;
    };
    std::vector<Unit> units;
    void enter(Unit);                        // forward: a new block starts
    void enter_backward(std::int32_t unit);  // backward: the nodes of a block begin
    DimId product(DimId, DimId);

    std::vector<Node> nodes;
    std::vector<Frame> frames;
    std::int32_t packing = -1;                  // frame whose block runs forward
    std::int32_t recomputed = -1;               // frame whose block runs again
    std::int32_t pack_index = 0, products = 0;  // what the block has kept and multiplied so far
    std::int32_t walks = 0;                     // backwards begun
    struct CachedCast {
        std::int32_t parameter;
        Tensor cast;
    };
    std::vector<CachedCast> cast_cache;               // autocast's copies of weights, until the region ends
    enum class Scope : std::uint8_t { Layer, Step };  // Step: an entry counts once for every layer it stands for
    void clear_cast_cache(Scope);

  private:
    std::int16_t intern(const Size&);
    bool keeps_result(Operator);
    TensorData& new_tensor();
    void release_storage(std::int32_t storage);
    void release_sources(std::int32_t storage);
    [[gnu::noinline]] void link(const Tensor& made, const Tensor& from);
    [[gnu::noinline]] void write(const Tensor&);
    std::array<std::int16_t, 256> size_slots_{};
    std::int32_t backward_unit_ = -2;
    std::vector<std::int32_t> free_tensors_;
};

}  // namespace memwall
