// The functions of an OpenMP library around the plan's code: what its header declares, and what each checks
// before that code runs.
#pragma once

#include "codegen/printing/containers.h"
#include "codegen/printing/source.h"
#include "codegen/printing/statuses.h"
#include "codegen/targets/openmp/openmp.h"
#include "codegen/targets/openmp/plan_parts.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// NAME_tuned, or NAME where there are no launch tunables.
std::string tunedName(const LoweredPlan &plan);

class LibraryFunctions {
public:
  /// `launched`: what launch tunables are called; `checked`: calls check the data of their containers.
  LibraryFunctions(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                   const CFunction &signature, std::vector<std::string> launched, bool checked);

  /// Their definitions, and those of static functions that they call.
  std::string text(const PlanParts &parts) const;

  /// Theirs and the enumeration of what they return.
  std::string declarations() const;

private:
  std::string tunedHead() const;
  std::string settled(const PlanParts &parts, bool onThreads) const;
  std::string chosenThreads() const;
  std::string checked(const PlanParts &parts) const;
  std::string run(const PlanParts &parts, const std::string &workspace) const;
  std::string threadsFunction() const;
  bool checks() const;
  std::string checkFunction(const PlanParts &parts) const;
  std::string workspaceFunction(const PlanParts &parts) const;
  std::string onThreadsFunction(const PlanParts &parts) const;
  std::string plainFunction(const PlanParts &parts) const;
  std::string status(Status status) const { return statusName(plan_.spectrum, status); }

  const LoweredPlan &plan_;
  const CFunction &signature_;
  const OpenmpInterface interface_;
  std::vector<Container> containers_;
  std::vector<ContainerPair> pairs_;
  const bool checksData_;
  std::vector<std::string> launched_; ///< launch tunables
  std::string meanings_;
};

} // namespace tangram::codegen
