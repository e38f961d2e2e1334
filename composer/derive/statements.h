// Questions about statements of a sequential codelet.
#pragma once

#include "ir/stmt.h"

#include <set>
#include <string>
#include <vector>

namespace tangram::composer {

/// Whether a loop stands in `s`, or it is one.
bool hasLoop(const ir::StmtPtr &s);

/// The element or variable that `s` assigns, or changes by an atomic operation whose value nothing uses; null: there is none.
ir::ExprPtr targetOf(const ir::Stmt &s);

/// Whether an element of a parameter is changed in `s`.
bool writesContainer(const ir::StmtPtr &s);

/// Whether an element of a parameter is named in `s`.
bool namesElements(const ir::StmtPtr &s);

/// The variables and parameters that expressions in `s` name.
std::set<const ir::Var *> variablesIn(const ir::StmtPtr &s);

/// Variables that `s` assigns and does not declare.
std::vector<ir::VarPtr> changedOutside(const ir::StmtPtr &s);

/// The statements of `s` behind those of `into`, blocks taken apart.
void flatten(const ir::StmtPtr &s, std::vector<ir::StmtPtr> &into);

/// `s` without the locals that nothing names.
ir::StmtPtr withoutUnusedLocals(ir::StmtPtr s);

/// Gives names that no parameter and no local has, and that were not given before.
class FreshNames {
public:
  FreshNames(const std::vector<ir::VarPtr> &params, const ir::StmtPtr &body);
  std::string operator()(const std::string &wanted);

private:
  std::set<std::string> taken_;
};

/// `s` without the blocks around it that have nothing else in them.
const ir::Stmt *onlyStatement(const ir::StmtPtr &s);

} // namespace tangram::composer
