// The primitives of dissertation table 4.2. tangram.h takes any arguments for most of
// them; what is right is decided here, and in the files maps, partitions, atomics and
// requirements of this folder, so that the messages can be precise.
#include "frontend/lowering/primitives.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"
#include "frontend/lowering/views.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

/// Those that describe a container.
const std::set<std::string> &views() {
  static const std::set<std::string> all{"rows",       "cols",        "tiles",     "chunks",
                                         "col_chunks", "tile_chunks", "transpose", "slice",
                                         "slide",      "tile_slide"};
  return all;
}

} // namespace

std::string counted(std::size_t n, const std::string &what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

bool isSequence(const ir::Expr &e) { return e.kind == ir::ExprKind::Sequence; }

bool isIntegerScalar(const ir::Expr &e) {
  return !isSequence(e) && !e.type.isContainer() && ir::isInteger(e.type.scalar) &&
         e.type.lanes == 1;
}

std::string primitiveName(const clang::Expr *e) {
  const auto *called = llvm::dyn_cast<clang::CallExpr>(e->IgnoreUnlessSpelledInSource());
  const clang::FunctionDecl *callee = called != nullptr ? called->getDirectCallee() : nullptr;
  bool isNamed = callee != nullptr && inLanguage(callee) && callee->getDeclName().isIdentifier();
  return isNamed ? callee->getName().str() : "";
}

ir::ExprPtr FunctionLowering::primitive(const clang::CallExpr &e, const std::string &name) {
  if (!isCodelet())
    return unsupported(e.getSourceRange(), "'" + name + "' outside a codelet");
  if (name == "coopIdx" || name == "coopDim")
    return lane(e, name);
  if (name == "map" || name == "fold" || name == "chain")
    return map(e, name);
  if (name == "partition")
    return partition(e);
  if (views().count(name) != 0)
    return view(e, name);
  if (isNamedView(name))
    return indexFunction(e, name);
  if (name == "pad")
    return pad(e);
  if (name == "clamp" || name == "mirror" || name == "wrap" || name == "constant") {
    file.error(at(e.getSourceRange()), "'" + name + "' must be the boundary of a 'pad'");
    return nullptr;
  }
  if (name == "repeat" || name == "cycle")
    return repeated(e, name);
  if (isAtomicName(name)) {
    file.error(at(e.getSourceRange()), "'" + name +
                                           "' must be a statement, or the whole value of "
                                           "an initialiser or of an assignment");
    return nullptr;
  }
  if (name == "swap") {
    file.error(at(e.getSourceRange()), "'swap' must be a statement");
    return nullptr;
  }
  if (name == "sequence")
    return sequence(e);
  if (name == "require" || name == "typical")
    return unsupported(e.getSourceRange(), "'" + name + "' used as a value");
  if (name == "within" || name == "ascending") {
    file.error(at(e.getSourceRange()), "'" + name +
                                           "' must be the whole condition of a 'require' "
                                           "at the top of a codelet's body");
    return nullptr;
  }
  if (name == "all") {
    file.error(at(e.getSourceRange()), "'all' must be an argument of 'map', 'fold' or 'chain'");
    return nullptr;
  }
  file.error(at(e.getSourceRange()), "'" + name + "' must be the domain of a '__tunable' variable");
  return nullptr;
}

ir::ExprPtr FunctionLowering::lane(const clang::CallExpr &e, const std::string &name) {
  if (role != FunctionRole::Cooperative) {
    file.error(at(e.getSourceRange()), "'" + name + "()' outside a '__coop' codelet");
    return nullptr;
  }
  return ir::node(name == "coopIdx" ? ir::ExprKind::CoopIdx : ir::ExprKind::CoopDim,
                  ir::scalarType(ir::Scalar::U32), {}, at(e.getSourceRange()));
}

bool FunctionLowering::primitiveArguments(const clang::CallExpr &e, unsigned from,
                                          std::vector<ir::ExprPtr> &into) {
  for (unsigned i = from; i < e.getNumArgs(); ++i) {
    const auto *called =
        llvm::dyn_cast<clang::CallExpr>(e.getArg(i)->IgnoreUnlessSpelledInSource());
    bool isAll = called != nullptr && languageClass(called->getType()) == LanguageClass::Whole;
    into.push_back(isAll ? all(*called) : expression(e.getArg(i)));
  }
  return std::count(into.begin(), into.end(), nullptr) == 0;
}

ir::ExprPtr FunctionLowering::all(const clang::CallExpr &e) {
  ir::ExprPtr container = expression(e.getArg(0));
  if (!container)
    return nullptr;
  if (!container->type.isContainer()) {
    file.error(container->location, "argument of 'all' must be a container, not '" +
                                        ir::spelling(container->type) + "'");
    return nullptr;
  }
  return ir::node(ir::ExprKind::All, container->type, {container}, at(e.getSourceRange()));
}

ir::ExprPtr FunctionLowering::sequence(const clang::CallExpr &e) {
  ir::SourceLocation place = at(e.getSourceRange());
  unsigned given = e.getNumArgs();
  if (given != 1 && given != 3 && given != 4) {
    file.error(place, "'sequence' takes (a), (start, inc, end) or (container, start, inc, end), "
                      "not " +
                          counted(given, "argument"));
    return nullptr;
  }
  std::vector<ir::ExprPtr> args;
  if (!primitiveArguments(e, 0, args))
    return nullptr;
  bool fits = true;
  for (unsigned i = 0; i < given; ++i) {
    bool wantsContainer = given == 4 && i == 0;
    const ir::Expr &arg = *args[i];
    bool isIntegers = arg.type.rank == 1 && arg.type.nest == 0 && ir::isInteger(arg.type.scalar) &&
                      arg.type.lanes == 1 && arg.kind != ir::ExprKind::All;
    if (wantsContainer ? isIntegers : isIntegerScalar(arg))
      continue;
    fits = false;
    file.error(arg.location, "argument " + std::to_string(i + 1) + " of 'sequence' must be " +
                                 (wantsContainer ? "a container of integers" : "an integer"));
  }
  if (!fits)
    return nullptr;
  return ir::node(ir::ExprKind::Sequence, ir::scalarType(ir::Scalar::Index), std::move(args),
                  place);
}

} // namespace tangram::frontend
