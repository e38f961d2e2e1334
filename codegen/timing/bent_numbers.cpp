#include "codegen/timing/bent_numbers.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

void BentNumbers::note(const Var *var, const ExprPtr &value, const Around &loop) {
  for (auto &[how, bent] : bent_) {
    if (has(value, loop, how))
      bent[var] = loop.point;
  }
}

bool BentNumbers::has(const ExprPtr &e, const Around &loop, How of) const {
  if (e->kind == ExprKind::Var) {
    const auto &bent = bent_.at(of);
    const auto known = bent.find(e->var.get());
    return known != bent.end() && (known->second == loop.point || varies(*e, loop));
  }
  const bool chosen = e->kind == ExprKind::Select || e->kind == ExprKind::Call;
  const bool cut =
      (e->kind == ExprKind::Cast && byteSize(e->type.scalar) < byteSize(e->args[0]->type.scalar)) ||
      (e->kind == ExprKind::Binary && !(e->op == "+" || e->op == "-" || e->op == "*"));
  const bool bends = cut || (chosen && of == How::Any);
  return (bends && hasVarying(e, loop)) ||
         std::ranges::any_of(e->args, [&](const ExprPtr &arg) { return has(arg, loop, of); });
}

double BentNumbers::operationsOf(const ExprPtr &place, const Around &loop) const {
  const bool isOperation = place->kind == ExprKind::Binary || place->kind == ExprKind::Select ||
                           place->kind == ExprKind::Call;
  double count = isOperation && hasVarying(place, loop);
  for (const ExprPtr &arg : place->args)
    count += operationsOf(arg, loop);
  return count;
}

bool BentNumbers::varies(const Expr &e, const Around &loop) const {
  if (e.kind != ExprKind::Var || !values_.knows(e.var.get()))
    return false;
  const Samples &number = values_.all().at(e.var.get());
  return number.at[loop.point] != number.at[Samples::base];
}

bool BentNumbers::hasVarying(const ExprPtr &e, const Around &loop) const {
  return contains(e, [&](const Expr &each) { return varies(each, loop); });
}

} // namespace tangram::codegen
