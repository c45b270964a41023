#include "view/shortlist.hpp"

#include "base/concat.hpp"
#include "view/format.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

ShortlistRowView row_view(const ShortlistRow& row) {
    ShortlistRowView out;
    const AcceleratorRow& a = *row.accelerator;
    out.name = a.name;
    out.vendor = a.vendor;
    out.needed = text(row.needed);
    out.usable = row.usable_trust == Trust::Published || row.usable_trust == Trust::Exact
                     ? text(row.usable)
                     : concat({text(row.usable), " (", name(row.usable_trust), ")"});
    const Bytes left = row.usable - row.needed;
    out.left = left.value >= 0 ? text(left) : concat({"\u2212", text(Bytes(-left.value))});
    if (a.price_low_cents > 0)
        out.price = marked(dollars(a.price_low_cents / 100.0), a.recalled ? Trust::Recalled : Trust::Published);
    out.state = name(row.verdict);
    out.sentence = label(row.verdict);
    out.fraction = fraction(std::min(row.needed, row.usable), row.usable);
    return out;
}

}  // namespace

std::vector<ShortlistRowView> shortlist_views(const std::vector<ShortlistRow>& rows) {
    std::vector<ShortlistRowView> out;
    out.reserve(rows.size());
    for (const ShortlistRow& row : rows)
        out.push_back(row_view(row));
    return out;
}

}  // namespace memwall
