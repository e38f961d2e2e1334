// partition, the partitions of rows and columns, chunks, and transpose: views of a container.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"

#include <algorithm>
#include <iterator>

namespace tangram::frontend {

namespace {

ir::ExprPtr parts(std::vector<ir::ExprPtr> args, unsigned dimension, ir::SourceLocation place,
                  const std::string &kind = {}) {
  ir::Type type = args[0]->type;
  ++type.nest;
  return ir::node(ir::ExprKind::Partition, type, std::move(args), std::move(place), kind,
                  dimension);
}

ir::ExprPtr sequenceOf(std::vector<ir::ExprPtr> args, const ir::SourceLocation &place) {
  return ir::node(ir::ExprKind::Sequence, ir::scalarType(ir::Scalar::Index), std::move(args),
                  place);
}

ir::ExprPtr indexAt(std::int64_t value, const ir::ExprPtr &e) {
  return integerAt(value, ir::Scalar::Index, e->location);
}

ir::ExprPtr extentOf(const ir::ExprPtr &container, unsigned dimension,
                     const ir::SourceLocation &place) {
  return container->kind == ir::ExprKind::Pad
             ? sizeOf(container, dimension, place)
             : ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {container}, place,
                        {}, dimension);
}

/// max(size, n) - n
ir::ExprPtr beyond(const ir::ExprPtr &size, const ir::ExprPtr &n) {
  const ir::ExprPtr most = ir::call("max", ir::scalarType(ir::Scalar::Index),
                                    {size, ir::cast(ir::Scalar::Index, n)}, n->location);
  return ir::binary("-", most, n, n->location);
}

/// How one dimension is cut into blocks.
struct Blocking {
  ir::ExprPtr given;   ///< how many blocks there are, or the size of one
  bool isSize = false; ///< it is the size
  ir::ExprPtr overlap; ///< elements that a block has besides its own; null: none
  /// Elements between the windows of two rounds, of which a block has as many as its size says; null: 1.
  ir::ExprPtr step;
};

ir::ExprPtr plus(const ir::ExprPtr &a, const ir::ExprPtr &b) {
  return ir::binary("+", a, b, a->location);
}

/// (a + b - 1) / b
ir::ExprPtr ceilDivided(const ir::ExprPtr &a, const ir::ExprPtr &b) {
  return ir::binary("/", ir::binary("-", plus(a, b), indexAt(1, b), b->location), b, b->location);
}

/// How many elements a block has where `tile` is from one block to the next: tile - step + 1 + overlap, for
/// `tile` / `step` windows of 1 + overlap elements.
ir::ExprPtr lengthOf(const ir::ExprPtr &tile, const Blocking &blocks) {
  const bool apart = !blocks.overlap || ir::isLiteral(blocks.overlap, 0);
  if (!blocks.step)
    return apart ? tile : plus(tile, blocks.overlap);
  // Blocks of a given size have a round at least; of a given number, they may have none.
  auto less = [&](const ir::ExprPtr &from, const ir::ExprPtr &n) {
    return blocks.isSize ? ir::binary("-", from, n, n->location) : beyond(from, n);
  };
  const ir::ExprPtr overlap = apart ? indexAt(0, tile) : blocks.overlap;
  const auto more = ir::literalValue(overlap);
  const auto step = ir::literalValue(blocks.step);
  if (!more || !step)
    return less(plus(tile, plus(overlap, indexAt(1, tile))), blocks.step);
  if (*more + 1 == *step)
    return tile;
  return *more + 1 > *step ? plus(tile, indexAt(*more + 1 - *step, tile))
                           : less(tile, indexAt(*step - *more - 1, tile));
}

/// Appends to a partition's arguments the blocks of a dimension of `container`. Elements that are `overlap` from
/// the end or less begin no window; with one every `step`, there are ceil((size - overlap) / step) rounds.
void addBlocks(const ir::ExprPtr &container, unsigned dimension, const Blocking &blocks,
               std::vector<ir::ExprPtr> &args) {
  const ir::ExprPtr &given = blocks.given;
  const ir::SourceLocation &place = given->location;
  const bool apart = !blocks.overlap || ir::isLiteral(blocks.overlap, 0);
  auto stepped = [&](const ir::ExprPtr &rounds) {
    return blocks.step ? ir::binary("*", rounds, blocks.step, place) : rounds;
  };
  const ir::ExprPtr size = extentOf(container, dimension, place);
  const ir::ExprPtr starts = apart ? size : beyond(size, blocks.overlap);
  const ir::ExprPtr rounds =
      blocks.step && !blocks.isSize ? ceilDivided(starts, blocks.step) : starts;
  const ir::ExprPtr tile = stepped(blocks.isSize ? given : ceilDivided(rounds, given));
  const ir::ExprPtr end = lengthOf(tile, blocks);
  args.push_back(blocks.isSize ? ceilDivided(starts, tile) : given);
  args.push_back(sequenceOf({indexAt(0, given), tile, size}, place));
  args.push_back(sequenceOf({indexAt(1, given)}, place));
  args.push_back(
      sequenceOf({end, tile, plus(size, blocks.isSize ? end : indexAt(1, given))}, place));
}

/// The same for windows of `n` elements every `step`, as many as fit.
void addWindows(const ir::ExprPtr &container, unsigned dimension, const ir::ExprPtr &n,
                const ir::ExprPtr &step, std::vector<ir::ExprPtr> &args) {
  const ir::SourceLocation &place = n->location;
  const ir::ExprPtr size = extentOf(container, dimension, place);
  const ir::ExprPtr starts = beyond(ir::binary("+", size, step, place), n);
  args.push_back(ir::binary("/", starts, step, place));
  args.push_back(sequenceOf({indexAt(0, n), step, size}, place));
  args.push_back(sequenceOf({indexAt(1, n)}, place));
  args.push_back(sequenceOf({n, step, ir::binary("+", size, n, place)}, place));
}

/// What rows, cols, tiles and the chunks cut.
struct NamedBlocks {
  const char *name;
  unsigned first; ///< dimension
  unsigned least; ///< dimensions of the container
  bool givesSize; ///< of a block, instead of how many there are
};

constexpr NamedBlocks namedBlocks[] = {{"rows", 0, 1, false},      {"cols", 1, 2, false},
                                       {"tiles", 0, 2, false},     {"chunks", 0, 1, true},
                                       {"col_chunks", 1, 2, true}, {"tile_chunks", 0, 2, true}};

const NamedBlocks *blocksNamed(const std::string &name) {
  const NamedBlocks *found =
      std::find_if(std::begin(namedBlocks), std::end(namedBlocks),
                   [&](const NamedBlocks &each) { return name == each.name; });
  return found == std::end(namedBlocks) ? nullptr : found;
}

bool cutsBoth(const std::string &name) { return name.rfind("tile", 0) == 0; }

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

/// Whether `container` has as many dimensions as `name` asks for, not yet cut.
bool FunctionLowering::checkDimensions(const std::string &name, const ir::ExprPtr &container,
                                       unsigned least, bool exactly) {
  const unsigned rank = container->type.rank;
  if (exactly ? rank == least : rank >= least)
    return true;
  file.error(container->location,
             "'" + name + "' takes a container" +
                 (least == 1 ? ""
                  : exactly  ? " of " + std::to_string(least) + " dimensions"
                             : " of " + std::to_string(least) + " dimensions or more") +
                 ", not '" + ir::spelling(container->type) + "'");
  return false;
}

/// rows, cols, tiles, chunks, col_chunks, tile_chunks, slice, slide, tile_slide and transpose.
ir::ExprPtr FunctionLowering::view(const clang::CallExpr &e, const std::string &name) {
  if (name == "slide" || name == "tile_slide")
    return windows(e, name);
  if (name == "slice")
    return slice(e);
  const ir::ExprPtr container = expression(e.getArg(0));
  const ir::SourceLocation place = at(e.getSourceRange());
  if (name == "transpose")
    return container && checkDimensions(name, container, 2, true)
               ? ir::node(ir::ExprKind::Transpose, container->type, {container}, place)
               : nullptr;
  return blocks(e, container, name);
}

/// rows(c, n), rows(c, n, h), rows(c, n, h, d), rows(c, n, h, d, s), and the others.
ir::ExprPtr FunctionLowering::blocks(const clang::CallExpr &e, const ir::ExprPtr &container,
                                     const std::string &name) {
  const NamedBlocks &cut = *blocksNamed(name);
  const unsigned cuts = cutsBoth(name) ? 2 : 1;
  std::vector<Blocking> by(cuts);
  for (unsigned c = 0; c < cuts; ++c) {
    const bool overlaps = e.getNumArgs() > 1 + cuts;
    by[c].isSize = cut.givesSize;
    by[c].given =
        cut.givesSize ? partSize(e.getArg(1 + c), name) : partCount(e.getArg(1 + c), name);
    by[c].overlap = overlaps ? overlapOf(e.getArg(1 + cuts + c), name) : nullptr;
    if (!by[c].given || (overlaps && !by[c].overlap))
      return nullptr;
  }
  if (!container || !checkDimensions(name, container, cut.least, false))
    return nullptr;
  unsigned first = cut.first;
  if (cuts == 1 && e.getNumArgs() > 3 && !dimensionOf(e.getArg(3), name, container, first))
    return nullptr;
  if (cuts == 1 && e.getNumArgs() > 4) {
    const ir::ExprPtr step = stepOf(e.getArg(4), name);
    if (!step)
      return nullptr;
    by[0].step = ir::isLiteral(step, 1) ? nullptr : step;
  }
  std::vector<ir::ExprPtr> args{container};
  for (unsigned c = 0; c < cuts; ++c)
    addBlocks(container, first + c, by[c], args);
  return parts(std::move(args), first, at(e.getSourceRange()), by[0].step ? "strided" : "");
}

/// slide(c, n, s), slide(c, n, s, d), tile_slide(c, n, s, m, t)
ir::ExprPtr FunctionLowering::windows(const clang::CallExpr &e, const std::string &name) {
  const ir::ExprPtr container = expression(e.getArg(0));
  const unsigned cuts = cutsBoth(name) ? 2 : 1;
  std::vector<ir::ExprPtr> numbers;
  for (unsigned i = 1; i <= 2 * cuts; ++i) {
    const std::string what = (i % 2 == 1 ? "size of the windows of '" : "step of '") + name + "'";
    numbers.push_back(i % 2 == 1 ? windowSize(e.getArg(i), what)
                                 : knownNumber(e.getArg(i), 1, what));
    if (!numbers.back())
      return nullptr;
  }
  unsigned first = 0;
  if (!container || !checkDimensions(name, container, cuts, false) ||
      (cuts == 1 && e.getNumArgs() == 4 && !dimensionOf(e.getArg(3), name, container, first)))
    return nullptr;
  std::vector<ir::ExprPtr> args{container};
  for (unsigned c = 0; c < cuts; ++c)
    addWindows(container, first + c, numbers[2 * c], numbers[2 * c + 1], args);
  return parts(std::move(args), first, at(e.getSourceRange()), "slide");
}

/// Each element as a container of one: chunks(c, 1).
ir::ExprPtr FunctionLowering::elementsOf(const ir::ExprPtr &container,
                                         const ir::SourceLocation &place) {
  std::vector<ir::ExprPtr> args{container};
  addBlocks(container, 0, {integerAt(1, ir::Scalar::Index, place), true, nullptr, nullptr}, args);
  return parts(std::move(args), 0, place);
}

/// slice(c, from, to), slice(c, from, to, d), slice(c, from, to, d, s): the only part of a partition.
ir::ExprPtr FunctionLowering::slice(const clang::CallExpr &e) {
  const ir::ExprPtr container = expression(e.getArg(0));
  const ir::SourceLocation place = at(e.getSourceRange());
  std::vector<ir::ExprPtr> args{container, integerAt(1, ir::Scalar::Index, place)};
  const ir::ExprPtr step =
      e.getNumArgs() > 4 ? stepOf(e.getArg(4), "slice") : integerAt(1, ir::Scalar::Index, place);
  if (!step)
    return nullptr;
  for (unsigned i : {1U, 2U}) {
    ir::ExprPtr bound = expression(e.getArg(i)->IgnoreImpCasts());
    if (!bound)
      return nullptr;
    if (!isIntegerScalar(*bound)) {
      file.error(bound->location, "bounds of 'slice' must be integers");
      return nullptr;
    }
    // There is nothing below 0.
    if (ir::isSigned(bound->type.scalar) && ir::literalValue(bound).value_or(-1) < 0)
      bound = ir::call("max", ir::scalarType(ir::Scalar::I64),
                       {convert(bound, ir::Scalar::I64), integerAt(0, ir::Scalar::I64, place)});
    args.push_back(sequenceOf({convert(bound, ir::Scalar::Index)}, place));
    if (i == 1)
      args.push_back(sequenceOf({step}, place));
  }
  unsigned dimension = 0;
  if (!container || !checkDimensions("slice", container, 1, false) ||
      (e.getNumArgs() > 3 && !dimensionOf(e.getArg(3), "slice", container, dimension)))
    return nullptr;
  const ir::Type type = container->type;
  return ir::node(
      ir::ExprKind::Index, type,
      {parts(std::move(args), dimension, place, "slice"), integerAt(0, ir::Scalar::Index, place)},
      place);
}

/// The dimension of `container` that is written, a constant.
bool FunctionLowering::dimensionOf(const clang::Expr *written, const std::string &name,
                                   const ir::ExprPtr &container, unsigned &dimension) {
  const auto value = integerConstant(file.ast, written);
  const unsigned rank = container->type.rank;
  if (!value || *value < 0 || *value >= rank) {
    file.error(at(written->getSourceRange()),
               "dimension of '" + name + "' must be a constant below " + std::to_string(rank));
    return false;
  }
  dimension = static_cast<unsigned>(*value);
  return true;
}

/// repeat(blocks, n), cycle(blocks, n): a partition in both dimensions, that holds all of one of them
/// in each of n parts; of a container of one dimension, as if it had another one of one element. Parts are numbered over the cut that stands first, and then over the other.
ir::ExprPtr FunctionLowering::repeated(const clang::CallExpr &e, const std::string &name) {
  ir::ExprPtr blocks = expression(e.getArg(0));
  ir::ExprPtr times = partCount(e.getArg(1), name);
  if (!blocks || !times)
    return nullptr;
  const bool fits = blocks->kind == ir::ExprKind::Partition && blocks->args.size() == 5 &&
                    blocks->callee.empty() && blocks->integer <= 1;
  if (!fits) {
    file.error(blocks->location,
               "'" + name + "' takes parts, or blocks of rows or columns, such as chunks(a, t)");
    return nullptr;
  }
  const ir::SourceLocation place = at(e.getSourceRange());
  const std::int64_t other = 1 - blocks->integer;
  const ir::ExprPtr size = blocks->args[0]->type.rank == 1
                               ? integerAt(1, ir::Scalar::Index, place)
                               : ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index),
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
  return chosenNumber(written, 1, "size of the parts of '" + name + "'");
}

/// How many elements of the next part a part has besides its own: any integer, since a filter may be as long as
/// a container says.
ir::ExprPtr FunctionLowering::overlapOf(const clang::Expr *written, const std::string &name) {
  return knownNumber(written, 0, "overlap of '" + name + "'");
}

/// Elements between the windows of two rounds.
ir::ExprPtr FunctionLowering::stepOf(const clang::Expr *written, const std::string &name) {
  return knownNumber(written, 1, "step of '" + name + "'");
}

/// The size of a window: a chosen number, or any integer, such as the size of another container. Windows of no elements
/// are as many as steps fit, and lie inside.
ir::ExprPtr FunctionLowering::windowSize(const clang::Expr *written, const std::string &what) {
  const clang::Expr *bare = written->IgnoreImpCasts();
  const bool isChosenOne = integerConstant(file.ast, bare) || isChosen(bare);
  return isChosenOne ? chosenNumber(written, 1, what) : knownNumber(written, 0, what);
}

/// A chosen number, or any integer, which counts as `least` where it is less.
ir::ExprPtr FunctionLowering::knownNumber(const clang::Expr *written, std::int64_t least,
                                          const std::string &what) {
  const clang::Expr *bare = written->IgnoreImpCasts();
  if (integerConstant(file.ast, bare) || isChosen(bare))
    return chosenNumber(written, least, what);
  const ir::ExprPtr n = expression(bare);
  if (!n)
    return nullptr;
  if (!isIntegerScalar(*n)) {
    file.error(n->location, what + " must be an integer");
    return nullptr;
  }
  const bool isSigned = ir::isSigned(n->type.scalar);
  if (!isSigned && least == 0)
    return convert(n, ir::Scalar::Index);
  const ir::Scalar type = isSigned ? ir::Scalar::I64 : ir::Scalar::Index;
  const ir::ExprPtr most = ir::call("max", ir::scalarType(type),
                                    {convert(n, type), integerAt(least, type, n->location)});
  return convert(most, ir::Scalar::Index);
}

/// A number that is known before a kernel runs, of at least 0 or 1; `what` names it.
ir::ExprPtr FunctionLowering::chosenNumber(const clang::Expr *written, std::int64_t least,
                                           const std::string &what) {
  ir::ExprPtr t = expression(written->IgnoreImpCasts());
  if (!t)
    return nullptr;
  auto value = integerConstant(file.ast, written->IgnoreImpCasts());
  if (!value && !isChosen(written)) {
    file.error(t->location,
               what + " must be a constant or a '__tunable', or a sum or product of these");
    return nullptr;
  }
  // A constant that does not fit an int64_t is as large as no container.
  if (value && *value < least) {
    file.error(t->location, what + " must " + (least > 0 ? "be positive, " : "not be negative, ") +
                                std::to_string(*value) + " is" + (least > 0 ? " not" : ""));
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
