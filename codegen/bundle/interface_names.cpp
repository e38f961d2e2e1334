#include "codegen/bundle/interface_names.h"

#include "codegen/bundle/python_module.h"
#include "codegen/printing/c_printer.h"
#include "codegen/printing/statuses.h"
#include "ir/reserved_names.h"

#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Names of the functions and statuses that a library called `name` defines.
std::set<std::string> functionsOf(const std::string &name) {
  std::set<std::string> names;
  for (const std::string &end : interfaceEnds())
    names.insert(name + end);
  for (const std::string &status : statusNames(name))
    names.insert(status);
  // Static functions: those of a plan, and those that compare versions (codegen/printing/online_choice.cpp).
  for (const char *end : {"_run",    "_rounds",  "_most_classes", "_unread",    "_class",
                          "_call",   "_classes", "_how",          "_bits",      "_seconds",
                          "_mode",   "_find",    "_time",         "_note",      "_fastest",
                          "_begin",  "_end",     "_is_ready",     "_device_of", "_by_measurement",
                          "_by_size"})
    names.insert(name + end);
  names.erase(name); // of which a parameter only hides that it is there
  return names;
}

std::set<std::string> calledBy(const LoweredPlan &plan) {
  std::set<std::string> names;
  auto add = [&](const StmtPtr &body) {
    for (const std::string &callee : calleesOf(body))
      names.insert({callee, libraryName(callee, Scalar::F32)});
  };
  add(plan.body);
  for (const Function *function : plan.functions) {
    names.insert(function->name);
    add(function->body);
  }
  return names;
}

} // namespace

std::optional<Refusal> clashOfNames(const LoweredPlan &plan, const Spectrum &spectrum,
                                    bool python) {
  const std::string &name = plan.spectrum;
  const std::string choose = "; `--name` gives the library another name";
  if (const std::string problem = problemOfEntry(name); !problem.empty())
    return Refusal{"the library cannot be called '" + name + "', which " + problem + choose, {}};
  if (const std::string problem = python ? problemOfModule(name) : ""; !problem.empty())
    return Refusal{
        "the module for Python cannot be called '" + name + "', which " + problem + choose, {}};
  const std::set<std::string> defined = functionsOf(name);
  const std::set<std::string> called = calledBy(plan);
  for (const Function *function : plan.functions) {
    if (function->name == name || defined.contains(function->name))
      return Refusal{"the helper function '" + function->name +
                         "' has the name of what the library defines" + choose,
                     function->location};
  }
  auto check = [&](const std::string &parameter) -> std::optional<Refusal> {
    if (defined.contains(parameter))
      return Refusal{"the parameter '" + parameter + "' has the name of what the library defines" +
                         choose,
                     spectrum.location};
    if (called.contains(parameter))
      return Refusal{
          "the parameter '" + parameter +
              "' has the name of a function that generated code calls; give it another one",
          spectrum.location};
    return std::nullopt;
  };
  std::set<std::string> known;
  for (const VarPtr &param : spectrum.params) {
    if (auto found = check(param->name))
      return found;
    if (!known.insert(param->name).second)
      return Refusal{"two parameters are called '" + param->name +
                         "' in generated code; give one of them another name",
                     spectrum.location};
  }
  return std::nullopt;
}

} // namespace tangram::codegen
