#include "runtime/tune/best_known.h"

#include <cmath>
#include <limits>

namespace tangram::runtime {

namespace {

using Extents = std::map<std::string, std::uint64_t>;

/// Infinite where the extents are not those of one signature.
double farFrom(const Extents &a, const Extents &b) {
  if (a.size() != b.size())
    return std::numeric_limits<double>::infinity();
  double far = 0;
  for (const auto &[name, extent] : a) {
    auto other = b.find(name);
    if (other == b.end())
      return std::numeric_limits<double>::infinity();
    far += std::abs(std::log2(static_cast<double>(extent) + 1) -
                    std::log2(static_cast<double>(other->second) + 1));
  }
  return far;
}

} // namespace

const Choice *bestKnown(const std::vector<Choice> &choices, const TuningCase &wanted) {
  const Choice *best = nullptr;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Choice &choice : choices) {
    const TuningCase &of = choice.of;
    if (of.plan != wanted.plan || of.target != wanted.target || of.code != wanted.code ||
        of.device != wanted.device)
      continue;
    // What was measured as it will be run goes before what was not.
    const double far = farFrom(of.extents, wanted.extents) +
                       (of.caches == wanted.caches ? 0 : 1e-3) +
                       (of.inputs == wanted.inputs ? 0 : 1e-6);
    if (far < nearest || (best && far == nearest && choice.when > best->when)) {
      nearest = far;
      best = &choice;
    }
  }
  return best;
}

} // namespace tangram::runtime
