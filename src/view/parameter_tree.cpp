#include <array>

#include "model/parameters.hpp"
#include "view/format.hpp"
#include "view/parts.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

// Counts are shared out like bytes.
std::string share(Count part, Count whole) { return percent(Bytes(part.value), Bytes(whole.value)); }

ParameterView parameter_view(const ParameterTensor& tensor, Count total) {
    ParameterView out;
    out.name = name(tensor);
    for (const std::int64_t size : dimensions(tensor))
        out.shape += (out.shape.empty() ? "" : " × ") + grouped(size);
    if (tensor.copies.value > 1) out.copies = filled(Text::Times, {grouped(tensor.copies.value)});
    const Count count = parameters_of(tensor);
    out.text = grouped(count.value);
    out.share_text = share(count, total);
    return out;
}

}  // namespace

ParametersView parameters_view(const Estimate& e) {
    ParametersView out;
    if (!e.has_numbers()) return out;
    const Count total = e.total_parameters;
    out.total = marked(text(total), e.scenario.model.count_trust);
    out.active = text(e.active_parameters);
    const bool trains = e.scenario.task != Task::Inference;
    if (const Count trainable = e.trainable_parameters; trains && trainable != total)
        out.trainable = filled(Text::Trained, {text(trainable), share(trainable, total)});
    out.exact = grouped(total.value);
    std::array<ParameterGroupView, kModules> groups;
    std::array<Count, kModules> counts{};
    for (const ParameterTensor& tensor : parameters(e.scenario.model.architecture)) {
        const auto module = static_cast<std::size_t>(module_of(tensor.role));
        groups[module].tensors.push_back(parameter_view(tensor, total));
        counts[module] += parameters_of(tensor);
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].tensors.empty()) continue;
        groups[i].label = label(static_cast<Module>(i));
        groups[i].text = text(counts[i]);
        groups[i].share_text = share(counts[i], total);
        groups[i].fraction = fraction(Bytes(counts[i].value), Bytes(total.value));
        out.groups.push_back(std::move(groups[i]));
    }
    return out;
}

}  // namespace memwall
