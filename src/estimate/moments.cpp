#include "estimate/moments.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>

#include "base/concat.hpp"
#include "memory/lower.hpp"

namespace memwall {

namespace {

Result<Moment> moment_at(const Program& program, const Evaluation& evaluation, std::size_t at, std::size_t peak) {
    MEMWALL_TRY(rows, rows_at(program, evaluation, at));
    assert(rows.total() == evaluation.instants[at].total);
    return Moment{evaluation.instants[at], std::move(rows), at == peak};
}

}  // namespace

Result<std::vector<Moment>> moments_of(const Estimate& e) {
    Notes said_before;
    MEMWALL_TRY(program, lower(e.scenario, said_before));
    const Evaluation evaluation = evaluate(program, sizes_of(e.scenario));
    assert(evaluation.instants.size() == e.worst().instants.size());
    std::vector<Moment> out;
    out.reserve(evaluation.instants.size());
    for (std::size_t i = 0; i < evaluation.instants.size(); ++i) {
        MEMWALL_TRY(moment, moment_at(program, evaluation, i, e.worst().peak));
        out.push_back(std::move(moment));
    }
    return out;
}

namespace {

Failure check_place(std::size_t at, std::size_t count) {
    if (at < count) return std::nullopt;
    return Error{ErrorCode::OutOfRange,
                 "",
                 {"There is no instant ", std::to_string(at)},
                 {"0 to ", std::to_string(count), ", without the last"}};
}

}  // namespace

Result<std::vector<Instant>> every_instant(const Estimate& e) {
    Notes said_before;
    MEMWALL_TRY(program, lower(e.scenario, said_before));
    return every_instant(program, sizes_of(e.scenario));
}

Result<Moment> moment_of(const Estimate& e, const std::vector<Instant>& every, std::size_t at) {
    if (Failure wrong = check_place(at, every.size())) return *wrong;
    Notes said_before;
    MEMWALL_TRY(program, lower(e.scenario, said_before));
    Evaluation evaluation;
    evaluation.sizes = sizes_of(e.scenario);
    evaluation.instants.push_back(every[at]);
    MEMWALL_TRY(moment, moment_at(program, evaluation, 0, 1));
    moment.worst = moment.instant.total == e.worst().allocated;
    return moment;
}

Result<std::size_t> place_among(const std::vector<Instant>& every, const Estimate& e, std::size_t at) {
    if (Failure wrong = check_place(at, every.empty() ? 0 : e.worst().instants.size())) return *wrong;
    const Instant& one = e.worst().instants[at];
    // Most are among them. The end of a segment is the last of its instants, where no operator runs any more.
    const auto distance = [&](const Instant& other) {
        return std::tuple(other.step != one.step, other.segment != one.segment,
                          std::abs(other.total.value - one.total.value), other.operator_name != one.operator_name);
    };
    const auto nearer = [&](const Instant& a, const Instant& b) { return distance(a) < distance(b); };
    return static_cast<std::size_t>(std::min_element(every.begin(), every.end(), nearer) - every.begin());
}

Result<Moment> moment_of(const Estimate& e, std::size_t at) {
    if (Failure wrong = check_place(at, e.worst().instants.size())) return *wrong;
    Notes said_before;
    MEMWALL_TRY(program, lower(e.scenario, said_before));
    return moment_at(program, evaluate(program, sizes_of(e.scenario)), at, e.worst().peak);
}

std::optional<std::int64_t> layer_at(const Estimate& e, const Instant& instant) {
    const Architecture& a = e.scenario.model.architecture;
    // Of two stacks a number alone would not say which one it counts in.
    if (instant.layer < 0 || a.num_hidden_layers < 1 || e.scenario.savers.checkpoint_every > 1) return std::nullopt;
    if (instant.segment != Segment::Backward || instant.layer == 0) return instant.layer + instant.copy;
    if (!a.layer_pattern.empty()) return std::nullopt;
    return a.num_hidden_layers - instant.copy - 1;
}

}  // namespace memwall
