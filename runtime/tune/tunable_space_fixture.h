// A manifest with nothing but tunables and constraints, for tests.
#pragma once

#include "runtime/tune/tunable_space.h"

#include <gtest/gtest.h>

namespace tangram::runtime {

/// What a space refers to, and the space.
struct SpaceFixture {
  struct Axis {
    std::string name;
    std::uint64_t min = 1, max = 1, standard = 1;
    std::vector<std::uint64_t> values = {};
    bool compileTime = true;
  };

  SpaceFixture(const std::vector<Axis> &axes, const std::vector<std::string> &constraints,
               const std::map<std::string, std::uint64_t> &sizes = {}) {
    for (const Axis &axis : axes) {
      Tunable t;
      t.name = axis.name;
      t.compileTime = axis.compileTime;
      t.min = axis.min;
      t.max = axis.max;
      t.values = axis.values;
      manifest.tunables.push_back(t);
      standard[axis.name] = axis.standard;
    }
    for (const std::string &text : constraints)
      manifest.constraints.push_back({*Expression::parse(text), "because"});
    bindings.values.insert(sizes.begin(), sizes.end());
    requirements = requirementsOf(manifest, {});
    space.emplace(manifest, requirements, bindings, standard);
  }
  SpaceFixture(const SpaceFixture &) = delete;

  Manifest manifest;
  Bindings bindings;
  TunableValues standard;
  std::vector<Requirement> requirements;
  std::optional<TunableSpace> space;
};

} // namespace tangram::runtime
