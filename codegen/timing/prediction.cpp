#include "codegen/timing/cost.h"

#include <algorithm>
#include <cstdio>

namespace tangram::codegen {

double PredictedLaunch::seconds() const {
  const double ofWorkers = oneByOne ? operations + atomics : std::max(operations, atomics);
  const double longest = std::max({memory, cache, accesses, ofWorkers, waiting});
  const double all = memory + cache + accesses + operations + waiting + atomics;
  return times * (start + longest + unhidden * (all - longest));
}

std::string PredictedLaunch::limit() const {
  const std::pair<const char *, double> parts[] = {
      {"memory", memory},     {"cache", cache},
      {"accesses", accesses}, {"operations", operations},
      {"waiting", waiting},   {"atomics", atomics},
      {"start", start}};
  // Together they may be what takes longest: the larger of the two names it.
  if (oneByOne && operations + atomics >= std::max({memory, cache, accesses, waiting, start}))
    return atomics > operations ? "atomics" : "operations";
  return std::ranges::max_element(parts, {}, [](const auto &p) { return p.second; })->first;
}

double Prediction::seconds() const {
  double sum = 0;
  for (const PredictedLaunch &launch : launches)
    sum += launch.seconds();
  return sum;
}

std::string Prediction::text() const {
  auto shown = [](double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
    return std::string(text);
  };
  std::string text = shown(seconds());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const PredictedLaunch &l = launches[i];
    char line[320];
    if (l.times != 1)
      std::snprintf(line, sizeof line, "%s %.4g times", i == 0 ? ":" : ";", l.times);
    text += l.times != 1 ? line : "";
    std::snprintf(
        line, sizeof line,
        "%s %s: %.4g groups of %.4g; memory %s (%.3g MB), cache %s, accesses %s, operations %s, "
        "waiting %s, atomics %s, start %s",
        l.times != 1 ? ""
        : i == 0     ? ":"
                     : ";",
        l.limit().c_str(), l.groups, l.items, shown(l.memory).c_str(), l.bytes / 1e6,
        shown(l.cache).c_str(), shown(l.accesses).c_str(), shown(l.operations).c_str(),
        shown(l.waiting).c_str(), shown(l.atomics).c_str(), shown(l.start).c_str());
    text += line;
  }
  if (isCutShort)
    text += "; it is assumed that bodies of deeply nested loops leave the numbers alone that loops "
            "go by";
  return text;
}

} // namespace tangram::codegen
