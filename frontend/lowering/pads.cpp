// pad: a container continued past its ends.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"

namespace tangram::frontend {

namespace {

/// What is written where a Boundary is expected: `clamp`, or a call.
const clang::Expr *bare(const clang::Expr *e) {
  for (;;) {
    const clang::Expr *inner = e->IgnoreUnlessSpelledInSource();
    const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
    if (made != nullptr && made->getNumArgs() == 1)
      inner = made->getArg(0)->IgnoreUnlessSpelledInSource();
    if (inner == e)
      return e;
    e = inner;
  }
}

const clang::FunctionDecl *functionOf(const clang::Expr *e) {
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(e))
    e = address->getSubExpr()->IgnoreParens();
  if (const auto *called = llvm::dyn_cast<clang::CallExpr>(e))
    return called->getDirectCallee();
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e);
  return named != nullptr ? llvm::dyn_cast<clang::FunctionDecl>(named->getDecl()) : nullptr;
}

} // namespace

ir::ExprPtr FunctionLowering::pad(const clang::CallExpr &e) {
  const ir::ExprPtr container = expression(e.getArg(0));
  std::vector<ir::ExprPtr> args{container};
  for (unsigned i : {1U, 2U}) {
    args.push_back(chosenNumber(e.getArg(i), 0, "number of elements of 'pad'"));
    if (!args.back())
      return nullptr;
  }
  unsigned dimension = 0;
  if (!container || (e.getNumArgs() == 5 && !dimensionOf(e.getArg(4), "pad", container, dimension)))
    return nullptr;
  std::string boundary;
  if (const ir::ExprPtr value = boundaryValue(e.getArg(3), container, boundary))
    args.push_back(value);
  if (boundary.empty())
    return nullptr;
  ir::Type type = container->type;
  type.isConst = true;
  return ir::node(ir::ExprKind::Pad, type, std::move(args), at(e.getSourceRange()), boundary,
                  dimension);
}

/// The name of a boundary, empty after an error, and the value of a constant one.
ir::ExprPtr FunctionLowering::boundaryValue(const clang::Expr *written,
                                            const ir::ExprPtr &container, std::string &boundary) {
  const clang::Expr *e = bare(written);
  const clang::FunctionDecl *function = functionOf(e);
  if (function == nullptr || !inLanguage(function)) {
    file.error(at(written->getSourceRange()),
               "boundary of 'pad' must be clamp, mirror, wrap or constant(v)");
    return nullptr;
  }
  const std::string name = function->getNameAsString();
  if (name != "constant") {
    boundary = name;
    return nullptr;
  }
  const auto *called = llvm::dyn_cast<clang::CallExpr>(e);
  const ir::ExprPtr value = called != nullptr ? expression(called->getArg(0)) : nullptr;
  if (!value)
    return nullptr;
  if (value->type.isContainer() || isSequence(*value) || value->type.lanes > 1) {
    file.error(value->location,
               "value of a 'constant' boundary must be a scalar" +
                   std::string(container->type.lanes > 1 ? ", which is in all components" : ""));
    return nullptr;
  }
  boundary = name;
  return convert(value, container->type.scalar);
}

} // namespace tangram::frontend
