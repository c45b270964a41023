// Reports of an error table: the machine form (one JSON line) and the table a terminal shows.
//
// JSON: {"groups":[...],"records":[...],"skipped":[...]}. Every record read appears once in records; a
// skipped one has predicted_bytes null and also stands in skipped. Shares are 0 to 1; what cannot be said (no
// reading of that kind) is null.
#pragma once
#include <string>

#include "check/table.hpp"

namespace memwall {

std::string json_from(const CheckTable&);
// `worst`: how many records to list, largest error first; 0 lists all in the order they were read.
std::string text_from(const CheckTable&, int worst);

}  // namespace memwall
