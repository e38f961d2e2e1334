#include "composer/analysis/locality.h"

#include "composer/analysis/locality_polynomial.h"

#include <algorithm>

namespace tangram::composer {

using algebra::Polynomial;

namespace {

Stride irregular() { return {StrideClass::Irregular, nullptr}; }

Stride strideOf(const Polynomial &distance, const PolynomialBuilder &builder) {
  ir::ExprPtr expression = builder.expression(distance);
  if (!expression)
    return irregular();
  std::optional<std::int64_t> constant = distance.literal();
  if (constant && *constant == 0)
    return {StrideClass::Zero, expression};
  if (constant && (*constant == 1 || *constant == -1))
    return {StrideClass::Unit, expression};
  return {StrideClass::Constant, expression};
}

/// Walks one codelet in order of evaluation and lists its accesses.
class AccessFinder {
public:
  AccessFinder(const ir::Program &program, const ir::Codelet &codelet)
      : program_(program), codelet_(codelet), variables_(codelet),
        builder_(variables_, PolynomialBuilder::Style::Named) {}

  std::vector<Access> run() {
    statement(codelet_.body);
    return std::move(found_);
  }

private:
  struct Use {
    bool reads = true;
    bool writes = false;
  };

  void statement(const ir::StmtPtr &s) {
    if (!s)
      return;
    if (s->kind == ir::StmtKind::Require)
      return; // states a fact, touches nothing
    if (s->value)
      expression(s->value, {});
    if (s->target && s->target->type.isContainer())
      mapResults(s->target);
    else if (s->target)
      expression(s->target, {s->op != "=", true});
    for (const ir::StmtPtr &child : s->children)
      statement(child);
  }

  void expression(const ir::ExprPtr &e, Use use) {
    bool atomic = e->kind == ir::ExprKind::Atomic;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      if (i == 0 && e->kind == ir::ExprKind::Index)
        continue; // the array itself is not read, its element is
      expression(e->args[i], argumentUse(*e, i, atomic, use));
    }
    if (e->kind == ir::ExprKind::Index)
      subscript(e, use);
    else if (e->kind == ir::ExprKind::Partition)
      partition(e, use);
    else if (e->kind == ir::ExprKind::Sequence && e->args.size() == 4)
      sequence(e);
    else if (e->kind == ir::ExprKind::Map)
      mapArguments(e);
  }

  /// How operand `i` of `e` is used, when `e` itself is used as `use` says.
  Use argumentUse(const ir::Expr &e, std::size_t i, bool atomic, Use use) const {
    if (atomic)
      return {true, i == 0};
    if (e.kind == ir::ExprKind::All || e.kind == ir::ExprKind::Partition)
      return i == 0 ? use : Use{};
    if (!ir::callsSpectrum(e))
      return {};
    const ir::Spectrum *callee = program_.spectrum(e.callee);
    bool writes = callee && i < callee->params.size() && callee->params[i]->type.isContainer() &&
                  !callee->params[i]->type.isConst;
    return {true, writes};
  }

  void subscript(const ir::ExprPtr &e, Use use) {
    Access access = begin(Access::Through::Subscript, *e, *e->args[0], use);
    const Loop *loop = variables_.loopOf(e.get());
    Polynomial position = linearised(*e, loop);
    if (loop)
      access.within = strideBy(position, builder_.iteration(loop), loop);
    if (codelet_.cooperative)
      access.between = strideBy(position, builder_.lane(), nullptr);
    found_.push_back(std::move(access));
  }

  /// Row-major position of an element: a[i][j] is i * a.size(1) + j; of the first of a view: a[i]
  /// is i * a.size(1).
  Polynomial linearised(const ir::Expr &e, const Loop *loop) {
    Polynomial position = builder_.build(e.args[1], loop);
    for (unsigned d = 1; d < e.args[0]->type.rank; ++d) {
      position = position * builder_.build(extentOf(e.args[0], d), loop);
      if (d + 1 < e.args.size())
        position = position + builder_.build(e.args[d + 1], loop);
    }
    return position;
  }

  static ir::ExprPtr extentOf(const ir::ExprPtr &container, unsigned dimension) {
    return ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {container}, {}, {},
                    dimension);
  }

  /// Elements from one index in `dimension` to the next.
  Polynomial elementsAcross(const ir::ExprPtr &container, unsigned dimension) {
    Polynomial product = Polynomial(1);
    for (unsigned d = dimension + 1; d < container->type.rank; ++d)
      product = product * builder_.build(extentOf(container, d), nullptr);
    return product;
  }

  /// What one more of `atom` (an iteration of `loop`, or a lane when it is null)
  /// adds to `position`.
  Stride strideBy(const Polynomial &position, algebra::Atom atom, const Loop *loop) {
    algebra::Split split = algebra::splitBy(position, atom);
    if (!split.linear || !isSame(split.coefficient, loop) || !isSame(split.rest, loop))
      return irregular();
    return strideOf(split.coefficient, builder_);
  }

  /// Whether `p` keeps its value in the next iteration of `loop` (in the next lane, if null).
  bool isSame(const Polynomial &p, const Loop *loop) const {
    return std::all_of(p.terms().begin(), p.terms().end(), [&](const auto &term) {
      return std::all_of(term.first.begin(), term.first.end(), [&](algebra::Atom index) {
        const IndexTerm &atom = builder_.atoms()[index];
        bool fixedInLoop = atom.kind == IndexTerm::Kind::Entry && atom.loop == loop;
        if (!atom.expr || atom.kind == IndexTerm::Kind::Iteration)
          return true;
        return loop ? fixedInLoop || !variables_.changesIn(atom.expr, loop)
                    : !variables_.differsByLane(atom.expr);
      });
    });
  }

  void partition(const ir::ExprPtr &e, Use use) {
    Access access = begin(Access::Through::Partition, *e, *e->args[0], use);
    access.text =
        "partition(" + ir::toString(e->args[0]) + ", " + ir::toString(e->args[1]) + ", ...)";
    // Parts of several dimensions are numbered row-major: the next one is along the last cut.
    const std::size_t cuts = (e->args.size() - 1) / 4;
    const auto dimension = std::min(static_cast<unsigned>(e->integer) + static_cast<unsigned>(cuts),
                                    e->args[0]->type.rank) -
                           1;
    access.between = sequenceStep(*e->args[4 * cuts - 2], e->args[0], dimension);
    const ir::Expr &increment = *e->args[4 * cuts - 1];
    Stride steps = sequenceStep(increment);
    if (dimension + 1 < e->args[0]->type.rank)
      access.within = strideOf(Polynomial(1), builder_); // whole rows
    else if (steps.strideClass == StrideClass::Zero && increment.args.size() != 4)
      access.within = stride(increment.args[0]);
    else
      access.within = irregular();
    found_.push_back(std::move(access));
  }

  /// A sequence read from a container: one element of it for each part.
  void sequence(const ir::ExprPtr &e) {
    Access access = begin(Access::Through::Sequence, *e, *e->args[0], {});
    access.between = stride(e->args[2]);
    found_.push_back(std::move(access));
  }

  /// From one element of a sequence to the next; as positions in `dimension` of a container when one
  /// is given.
  Stride sequenceStep(const ir::Expr &sequence, const ir::ExprPtr &container = nullptr,
                      unsigned dimension = 0) {
    if (sequence.kind != ir::ExprKind::Sequence || sequence.args.size() == 4)
      return irregular();
    if (sequence.args.size() == 1)
      return strideOf({}, builder_);
    return stride(sequence.args[1],
                  container ? elementsAcross(container, dimension) : Polynomial(1));
  }

  Stride stride(const ir::ExprPtr &distance, const Polynomial &unit = Polynomial(1)) {
    bool dataDependent = ir::contains(distance, [](const ir::Expr &node) {
      return node.kind == ir::ExprKind::Index || node.kind == ir::ExprKind::SpectrumCall;
    });
    if (dataDependent)
      return irregular();
    return strideOf(builder_.build(distance, variables_.loopOf(distance.get())) * unit, builder_);
  }

  void mapArguments(const ir::ExprPtr &map) {
    for (std::size_t i = 0; i < map->args.size(); ++i) {
      const ir::Expr &argument = *map->args[i];
      bool all = argument.kind == ir::ExprKind::All;
      const ir::Expr &container = all ? *argument.args[0] : argument;
      if (container.kind != ir::ExprKind::Var || !container.type.isContainer())
        continue; // a scalar, or a partition, which is an access of its own
      Access access =
          begin(Access::Through::Map, argument, container, argumentUse(*map, i, false, {}));
      access.between = strideOf(all ? Polynomial(0) : elementsAcross(map->args[i], 0), builder_);
      found_.push_back(std::move(access));
    }
  }

  /// y of `y = map(...)`: each worker writes its element.
  void mapResults(const ir::ExprPtr &y) {
    Access access = begin(Access::Through::Map, *y, *y, {false, true});
    access.between = strideOf(elementsAcross(y, 0), builder_);
    found_.push_back(std::move(access));
  }

  Access begin(Access::Through through, const ir::Expr &e, const ir::Expr &array, Use use) const {
    Access access;
    access.through = through;
    access.expr = &e;
    access.location = e.location;
    if (array.kind == ir::ExprKind::Var)
      access.array = array.var;
    access.text = ir::toString(std::make_shared<const ir::Expr>(e));
    access.reads = use.reads;
    access.writes = use.writes;
    return access;
  }

  const ir::Program &program_;
  const ir::Codelet &codelet_;
  Variables variables_;
  PolynomialBuilder builder_;
  std::vector<Access> found_;
};

} // namespace

std::string nameOf(StrideClass strideClass) {
  switch (strideClass) {
  case StrideClass::Zero:
    return "zero";
  case StrideClass::Unit:
    return "unit";
  case StrideClass::Constant:
    return "constant";
  case StrideClass::Irregular:
    return "irregular";
  }
  return "irregular";
}

std::vector<Access> accesses(const ir::Program &program, const ir::Codelet &codelet) {
  return AccessFinder(program, codelet).run();
}

} // namespace tangram::composer
