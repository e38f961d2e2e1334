// The header of a .npy file: a Python dictionary literal with three keys.
#pragma once

#include "ir/type.h"
#include "runtime/session/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tangram::runtime {

struct NpyHeader {
  ir::Scalar element = ir::Scalar::Void;
  bool swapped = false; ///< the other byte order
  bool fortranOrder = false;
  std::vector<std::uint64_t> shape;
};

/// Parse "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }".
/// Errors say what was expected at which column, without the file's name.
Result<NpyHeader> parseNpyHeader(const std::string &text);

/// The dictionary for a row-major array in this machine's byte order.
std::string npyHeaderText(ir::Scalar element, const std::vector<std::uint64_t> &shape);

/// "(3, 4)", "(3,)", "()", as Python writes a tuple.
std::string shapeText(const std::vector<std::uint64_t> &shape);

} // namespace tangram::runtime
