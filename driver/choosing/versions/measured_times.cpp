#include "driver/choosing/versions/measured_times.h"

#include "driver/choosing/tuned_defaults.h"
#include "driver/choosing/versions/version_choice.h"

#include <algorithm>
#include <set>

namespace tangram::driver {

using namespace runtime;

namespace {

using Extents = std::map<std::string, std::uint64_t>;

/// The newest of each plan and size.
using Newest = std::map<std::string, std::map<Extents, const Measurement *>>;

/// What has to be alike for times to be compared.
bool areComparable(const TuningCase &a, const TuningCase &b) {
  return a.source == b.source && a.model == b.model && a.driver == b.driver &&
         a.inputs == b.inputs && a.caches == b.caches;
}

/// Of those that can be compared with the last one.
Newest newestOf(const std::vector<Measurement> &measurements) {
  const auto last = std::ranges::max_element(measurements, {}, &Measurement::when);
  Newest newest;
  for (const Measurement &each : measurements) {
    if (!areComparable(each.of, last->of))
      continue;
    const Measurement *&known = newest[each.of.plan][each.of.extents];
    if (!known || known->when <= each.when)
      known = &each;
  }
  return newest;
}

std::vector<Extents> sizesOfAll(const Newest &newest) {
  std::vector<Extents> sizes;
  for (const auto &[extents, of] : newest.begin()->second) {
    const bool everywhere = std::ranges::all_of(
        newest, [&](const auto &plan) { return plan.second.contains(extents); });
    if (everywhere)
      sizes.push_back(extents);
  }
  return sizes;
}

} // namespace

Result<MeasuredTimes> readMeasuredTimes(const std::string &file, const WantedTimes &wanted) {
  Result<Store> store = Store::openToRead(file);
  if (!store)
    return store.error();
  Result<std::vector<Measurement>> found = store->measurements(
      {.spectrum = wanted.spectrum, .target = wanted.target, .device = wanted.device});
  if (!found)
    return found.error();
  std::erase_if(*found, [](const Measurement &each) { return !each.standard; });
  if (found->empty())
    return inputError(file + ": nothing was measured of " + wanted.spectrum + " and " +
                      wanted.target + (wanted.device.empty() ? "" : " on " + wanted.device));
  std::set<std::string> devices;
  for (const Measurement &each : *found)
    devices.insert(each.of.device);
  if (Status status = areOfOneDevice(file, "measurements", devices); !status)
    return status.error();
  const Newest newest = newestOf(*found);
  MeasuredTimes times{*devices.begin(), sizesOfAll(newest), {}};
  if (times.sizes.empty())
    return inputError(file + ": there is no size at which all " + std::to_string(newest.size()) +
                      " plans of " + wanted.spectrum + " were measured: tune them together");
  for (const auto &[plan, sizes] : newest) {
    for (const Extents &extents : times.sizes) {
      const Measurement &of = *sizes.at(extents);
      times.seconds[plan].push_back(of.verdict == Verdict::Measured ? of.times.median : unserved);
    }
  }
  return times;
}

} // namespace tangram::driver
