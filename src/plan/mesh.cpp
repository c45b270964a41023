#include "plan/mesh.hpp"

#include "base/checked.hpp"
#include "base/concat.hpp"
#include "plan/number_text.hpp"

namespace memwall {
namespace {

struct Axis {
    std::string_view name;
    std::int64_t Mesh::*ranks;
};
constexpr Axis kAxes[] = {{"dp_replicate", &Mesh::dp_replicate},
                          {"dp_shard", &Mesh::dp_shard},
                          {"cp", &Mesh::cp},
                          {"tp", &Mesh::tp},
                          {"pp", &Mesh::pp}};

std::optional<std::int64_t> product_of_axes(const Mesh& mesh) {
    std::optional<std::int64_t> out = 1;
    for (const Axis& axis : kAxes)
        if (out) out = checked_multiply(*out, mesh.*axis.ranks);
    return out;
}

}  // namespace

std::string equation(const Mesh& mesh) {
    std::string out;
    for (const Axis& axis : kAxes) {
        if (!out.empty()) out += " × ";
        out += concat({axis.name, " (", with_commas(mesh.*axis.ranks), ")"});
    }
    const auto product = product_of_axes(mesh);
    return concat({out, " = ", product ? with_commas(*product) : std::string("more than 2^63")});
}

Failure check(const Mesh& mesh) {
    if (product_of_axes(mesh) != mesh.world_size)
        return Error{ErrorCode::Inconsistent,
                     "mesh.world_size",
                     {equation(mesh), ", world_size is ", with_commas(mesh.world_size)},
                     "the product of the axes must be world_size"};
    // With expert tensor parallelism of one, the tensor-parallel ranks are free for experts too.
    const std::int64_t ranks = data_parallel_ranks(mesh) * mesh.tp;
    if (ranks % mesh.ep != 0)
        return Error{ErrorCode::Inconsistent,
                     "mesh.ep",
                     {"ep (", with_commas(mesh.ep), ") must divide the data-parallel ranks (", with_commas(ranks), ")"},
                     "ep divides dp_replicate × dp_shard × cp (× tp)"};
    return std::nullopt;
}

}  // namespace memwall
