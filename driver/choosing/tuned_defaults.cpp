#include "driver/choosing/tuned_defaults.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tangram::driver {

using namespace runtime;

namespace {

/// What `sizes` say of an extent: by its name, or by that of its container ("in_size", "a_size1").
std::optional<std::uint64_t> sizeOf(const SizeChoice &sizes, const std::string &extent) {
  if (auto own = sizes.named.find(extent); own != sizes.named.end() && own->second.size() == 1)
    return own->second.front();
  for (const auto &[name, shape] : sizes.named) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (extent == name + "_size" + (shape.size() == 1 ? "" : std::to_string(d)))
        return shape[d];
    }
  }
  return sizes.all;
}

/// By ratios of extents; what nobody says anything of is near.
double farFrom(const Choice &choice, const SizeChoice &sizes) {
  double far = 0;
  for (const auto &[extent, size] : choice.of.extents) {
    if (const std::optional<std::uint64_t> wanted = sizeOf(sizes, extent))
      far += std::abs(std::log2(static_cast<double>(size) + 1) -
                      std::log2(static_cast<double>(*wanted) + 1));
  }
  return far;
}

} // namespace

Status areOfOneDevice(const std::string &file, const std::string &what,
                      const std::set<std::string> &devices) {
  if (devices.size() <= 1)
    return ok();
  std::string list;
  for (const std::string &device : devices)
    list += (list.empty() ? "" : ", ") + device;
  return inputError(file + ": " + what + " are of several devices (" + list +
                    "): name one by --store-device");
}

Result<TunedDefaults> TunedDefaults::read(const std::string &file, const Wanted &wanted) {
  Result<Store> store = Store::openToRead(file);
  if (!store)
    return store.error();
  Result<std::vector<Choice>> choices = store->choices(
      {.spectrum = wanted.spectrum, .target = wanted.target, .device = wanted.device});
  if (!choices)
    return choices.error();
  if (choices->empty())
    return inputError(file + ": nothing was chosen for " + wanted.spectrum + " and " +
                      wanted.target + (wanted.device.empty() ? "" : " on " + wanted.device));
  std::set<std::string> devices;
  for (const Choice &choice : *choices)
    devices.insert(choice.of.device);
  if (Status status = areOfOneDevice(file, "choices", devices); !status)
    return status.error();
  TunedDefaults tuned;
  tuned.choices = std::move(*choices);
  std::stable_sort(tuned.choices.begin(), tuned.choices.end(),
                   [&](const Choice &a, const Choice &b) {
                     if (wanted.sizes.empty())
                       return a.when > b.when;
                     const double nearA = farFrom(a, wanted.sizes.front());
                     const double nearB = farFrom(b, wanted.sizes.front());
                     return nearA != nearB ? nearA < nearB : a.seconds < b.seconds;
                   });
  const auto &nearest = tuned.choices.front().of.extents;
  const Choice *best = nullptr;
  for (const Choice &choice : tuned.choices) {
    if (choice.of.extents == nearest && (!best || choice.seconds < best->seconds))
      best = &choice;
  }
  tuned.best = best->of.plan;
  return tuned;
}

std::optional<TunableValues> TunedDefaults::of(const std::string &plan) const {
  auto found = std::find_if(choices.begin(), choices.end(),
                            [&](const Choice &choice) { return choice.of.plan == plan; });
  return found == choices.end() ? std::nullopt : std::optional(found->tunables);
}

} // namespace tangram::driver
