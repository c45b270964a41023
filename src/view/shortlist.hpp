// A shortlist of accelerators as finished strings.
#pragma once
#include <string>
#include <vector>

#include "search/shortlist.hpp"

namespace memwall {

struct ShortlistRowView {
    std::string name, vendor;
    std::string needed, usable;   // "60.72 GiB", "79.18 GiB (recalled)"
    std::string left;             // "18.46 GiB", "-3.20 GiB"
    std::string price;            // "$1.99", the least an hour costs; empty: not known
    std::string state, sentence;  // "fits", "It fits"
    double fraction = 0;          // needed of usable, at most 1
};
std::vector<ShortlistRowView> shortlist_views(const std::vector<ShortlistRow>&);

}  // namespace memwall
