// Locality (dissertation section 6.5.2): how far apart are the elements of a
// container that a worker touches one after the other, and those that
// neighbouring workers touch at the same time. Found from subscripts, and
// through partition, sequence and map.
#pragma once

#include "ir/program.h"

#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

enum class StrideClass {
  Zero,      ///< the same element again
  Unit,      ///< neighbours (ascending or descending)
  Constant,  ///< a fixed distance other than 0 and 1
  Irregular, ///< no fixed distance, or none that can be found
};

/// "zero", "unit", "constant", "irregular".
std::string nameOf(StrideClass strideClass);

struct Stride {
  StrideClass strideClass = StrideClass::Irregular;
  /// Elements from one to the next, over sizes, tunables and local names of the
  /// codelet (`p`, `tile`, `coopDim()`); null when irregular.
  ir::ExprPtr distance;
};

/// One place in a codelet where elements of a container, or of a shared or
/// private array, are named.
struct Access {
  enum class Through { Subscript, Partition, Sequence, Map };
  Through through = Through::Subscript;
  /// The Index, Partition or Sequence node, or the argument of the map.
  const ir::Expr *expr = nullptr;
  ir::SourceLocation location;
  /// The variable accessed; null when the container is an expression.
  ir::VarPtr array;
  std::string text; ///< as in the source: `in[i]`, `partition(in, p, ...)`
  bool reads = false;
  bool writes = false;
  /// From one element to the next inside one worker: the next iteration of the
  /// innermost loop; the next element of a part. None: there is no next one.
  std::optional<Stride> within;
  /// From one worker to the next: the next lane of a cooperative codelet; the
  /// first elements of neighbouring parts; what a sequence reads for neighbouring
  /// parts; neighbouring elements of a map. None: a codelet that runs on one worker.
  std::optional<Stride> between;
};

/// Every access of `codelet`, statements in source order, operands before the
/// expression they belong to. `program` tells which arguments a spectrum writes.
std::vector<Access> accesses(const ir::Program &program, const ir::Codelet &codelet);

} // namespace tangram::composer
