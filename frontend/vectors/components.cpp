#include "frontend/vectors/components.h"

#include "frontend/lowering/constants.h"

namespace tangram::frontend {

using ir::ExprKind;

ir::ExprPtr componentOf(const ir::ExprPtr &vector, unsigned k, const ir::SourceLocation &place) {
  return ir::node(ExprKind::Index, ir::scalarType(vector->type.scalar),
                  {vector, integerAt(k, ir::Scalar::Index, place)}, place);
}

bool isComponent(const ir::Expr &e) {
  return e.kind == ExprKind::Index && e.type.lanes == 1 && e.args[0]->type.lanes > 1;
}

ir::ExprPtr vectorOf(const ir::Type &type, std::vector<ir::ExprPtr> components,
                     const ir::SourceLocation &place) {
  return ir::call(ir::spelling(type), type, std::move(components), place);
}

bool isVectorOf(const ir::Expr &e) {
  return e.kind == ExprKind::Call && e.type.lanes > 1 && e.callee == ir::spelling(e.type);
}

std::string componentName(unsigned k) { return std::string(1, "xyzw"[k]); }

} // namespace tangram::frontend
