// How the address of an access changes with each loop and worker around it, from samples.
#pragma once

#include "codegen/timing/samples.h"
#include "codegen/timing/traffic.h"

#include <cstddef>
#include <vector>

namespace tangram::codegen {

/// A loop or workers around the statement that is walked.
struct Around {
  Walk::Kind kind;
  double count;
  std::size_t point;  ///< the sample `apart` further along it
  bool items = false; ///< of which the middle and the last are samples
  double apart = 1;
  bool unrolled = false; ///< its rounds stand one after the other
  bool jammed = false;   ///< all of them do, and what is read again in them stays in a register
  double together =
      1; ///< rounds that share what they read, though they do not stand one after the other
  const ir::Stmt *statement = nullptr;
};

/// `nest`: from the outermost to the innermost; `position`: of elements of `element` bytes; `values`: of the groups'
/// numbers, which may stand in rows.
std::vector<Walk> walksOf(const std::vector<Around> &nest, const Samples &position, double element,
                          const SampledValues &values);

} // namespace tangram::codegen
