#include "search/probe.hpp"

#include <algorithm>
#include <utility>

#include "estimate/overhead.hpp"
#include "memory/lower.hpp"
#include "plan/defaults.hpp"
#include "plan/validate.hpp"

namespace memwall {
namespace {

// Fields that only change the numbers a recorded program is replayed with.
constexpr bool is_size(FieldId id) {
    return id == FieldId::MicroBatchSize || id == FieldId::SequenceLength || id == FieldId::ConcurrentSequences ||
           id == FieldId::ContextTokens;
}

// No default of training follows from the micro-batch size, so a completed scenario takes another one as it stands;
// from the number of sequences to run only the micro-batch size does, which nothing reads there.
bool stands_alone(const Scenario& completed, FieldId id) {
    return id == (completed.task == Task::Inference ? FieldId::ConcurrentSequences : FieldId::MicroBatchSize);
}

}  // namespace

MemoryProbe::MemoryProbe(const Scenario& scenario, std::vector<FieldId> fields)
    : scenario_(scenario), fields_(std::move(fields)) {}

Result<Bytes> MemoryProbe::needed(std::span<const std::int64_t> values) {
    bool changed = values_.empty();
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (values[i] == values_[i]) continue;
        changed = changed || !stands_alone(completed_, fields_[i]);
        recorded_ = recorded_ && is_size(fields_[i]);
    }
    if (changed) {
        if (Failure wrong = complete_anew(values)) return *wrong;
    } else {
        for (std::size_t i = 0; i < fields_.size(); ++i)
            if (Failure wrong = set_value(completed_, fields_[i], values[i])) return *wrong;
    }
    values_.assign(values.begin(), values.end());
    if (Failure wrong = validate(completed_)) return *wrong;
    if (Failure wrong = record()) return *wrong;
    MEMWALL_TRY(total, device_total(completed_.overhead, peak(program_, sizes_of(completed_))));
    if (total > kLargestExact)
        return Error{ErrorCode::Overflow, std::string(field(fields_[0]).key), "The device total is above 2^53 bytes.",
                     ""};
    return total;
}

Failure MemoryProbe::complete_anew(std::span<const std::int64_t> values) {
    if (values_.empty()) recorded_ = false;  // nor is it known what the last recording was of
    values_.clear();
    for (std::size_t i = 0; i < fields_.size(); ++i)
        if (Failure wrong = set_value(scenario_, fields_[i], values[i])) return *wrong;
    Notes ignored;
    auto completed = complete(scenario_, ignored);
    if (!completed) return completed.error();
    completed_ = std::move(*completed);
    return std::nullopt;
}

Bytes MemoryProbe::certain() const {
    return certain_bytes(program_, Bytes(completed_.overhead.in_use_by_others_bytes));
}

Failure MemoryProbe::record() {
    if (recorded_ && covers(program_, sizes_of(completed_))) return std::nullopt;
    Notes ignored;
    auto program = lower(completed_, ignored);
    if (!program) return program.error();
    program_ = std::move(*program);
    recorded_ = true;
    return std::nullopt;
}

}  // namespace memwall
