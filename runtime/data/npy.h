// NumPy's .npy files, format versions 1.0 to 3.0
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
#pragma once

#include "runtime/data/host_array.h"
#include "runtime/session/result.h"

#include <filesystem>

namespace tangram::runtime {

/// Read a whole file into native byte order and row-major order. bool, integers
/// and float32/float64 in either byte order; Fortran order is transposed.
/// Errors (Fault::Input) start with the file: not a .npy file, a version above
/// 3, a header that cannot be understood, an element type we have not, fewer or
/// more bytes than the shape says. Nothing is allocated for a shape the file
/// is too short for.
Result<HostArray> readNpy(const std::filesystem::path &file);

/// Write version 1.0: to a temporary file beside it, which is then renamed.
Status writeNpy(const std::filesystem::path &file, const HostArray &array);

} // namespace tangram::runtime
