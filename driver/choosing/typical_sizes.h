// The sizes that plans are compared for where nobody names any.
#pragma once

#include "ir/program.h"
#include "runtime/bundle/manifest.h"
#include "runtime/bundle/requirements.h"
#include "runtime/data/inputs.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

/// What codelets say of extents, and of integers, by name.
struct SaidOfSizes {
  std::map<std::string, std::uint64_t> usually;    ///< `typical(c.size(), 8)`
  std::map<std::string, std::uint64_t> atMost;     ///< `require(c.size() <= 8)`
  std::map<std::string, std::uint64_t> multipleOf; ///< `require(c.size() % 8 == 0)`
  std::set<std::string> filters = {};              ///< of `usually`: what follows from loops
};
SaidOfSizes saidOfSizes(const ir::Spectrum &spectrum, const runtime::Signature &signature);

/// Sizes that a spectrum may be used for, where nobody says: the same everywhere; of matrices also wide
/// and high ones, beside small ones; and each of several containers small beside large ones. What ascending
/// numbers cut (rows of a sparse matrix, neighbours of vertices) has 16 elements a part, also 256.
/// What its codelets say of sizes stands in all of them, and so does what follows from loops: filters are small, of
/// 64 channels. Other containers of four dimensions are 16 images of 64 channels, 128 rows and 128 columns; beside
/// filters, those of three are 16 signals of 64 channels and 16,384 samples.
std::vector<runtime::SizeChoice> typicalSizes(const runtime::Signature &signature,
                                              const SaidOfSizes &said = {});

/// What a bundle's expressions know when a call has these sizes.
struct SizedCall {
  std::map<std::string, std::uint64_t> extents;
  std::map<std::string, std::uint64_t>
      integers;               ///< that say how much there is to do, or that the choice names
  runtime::Bindings bindings; ///< of both, and of the device
};
runtime::Result<SizedCall> sizedCall(const runtime::Signature &signature,
                                     runtime::SizeChoice choice, const runtime::DeviceFacts &facts);

} // namespace tangram::driver
