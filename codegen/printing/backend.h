// A backend: what a target makes of a plan that has been through all passes. One in each folder of
// codegen/targets; codegen/pipeline/backends.h lists them.
// What a target's levels are stands in its traits (composer/machine/targets.h), which rules and passes ask.
#pragma once

#include "codegen/printing/dispatch.h"
#include "codegen/printing/source.h"

#include "algebra/device_facts.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace tangram::codegen {

struct PrintRequest {
  const LoweredPlan &plan;
  const ir::Spectrum &spectrum;
  const std::vector<std::string> &steps; ///< the plan in linear notation
  Contraction contraction = Contraction::Nothing;
  bool checked = false; ///< calls check what contracts say of the elements of containers
};

/// Files of a bundle, and what its manifest says of them.
struct PrintedLibrary {
  std::map<std::string, std::string> files; ///< name -> text
  std::map<std::string, std::string> names; ///< role -> name
  std::vector<Kernel> kernels;              ///< in launch order

  void add(const std::string &role, const std::string &name, const std::string &text) {
    names[role] = name;
    files[name] = text;
  }
};

/// What build systems have to know of a library.
struct PackageParts {
  std::string title;        ///< "OpenCL"
  std::string language;     ///< of its sources, as CMake calls it
  std::string dependencies; ///< find_dependency(...) of CMake
  std::string libraries;    ///< arguments of target_link_libraries
  std::string linked;       ///< the same for pkg-config
  std::string options;      ///< of the compiler, with ; between them; empty: none
};

class Backend {
public:
  virtual ~Backend() = default;

  /// The library: its sources, header, and what tangram-run needs.
  virtual std::variant<PrintedLibrary, Refusal> library(const PrintRequest &request) const = 0;
  /// Only what tangram-run needs, of a plan in wider numbers.
  virtual std::variant<PrintedLibrary, Refusal> wide(const PrintRequest &request) const = 0;

  /// The file of a library that is compiled into a program.
  virtual std::string hostFile(const std::string &name) const = 0;
  /// The name of the argument in front of those of the spectrum, which nothing else has; empty: there is none.
  virtual std::string firstArgument(const LoweredPlan &plan) const = 0;
  /// The functions above several versions.
  virtual CSource dispatch(const DispatchRequest &request) const = 0;
  /// The source and header of a library that has the functions `members`, without an include guard. Empty where they need none.
  virtual CSource collection(const std::string &, const std::vector<std::string> &) const {
    return {};
  }
  /// A main() that calls the library on a few numbers; `sources`: what is compiled with it.
  virtual std::string example(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                              const std::vector<std::string> &sources) const = 0;
  virtual std::string exampleFile() const { return "example.c"; }
  virtual PackageParts package(const LoweredPlan &plan) const = 0;

  /// What the compiler that tangram-run asks is told.
  virtual std::vector<std::string> flags(const LoweredPlan &plan) const = 0;
  /// The same for a plan in wider numbers, which is run a few times and never timed.
  virtual std::vector<std::string> wideFlags(const LoweredPlan &plan) const = 0;

  /// Whether hosts know the fact when they are called.
  virtual bool knows(const algebra::DeviceFact &fact) const = 0;
  /// Whether there are floating-point numbers of 128 bits.
  virtual bool hasQuads() const = 0;
};

} // namespace tangram::codegen
