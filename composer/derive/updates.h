// Associative updates of one variable, which is what a loop that only adds up is made of.
#pragma once

#include "algebra/nests.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// `s += e`, `s = s * e`, `s = fma(a, b, s)`, `s = max(s, e)`, `if (e < s) s = e;`, `if (e) found = true;` and their like. Rounds that do
/// nothing else to s may be done in any order, each worker with an s of its own that starts from the identity.
struct Update {
  enum class Kind { Add, Multiply, Min, Max, And, Or, Xor, All, Any };
  Kind kind = Kind::Add;
  ir::VarPtr variable;
  ir::SourceLocation location;
  /// Variables that a minimum or maximum sets together with its own, such as its place:
  /// `if (x[i] < least) { least = x[i]; place = i; }`.
  std::vector<ir::VarPtr> places = {};
  /// Of equal elements the last one counts, `x[i] <= least`, and not the first.
  bool isLast = false;

  /// `variable`, then `places`.
  std::vector<ir::VarPtr> variables() const;
};

/// The sums of a loop: its rounds change these variables by updates of one kind each, read them nowhere else, and
/// share nothing besides; empty where they do not, and then `why`.
struct LoopSums {
  std::vector<Update> updates;
  std::optional<algebra::NestReason> why;

  /// The only update, where there is one that sets no place; else null.
  const Update *single() const;
};
LoopSums loopSums(const algebra::Nest &nest, int loop);

/// The sums of `loop`, which is `outer` or is inside of it, if they are sums of `outer`, too, and nothing else in `outer` changes
/// their variables: then parts of the rounds of `loop` give parts of the sums of `outer`. Else `why`, as in
///
///   for (i) { t = 0; for (j) t += a[i][j]; s += t * t; }              // s is no sum of parts of t
///   for (i) { s += b[i]; for (j) s += a[i][j]; }                      // each part of the rounds of j would add b
LoopSums sumsInside(const algebra::Nest &nest, int outer, int loop);

/// The updates of these variables by the body of a loop, whatever else it does; `why` where it changes or reads them
/// otherwise.
LoopSums updatesOf(const ir::StmtPtr &body, std::vector<ir::VarPtr> variables);

/// Whether parts of them that are combined may be rounded otherwise than in the loop's order: sums and products of
/// floating-point numbers.
bool dependsOnOrder(const LoopSums &sums);

/// The neutral element as source: "0.0f", "-INFINITY".
std::string identityOf(const Update &update);
/// An expression that is printed as this text.
ir::ExprPtr named(const std::string &text, const ir::Type &type);

/// `a` and `b` combined, as source: "a + b", "max(a, b)".
std::string combined(const Update &update, const std::string &a, const std::string &b);

/// The comparison of a minimum or maximum that has places: whether `a` takes the place of `b`, which stands before it.
ir::ExprPtr isBetter(const Update &update, const ir::ExprPtr &a, const ir::ExprPtr &b);

/// `all` becomes `all` and `part` combined, where `part` is of later rounds. Both have an expression for each of
/// variables(); `condition`: the part counts only where this holds, or null.
ir::StmtPtr combining(const Update &update, const std::vector<ir::ExprPtr> &all,
                      const std::vector<ir::ExprPtr> &part, const ir::ExprPtr &condition = nullptr);

/// The body of a loop, with `variable = value` wherever the update sets its places.
ir::StmtPtr withMark(const ir::StmtPtr &body, const Update &update, const ir::VarPtr &variable,
                     const ir::ExprPtr &value);

/// A body in which minima with their places choose values and do not branch, so that compilers load the elements of
/// several rounds at once. `fresh` gives names that nothing else has.
ir::StmtPtr withoutBranches(const ir::StmtPtr &body,
                            const std::function<std::string(const std::string &)> &fresh);

/// "adds up 's'", for reasons.
std::string nameOf(Update::Kind kind);

} // namespace tangram::composer
