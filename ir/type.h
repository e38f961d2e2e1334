// Types of the language: scalars, and n-dimensional containers of them.
#pragma once

#include <cstddef>
#include <string>

namespace tangram::ir {

/// `Index` is the synthesizer's own: an unsigned integer wide enough for any
/// container (64 bits), printed as size_t, ulong, ... An integer local of a
/// codelet that only ever holds sizes and positions becomes one (see
/// composer/analysis/index_variables.h), so that a codelet written with `unsigned`
/// stays right above 2^32 elements. `F128`, IEEE's binary128, is the synthesizer's own as well: what
/// widening makes of F64 (codegen/wide/widening.h).
enum class Scalar { Void, Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64, F128, Index };

/// A scalar (rank 0), a vector of scalars (rank 0, several lanes), a container `Array<rank, scalar>`, or `nest` > 0 levels of
/// "containers of" such a container (the result of partition has nest 1). Programs have no vectors: the frontend makes
/// their components of them (frontend/vectors/components.h).
struct Type {
  Scalar scalar = Scalar::Void;
  unsigned rank = 0;
  unsigned nest = 0;
  bool isConst = false;
  unsigned lanes = 1; ///< components of a vector, or of each element of a container of vectors

  bool isContainer() const { return rank > 0 || nest > 0; }
  bool operator==(const Type &) const = default;
};

inline Type scalarType(Scalar s) { return {s, 0, 0, false, 1}; }
inline Type vectorType(Scalar s, unsigned lanes) { return {s, 0, 0, false, lanes}; }

bool isFloating(Scalar s);
bool isInteger(Scalar s); ///< bool counts as an integer, void does not
bool isSigned(Scalar s);
inline bool isUnsigned(Scalar s) { return isInteger(s) && !isSigned(s); }
std::size_t byteSize(Scalar s);
/// Bytes of a scalar or a vector.
std::size_t byteSize(const Type &type);

/// Short stable name used in JSON: "i32", "f64", "bool", "void", "index".
std::string shortName(Scalar s);
/// Inverse of shortName; Void for an unknown name.
Scalar scalarNamed(const std::string &shortName);
/// As the language writes it: "int", "const Array<1, float>", "float4".
std::string spelling(const Type &type);

} // namespace tangram::ir
