// The numbers that the source of a bundle names as values: data of the kind DataKind::Constants are made of them.
#pragma once

#include <cstdint>
#include <vector>

namespace tangram::runtime {

/// The numbers without their signs; those that the source compares something with stand first.
struct NamedNumbers {
  std::vector<std::uint64_t> integers;
  std::vector<double> reals; ///< finite

  bool empty() const { return integers.empty() && reals.empty(); }
};

} // namespace tangram::runtime
