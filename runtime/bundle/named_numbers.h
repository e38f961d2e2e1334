// Numbers that the source of a bundle names, of which DataKind::Constants is made.
#pragma once

#include <cstdint>
#include <vector>

namespace tangram::runtime {

/// Without their signs; those that something is compared with stand first.
struct NamedNumbers {
  std::vector<std::uint64_t> integers;
  std::vector<double> reals; ///< finite

  bool empty() const { return integers.empty() && reals.empty(); }
};

} // namespace tangram::runtime
