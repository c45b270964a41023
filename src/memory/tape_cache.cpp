#include "memory/tape_cache.hpp"

#include <array>

namespace memwall {

namespace {

struct Entry {
    Architecture architecture;
    Variant variant;
    Sizes sizes;
    std::int64_t lora_rank = 0;
    Tape tape;
    bool used = false;
};

Sizes sizes_of(const StepInput& in) { return {in.batch, in.tokens, in.target_tokens}; }

}  // namespace

bool records_alike(const Recorded& program, const Sizes& x, const Sizes& y) {
    if (program.chunked) return x == y;
    const auto same_remainder = [](std::int64_t m, std::int64_t n, std::int64_t step) {
        return (m % step == 0) == (n % step == 0);
    };
    const auto windowed = [&](const Sizes& s) { return program.window > 0 && s.sequence_length >= program.window; };
    return (x.micro_batch_size == 1) == (y.micro_batch_size == 1) &&
           (x.sequence_length == 1) == (y.sequence_length == 1) &&
           same_remainder(x.sequence_length, y.sequence_length, 8) && windowed(x) == windowed(y) &&
           (x.target_sequence_length == 0) == (y.target_sequence_length == 0) &&
           (x.target_sequence_length == 1) == (y.target_sequence_length == 1) &&
           same_remainder(x.target_sequence_length, y.target_sequence_length, 8);
}

const Tape& recorded_step(const StepInput& in) {
    static thread_local std::array<Entry, 4> entries;
    static thread_local std::size_t next = 0;
    for (const Entry& e : entries)
        if (e.used && e.variant == in.variant && e.lora_rank == in.lora_rank && e.architecture == in.architecture &&
            records_alike({in.architecture.sliding_window, is_chunked(in.variant.loss)}, e.sizes, sizes_of(in)))
            return e.tape;
    Entry& entry = entries[next];
    next = (next + 1) % entries.size();
    entry = {in.architecture, in.variant, sizes_of(in), in.lora_rank, record_step(in), true};
    return entry.tape;
}

}  // namespace memwall
