// Plans that put one codelet to work and otherwise as few others as possible, so that a wrong result
// is the codelet's.
#pragma once

#include "composer/machine/machine.h"
#include "ir/program.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tangram::driver {

/// A bundle whose plan uses a codelet.
struct CodeletPlan {
  std::filesystem::path bundle;
  std::string model;
  /// The options of `tangram run` that find the plan again.
  std::vector<std::string> planning;
};

struct CodeletPlans {
  std::vector<CodeletPlan> plans;
  std::string whyNone; ///< when there is none: "openmp cannot express ...", "no plan ..."
};

/// For OpenMP, one plan on each machine that has one, its bundle in a folder below `folder`. The codelet
/// is the first thing of the plan that is no devolve where a plan has it there, else anywhere. It meets
/// only the references (the first autonomous codelet of every spectrum), or all codelets of the
/// other spectrums where no plan does with so few.
CodeletPlans plansWith(const ir::Program &program, const std::string &spectrum, unsigned codelet,
                       const std::vector<composer::Machine> &machines,
                       const std::filesystem::path &folder);

} // namespace tangram::driver
