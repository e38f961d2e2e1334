// partition, the partitions of rows and columns, chunks, and transpose: views of a container.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"

#include <algorithm>
#include <iterator>

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

/// Appends to a partition's arguments the adjacent blocks of a dimension of `container`: `given` of
/// them, or blocks of that size.
void addBlocks(const ir::ExprPtr &container, unsigned dimension, const ir::ExprPtr &given,
               bool isSize, std::vector<ir::ExprPtr> &args) {
  ir::SourceLocation place = given->location;
  auto number = [&](std::int64_t value) { return integerAt(value, ir::Scalar::Index, place); };
  ir::ExprPtr size = ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {container},
                              place, {}, dimension);
  ir::ExprPtr above = ir::binary("-", ir::binary("+", size, given, place), number(1), place);
  ir::ExprPtr other = ir::binary("/", above, given, place);
  const ir::ExprPtr &count = isSize ? other : given;
  const ir::ExprPtr &tile = isSize ? given : other;
  args.push_back(count);
  args.push_back(sequenceOf({number(0), tile, size}, place));
  args.push_back(sequenceOf({number(1)}, place));
  args.push_back(
      sequenceOf({tile, tile, ir::binary("+", size, isSize ? given : number(1), place)}, place));
}

/// What rows, cols, tiles and the chunks cut.
struct Blocks {
  const char *name;
  unsigned first; ///< dimension
  unsigned least; ///< dimensions of the container
  bool givesSize; ///< of a block, instead of how many there are
};

constexpr Blocks blocks[] = {{"rows", 0, 1, false},      {"cols", 1, 2, false},
                             {"tiles", 0, 2, false},     {"chunks", 0, 1, true},
                             {"col_chunks", 1, 2, true}, {"tile_chunks", 0, 2, true}};

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

/// rows, cols, tiles, chunks, col_chunks, tile_chunks and transpose.
ir::ExprPtr FunctionLowering::view(const clang::CallExpr &e, const std::string &name) {
  const Blocks *cut = std::find_if(std::begin(blocks), std::end(blocks),
                                   [&](const Blocks &each) { return name == each.name; });
  const bool transposes = cut == std::end(blocks);
  ir::ExprPtr container = expression(e.getArg(0));
  std::vector<ir::ExprPtr> numbers;
  for (unsigned i = 1; i < e.getNumArgs(); ++i) {
    numbers.push_back(!transposes && cut->givesSize ? partSize(e.getArg(i), name)
                                                    : partCount(e.getArg(i), name));
    if (!numbers.back())
      return nullptr;
  }
  if (!container)
    return nullptr;
  ir::SourceLocation place = at(e.getSourceRange());
  bool fits = transposes ? container->type.rank == 2 : container->type.rank >= cut->least;
  if (!fits) {
    file.error(container->location, "'" + name + "' takes a container" +
                                        (transposes        ? " of 2 dimensions"
                                         : cut->least == 2 ? " of 2 dimensions or more"
                                                           : "") +
                                        ", not '" + ir::spelling(container->type) + "'");
    return nullptr;
  }
  if (transposes)
    return ir::node(ir::ExprKind::Transpose, container->type, {container}, place);
  unsigned dimension = cut->first;
  std::vector<ir::ExprPtr> args{container};
  for (const ir::ExprPtr &n : numbers)
    addBlocks(container, dimension++, n, cut->givesSize, args);
  return parts(std::move(args), cut->first, place);
}

/// repeat(blocks, n), cycle(blocks, n): a partition in both dimensions, that holds all of one of them
/// in each of n parts. Parts are numbered over the cut that stands first, and then over the other.
ir::ExprPtr FunctionLowering::repeated(const clang::CallExpr &e, const std::string &name) {
  ir::ExprPtr blocks = expression(e.getArg(0));
  ir::ExprPtr times = partCount(e.getArg(1), name);
  if (!blocks || !times)
    return nullptr;
  const bool fits = blocks->kind == ir::ExprKind::Partition && blocks->args.size() == 5 &&
                    blocks->args[0]->type.rank >= 2 && blocks->integer <= 1;
  if (!fits) {
    file.error(blocks->location,
               "'" + name +
                   "' takes blocks of rows or columns, such as chunks(a, t), of a container of 2 "
                   "dimensions or more");
    return nullptr;
  }
  const ir::SourceLocation place = at(e.getSourceRange());
  const std::int64_t other = 1 - blocks->integer;
  const ir::ExprPtr size = ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index),
                                    {blocks->args[0]}, place, {}, other);
  const std::vector<ir::ExprPtr> all{
      times, sequenceOf({integerAt(0, ir::Scalar::Index, place)}, place),
      sequenceOf({integerAt(1, ir::Scalar::Index, place)}, place), sequenceOf({size}, place)};
  std::vector<ir::ExprPtr> args = blocks->args;
  const bool behind = name == "repeat";
  args.insert(behind ? args.end() : args.begin() + 1, all.begin(), all.end());
  // Which dimension is cut first: of columns repeated, and of rows in a cycle, it is the last.
  const bool reversed = behind == (blocks->integer == 1);
  return ir::node(ir::ExprKind::Partition, blocks->type, std::move(args), place,
                  reversed ? "reversed" : "", 0);
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

/// The size of a part, which is chosen before a kernel runs: so that a part of a part has a bound,
/// and no part is of no elements.
ir::ExprPtr FunctionLowering::partSize(const clang::Expr *written, const std::string &name) {
  ir::ExprPtr t = expression(written->IgnoreImpCasts());
  if (!t)
    return nullptr;
  auto value = integerConstant(file.ast, written->IgnoreImpCasts());
  if (!value && !isChosen(written)) {
    file.error(t->location,
               "size of the parts of '" + name +
                   "' must be a constant or a '__tunable', or a sum or product of these");
    return nullptr;
  }
  // A constant that does not fit an int64_t is as large as no container.
  if (value && *value <= 0) {
    file.error(t->location, "size of the parts of '" + name + "' must be positive, " +
                                std::to_string(*value) + " is not");
    return nullptr;
  }
  return value ? integerAt(*value, ir::Scalar::Index, t->location) : t;
}

/// Whether `e` is made of positive constants and tunables, and therefore positive.
bool FunctionLowering::isChosen(const clang::Expr *e) const {
  e = e->IgnoreParenImpCasts();
  if (auto value = integerConstant(file.ast, e))
    return *value > 0;
  if (const auto *both = llvm::dyn_cast<clang::BinaryOperator>(e))
    return (both->getOpcode() == clang::BO_Add || both->getOpcode() == clang::BO_Mul) &&
           isChosen(both->getLHS()) && isChosen(both->getRHS());
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto *variable =
      named != nullptr ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  if (variable == nullptr)
    return false;
  if (std::count(tunables.begin(), tunables.end(), variable) != 0)
    return true;
  return variable->getType().isConstQualified() && variable->getInit() != nullptr &&
         isChosen(variable->getInit());
}

} // namespace tangram::frontend
