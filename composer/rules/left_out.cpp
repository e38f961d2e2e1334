#include "composer/rules/left_out.h"

#include <algorithm>
#include <iterator>

namespace tangram::composer {

namespace {

/// `sum:tree` for each spectrum that is called so, all instances of a template; else `name` as it is.
std::vector<std::string> inEachSpectrum(const ir::Program &program, const std::string &name) {
  const std::size_t colon = name.rfind(':');
  std::vector<std::string> all;
  if (colon != std::string::npos) {
    for (const ir::Spectrum *each : program.spectrumsNamed(name.substr(0, colon))) {
      if (std::ranges::find(each->codelets, name.substr(colon + 1), &ir::Codelet::name) !=
          each->codelets.end())
        all.push_back(each->name + name.substr(colon));
    }
  }
  return all.empty() ? std::vector{name} : all;
}

/// The names that one in --without stands for: `derived_fused` takes the codelets with it that call the nests of fused
/// loops, `derived_fused_nests` and its like.
std::vector<std::string> withFamily(const std::string &name,
                                    const std::vector<std::string> &known) {
  std::vector<std::string> all;
  if (name.substr(name.rfind(':') + 1) == "derived_fused")
    std::ranges::copy_if(known, std::back_inserter(all), [&](const std::string &each) {
      return each == name || each.starts_with(name + "_");
    });
  return all.empty() ? std::vector{name} : all;
}

ir::Diagnostic unknownCodelet(const ir::Program &program, const std::string &name,
                              const std::vector<std::string> &known) {
  std::string message = "unknown codelet to leave out '" + name + "'";
  if (const std::string near = ir::nearest(name, known); !near.empty()) {
    message += ", did you mean '" + near + "'?";
  } else if (!known.empty()) {
    message += "; known: ";
    for (const std::string &each : known)
      message += (&each == &known.front() ? "" : ", ") + each;
  }
  return ir::errorAt({program.file, 0, 0, 1}, message);
}

} // namespace

std::variant<std::vector<std::string>, ir::Diagnostics>
leftOut(const ir::Program &program, const std::vector<std::string> &names) {
  std::vector<std::string> known;
  std::vector<std::string> inSpectrums;
  for (const ir::Spectrum &each : program.spectrums) {
    for (const ir::Codelet &codelet : each.codelets) {
      if (std::ranges::find(known, codelet.name()) == known.end())
        known.push_back(codelet.name());
      inSpectrums.push_back(each.name + ":" + codelet.name());
    }
  }
  inSpectrums.insert(inSpectrums.begin(), known.begin(), known.end());
  std::vector<std::string> resolved;
  for (const std::string &name : names) {
    for (const std::string &each : inEachSpectrum(program, name))
      std::ranges::copy(withFamily(each, inSpectrums), std::back_inserter(resolved));
  }
  ir::Diagnostics errors;
  for (const std::string &name : resolved) {
    if (std::ranges::find(inSpectrums, name) == inSpectrums.end())
      errors.push_back(
          unknownCodelet(program, name, name.find(':') == std::string::npos ? known : inSpectrums));
  }
  if (!errors.empty())
    return errors;
  return resolved;
}

} // namespace tangram::composer
