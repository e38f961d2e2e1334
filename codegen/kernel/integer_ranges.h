// What integers expressions can be: an interval of each, from types, literals and the loops that expressions stand in.
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

/// What a type holds; none of 64 bits without a sign.
std::optional<IntegerRange> rangeOf(ir::Scalar type);

class IntegerRanges {
public:
  /// Of expressions in `body`.
  explicit IntegerRanges(const ir::StmtPtr &body);

  /// None where that is more than an interval of 64 bits with a sign. Of type Index: the number that is meant, which may
  /// have been taken from a smaller one and be below 0.
  std::optional<IntegerRange> of(const ir::ExprPtr &e) const;
  /// Whether the result of a unary or binary operator is a number that its type holds.
  bool fits(const ir::Expr &operation) const;
  /// The same of what a loop asks before each round, the last one too, which finds that there is no more.
  IntegerRanges inQuestionOf(const ir::Stmt &loop) const;

private:
  using Range = std::optional<IntegerRange>;

  void addCounter(const ir::Stmt &loop);
  /// What a condition compares the counter with.
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
