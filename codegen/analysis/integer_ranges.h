// Interval analysis of integer expressions, from types, literals and the loops that an expression stands in.
#pragma once

#include "ir/stmt.h"

#include <cstdint>
#include <map>
#include <optional>

namespace tangram::codegen {

/// All integers from `low` to `high`.
struct IntegerRange {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool operator==(const IntegerRange &) const = default;
};

/// The values of a type as an interval; none for unsigned types of 64 bits.
std::optional<IntegerRange> rangeOf(ir::Scalar type);

class IntegerRanges {
public:
  /// Analyses the loops and constants of `body`.
  explicit IntegerRanges(const ir::StmtPtr &body);

  /// The interval of `e`; none where it exceeds signed integers of 64 bits. For type Index it is that of the exact
  /// number, which may be below 0 where a larger number was subtracted from a smaller one.
  std::optional<IntegerRange> of(const ir::ExprPtr &e) const;
  /// Whether the result of a unary or binary operator is a number that its type holds.
  bool fits(const ir::Expr &operation) const;
  /// The ranges inside the condition of `loop`, where the counter also has its value behind the last round.
  IntegerRanges inQuestionOf(const ir::Stmt &loop) const;

private:
  using Range = std::optional<IntegerRange>;

  void addCounter(const ir::Stmt &loop);
  /// The interval of the number that a condition compares the counter with.
  Range boundOf(const ir::Expr &condition, const ir::Var &counter) const;
  Range ofVariable(const ir::VarPtr &var) const;
  Range ofBinary(const ir::Expr &e) const;
  Range ofCall(const ir::Expr &e) const;
  /// Before it is made to fit the type.
  Range exact(const ir::Expr &operation) const;

  std::map<const ir::Var *, ir::ExprPtr> constants_;
  std::map<const ir::Var *, IntegerRange> counters_; ///< in the rounds of their loops
  std::map<const ir::Var *, IntegerRange> ever_;     ///< with what their loops end with
  mutable std::map<const ir::Var *, Range> known_;   ///< of constants that were asked for
};

} // namespace tangram::codegen
