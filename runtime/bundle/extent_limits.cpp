#include "runtime/bundle/extent_limits.h"

#include <algorithm>

namespace tangram::runtime {

void limitExtents(Manifest &manifest) {
  Signature &signature = manifest.signature;
  const std::vector<std::string> extents = signature.extents();
  const auto isExtent = [&](const std::string &name) {
    return std::ranges::count(extents, name) != 0;
  };
  const auto isScalar = [&](const std::string &name) {
    const Parameter *p = signature.parameter(name);
    return p != nullptr && !p->container && ir::isInteger(p->element);
  };
  signature.limits.clear();
  signature.scalarLimits.clear();
  for (const Constraint &each : manifest.constraints) {
    const std::vector<std::string> &names = each.require.names();
    if (names.empty())
      continue;
    if (std::ranges::all_of(names, isExtent))
      signature.limits.push_back(each.require);
    else if (std::ranges::all_of(names, isScalar))
      signature.scalarLimits.push_back(each.require);
  }
}

} // namespace tangram::runtime
