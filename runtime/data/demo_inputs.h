// Inputs that are real problems, written to files: what the examples and the benchmarks of this
// repository run on when nothing else is at hand. The same on every machine.
#pragma once

#include "runtime/data/host_array.h"
#include "runtime/session/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tangram::runtime {

/// The matrix of the Poisson equation on `size` x `size` points, five-point stencil (4 on the diagonal,
/// -1 for each neighbour; Saad, Iterative Methods for Sparse Linear Systems, 2003, section 2.2.1), as
/// Matrix Market text: size^2 rows, real symmetric.
/// Error (Fault::Usage): size^2 does not fit in 64 bits.
Status writePoisson(std::uint64_t size, const std::filesystem::path &file);

/// The graph of `size` x `size` points, each joined to the next ones right and below: Matrix Market text,
/// pattern symmetric. Error as above.
Status writeGridGraph(std::uint64_t size, const std::filesystem::path &file);

struct ClusterShape {
  std::uint64_t points = 0;
  std::uint64_t dimensions = 2;
  std::uint64_t clusters = 8;
};

/// Points around `clusters` centres in [-1, 1)^dimensions, float32, one row a point. Distances to
/// the centre are sums of three uniform numbers, so most points are near it.
HostArray clusteredPoints(const ClusterShape &shape, std::uint64_t seed);

/// A matrix of `size` x `size` numbers in [-1, 1), of F32 or F64, but for the diagonal, which is `size`: each
/// is larger than the sum of the other absolute values of its row, so that elimination needs no pivoting.
HostArray dominantMatrix(std::uint64_t size, ir::Scalar element, std::uint64_t seed);

} // namespace tangram::runtime
