// reverse, diagonal, flatten, reshape and broadcast: containers whose elements are those of another one, by an index
// function. A subscript of such a view is a subscript of the container: reverse(c)[i] is c[c.size() - 1 - i]. What is left
// of it where it is handed to a spectrum is a Call that gives a container (reverse and broadcast alone).
#include "frontend/lowering/views.h"

#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tangram::frontend {

namespace {

constexpr std::string_view names[] = {"reverse", "diagonal", "flatten", "reshape", "broadcast"};

ir::ExprPtr number(std::int64_t value, const ir::SourceLocation &place) {
  return integerAt(value, ir::Scalar::Index, place);
}

/// The extents of a container from dimension `first` on, as one product.
ir::ExprPtr extentsFrom(const ir::ExprPtr &container, unsigned first,
                        const ir::SourceLocation &place) {
  ir::ExprPtr all = number(1, place);
  for (unsigned d = first; d < container->type.rank; ++d) {
    const ir::ExprPtr size = sizeOf(container, d, place);
    all = ir::isLiteral(all, 1) ? size : product(all, size, place);
  }
  return all;
}

/// The subscripts of the element number `at` of a container, row by row.
std::vector<ir::ExprPtr> subscriptsOf(const ir::ExprPtr &container, const ir::ExprPtr &at,
                                      const ir::SourceLocation &place) {
  const unsigned rank = container->type.rank;
  std::vector<ir::ExprPtr> subscripts;
  for (unsigned d = 0; d < rank; ++d) {
    ir::ExprPtr along =
        d + 1 < rank ? ir::binary("/", at, extentsFrom(container, d + 1, place), place) : at;
    if (d > 0)
      along = ir::binary("%", along, sizeOf(container, d, place), place);
    subscripts.push_back(along);
  }
  return subscripts;
}

/// One part of a partition by `slice`, or null.
const ir::Expr *sliceIn(const ir::ExprPtr &e) {
  const bool isSlice = e->kind == ir::ExprKind::Index && e->args.size() == 2 &&
                       e->args[0]->kind == ir::ExprKind::Partition && e->args[0]->callee == "slice";
  return isSlice ? e->args[0].get() : nullptr;
}

ir::ExprPtr indexOf(const ir::ExprPtr &e) { return convert(e, ir::Scalar::Index); }

/// What `container[subscripts...]` is of the container that it is a view of; null where it has too few subscripts.
ir::ExprPtr throughView(const ir::ExprPtr &view, std::vector<ir::ExprPtr> subscripts,
                        const ir::SourceLocation &place) {
  if (const ir::Expr *slice = sliceIn(view)) {
    const auto d = static_cast<std::size_t>(slice->integer);
    if (subscripts.size() <= d)
      return nullptr;
    const ir::ExprPtr step = slice->args[3]->args[0];
    ir::ExprPtr along = indexOf(subscripts[d]);
    if (!ir::isLiteral(step, 1))
      along = product(along, step, place);
    subscripts[d] = ir::binary("+", slice->args[2]->args[0], along, place);
    return elementIn(slice->args[0], std::move(subscripts), place);
  }
  const ir::ExprPtr &base = view->args[0];
  if (view->kind == ir::ExprKind::Transpose) {
    if (subscripts.size() < 2)
      return nullptr;
    std::swap(subscripts[0], subscripts[1]);
  } else if (view->callee == "reverse") {
    const auto d = static_cast<std::size_t>(view->integer);
    if (subscripts.size() <= d)
      return nullptr;
    const ir::ExprPtr last =
        ir::binary("-", sizeOf(base, view->integer, place), number(1, place), place);
    subscripts[d] = ir::binary("-", last, indexOf(subscripts[d]), place);
  } else if (view->callee == "diagonal") {
    subscripts.insert(subscripts.begin(), subscripts.front());
  } else if (view->callee == "broadcast") {
    subscripts.erase(subscripts.begin());
    if (subscripts.empty())
      return base;
  } else { // flatten, reshape
    if (subscripts.size() < view->type.rank)
      return nullptr;
    ir::ExprPtr at = indexOf(subscripts[0]);
    for (std::size_t d = 1; d < subscripts.size(); ++d)
      at = ir::binary("+", product(at, view->args[1 + d], place), indexOf(subscripts[d]), place);
    subscripts = subscriptsOf(base, at, place);
  }
  return elementIn(base, std::move(subscripts), place);
}

} // namespace

bool isNamedView(const std::string &name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool isIndexFunction(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Call && e.type.isContainer();
}

bool isSeenThrough(const ir::ExprPtr &e) {
  if (isIndexFunction(*e) || sliceIn(e) != nullptr)
    return true;
  return e->kind == ir::ExprKind::Transpose && isSeenThrough(e->args[0]);
}

bool isRow(const ir::ExprPtr &e) {
  return e->kind == ir::ExprKind::Index && e->type.isContainer() &&
         e->args[0]->kind == ir::ExprKind::Var;
}

ir::ExprPtr elementIn(const ir::ExprPtr &container, std::vector<ir::ExprPtr> subscripts,
                      const ir::SourceLocation &place) {
  if (isSeenThrough(container)) {
    if (const ir::ExprPtr element = throughView(container, subscripts, place))
      return element;
  }
  // A row, also of a view that needs more subscripts: all of them together.
  const bool isOfView = container->kind == ir::ExprKind::Index && sliceIn(container) == nullptr &&
                        isSeenThrough(container->args[0]);
  if (isOfView || isRow(container)) {
    subscripts.insert(subscripts.begin(), container->args.begin() + 1, container->args.end());
    return elementIn(container->args[0], std::move(subscripts), place);
  }
  return ir::index(container, std::move(subscripts), place);
}

/// The size of a view along a dimension; null where `view` is none of those here.
ir::ExprPtr sizeOfView(const ir::ExprPtr &view, std::int64_t dimension,
                       const ir::SourceLocation &place) {
  if (const ir::Expr *slice = sliceIn(view)) {
    const ir::ExprPtr whole = sizeOf(slice->args[0], dimension, place);
    if (dimension != slice->integer)
      return whole;
    const ir::Type type = ir::scalarType(ir::Scalar::Index);
    const ir::ExprPtr from = indexOf(slice->args[2]->args[0]);
    const ir::ExprPtr end = ir::call("min", type, {indexOf(slice->args[4]->args[0]), whole}, place);
    const ir::ExprPtr count =
        ir::binary("-", ir::call("max", type, {end, from}, place), from, place);
    const ir::ExprPtr step = slice->args[3]->args[0];
    if (ir::isLiteral(step, 1))
      return count;
    return ir::binary("/",
                      ir::binary("-", ir::binary("+", count, step, place), number(1, place), place),
                      step, place);
  }
  if (!isIndexFunction(*view))
    return nullptr;
  const ir::ExprPtr &base = view->args[0];
  if (view->callee == "reverse")
    return sizeOf(base, dimension, place);
  if (view->callee == "diagonal" && dimension > 0)
    return sizeOf(base, dimension + 1, place);
  if (view->callee == "diagonal")
    return ir::call("min", ir::scalarType(ir::Scalar::Index),
                    {sizeOf(base, 0, place), sizeOf(base, 1, place)}, place);
  if (view->callee == "broadcast")
    return dimension == 0 ? view->args[1] : sizeOf(base, dimension - 1, place);
  return view->callee == "flatten" ? extentsFrom(base, 0, place)
                                   : view->args[static_cast<std::size_t>(dimension) + 1];
}

/// reverse(c), reverse(c, d), diagonal(a), flatten(a), reshape(a, n...), broadcast(c, n)
ir::ExprPtr FunctionLowering::indexFunction(const clang::CallExpr &e, const std::string &name) {
  const ir::SourceLocation place = at(e.getSourceRange());
  const ir::ExprPtr container = expression(e.getArg(0));
  if (!container || !checkDimensions(name, container, name == "diagonal" ? 2 : 1, false))
    return nullptr;
  ir::Type type = container->type;
  std::vector<ir::ExprPtr> args{container};
  unsigned dimension = 0;
  if (name == "reverse") {
    if (e.getNumArgs() > 1 && !dimensionOf(e.getArg(1), name, container, dimension))
      return nullptr;
    return ir::node(ir::ExprKind::Call, type, std::move(args), place, name, dimension);
  }
  for (unsigned i = 1; i < e.getNumArgs(); ++i) {
    ir::ExprPtr extent = expression(e.getArg(i)->IgnoreImpCasts());
    if (!extent)
      return nullptr;
    if (!isIntegerScalar(*extent)) {
      file.error(extent->location, "extents of '" + name + "' must be integers");
      return nullptr;
    }
    extent = indexOf(extent);
    const bool stays = extent->kind == ir::ExprKind::Literal || extent->kind == ir::ExprKind::Size;
    args.push_back(stays || before == nullptr ? extent : named(extent, "extent", *before));
  }
  if (name == "diagonal")
    --type.rank;
  else if (name == "broadcast")
    ++type.rank;
  else
    type.rank = name == "flatten" ? 1 : e.getNumArgs() - 1;
  if (name == "flatten")
    args.push_back(extentsFrom(container, 0, place));
  type.isConst |= name == "broadcast";
  if (type.rank > 5) {
    file.error(place, "'" + name + "' of a container of 5 dimensions");
    return nullptr;
  }
  return ir::node(ir::ExprKind::Call, type, std::move(args), place, name);
}

/// Whether the function at hand calls spectrums, as far as its text says it.
bool FunctionLowering::composes() {
  const std::function<bool(const clang::Stmt *)> finds = [&](const clang::Stmt *s) {
    if (s == nullptr)
      return false;
    const auto *called = llvm::dyn_cast<clang::CallExpr>(s);
    const clang::FunctionDecl *callee = called != nullptr ? called->getDirectCallee() : nullptr;
    const std::string primitive = callee != nullptr ? primitiveName(called) : "";
    if (callee != nullptr && (file.spectrums.calledBy(callee) != nullptr || primitive == "map" ||
                              primitive == "fold" || primitive == "chain"))
      return true;
    return std::any_of(s->child_begin(), s->child_end(), finds);
  };
  if (!callsSpectrums)
    callsSpectrums = finds(function.getBody());
  return *callsSpectrums;
}

/// `row` with names for subscripts that may change, so that they are evaluated here and once.
ir::ExprPtr FunctionLowering::stableRow(const ir::ExprPtr &row, const clang::Expr &written,
                                        const Scope &in, Stmts &into) {
  const bool changing = mayChange(written, in);
  std::vector<ir::ExprPtr> args = row->args;
  for (std::size_t i = 1; i < args.size(); ++i) {
    const bool reads = ir::contains(args[i], [](const ir::Expr &e) {
      return e.kind == ir::ExprKind::Index || e.kind == ir::ExprKind::Call ||
             e.kind == ir::ExprKind::Atomic;
    });
    if (args[i]->kind != ir::ExprKind::Literal && (changing || reads))
      args[i] = named(args[i], "row", into);
  }
  return ir::withArgs(row, std::move(args));
}

/// Lets a name stand for a view that subscripts see through; false where `view` is none, or is one that spectrums take.
bool FunctionLowering::nameView(const clang::VarDecl &name, const ir::ExprPtr &view,
                                const clang::Expr &written, const Scope &in) {
  if (isRow(view)) {
    const auto wanted = typeOf(file.ast, name.getType().getNonReferenceType());
    const bool isReadOnly = wanted && wanted->isConst && !view->type.isConst;
    if (isReadOnly || composes() || before == nullptr)
      return false;
    aliases[&name] = stableRow(view, written, in, *before);
    return true;
  }
  const bool isOwn = ir::contains(view, isIndexFunction);
  if (!isSeenThrough(view) || (!isOwn && composes()))
    return false;
  // What its numbers are now.
  aliases[&name] = ir::rewrite(view, [&](const ir::ExprPtr &e) -> ir::ExprPtr {
    if (e->kind != ir::ExprKind::Sequence || before == nullptr)
      return e;
    std::vector<ir::ExprPtr> numbers;
    for (const ir::ExprPtr &each : e->args) {
      const bool stays = each->kind == ir::ExprKind::Literal || each->kind == ir::ExprKind::Size;
      numbers.push_back(stays ? each : named(each, "bound", *before));
    }
    return ir::withArgs(e, std::move(numbers));
  });
  return true;
}

} // namespace tangram::frontend
