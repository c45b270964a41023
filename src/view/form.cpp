#include "base/concat.hpp"
#include "catalogue/catalogue.hpp"
#include "plan/fields.hpp"
#include "view/format.hpp"
#include "view/parts.hpp"

namespace memwall {
namespace {

// How a long number was understood: "8k" of tokens is 8,192.
std::string understood(const FieldRow& row, std::int64_t value) {
    if (row.unit == "bytes") return value < 1024 ? std::string() : text(Bytes(value));
    if (value < 10'000) return {};
    return row.unit.empty() ? grouped(value) : grouped(value).append(" ").append(row.unit);
}

// Memory of the card that is chosen.
bool is_recalled(const Scenario& scenario, FieldId id) {
    if (id == FieldId::UsableBytes) return scenario.accelerator.usable_trust == Trust::Recalled;
    if (id != FieldId::MemoryGb) return false;
    const auto row = find_accelerator(scenario.accelerator.name);
    return row && (*row)->recalled;
}

}  // namespace

std::vector<FormFieldView> form_views(const Scenario& scenario) {
    std::vector<FormFieldView> out;
    for (const FieldRow& row : fields()) {
        if (is_later(row)) continue;
        FormFieldView view;
        view.key = row.key;
        view.value = text(scenario, row.id);
        view.is_default = is_default(scenario, row.id);
        if (row.kind == FieldKind::Integer) view.note = understood(row, row.access.get(scenario));
        view.is_recalled = view.is_default && is_recalled(scenario, row.id);
        if (view.is_recalled) view.note += concat({view.note.empty() ? "" : ", ", name(Trust::Recalled)});
        out.push_back(std::move(view));
    }
    return out;
}

std::vector<NoteView> note_views(const Notes& notes) {
    std::vector<NoteView> out;
    for (const Note& note : notes.all())
        out.push_back({note.where, note.message});
    return out;
}

}  // namespace memwall
