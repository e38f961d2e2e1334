// Lowering of the expressions of a codelet, as one worker of a level evaluates them: numbers,
// elements, views of containers and their partitions.
#include "algebra/simplify.h"
#include "codegen/lowering/instantiation.h"
#include "composer/analysis/sites.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Whether the codelet requires the variable to be ascending.
bool requiresAscending(const Codelet &codelet, const Var *variable) {
  bool found = false;
  forEach(codelet.body, [&](const Stmt &s) {
    found |= s.kind == StmtKind::Require && s.value->kind == ExprKind::Call &&
             s.value->callee == "ascending" && s.value->args[0]->var.get() == variable;
  });
  return found;
}

/// Whether the container is ascending: the codelet requires it, or the one that says what its
/// spectrum means does, which is a contract of the spectrum's.
bool isAscending(const Program &program, const Codelet &codelet, const Expr &container) {
  if (container.kind != ExprKind::Var)
    return false;
  if (requiresAscending(codelet, container.var.get()))
    return true;
  const Spectrum *spectrum = program.spectrum(codelet.spectrum);
  const std::optional<unsigned> meaning = composer::meaningOf(*spectrum);
  const auto param = std::ranges::find(codelet.params, container.var);
  if (!meaning || param == codelet.params.end())
    return false;
  const Codelet &first = spectrum->codelets[*meaning];
  return requiresAscending(
      first, first.params[static_cast<std::size_t>(param - codelet.params.begin())].get());
}

/// `view` with dimension `dim` from its last element to its first.
View reversed(View view, unsigned dim) {
  Dimension &d = view.dims[dim];
  ExprPtr &origin = view.origin[d.of];
  origin = add(origin, mul(d.step, sub(d.extent, intLiteral(1))));
  d.step = sub(intLiteral(0), d.step);
  return view;
}

/// `count` times `view`, as a dimension before its own.
View repeated(View view, const ExprPtr &count) {
  Dimension d = view.dims.front();
  d.step = intLiteral(0);
  d.extent = d.bound = count;
  view.dims.insert(view.dims.begin(), d);
  return view;
}

} // namespace

/// reverse(c), broadcast(c, n)
View Instantiation::evaluateView(Instance &in, const ExprPtr &e) {
  const Value base = evaluate(in, e->args[0]);
  const View *view = std::get_if<View>(&base);
  if (!view || view->dims.size() <= static_cast<std::size_t>(e->integer))
    refuse("no view of this container", e->location);
  if (e->callee == "reverse")
    return reversed(*view, static_cast<unsigned>(e->integer));
  return repeated(*view, simplified(cast(Scalar::Index, evaluateScalar(in, e->args[1]))));
}

Value Instantiation::evaluate(Instance &in, const ExprPtr &e) {
  switch (e->kind) {
  case ExprKind::Var: {
    auto found = in.environment.find(e->var.get());
    if (found == in.environment.end())
      refuse("variable '" + e->var->name + "' is used where it has no value", e->location);
    return found->second;
  }
  case ExprKind::Index:
    return evaluateElement(in, e);
  case ExprKind::Transpose: {
    Value base = evaluate(in, e->args[0]);
    const View *view = std::get_if<View>(&base);
    if (!view || view->dims.size() < 2)
      refuse("only a container of two dimensions or more can be transposed", e->location);
    return transposed(*view);
  }
  case ExprKind::Pad:
    return evaluatePad(in, e);
  case ExprKind::Allocate:
    refuse("a new container needs a name: declare it", e->location);
  case ExprKind::Atomic:
    return evaluateAtomic(in, e);
  case ExprKind::Size: {
    Value base = evaluate(in, e->args[0]);
    if (const Parts *parts = std::get_if<Parts>(&base))
      return parts->count();
    const Dimension &d = std::get<View>(base).dims[static_cast<std::size_t>(e->integer)];
    return in.sizesAsBounds ? d.bound : d.extent;
  }
  case ExprKind::CoopIdx:
    return in.lane;
  case ExprKind::CoopDim:
    return in.lanes;
  case ExprKind::All:
    return evaluate(in, e->args[0]);
  case ExprKind::Map:
    return lowerMap(in, e, nullptr);
  case ExprKind::Partition:
    return evaluatePartition(in, e);
  case ExprKind::Sequence:
    refuse("a sequence stands for itself only as an argument of partition", e->location);
  case ExprKind::SpectrumCall:
    return valueOfCall(in, e, newVariable(familyOf(e->callee) + "_result", e->type.scalar));
  case ExprKind::Call:
    if (e->type.isContainer())
      return evaluateView(in, e);
    [[fallthrough]];
  default:
    return evaluateOperation(in, e);
  }
}

/// c[i][j], or a row of it
Value Instantiation::evaluateElement(Instance &in, const ExprPtr &e) {
  const Value base = evaluate(in, e->args[0]);
  if (const Parts *parts = std::get_if<Parts>(&base); parts && e->args[0]->callee == "slice")
    return partOf(*parts, intLiteral(0), parts->base.buffer->name);
  const View *view = std::get_if<View>(&base);
  if (!view || view->dims.size() + 1 < e->args.size())
    refuse("this container cannot be indexed so", e->location);
  std::vector<ExprPtr> indexes;
  for (std::size_t i = 1; i < e->args.size(); ++i)
    indexes.push_back(evaluateScalar(in, e->args[i]));
  if (indexes.size() == view->dims.size())
    return elementOf(*view, indexes);
  View row = *view;
  for (const ExprPtr &i : indexes)
    row = fixOutermost(row, i);
  return row;
}

/// Sizes and numbers of lanes are indexes, whatever they are in the source. What is computed of them there is computed in the
/// type that it has there.
ExprPtr Instantiation::evaluateOperation(Instance &in, const ExprPtr &e) {
  const bool computes = e->kind == ExprKind::Unary || e->kind == ExprKind::Select ||
                        (e->kind == ExprKind::Binary && !e->op.isComparison());
  std::vector<ExprPtr> args;
  for (const ExprPtr &arg : e->args) {
    const ExprPtr value = evaluateScalar(in, arg);
    args.push_back(computes ? cast(arg->type.scalar, value) : value);
  }
  return withArgs(e, std::move(args));
}

ExprPtr Instantiation::evaluateScalar(Instance &in, const ExprPtr &e) {
  Value value = evaluate(in, e);
  if (const ExprPtr *scalar = std::get_if<ExprPtr>(&value))
    return *scalar;
  refuse("a container stands where a number is needed", e->location);
}

View Instantiation::evaluatePad(Instance &in, const ExprPtr &e) {
  const Value base = evaluate(in, e->args[0]);
  const View *view = std::get_if<View>(&base);
  const auto dim = static_cast<unsigned>(e->integer);
  if (!view || view->dims.size() <= dim)
    refuse("this container cannot be padded so", e->location);
  const unsigned along = view->dims[dim].of;
  if (std::ranges::count(view->dims, along, &Dimension::of) > 1)
    refuse("this container cannot be padded: two of its dimensions run along one of memory",
           e->location);
  auto number = [&](std::size_t i) {
    return simplified(cast(Scalar::Index, evaluateScalar(in, e->args[i])));
  };
  const Boundary boundary = e->callee == "clamp"    ? Boundary::Clamp
                            : e->callee == "mirror" ? Boundary::Mirror
                            : e->callee == "wrap"   ? Boundary::Wrap
                                                    : Boundary::Constant;
  const ExprPtr beyond =
      boundary == Boundary::Constant
          ? now(in, view->buffer->name + "_beyond", simplified(evaluateScalar(in, e->args[3])))
          : nullptr;
  return padded(*view, dim, boundary, number(1), number(2), beyond);
}

Parts Instantiation::evaluatePartition(Instance &in, const ExprPtr &e) {
  const std::string regroup = "S_" + level(in.node->level).name + ", regroup(" +
                              in.codelet->name() + ", " + level(in.node->level).name + ")";
  // The partitions of one map are one step.
  if (e->callee != "slice" && regroup != scope_.lastComment())
    scope_.emitComment(regroup);
  Value base = evaluate(in, e->args[0]);
  const View *view = std::get_if<View>(&base);
  auto cuts = (e->args.size() - 1) / 4;
  auto first = static_cast<unsigned>(e->integer);
  // Parts of one dimension that are repeated have a cut of none.
  const bool repeated = view && view->dims.size() == 1 && cuts == 2;
  if (!view || (view->dims.size() < first + cuts && !repeated))
    refuse("this container cannot be cut into parts so", e->location);
  Parts parts{*view, {}};
  auto sequence = [&](const ExprPtr &argument, std::size_t c) {
    Sequence s = evaluateSequence(in, argument);
    if (!s.dataDependent && s.inc->kind != ExprKind::Var && s.inc->kind != ExprKind::Literal) {
      // Start and end advance by the same tile: one name for both.
      ExprPtr tile =
          now(in, view->buffer->name + "_tile" + (c > 0 ? std::to_string(c) : ""), s.inc);
      s.start = rewrite(s.start,
                        [&](const ExprPtr &part) { return sameExpr(part, s.inc) ? tile : part; });
      s.inc = tile;
    }
    return s;
  };
  for (std::size_t c = 0; c < cuts; ++c) {
    const ExprPtr *args = &e->args[1 + 4 * c];
    Cut cut{simplified(cast(Scalar::Index, evaluateScalar(in, args[0]))),
            sequence(args[1], c),
            sequence(args[2], c),
            sequence(args[3], c),
            first + static_cast<unsigned>(e->callee == "reversed" ? cuts - 1 - c : c),
            args[1]->args.size() == 4 && isAscending(program_, *in.codelet, *args[1]->args[0]),
            e->callee == "slide"};
    parts.cuts.push_back(std::move(cut));
  }
  return parts;
}

Sequence Instantiation::evaluateSequence(Instance &in, const ExprPtr &e) {
  auto value = [&](std::size_t i) {
    return simplified(cast(Scalar::Index, evaluateScalar(in, e->args[i])));
  };
  switch (e->args.size()) {
  case 1:
    return {value(0), intLiteral(0), {}, false};
  case 3:
    return {value(0), value(1), {}, false};
  default:
    return {value(1), value(2), std::get<View>(evaluate(in, e->args[0])), true};
  }
}

} // namespace tangram::codegen
