#include "search/grid.hpp"

#include <array>
#include <optional>
#include <string>

#include "search/probe.hpp"

namespace memwall {
namespace {

Failure check(const GridAxis& axis) {
    const FieldRow& row = field(axis.field);
    if (row.kind != FieldKind::Integer || is_later(row))
        return Error{ErrorCode::OutOfRange, row.key, {row.key, " is no whole number that can stand on an axis."}, ""};
    if (axis.values.empty() || axis.values.size() > kMostGridValues)
        return Error{ErrorCode::OutOfRange,
                     row.key,
                     {"An axis has ", std::to_string(axis.values.size()), " values; allowed: 1 to ",
                      std::to_string(kMostGridValues), "."},
                     ""};
    return std::nullopt;
}

}  // namespace

Result<Grid> grid(const Scenario& scenario, const GridAxis& x, const GridAxis& y) {
    for (const GridAxis* axis : {&x, &y})
        if (Failure wrong = check(*axis)) return *wrong;
    if (x.field == y.field)
        return Error{ErrorCode::OutOfRange, field(x.field).key, "One field stands on both axes.", ""};
    MemoryProbe probe(scenario, {x.field, y.field});
    Grid out;
    out.needed_bytes.reserve(x.values.size() * y.values.size());
    std::optional<Error> first;
    bool any = false;
    for (const std::int64_t down : y.values)
        for (const std::int64_t along : x.values) {
            const Result<Bytes> needed = probe.needed(std::array{along, down});
            any = any || needed;
            if (!needed && !first) first = needed.error();
            out.needed_bytes.push_back(needed ? needed->value : kRefused);
        }
    if (!any) return *first;
    out.usable_bytes = probe.completed().accelerator.usable_bytes;
    return out;
}

}  // namespace memwall
