// Matrix Market files, .mtx (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NIST
// IR 5935, 1996): coordinate and array; real, integer and pattern; general, symmetric and
// skew-symmetric. Complex and Hermitian matrices are refused: no element type holds them.
#pragma once

#include "runtime/session/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tangram::runtime {

/// A matrix as its entries, in the order of the file. Indexes start at 0. An entry of a symmetric or
/// skew-symmetric file is followed by its mirror image, diagonal entries are there once.
/// Entries that a file has twice are here twice.
struct Matrix {
  std::string file; ///< for messages
  std::uint64_t rows = 0, columns = 0;
  bool dense = false;   ///< an array file: every entry is there
  bool integer = false; ///< integer and pattern (all 1): `integers`, otherwise `reals`
  std::vector<std::uint64_t> row, column; ///< of each entry
  std::vector<double> reals;
  std::vector<std::int64_t> integers;

  std::uint64_t entries() const { return row.size(); }
};

/// Errors (Fault::Input) say where: "a.mtx:3: expected a row from 1 to 4, found 5", "a.mtx:1:
/// expected %%MatrixMarket, found %%MatrixMarkt", "a.mtx: expected 7 entries, found 6".
/// Comments and blank lines may stand anywhere after the first line; lines may end in CR LF.
Result<Matrix> readMatrixMarket(const std::filesystem::path &file);

/// The same for text; `file` is for messages.
Result<Matrix> parseMatrixMarket(const std::string &text, const std::string &file);

} // namespace tangram::runtime
