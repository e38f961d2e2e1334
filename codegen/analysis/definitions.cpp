#include "codegen/analysis/definitions.h"

#include <set>

namespace tangram::codegen {

using namespace ir;

Definitions::Definitions(const StmtPtr &body) {
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.value)
      values_[s.var.get()] = s.value;
  });
}

ExprPtr Definitions::of(const Expr &e) const {
  const auto value = e.kind == ExprKind::Var ? values_.find(e.var.get()) : values_.end();
  return value == values_.end() ? nullptr : value->second;
}

void Definitions::forEachPart(const std::vector<ExprPtr> &expressions,
                              const std::function<void(const Expr &)> &f) const {
  std::set<const Var *> seen;
  std::vector<ExprPtr> left = expressions;
  while (!left.empty()) {
    const ExprPtr e = left.back();
    left.pop_back();
    forEach(e, [&](const Expr &each) {
      f(each);
      if (const ExprPtr value = of(each); value && seen.insert(each.var.get()).second)
        left.push_back(value);
    });
  }
}

bool Definitions::anyPart(const std::vector<ExprPtr> &expressions,
                          const std::function<bool(const Expr &)> &fits) const {
  bool found = false;
  forEachPart(expressions, [&](const Expr &e) { found = found || fits(e); });
  return found;
}

} // namespace tangram::codegen
