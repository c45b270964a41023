#include "estimate/moments.hpp"

#include <cassert>
#include <utility>

#include "memory/lower.hpp"

namespace memwall {

Result<std::vector<Moment>> moments_of(const Estimate& e) {
    Notes said_before;
    MEMWALL_TRY(program, lower(e.scenario, said_before));
    const Evaluation evaluation = evaluate(program, sizes_of(e.scenario));
    assert(evaluation.instants.size() == e.worst().instants.size());
    std::vector<Moment> out;
    out.reserve(evaluation.instants.size());
    for (std::size_t i = 0; i < evaluation.instants.size(); ++i) {
        MEMWALL_TRY(rows, rows_at(program, evaluation, i));
        assert(rows.total() == evaluation.instants[i].total);
        out.push_back({evaluation.instants[i], std::move(rows), i == e.worst().peak});
    }
    return out;
}

}  // namespace memwall
