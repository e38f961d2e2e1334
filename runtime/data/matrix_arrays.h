// A matrix as the arrays that spectrums take: compressed sparse rows, coordinates, or dense.
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/data/host_array.h"
#include "runtime/data/matrix_market.h"

namespace tangram::runtime {

enum class SparseForm {
  Csr, ///< [values,] columns, offsets: row i has the entries offsets[i] to offsets[i+1] - 1
  Coo, ///< rows, columns [, values]: in the order of the file
};

/// The arrays of `matrix` for `parameters`, which are in the order of the form, two or three. Csr sorts
/// a row by column, equal columns in the order of the file; entries that a file has twice stay two
/// entries. Zeros of an array file are left out.
/// Values become the parameter's type: floating point rounds to it, integers have to be exact.
/// Errors: Fault::Input: "values: int32 cannot hold 0.5, a.mtx has it at row 1, column 2",
/// "columns: uint8 cannot hold 300, a column of a.mtx"; Fault::Refused when it does not fit in memory.
Result<std::vector<HostArray>> sparseArrays(const Matrix &matrix, SparseForm form,
                                            const std::vector<const Parameter *> &parameters);

/// `matrix` row by row for a parameter of two dimensions, or of one when it has one row or column.
/// Entries that a file has twice add up. Errors as above.
Result<HostArray> denseArray(const Matrix &matrix, const Parameter &parameter);

} // namespace tangram::runtime
