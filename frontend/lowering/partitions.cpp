// partition, the partitions of rows and columns, and transpose: views of a container.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"

namespace tangram::frontend {

namespace {

ir::ExprPtr parts(std::vector<ir::ExprPtr> args, unsigned dimension, ir::SourceLocation place) {
  ir::Type type = args[0]->type;
  ++type.nest;
  return ir::node(ir::ExprKind::Partition, type, std::move(args), std::move(place), {}, dimension);
}

ir::ExprPtr sequenceOf(std::vector<ir::ExprPtr> args, const ir::SourceLocation &place) {
  return ir::node(ir::ExprKind::Sequence, ir::scalarType(ir::Scalar::Index), std::move(args),
                  place);
}

/// Appends to a partition's arguments n adjacent blocks of dimension `dimension` of `container`.
void addBlocks(const ir::ExprPtr &container, unsigned dimension, const ir::ExprPtr &n,
               std::vector<ir::ExprPtr> &args) {
  ir::SourceLocation place = n->location;
  auto number = [&](std::int64_t value) { return integerAt(value, ir::Scalar::Index, place); };
  ir::ExprPtr size = ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {container},
                              place, {}, dimension);
  ir::ExprPtr above = ir::binary("-", ir::binary("+", size, n, place), number(1), place);
  ir::ExprPtr tile = ir::binary("/", above, n, place);
  args.push_back(n);
  args.push_back(sequenceOf({number(0), tile, size}, place));
  args.push_back(sequenceOf({number(1)}, place));
  args.push_back(sequenceOf({tile, tile, ir::binary("+", size, number(1), place)}, place));
}

} // namespace

ir::ExprPtr FunctionLowering::partition(const clang::CallExpr &e) {
  static const std::string names[] = {"container", "n", "start", "inc", "end"};
  ir::SourceLocation place = at(e.getSourceRange());
  if (e.getNumArgs() != 5) {
    file.error(place, "'partition' takes 5 arguments (container, n, start, inc, end), not " +
                          std::to_string(e.getNumArgs()));
    return nullptr;
  }
  std::vector<ir::ExprPtr> args;
  if (!primitiveArguments(e, 0, args))
    return nullptr;
  bool fits = true;
  for (unsigned i = 0; i < args.size(); ++i) {
    const ir::Expr &arg = *args[i];
    bool isContainer = arg.type.isContainer() && arg.kind != ir::ExprKind::All;
    bool right = i == 0 ? isContainer : i == 1 ? isIntegerScalar(arg) : isSequence(arg);
    if (right)
      continue;
    fits = false;
    std::string kind = i == 0 ? "a container" : i == 1 ? "an integer" : "a sequence";
    ir::Diagnostic &error =
        file.error(arg.location, "argument '" + names[i] + "' of 'partition' must be " + kind);
    if (i > 1 && isIntegerScalar(arg))
      error.suggestion = "sequence(" + ir::toString(args[i]) + ")";
  }
  if (!fits)
    return nullptr;
  if (args[0]->type.nest > 0)
    return unsupported(e.getSourceRange(), "partition of a partition");
  return parts(std::move(args), 0, place);
}

/// rows, cols, tiles and transpose.
ir::ExprPtr FunctionLowering::view(const clang::CallExpr &e, const std::string &name) {
  ir::ExprPtr container = expression(e.getArg(0));
  std::vector<ir::ExprPtr> counts;
  for (unsigned i = 1; i < e.getNumArgs(); ++i) {
    counts.push_back(partCount(e.getArg(i), name));
    if (!counts.back())
      return nullptr;
  }
  if (!container)
    return nullptr;
  ir::SourceLocation place = at(e.getSourceRange());
  unsigned least = name == "rows" ? 1 : 2;
  bool fits = name == "transpose" ? container->type.rank == 2 : container->type.rank >= least;
  if (!fits) {
    file.error(container->location, "'" + name + "' takes a container" +
                                        (name == "transpose" ? " of 2 dimensions"
                                         : least == 2        ? " of 2 dimensions or more"
                                                             : "") +
                                        ", not '" + ir::spelling(container->type) + "'");
    return nullptr;
  }
  if (name == "transpose")
    return ir::node(ir::ExprKind::Transpose, container->type, {container}, place);
  unsigned dimension = name == "cols" ? 1 : 0;
  std::vector<ir::ExprPtr> args{container};
  for (const ir::ExprPtr &n : counts)
    addBlocks(container, dimension++, n, args);
  return parts(std::move(args), name == "cols" ? 1 : 0, place);
}

/// A number of parts, as an integer of the width it is written in.
ir::ExprPtr FunctionLowering::partCount(const clang::Expr *written, const std::string &name) {
  ir::ExprPtr n = expression(written->IgnoreImpCasts());
  if (!n)
    return nullptr;
  if (isIntegerScalar(*n))
    return n->kind == ir::ExprKind::Literal ? convert(n, ir::Scalar::Index) : n;
  file.error(n->location, "number of parts of '" + name + "' must be an integer");
  return nullptr;
}

} // namespace tangram::frontend
