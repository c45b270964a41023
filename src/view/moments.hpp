// A step's instants in words: where each is, what it holds, and its rows by size.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "estimate/moments.hpp"
#include "view/view_model.hpp"

namespace memwall {

struct MomentView {
    std::string label;  // "steady step, backward, layer 31 of 32, q_proj"
    std::string text;   // "14.96 GiB"
    bool worst = false;
    std::vector<RowView> rows;  // largest first
};

MomentView moment_view(const Estimate&, const Moment&);
std::vector<MomentView> moment_views(const Estimate&, std::span<const Moment>);

}  // namespace memwall
