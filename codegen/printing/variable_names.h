// The names that variables have in C: each one that nothing else in its scopes has, beginning with the name in the source (`len`,
// `len_2`, ...).
#pragma once

#include "ir/stmt.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace tangram::codegen {

class VariableNames {
public:
  /// `hasBraces`: whether a Parallel is printed in braces of its own.
  explicit VariableNames(std::function<bool(const ir::Stmt &)> hasBraces)
      : hasBraces_(std::move(hasBraces)) {}

  /// Names every variable below `body`.
  void nameAll(const ir::StmtPtr &body);
  /// Names one, unless it has a name.
  void giveName(const ir::Var *var);
  void setName(const ir::Var *var, const std::string &name);
  std::string nameOf(const ir::Var *var) const;

  /// Gives none of these to a variable from now on.
  void reserve(std::set<std::string> names) { taken_.merge(names); }
  /// `wanted`, or with a number behind it where that name is given.
  std::string freeName(const std::string &wanted) const;
  /// Whether what has been named assigns to the variable.
  bool isAssigned(const ir::Var *var) const { return assigned_.contains(var); }

private:
  void collectAssigned(const ir::StmtPtr &s);
  void nameIn(const ir::StmtPtr &s);

  std::function<bool(const ir::Stmt &)> hasBraces_;
  std::map<const ir::Var *, std::string> names_;
  std::set<std::string> taken_;
  std::set<std::string> inside_;      ///< names of what has been named, in whatever scope
  std::set<const ir::Var *> given_;   ///< that are named with the body at hand
  const ir::Var *clashing_ = nullptr; ///< one whose name another one has where it is declared again
  std::set<const ir::Var *> assigned_;
};

/// "fabs", "fabsf", "fabsf128": the C library's name of a math function for a type.
std::string libraryName(const std::string &function, ir::Scalar type);

/// The functions that are called in it.
std::set<std::string> calleesOf(const ir::StmtPtr &body);

} // namespace tangram::codegen
