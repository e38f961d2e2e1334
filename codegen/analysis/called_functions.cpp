#include "codegen/analysis/called_functions.h"

#include "ir/stmt.h"

#include <set>
#include <string>

namespace tangram::codegen {

using namespace ir;

std::vector<const Function *> calledFunctions(const Program &program, const StmtPtr &body) {
  std::set<std::string> called;
  auto collectCalls = [&](const StmtPtr &s) {
    forEachExpr(s, [&](const Expr &e) {
      if (e.kind == ExprKind::Call)
        called.insert(e.callee);
    });
  };
  collectCalls(body);
  // Callees stand before their callers, so that one walk backwards finds them all.
  std::vector<const Function *> found;
  for (auto f = program.functions.rbegin(); f != program.functions.rend(); ++f) {
    if (!called.contains(f->name))
      continue;
    found.insert(found.begin(), &*f);
    collectCalls(f->body);
  }
  return found;
}

} // namespace tangram::codegen
