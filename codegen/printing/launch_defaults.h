// How many workers a launch gets where its caller leaves that open: the rule that emitted hosts
// and tangram-run (runtime/bundle/tunables.h) share. The caller passes 0 for a launch tunable; it
// becomes the first of these values, inside the tunable's domain, with which every constraint holds:
//
//   the default; what the constraints name (`launchTries`, "tries" in the manifest); powers of
//   two, from the nearest below the default down to 1 and then up; the least and the most
//
// or, of a tunable that may be some values only, the default and then those. Of several tunables
// the last varies fastest.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tangram::codegen {

/// The default as manifests have it, over sizes, compile tunables and device facts.
std::string defaultText(const Tunable &tunable);

/// What the constraints name that a launch tunable may have to be: the compile tunables and sizes they
/// compare it with, and a size divided by a compile tunable.
std::vector<ir::ExprPtr> launchTries(const LoweredPlan &plan, const Tunable &tunable);

/// How a host spells what the rule is made of.
struct HostSpelling {
  std::function<std::string(const ir::ExprPtr &)> expression;
  std::function<std::string(const ir::Var &)> name;
  std::function<std::string(ir::Scalar)> type;
  std::map<std::string, std::string> facts; ///< device fact -> C
  /// Where the plan's temporaries are allocated by the call: C of the bytes of the largest
  /// allocation, and of all memory. Empty: the host finds out when it allocates.
  std::string largestAllocation = {};
  std::string allMemory = {};
};

/// What a process knows of its machine, as C: `threads`, and `compute_units`, which is the same.
const std::map<std::string, std::string> &processFacts();

/// A model's or manifest's expression over device facts as C; `min` is tangram_min.
std::string defaultInC(const std::string &expression, const HostSpelling &spelling);
/// Whether a word stands in the text of an expression.
bool mentionsName(const std::string &expression, const std::string &name);

struct LaunchDefaults {
  std::string functions;  ///< definitions, for the file
  std::string statements; ///< for the function that takes the tunables: none of them is 0 after it
};

/// Refuses, by returning 1, what no value will do for. Checks the constraints that mention a launch
/// tunable; the others (`isAboutSizes`) are the host's own.
LaunchDefaults launchDefaults(const LoweredPlan &plan, const HostSpelling &spelling);

/// Whether no launch tunable takes part in the constraint.
bool isAboutSizes(const LoweredPlan &plan, const Constraint &constraint);

std::vector<const Tunable *> launchTunables(const LoweredPlan &plan);

} // namespace tangram::codegen
