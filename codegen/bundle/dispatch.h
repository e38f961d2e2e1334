// The functions of a library that has several versions: a choice by sizes, then a call.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/printing/source.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tangram::codegen {

/// One of a library's versions: a bundle in a folder beside the library's files.
struct VersionSource {
  std::string folder;
  std::string function;           ///< what its function and files are called
  std::vector<std::string> steps; ///< the plan in linear notation
};

/// Sizes for which a version comes first. `when`: a condition on extents as a manifest spells it, which
/// is C as well; empty: all that no rule before it is for.
struct VersionRule {
  std::string when;
  std::size_t version = 0;
};

/// The library's function above several versions of it: the first rule that holds says which one is tried
/// first; one that cannot serve the sizes leaves them to the next, and after the last comes the first.
/// `plan`: of any version, for what all have in common; `name`: of the function.
/// `online`: not the rules alone decide, but measurements on the first calls (codegen/printing/online_choice.h);
/// `extents`: those that no other fixes, which tell classes of calls apart.
struct OnlineExtents {
  std::vector<std::string> extents;
};
CSource printDispatch(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                      const std::string &name, const std::vector<VersionSource> &versions,
                      const std::vector<VersionRule> &rules,
                      const std::optional<OnlineExtents> &online = std::nullopt);

} // namespace tangram::codegen
