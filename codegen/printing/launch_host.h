// The skeleton of a host that launches kernels, whatever launches them: the heads of a library's functions, numbers of
// workers, sizes of temporaries, and the call that enqueues the kernels. A target adds how it launches one kernel and where
// temporaries come from (targets/opencl/opencl_host.cpp, targets/cuda/cuda_host.cpp).
#pragma once

#include "codegen/printing/containers.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/limited_workers.h"
#include "codegen/printing/source.h"
#include "codegen/printing/statuses.h"

#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// A parameter of C: "size_t *", "bytes".
struct CParameter {
  std::string type, name;
};

/// An expression of the plan in a host's C, where min and max are macros.
std::string hostExpression(const ir::ExprPtr &e);

class LaunchHost {
public:
  virtual ~LaunchHost() = default;
  LaunchHost(const LaunchHost &) = delete;
  LaunchHost &operator=(const LaunchHost &) = delete;

protected:
  LaunchHost(const LoweredPlan &plan, const ir::Spectrum &spectrum, CFunction signature,
             bool checked);

  // The spelling of a target

  /// The status of a call that succeeds.
  virtual std::string success() const = 0;
  /// The leading parameter of NAME's companion functions: a handle, const where `constant`. None by default.
  virtual std::vector<CParameter> handleOf(bool /*constant*/) const { return {}; }
  /// The trailing parameters of NAME_enqueue, and of the function that launches the kernels.
  virtual std::vector<CParameter> enqueueTail() const = 0;
  virtual std::vector<CParameter> launchTail() const = 0;
  virtual std::string launchName() const = 0;
  virtual std::string launchStatements() const = 0;
  /// What a device has to have for the kernels; empty: that is asked elsewhere.
  virtual std::string deviceChecks() const { return ""; }
  virtual std::string refusals() const = 0; ///< for a comment: what a status of 1 says
  /// Statements that say the bytes of a workspace.
  virtual std::string workspaceStatements() const = 0;

  /// Where numbers of workers come from that a caller leaves open; before anything is printed.
  void setSpelling(const HostSpelling &spelling);

  // Names

  /// A name that nothing which the spectrum or the plan names has.
  std::string own(const std::string &name) const;
  std::string status() const { return own("status"); }
  /// Queue or stream.
  const std::string &queue() const { return signature_.arguments.front(); }

  // Heads of the functions of the library; `isTuned`: with numbers of workers

  std::string nameOf(const std::string &function, bool isTuned) const;
  std::string plainHead(bool isTuned) const;
  std::string workspaceHead(bool isTuned) const;
  std::string enqueueHead(bool isTuned) const;
  /// The functions with numbers of workers, for the header; empty: the plan has none.
  std::string tunedDeclarations() const;
  /// The functions without numbers of workers, which call those with.
  std::string defaultFunctions() const;

  // Numbers of workers

  /// Empty: there is nothing to check or to choose.
  std::string settleStatements() const;
  std::string settleFunction() const;
  std::string settleCall() const;

  // Arguments

  /// The sizes and numbers of workers that stand in some text, as parameters or as arguments.
  std::vector<std::string> sizesIn(const std::string &text, bool declares) const;
  std::vector<std::string> sizesAndWorkersIn(const std::string &text, bool declares) const;
  /// The parameters of NAME that stand in it.
  std::vector<std::string> argumentsIn(const std::string &text, bool declares) const;

  std::string launchFunction() const;
  /// `tail`: instead of the names that launchTail() has.
  std::string launchCall(const std::vector<std::string> &tail) const;
  std::string workspaceFunction() const;

  const LoweredPlan &plan_;
  const CFunction signature_;
  const std::string name_;
  const std::vector<Container> containers_;
  const bool checksData_;
  std::set<std::string> taken_;             ///< what the spectrum and the plan name
  std::vector<const Buffer *> temporaries_; ///< of the call
  std::vector<std::string> launched_;       ///< launch tunables
  LaunchDefaults defaults_;                 ///< their values where the caller gives none
  LimitedWorkers limited_;                  ///< what becomes of others

private:
  std::vector<std::string> withWorkers(std::vector<std::string> words, bool isTuned) const;
};

} // namespace tangram::codegen
