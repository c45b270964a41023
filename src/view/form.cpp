#include "plan/fields.hpp"
#include "view/parts.hpp"

namespace memwall {

std::vector<FormFieldView> form_views(const Scenario& scenario) {
    std::vector<FormFieldView> out;
    for (const FieldRow& row : fields()) {
        if (is_later(row)) continue;
        FormFieldView view;
        view.key = row.key;
        view.value = text(scenario, row.id);
        view.is_default = is_default(scenario, row.id);
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
