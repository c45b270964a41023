#include "memory/allocator_run.hpp"

#include <cassert>

#include "memory/replay.hpp"

namespace memwall {
namespace {

class Run {
  public:
    Run(const Program& program, const Sizes& sizes, const AllocatorSettings& settings)
        : program_(program), allocator_(settings), alive_(program.tape->rows.size()) {
        const std::vector<std::int64_t> raw = raw_bytes(*program.tape, sizes);
        for (const TapeRow& r : program.tape->rows)
            bytes_.push_back(divided(program, r, raw[static_cast<std::size_t>(r.size)]));
    }

    void load(Presence presence) {
        for (const LedgerRow& resident : program_.residents.rows)
            if (resident.presence == presence && resident.bytes.value > 0)
                for (std::int32_t i = 0; i < resident.tensors; ++i) {
                    allocator_.allocate(resident.bytes.value / resident.tensors);
                    ++allocations_;
                }
    }

    void step(int number) {
        for (const TapeSegment& segment : program_.tape->segments) {
            const bool loads = segment.phase == Phase::Load;
            if (loads && number > 1) continue;
            if (segment.phase == Phase::OptimizerStep && number == 1 && !program_.tape->creates_states)
                load(Presence::FromFirstOptimizerStep);
            for (std::int32_t copy = 0; copy < segment.copies; ++copy)
                for (std::int32_t i = segment.begin; i < segment.end; ++i)
                    apply(program_.tape->events[static_cast<std::size_t>(i)]);
        }
    }

    // What the first step has created stays.
    void forget_creation() {
        const Tape& tape = *program_.tape;
        for (std::size_t i = 0; i < bytes_.size(); ++i)
            if (tape.roles[static_cast<std::size_t>(tape.rows[i].role)].kind == TensorKind::OptimizerState)
                bytes_[i] = 0;
    }

    bool trains() const {
        for (const TapeSegment& segment : program_.tape->segments)
            if (segment.phase == Phase::OptimizerStep) return true;
        return false;
    }

    AllocatorRun result() const {
        return {allocator_.allocated_peak(), allocator_.reserved(), allocator_.segments(), allocations_};
    }

  private:
    void apply(const TapeEvent& event) {
        const auto row = static_cast<std::size_t>(event.row);
        if (bytes_[row] == 0) return;
        std::vector<CachingAllocator::Block>& alive = alive_[row];
        for (std::int32_t i = 0; i < event.tensors; ++i)
            alive.push_back(allocator_.allocate(bytes_[row]));
        allocations_ += event.tensors > 0 ? event.tensors : 0;
        for (std::int32_t i = event.tensors; i < 0; ++i) {
            assert(!alive.empty());
            allocator_.release(alive.back());
            alive.pop_back();
        }
    }

    const Program& program_;
    CachingAllocator allocator_;
    std::vector<std::int64_t> bytes_;                          // of one tensor of each row
    std::vector<std::vector<CachingAllocator::Block>> alive_;  // of each row
    std::int64_t allocations_ = 0;
};

}  // namespace

AllocatorRun run_allocator(const Program& program, const Sizes& sizes, const AllocatorSettings& settings) {
    Run run(program, sizes, settings);
    run.load(Presence::Always);
    run.step(1);
    run.forget_creation();
    if (run.trains()) run.step(2);
    return run.result();
}

}  // namespace memwall
