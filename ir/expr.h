// Expressions, shared by the codelets as written and by the kernels made from
// them. Nodes are immutable and freely shared; a pass returns new ones.
#pragma once

#include "ir/operator.h"
#include "ir/source_location.h"
#include "ir/type.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::ir {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// What the tuner may try for a `__tunable`.
struct TunableDomain {
  enum class Kind { Any, Pow2, Range, Choice };
  Kind kind = Kind::Any;
  /// Pow2: {lo, hi} inclusive; Range: {lo, hi, step} inclusive; Choice: the values.
  std::vector<std::int64_t> values;
};

enum class VarKind {
  Param,   ///< parameter of a codelet, helper function or kernel
  Local,   ///< scalar local, or private array when `extent` is set
  Shared,  ///< `__shared` scalar or array of a cooperative codelet
  Tunable, ///< `__tunable` local
  Worker,  ///< index of a worker, bound by a Parallel statement (kernels only)
  Buffer,  ///< memory of a kernel (kernels only)
  Window,  ///< part of a Buffer, bound by a Window statement (array form only)
};

/// A variable; identity is the address (two variables may share a name).
struct Var {
  std::string name;
  Type type;
  VarKind kind = VarKind::Local;
  SourceLocation location;
  /// Number of elements of a local or shared array, null for a scalar.
  ExprPtr extent;
  TunableDomain domain;
  /// Of type Index: what it holds may be a difference that has wrapped around below 0 (algebra/wrapping.h).
  bool wraps = false;
  /// Of an array of arrays, which is one array, row by row: how many elements the second and further dimensions have.
  std::vector<ExprPtr> inner = {};
};
using VarPtr = std::shared_ptr<const Var>;

enum class ExprKind {
  Literal, ///< `integer` or `real`, by type
  Var,     ///< `var`
  Unary,   ///< op on args[0]: "-", "!", "~", "+"
  Binary,  ///< args[0] op args[1]: C's binary operators, no assignment
  Select,  ///< args[0] ? args[1] : args[2]
  Cast,    ///< args[0] converted to `type`
  Call,    ///< `callee`(args): a math function, min, max, or a helper function
  Index,   ///< args[0][args[1]][args[2]]...: container, array or buffer element; with fewer
           ///< subscripts than dimensions, a container of the dimensions that are left
  Atomic,  ///< read-modify-write of args[0], an Index or a `__shared` scalar; gives the value it
           ///< had. `op`: "add", "min", "max", "exchange" with args[1]; "cas" with args[1] the
           ///< value expected and args[2] the new one. Only as a whole statement's value (Eval,
           ///< Decl, Assign). Kernels only: "await" until flag args[0] is set, "publish" sets it;
           ///< "load", "store" of args[1] are what these put in order between workers

  // The language's own.
  Size,         ///< extent of container args[0] along dimension `integer`
  CoopIdx,      ///< lane of a cooperative codelet
  CoopDim,      ///< number of lanes
  SpectrumCall, ///< spectrum `callee`(args)
  Map,          ///< map(`callee`, args...): a container of results. `op` "fold": in order, void;
                ///< "chain": in order, args[0] the carry that `callee` takes first and returns,
                ///< the value of the expression the last one
  All,          ///< all(args[0]): the same for every element of a map
  Partition,    ///< args: container, then n, start, inc, end (the last three Sequences) for each
                ///< dimension that is cut, `integer` being the first of them; their parts are
                ///< numbered row-major. rows: dimension 0; cols: 1; tiles: 0 and 1. `callee`
                ///< "reversed": the cuts stand in the order 1, 0 (repeat, cycle);
                ///< "slide": every part has all of its elements
  Transpose,    ///< args[0] with its first two dimensions exchanged
  Pad,      ///< args[0] continued along dimension `integer` by args[1] elements before and args[2]
            ///< after those that it has; `callee`: "clamp", "mirror", "wrap", or "constant"
            ///< args[3]
  Allocate, ///< a new container with extents args; what a Decl of a container starts with
  Sequence, ///< args: (constant) | (start, inc, end) | (container, start, inc, end)
};

struct Expr {
  ExprKind kind;
  Type type;
  SourceLocation location;
  std::vector<ExprPtr> args;
  VarPtr var;
  Operator op;        ///< operator of Unary and Binary; of Atomic; kind of Map
  std::string callee; ///< name of Call, SpectrumCall, Map
  std::int64_t integer = 0;
  double real = 0;
};

// Makers. A result type is deduced where it is not given.
ExprPtr intLiteral(std::int64_t value, Scalar type = Scalar::Index);
ExprPtr realLiteral(double value, Scalar type = Scalar::F64);
/// 0 of a type.
ExprPtr zeroOf(Scalar type);
ExprPtr varRef(const VarPtr &var, SourceLocation at = {});
ExprPtr unary(Operator op, ExprPtr a, SourceLocation at = {});
/// Usual arithmetic conversions; comparisons and logic give Bool.
ExprPtr binary(Operator op, ExprPtr a, ExprPtr b, SourceLocation at = {});
ExprPtr select(ExprPtr condition, ExprPtr ifTrue, ExprPtr ifFalse, SourceLocation at = {});
ExprPtr cast(Scalar type, ExprPtr a, SourceLocation at = {});
ExprPtr call(std::string callee, Type type, std::vector<ExprPtr> args, SourceLocation at = {});
ExprPtr index(ExprPtr array, std::vector<ExprPtr> indexes, SourceLocation at = {});
/// Any other kind: the fields as given.
ExprPtr node(ExprKind kind, Type type, std::vector<ExprPtr> args, SourceLocation at = {},
             std::string callee = {}, std::int64_t integer = 0);

/// Element type of what `usual arithmetic conversions` make of two scalars.
Scalar commonScalar(Scalar a, Scalar b);

bool isLiteral(const ExprPtr &e, std::int64_t value);
/// Whether it is this operator with two operands.
inline bool isBinary(const Expr &e, Operator op) {
  return e.kind == ExprKind::Binary && e.op == op;
}
/// Value of an integer or bool literal.
std::optional<std::int64_t> literalValue(const ExprPtr &e);

/// Same tree: kinds, operators, literals, and identical variables.
bool sameExpr(const ExprPtr &a, const ExprPtr &b);

/// `e` with new operands (same node otherwise); returns `e` itself when nothing changes.
ExprPtr withArgs(const ExprPtr &e, std::vector<ExprPtr> args);

/// Rebuild bottom-up: `f` sees each node after its operands were rewritten and
/// returns its replacement (or the node itself).
ExprPtr rewrite(const ExprPtr &e, const std::function<ExprPtr(const ExprPtr &)> &f);

/// Call `f` on every node, parents before operands.
void forEach(const ExprPtr &e, const std::function<void(const Expr &)> &f);

/// Whether it is done by codelets that a plan chooses.
inline bool callsSpectrum(const Expr &e) {
  return e.kind == ExprKind::SpectrumCall || e.kind == ExprKind::Map;
}

/// True when some node satisfies `predicate`.
bool contains(const ExprPtr &e, const std::function<bool(const Expr &)> &predicate);

/// `e` as C-like text, minimal parentheses; for messages, notation and the manifest.
std::string toString(const ExprPtr &e);
/// The same without conversions to Index, which sources do not write.
std::string asWritten(const ExprPtr &e);

} // namespace tangram::ir
