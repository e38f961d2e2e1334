#include "codegen/kernel/multiples.h"

namespace tangram::codegen {

using namespace ir;

bool isMultipleOf(const Expr &e, std::int64_t n) {
  const auto is = [&](std::size_t i) { return isMultipleOf(*e.args[i], n); };
  if (e.kind == ExprKind::Literal)
    return e.integer % n == 0;
  if (e.kind == ExprKind::Cast)
    return isInteger(e.args[0]->type.scalar) && is(0);
  if (e.kind != ExprKind::Binary)
    return false;
  return (e.op == "*" && (is(0) || is(1))) || (e.op == "+" && is(0) && is(1));
}

} // namespace tangram::codegen
