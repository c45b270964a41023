// Share link: a scenario in the fragment of an address.
//
//   v1&model.ref=gpt2&accelerator.name=GeForce%20RTX%204090&batch.micro_batch_size=4&was=61.20%20GiB@0.1.0
//
// Version, then every given field by its public key in the order of the field table, then the number the
// sharer saw and the version that computed it. Reading never fails: what is malformed, unknown or
// refused becomes a note and the rest is kept, so a link never opens a blank page.
#pragma once
#include <string>
#include <string_view>

#include "base/notes.hpp"
#include "plan/scenario.hpp"

namespace memwall {

inline constexpr int kShareVersion = 1;

// `shown`: the device total as text ("61.20 GiB"), or empty. Without the leading '#'.
std::string share_from_scenario(const Scenario&, std::string_view shown = {});

struct Shared {
    Scenario scenario;
    std::string shown;          // the number of the sharer, or empty
    std::string shown_version;  // of memwall
};
Shared scenario_from_share(std::string_view fragment, Notes&);

// "This link showed 61.20 GiB with 0.1.0; this version computes 60.90 GiB", where the number changed.
void note_changed_number(const Shared&, std::string_view shown_now, Notes&);

}  // namespace memwall
