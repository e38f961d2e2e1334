#include "composer/rules/spectrum_choice.h"

#include "composer/analysis/sites.h"
#include "composer/machine/machine_vocabulary.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tangram::composer {

namespace {

/// Those that others call.
std::set<std::string> calledNames(const ir::Program &program) {
  std::set<std::string> called;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets) {
      for (const Site &site : sites(codelet)) {
        if (site.kind != Site::Kind::Partition && site.expr->callee != spectrum.name)
          called.insert(site.expr->callee);
      }
    }
  }
  return called;
}

/// `scan` of `scan<int>`; empty: the name has no arguments.
std::string templateOf(const std::string &name) {
  const auto arguments = name.find('<');
  return arguments == std::string::npos ? "" : name.substr(0, arguments);
}

} // namespace

std::vector<std::string> rootSpectrums(const ir::Program &program) {
  const std::set<std::string> called = calledNames(program);
  std::vector<std::string> roots;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    if (!called.contains(spectrum.name))
      roots.push_back(spectrum.name);
  }
  return roots;
}

ir::Diagnostic unknownSpectrum(const ir::Program &program, const std::string &name) {
  const std::vector<std::string> roots = rootSpectrums(program);
  std::vector<std::string> all;
  std::vector<std::string> instances;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    all.push_back(spectrum.name);
    if (!templateOf(name).empty() && templateOf(name) == templateOf(spectrum.name))
      instances.push_back(spectrum.name);
  }
  std::string message = "unknown spectrum '" + name + "'";
  if (!instances.empty())
    message += ": the source makes " + commaList(instances) + "; --instantiate '" + name +
               "' makes this one, too";
  else if (const std::string near = ir::nearest(name, all); !near.empty())
    message += ", did you mean '" + near + "'?";
  else if (!all.empty())
    message += "; known: " + commaList(roots.empty() ? all : roots);
  return ir::errorAt({program.file, 0, 0, 1}, message);
}

} // namespace tangram::composer
