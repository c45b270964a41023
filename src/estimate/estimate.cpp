#include "estimate/estimate.hpp"

#include <array>
#include <cassert>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "estimate/interval.hpp"
#include "estimate/overhead.hpp"
#include "estimate/speed.hpp"
#include "memory/lower.hpp"
#include "model/parameters.hpp"
#include "plan/defaults.hpp"
#include "plan/fields.hpp"
#include "plan/number_text.hpp"
#include "plan/validate.hpp"

namespace memwall {
namespace {

constexpr std::array<std::string_view, 4> kVerdictNames{"fits", "does_not_fit", "tight", "cannot_say"};
static_assert(static_cast<int>(Verdict::CannotSay) == 3);
constexpr std::array<std::string_view, 4> kRankNames{"only", "first_stage", "middle_stage", "last_stage"};
static_assert(static_cast<int>(RankClass::LastStage) == 3);

// What is said of the accelerator is answered all the same.
Result<Estimate> without_model(const Scenario& given, Notes notes, std::string missing) {
    Estimate out;
    out.scenario = given;
    if (is_given(given, FieldId::AcceleratorName)) {
        const auto found = find_accelerator(given.accelerator.name);
        if (!found) {
            Error error = found.error();
            error.where = field(FieldId::AcceleratorName).key;
            return error;
        }
        out.scenario.accelerator.name = (*found)->name;
    }
    out.ranks.emplace_back();
    out.missing = std::move(missing);
    out.notes = std::move(notes);
    return out;
}

Result<RankEstimate> rank_estimate(const Program& program, const Scenario& scenario) {
    Evaluation evaluation = evaluate(program, sizes_of(scenario));
    RankEstimate out;
    out.peak = evaluation.peak;
    MEMWALL_TRY(ledger, rows_at(program, evaluation, evaluation.peak));
    out.device = std::move(ledger);
    out.allocated = out.device.total();
    assert(out.allocated == evaluation.instants[evaluation.peak].total);
    if (Failure failure = add_overhead(scenario.overhead, out.allocated, out.device)) return *failure;
    out.host = program.host;
    out.reserved = out.allocated + out.device.total(Category::AllocatorSlack);
    out.device_total = out.device.total();
    if (out.device_total > kLargestExact)
        return Error{ErrorCode::Overflow, "model.params", "The device total is above 2^53 bytes.",
                     "Check the model's size, micro_batch_size and sequence_length."};
    out.instants = std::move(evaluation.instants);
    return out;
}

// A sum that leaves 63 bits belongs to no field; the sequences are what a user can shorten.
Error addressed(Error error) {
    if (error.where.empty()) error.where = "batch.sequence_length";
    return error;
}

std::size_t worst_of(const std::vector<RankEstimate>& ranks) {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < ranks.size(); ++i)
        if (ranks[i].device_total > ranks[worst].device_total) worst = i;
    return worst;
}

void count(Estimate& e) {
    const ParameterCounts counts = count_parameters(e.scenario.model.architecture);
    e.total_parameters = counts.total;
    e.active_parameters = counts.active;
}

void judge(Estimate& e, const Program& program) {
    const Bytes certain = certain_bytes(program, Bytes(e.scenario.overhead.in_use_by_others_bytes));
    e.interval = interval_around(e.worst().device_total, certain, e.scenario);
    if (e.scenario.accelerator.usable_bytes == 0) {
        e.missing = "accelerator.name";
        return;
    }
    e.usable = Bytes(e.scenario.accelerator.usable_bytes);
    e.verdict = verdict_of(e.interval, *e.usable);
}

// What a batch of samples of the mean length takes: as the estimate does, but for its tokens.
[[gnu::noinline]] void note_lengths(const Scenario& given, const Scenario& s, Bytes longest, Notes& notes) {
    const std::string_view key = field(FieldId::MeanLength).key;
    const std::int64_t mean = s.batch.mean_length;
    if (s.task == Task::Inference) return notes.add(key, "not used: no batch is trained");
    if (mean > s.batch.sequence_length)
        return notes.add(
            key, {"not used: ", with_commas(mean), " tokens are beyond the ", with_commas(s.batch.sequence_length)});
    Scenario usual = given;
    clear_field(usual, FieldId::MeanLength);
    Failure wrong = set_value(usual, FieldId::SequenceLength, mean);
    const auto of_mean = wrong ? Result<Estimate>(*wrong) : estimate(usual);
    if (!of_mean) return notes.add(key, {"not used: ", of_mean.error().message});
    notes.add(key, {"The longest batch decides: of ", with_commas(s.batch.sequence_length), " tokens it needs ",
                    with_commas(longest.value), " bytes, of ", with_commas(mean), " tokens ",
                    with_commas(of_mean->worst().device_total.value)});
}

}  // namespace

std::string_view name(Verdict id) { return kVerdictNames[static_cast<std::size_t>(id)]; }
std::string_view name(RankClass id) { return kRankNames[static_cast<std::size_t>(id)]; }

Verdict verdict_of(const Interval& interval, Bytes usable) {
    if (interval.high <= usable) return Verdict::Fits;
    return interval.low > usable ? Verdict::DoesNotFit : Verdict::Tight;
}

Result<Estimate> estimate(const Scenario& given) {
    Notes notes;
    auto completed = complete(given, notes);
    if (!completed) {
        if (completed.error().code != ErrorCode::Missing) return completed.error();
        return without_model(given, std::move(notes), completed.error().where);
    }
    if (Failure wrong = validate(*completed)) {
        if (wrong->code != ErrorCode::Missing) return *wrong;
        notes.add(wrong->where, std::string_view(wrong->message));
        return without_model(given, std::move(notes), wrong->where);
    }
    const auto program = lower(*completed, notes);
    if (!program) return addressed(program.error());
    Estimate out;
    out.scenario = std::move(*completed);
    auto rank = rank_estimate(*program, out.scenario);
    if (!rank) return addressed(rank.error());
    out.ranks.push_back(std::move(*rank));
    out.worst_rank = worst_of(out.ranks);
    count(out);
    out.trainable_parameters = program->trainable_parameters;
    judge(out, *program);
    if (out.scenario.batch.mean_length > 0) note_lengths(given, out.scenario, out.worst().device_total, notes);
    out.throughput = throughput_of(out);
    out.notes = std::move(notes);
    return out;
}

}  // namespace memwall
