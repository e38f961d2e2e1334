// The settings of a plan's tunables that are worth trying at one problem on one device.
//
// Each tunable has a grid: the values that its manifest lists, or every value of a short range, or
// powers of two and multiples by them of the default, up to what the problem has work for; always
// the default and the manifest's "tries". Settings are combined by propagation: when a value of one
// tunable is fixed, the values of the others that no requirement allows any more are taken away
// (the others standing for the range of what they have left) until nothing changes, before
// one of these is fixed. So a product of domains is never gone through only to be rejected.
#pragma once

#include "runtime/bundle/requirements.h"
#include "runtime/bundle/tunables.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace tangram::runtime {

/// One tunable that is free, and its grid, ascending.
struct TunableAxis {
  std::string name;
  bool compileTime = false;
  std::vector<std::uint64_t> values;
};

/// The grid of a tunable. `standard`: its default; `most`: no launch tunable is larger, but for the
/// default and the tries; `bindings`: for the tries.
std::vector<std::uint64_t> gridOf(const Tunable &tunable, std::uint64_t standard,
                                  std::uint64_t most, const Bindings &bindings);

class TunableSpace {
public:
  /// `standard`: the defaults there (chooseTunables). `bindings`: extents, scalars and device
  /// facts. What is in `fixed` has this one value. The manifest and `requirements` must
  /// outlive it.
  TunableSpace(const Manifest &manifest, const std::vector<Requirement> &requirements,
               const Bindings &bindings, const TunableValues &standard,
               const TunableValues &fixed = {});

  /// Compile tunables first: of those that follow each other few are compiled anew.
  const std::vector<TunableAxis> &axes() const { return theAxes; }
  const TunableValues &standard() const { return theStandard; }

  /// In the order of the axes; ends when `take` says false.
  void forEach(const std::function<bool(const TunableValues &)> &take) const;

  /// How many settings there are, or `most` where there are more.
  std::size_t count(std::size_t most) const;

  bool allows(const TunableValues &values) const;

  /// One of them; each has a chance. Nothing when there is none.
  std::optional<TunableValues> random(std::mt19937_64 &numbers) const;

  /// Those that differ by one step of one tunable, to the next value or to twice or half as much, or
  /// by a step up of one and a step down of another: along a bound on a product, say.
  std::vector<TunableValues> neighbours(const TunableValues &values) const;

  /// Those that differ in one tunable, however far.
  std::vector<TunableValues> alongAxes(const TunableValues &values) const;

  /// In [0, 1] for each axis, equal ratios being equal distances; for models and distances.
  std::vector<double> position(const TunableValues &values) const;

  /// Settings that were completed but broke a requirement: what propagation did not foresee.
  std::size_t rejected() const { return theRejected; }

private:
  using Domains = std::vector<std::vector<std::uint64_t>>; ///< parallel to the axes

  /// Take away what no requirement of an axis that has `changed` allows. False: one has nothing left.
  bool narrow(Domains &domains, std::vector<bool> changed) const;
  /// The settings of narrowed domains, of which `next` ones have one value; false: `take` said so.
  bool visit(const Domains &domains, std::size_t next, std::mt19937_64 *numbers,
             const std::function<bool(const TunableValues &)> &take) const;
  /// All settings; with `numbers`, in a random order.
  void solve(std::mt19937_64 *numbers,
             const std::function<bool(const TunableValues &)> &take) const;
  TunableValues valuesOf(const Domains &domains) const;
  /// From one value of an axis to others near it, upwards or downwards.
  std::vector<std::uint64_t> steps(std::size_t axis, std::uint64_t from, bool up) const;
  bool holds(const TunableValues &values) const;

  std::vector<TunableAxis> theAxes;
  TunableValues theStandard;
  Bindings bindings;
  Ranges known;                                  ///< what is not a tunable
  std::vector<const Requirement *> requirements; ///< those that tunables take part in
  std::vector<std::vector<std::size_t>> axesOf;  ///< of each of them
  bool solvable = true; ///< false: a requirement without tunables does not hold
  mutable std::size_t theRejected = 0;
};

} // namespace tangram::runtime
