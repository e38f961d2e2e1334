#include "runtime/bundle/extent_limits.h"

#include <algorithm>

namespace tangram::runtime {

void limitExtents(Manifest &manifest) {
  const std::vector<std::string> extents = manifest.signature.extents();
  manifest.signature.limits.clear();
  for (const Constraint &each : manifest.constraints) {
    const std::vector<std::string> &names = each.require.names();
    if (!names.empty() && std::ranges::all_of(names, [&](const std::string &name) {
          return std::ranges::count(extents, name) != 0;
        }))
      manifest.signature.limits.push_back(each.require);
  }
}

} // namespace tangram::runtime
