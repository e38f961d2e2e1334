// Plans that put one codelet to work and otherwise as few others as possible, so that a wrong result
// is the codelet's.
#pragma once

#include "composer/analysis/analysis.h"
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
  /// The options of `tangram run` that find the plan again. None where a codelet of it is for other targets: `tangram run`
  /// does not take it for OpenMP.
  std::vector<std::string> planning;
};

struct CodeletPlans {
  std::vector<CodeletPlan> plans;
  std::string whyNone; ///< when there is none: "openmp cannot express ...", "no plan ..."
};

/// Plans of `spectrum` for OpenMP, one on each machine that has one, its bundle in a folder below `folder`. The codelet,
/// of this spectrum or of one that it calls, is the first thing of the plan that is no devolve where a plan has it there,
/// else anywhere. It meets only the references (the first autonomous codelet of every spectrum) and, where it is
/// another spectrum's, the codelets through which that is called; where no plan does with so few, all codelets of
/// `spectrum`, then those of all other spectrums. That a codelet is for other targets (`__env`) does not matter. Never
/// those of `wrong`, whose mistake would be taken for one of the codelet.
CodeletPlans plansWith(const ir::Program &program, const std::string &spectrum,
                       const composer::CodeletKey &codelet,
                       const std::vector<composer::CodeletKey> &wrong,
                       const std::vector<composer::Machine> &machines,
                       const std::filesystem::path &folder);

} // namespace tangram::driver
