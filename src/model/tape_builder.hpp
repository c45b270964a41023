// TapeBuilder: from a recorder's storages to a tape whose events know what they are.
//
// What a storage is can be said only when its life is known: one that was allocated in forward and is alive at
// its end was kept for backward. Also records the optimizer step, which needs no graph.
#pragma once
#include <vector>

#include "model/recorder.hpp"
#include "model/variant.hpp"

namespace memwall {

class TapeBuilder {
  public:
    explicit TapeBuilder(Recorder& r) : r_(r) {}
    // Without gradients everything of the pass is a working tensor.
    void without_gradients() { working_ = true; }
    void forward_ended();
    void backward_ended();
    // Temporaries of the optimizer, then the release of all gradients (model/optimizer_step.cpp). Parameters in order
    // of registration.
    void optimizer_step(const std::vector<Tensor>& parameters, OptimizerVariant);
    Tape finish(const SymbolValues&);

  private:
    TensorKind kind_of(const StorageData&) const;
    bool in_forward(const StorageData&) const;
    bool rolls(const StorageData&, const std::vector<std::int16_t>& segments) const;
    bool is_shared_table(const StorageData&, const std::vector<std::int16_t>& segments) const;
    static void add_nets(Tape&);
    void make_rows(Tape&, std::vector<std::int16_t>& row_of) const;
    void add_events(Tape&, const std::vector<std::int16_t>& row_of, const std::vector<std::int16_t>& segments) const;
    std::vector<std::int16_t> segment_of_events() const;
    struct Span {
        std::int32_t begin = 0, end = 0;
    };
    Recorder& r_;
    std::vector<Span> forwards_{Span{}};
    std::vector<std::int32_t> backward_ends_;
    std::int32_t optimizer_begin_ = INT32_MAX;
    bool working_ = false;
};

}  // namespace memwall
