// What the user gives with --input: numbers, .npy files, and Matrix Market files, which may
// give several parameters at once.
#pragma once

#include "runtime/data/host_array.h"
#include "runtime/data/matrix_arrays.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// Inputs given by the user; read once, whatever number of bundles use them.
struct GivenInputs {
  struct Value {
    std::string text; ///< as given: a file name, or a number for a scalar parameter
    std::optional<HostArray> array = std::nullopt; ///< the content of a .npy file
    std::optional<Matrix> matrix = std::nullopt;   ///< the content of a .mtx file, taken dense
  };
  /// "csr:values,columns,offsets=F.mtx"
  struct Sparse {
    std::string word; ///< "csr:values,columns,offsets"
    SparseForm form = SparseForm::Csr;
    std::vector<std::string> names; ///< of parameters, in the order of the form
    Matrix matrix;
  };
  std::map<std::string, Value> values;
  std::vector<Sparse> sparse;
};

/// `name=text` pairs. A name is a parameter's, or "csr:" or "coo:" and several; what ends in .npy or
/// .mtx is read, anything else is a number for a scalar.
/// Errors: those of the readers; Fault::Usage: "--input csr:a: expected csr:VALUES,COLUMNS,OFFSETS
/// or csr:COLUMNS,OFFSETS", "--input coo:i,j: i is given a second time".
Result<GivenInputs> readInputs(const std::map<std::string, std::string> &texts);

/// Makes `text` the value of a scalar of its element type; false when it is none.
bool parseScalar(const std::string &text, HostArray &scalar);

} // namespace tangram::runtime
