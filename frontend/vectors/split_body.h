// The body of one function with components for vectors; see frontend/vectors/components.h.
#pragma once

#include "frontend/vectors/components.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::frontend {

/// What all bodies of a program go by.
struct VectorProgram {
  const ir::Program &original;
  /// Helper functions that give vectors: the functions that give their components.
  std::map<std::string, std::vector<std::string>> componentFunctions;
};

/// A value that is a vector: no container.
inline bool isVector(const ir::Type &type) { return !type.isContainer() && type.lanes > 1; }
/// Of a container of vectors, a container of numbers with one more dimension; others stay.
ir::Type withoutVectors(ir::Type type);

class BodySplitter {
public:
  BodySplitter(const VectorProgram &program, ir::Diagnostics &diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  /// Of each parameter that is a vector, its components. Call it before the others.
  std::vector<ir::VarPtr> parameters(const std::vector<ir::VarPtr> &params);
  /// `body` of a codelet; `result` is the container that a vector is returned in, or null.
  ir::StmtPtr codelet(const ir::StmtPtr &body, bool cooperative, const ir::VarPtr &result);
  /// What is said of sizes.
  ir::Typical typical(const ir::Typical &said) const { return {number(said.what), said.value}; }
  /// `body` of a helper function; of a vector that it returns, component number `k`.
  ir::StmtPtr function(const ir::StmtPtr &body, unsigned k);

private:
  using Stmts = std::vector<ir::StmtPtr>;

  // split_body.cpp: expressions.
  ir::ExprPtr number(const ir::ExprPtr &e) const;
  ir::ExprPtr component(const ir::ExprPtr &vector, unsigned k) const;
  ir::ExprPtr element(const ir::Expr &vector, unsigned k) const;
  std::vector<ir::ExprPtr> arguments(const ir::Expr &call) const;
  void mapArgument(const ir::ExprPtr &argument, const ir::Type &parameter,
                   std::vector<ir::ExprPtr> &into) const;
  std::vector<ir::ExprPtr> spectrumArguments(const ir::Expr &e) const;

  // split_hoisted.cpp: what is said before a statement.
  /// How what an expression is made of may be said before the statement it stands in.
  enum class Before {
    Anything,
    Calls,  ///< of spectrums alone: the rest may not be evaluated, or is evaluated again
    Nothing ///< it is evaluated again
  };
  ir::ExprPtr hoisted(const ir::ExprPtr &e, Before allowed, Stmts &into);
  ir::ExprPtr hoistedParts(const ir::ExprPtr &e, Before allowed, Stmts &into);
  void forgetNames() {
    said_.clear();
    names_.clear();
  }
  ir::ExprPtr named(const ir::ExprPtr &e, const std::string &name, Stmts &into);
  ir::ExprPtr resultOf(const ir::ExprPtr &call, Stmts &into);
  ir::ExprPtr elementsOf(const ir::Expr &map);

  // split_statements.cpp
  void statement(const ir::StmtPtr &s, Stmts &into);
  void declaration(const ir::Stmt &s, Stmts &into);
  void assignment(const ir::Stmt &s, Stmts &into);
  void vectorAssignment(const ir::Stmt &s, Stmts &into);
  void returned(const ir::Stmt &s, Stmts &into);
  void loop(const ir::Stmt &s, Stmts &into);
  ir::StmtPtr substatement(const ir::StmtPtr &s);
  void callInto(const ir::Expr &call, const ir::ExprPtr &place, Stmts &into);
  const ir::Var *rootOf(const ir::Expr &target) const;
  bool mentions(const ir::ExprPtr &e, const ir::Var *root) const;
  bool isComponentwise(const ir::ExprPtr &e, const ir::Var *root) const;

  const VectorProgram &program_;
  ir::Diagnostics &diagnostics_;
  std::map<const ir::Var *, std::vector<ir::VarPtr>>
      components_;                               ///< of vectors that are numbers now
  std::map<const ir::Var *, ir::VarPtr> memory_; ///< containers and arrays of what were vectors
  std::map<ir::ExprPtr, ir::ExprPtr> said_;  ///< of the statement at hand, what has been hoisted
  std::map<ir::ExprPtr, ir::ExprPtr> names_; ///< and variables that hold what is named
  std::map<const ir::Var *, const ir::Var *> viewed_; ///< what a view is a view of
  bool cooperative_ = false;
  ir::VarPtr result_;
  unsigned returnedComponent_ = 0;
};

} // namespace tangram::frontend
