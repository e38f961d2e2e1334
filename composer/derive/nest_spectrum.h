// The spectrum that is made of a statement of a codelet, and its call in that statement's place.
#pragma once

#include "composer/derive/sums_into.h"
#include "composer/derive/updates.h"

#include <optional>
#include <string>

namespace tangram::composer {

struct NestStatement {
  ir::StmtPtr statement;
  int around = -1;             ///< the loop that it stands in
  const Update *sum = nullptr; ///< what it adds up and returns; null: nothing
  ir::Scalar result;
};

struct NestSpectrum {
  MadeSpectrum made;
  std::string call; ///< "f_nest(k, slice(a, k + 1, n), b)"
  /// It is given parts of a container that it reads and writes (composer/derive/container_parts.h).
  bool hasParts = false;
};

/// The spectrum `name`. Its parameters are the containers and the numbers that the statement uses; names of values are
/// looked through where they are made of sizes of these containers. Nothing where it uses an array of the codelet.
std::optional<NestSpectrum> nestSpectrum(const std::string &name, const ir::Codelet &codelet,
                                         const algebra::Nest &nest, const NestStatement &statement);

} // namespace tangram::composer
