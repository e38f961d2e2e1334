// Statements, shared by codelets and kernels (see ir/expr.h). Immutable.
#pragma once

#include "ir/array.h"
#include "ir/expr.h"

namespace tangram::ir {

struct Stmt;
using StmtPtr = std::shared_ptr<const Stmt>;

enum class StmtKind {
  Block,   ///< children, in order
  Decl,    ///< declares `var`; `value` is its initial value or null
  Assign,  ///< `target` op `value`; op is "=", "+=", ... (i++ arrives as i += 1)
  If,      ///< `value` ? children[0] : children[1] (the second may be absent)
  For,     ///< children: init (or null), increment (or null), body; `value` the condition (or null)
  While,   ///< `value`, children[0]
  DoWhile, ///< children[0], `value`
  Break,
  Continue,
  Return,  ///< `value` or null
  Eval,    ///< `value` evaluated for its effect: a call
  Require, ///< require(`value`): what the codelet needs to be right

  // Kernels only.
  Parallel, ///< workers `var` of level `level`, 0 <= var < `value`, run children[0]; see Span
  Window,   ///< in children[0], `var` is what a codelet of level `level` knows of an array as: all
            ///< that happens there to elements of the array is within the window (array form)
  Allocate, ///< `var` is `array` from here on (array form)
  Copy,     ///< workers below `level` do `target` = `value`, an element of `window`, at each
            ///< position in the window; see ir::Copy (array form)
  Barrier,  ///< all workers below `level` meet
  Comment,  ///< `text` on a line of its own
};

/// Which of a level's workers run a Parallel.
enum class Span {
  One,   ///< one of them: `value` is 1, and `var`, where there is one, 0
  All,   ///< each of them once: there are `value`
  Turns, ///< as many as there are take the numbers below `value` in turns
};

struct Stmt {
  StmtKind kind;
  SourceLocation location;
  std::vector<StmtPtr> children;
  ExprPtr value;
  ExprPtr target;
  VarPtr var;
  Operator op;
  std::string text;
  /// Parallel, Window, Copy, Barrier: index of the level in the machine's hierarchy, 0 = top.
  int level = -1;
  Span span = Span::Turns;
  std::shared_ptr<const Window> window;
  std::shared_ptr<const Array> array;
  std::shared_ptr<const Copy> copy;
  /// Parallel: its workers copy. They set elements of an array of their group to values from elsewhere, and change
  /// nothing else (verifier.h).
  bool copies = false;
  /// For: ask the printer to unroll this many times (0: leave it to the compiler, 1: never).
  unsigned unroll = 0;
  /// For: its rounds are independent and come in whole multiples of this many, whose elements lie
  /// side by side: the body may be done for so many at a time, as vectors (0: one by one).
  unsigned lanes = 0;
  /// For: no round sees what another one does, and they are to be done side by side, as compilers can.
  bool sideBySide = false;
};

StmtPtr block(std::vector<StmtPtr> children, SourceLocation at = {});
StmtPtr declare(const VarPtr &var, ExprPtr init, SourceLocation at = {});
StmtPtr assign(ExprPtr target, Operator op, ExprPtr value, SourceLocation at = {});
StmtPtr ifThen(ExprPtr condition, StmtPtr then, StmtPtr otherwise = nullptr,
               SourceLocation at = {});
StmtPtr forLoop(StmtPtr init, ExprPtr condition, StmtPtr increment, StmtPtr body,
                SourceLocation at = {});
StmtPtr whileLoop(ExprPtr condition, StmtPtr body, SourceLocation at = {});
StmtPtr doWhile(StmtPtr body, ExprPtr condition, SourceLocation at = {});
StmtPtr jump(StmtKind breakOrContinue, SourceLocation at = {});
StmtPtr returns(ExprPtr value, SourceLocation at = {});
StmtPtr eval(ExprPtr call, SourceLocation at = {});
StmtPtr require(ExprPtr condition, SourceLocation at = {});
StmtPtr parallel(int level, Span span, const VarPtr &worker, ExprPtr count, StmtPtr body,
                 SourceLocation at = {});
/// One of the workers of `level` runs `body`.
StmtPtr oneOf(int level, StmtPtr body);
/// A codelet of level `level` gets `window` as `var`, and does `body`.
StmtPtr bindWindow(const VarPtr &var, Window window, int level, StmtPtr body,
                   SourceLocation at = {});
/// `var`, of kind Buffer, is memory of these extents.
StmtPtr allocate(const VarPtr &var, Array array, SourceLocation at = {});
/// The workers below `level` copy `window`: `target` = `value` at each position.
StmtPtr copyWindow(int level, Window window, ExprPtr target, ExprPtr value, Copy copy,
                   SourceLocation at = {});
/// The copy, with vectors.
StmtPtr vectorized(const StmtPtr &copy, Copy::Vectors vectors);
StmtPtr barrier(int level);
StmtPtr comment(std::string text);

/// For, While or DoWhile.
bool isLoop(const Stmt &s);
/// Whether nothing behind `s` in its block ever runs: it returns, or leaves a round. What loops and workers in it leave is theirs.
bool leavesBlock(const StmtPtr &s);

/// Every expression directly in `s` (condition, value, target), not in its children.
void forEachOwnExpr(const Stmt &s, const std::function<void(const ExprPtr &)> &f);
/// Every statement below and including `s`, parents first. Null children are skipped.
void forEach(const StmtPtr &s, const std::function<void(const Stmt &)> &f);
/// Every expression node anywhere below `s`.
void forEachExpr(const StmtPtr &s, const std::function<void(const Expr &)> &f);

/// Rebuild with each expression replaced by `f(expression)`.
StmtPtr mapExprs(const StmtPtr &s, const std::function<ExprPtr(const ExprPtr &)> &f);
/// Rebuild bottom-up: `f` sees each statement after its children were rewritten;
/// returning null removes it from the block it stands in.
StmtPtr rewrite(const StmtPtr &s, const std::function<StmtPtr(const StmtPtr &)> &f);
/// `s` with new children (same otherwise).
StmtPtr withChildren(const StmtPtr &s, std::vector<StmtPtr> children);

/// Indented text of a statement, for tests and messages.
std::string toString(const StmtPtr &s, unsigned indent = 0);

} // namespace tangram::ir
