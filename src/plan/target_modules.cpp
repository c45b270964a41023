#include "plan/target_modules.hpp"

namespace memwall {
namespace {

struct TargetRow {
    TargetModule module;
    Role role;
};
constexpr TargetRow kTargets[] = {
    {TargetModule::QProj, Role::QProj},
    {TargetModule::QProj, Role::CrossQProj},
    {TargetModule::KProj, Role::KProj},
    {TargetModule::KProj, Role::CrossKProj},
    {TargetModule::VProj, Role::VProj},
    {TargetModule::VProj, Role::CrossVProj},
    {TargetModule::OProj, Role::OProj},
    {TargetModule::OProj, Role::CrossOProj},
    {TargetModule::GateProj, Role::GateProj},
    {TargetModule::UpProj, Role::UpProj},
    {TargetModule::UpProj, Role::GateUpProj},
    {TargetModule::DownProj, Role::DownProj},
    {TargetModule::QkvProj, Role::QkvProj},
    {TargetModule::LmHead, Role::LmHead},
    {TargetModule::MlmTransform, Role::MlmTransform},
};

constexpr std::uint32_t bit(TargetModule module) { return std::uint32_t{1} << static_cast<unsigned>(module); }

bool is_matrix(const ParameterTensor& t) {
    return t.kind == ParameterKind::Weight && t.tying == Tying::Own && t.copies.value > 0 && dimensions(t).size() == 2;
}

}  // namespace

bool is_target(std::uint32_t modules, const ParameterTensor& t) {
    if (!is_matrix(t)) return false;
    for (const TargetRow& row : kTargets)
        if (row.role == t.role && (modules & bit(row.module)) != 0) return true;
    return false;
}

std::uint32_t existing_targets(const Architecture& a) {
    std::uint32_t out = 0;
    for (const ParameterTensor& t : parameters(a))
        for (const TargetRow& row : kTargets)
            if (row.role == t.role && is_matrix(t)) out |= bit(row.module);
    return out;
}

std::uint32_t default_targets(const Architecture& a) {
    const std::uint32_t existing = existing_targets(a);
    const std::uint32_t separate = existing & (bit(TargetModule::QProj) | bit(TargetModule::VProj));
    return separate != 0 ? separate : existing & bit(TargetModule::QkvProj);
}

}  // namespace memwall
