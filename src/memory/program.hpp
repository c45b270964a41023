// Program: a scenario after everything discrete has been decided.
//
// The recorded step with symbolic sizes, plus what stays resident: weights, master weights, optimizer
// state, gradient buffers. `Sizes` are the numbers a program can be replayed with; a program holds for
// other sizes as long as covers() says so (a batch of one sequence, for instance, records other copies).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "memory/ledger.hpp"
#include "model/tape.hpp"

namespace memwall {

// Device: what a GPU allocates (blocks of 512 bytes). Ledger: raw bytes under the instrument that made the
// oracle records, with its two known artifacts (composite silu backward, out-of-place accumulation).
enum class Policy : std::uint8_t { Device, Ledger };

struct Sizes {
    std::int64_t micro_batch_size = 1;
    std::int64_t sequence_length = 1;
    std::int64_t target_sequence_length = 0;  // encoder-decoder; 0 = none
    friend bool operator==(const Sizes&, const Sizes&) = default;
};

// How a printed formula calls batch and sequence: by the fields of training or of serving.
enum class SizeWords : std::uint8_t { Training, Serving };

// In order of time; Instant::step counts them.
enum class RunStage : std::uint8_t { Loading, FirstStep, SteadyStep, Evaluation, Generation, Saving };
constexpr std::int32_t number(RunStage stage) { return static_cast<std::int32_t>(stage); }

struct Program {
    std::shared_ptr<const Tape> tape;
    Ledger residents;  // by category
    Ledger host;       // what waits in the host's memory
    Count trainable_parameters;
    std::int32_t shards = 1;        // over how many ranks gradients are divided
    std::int32_t state_shards = 1;  // optimizer states, and what an update of all of them at once makes beside them
    Sizes recorded;                 // the sizes it was recorded with
    Policy policy = Policy::Device;
    std::int64_t layers = 0;
    std::array<std::int64_t, 2> stacks{};  // layers of encoder and decoder, where both exist
    SizeWords words = SizeWords::Training;
    std::int64_t sliding_window = 0;
    bool one_length = false;  // what stays is as long as the sequence: litgpt's rotary tables
    bool chunked = false;     // the loss: how many chunks there are depends on the sizes
    // What happens beside the steps: programs of their own, each in one stage, for a batch of its own (0: that of a
    // step) and so many tokens more.
    RunStage stage = RunStage::FirstStep;
    std::int64_t own_batch = 0, more_tokens = 0;
    std::vector<Program> beside{};  // in order of RunStage
};

// The sizes of what is beside a step of these sizes.
Sizes sizes_beside(const Program& beside, const Sizes& of_step);

}  // namespace memwall
