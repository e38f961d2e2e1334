#include "algebra/nests.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tangram::algebra {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

/// The counter, without conversions around it.
const ir::Expr &bare(const ir::Expr &e) { return e.kind == ExprKind::Cast ? bare(*e.args[0]) : e; }

bool isVar(const ExprPtr &e, const ir::VarPtr &var) {
  const ir::Expr &inner = bare(*e);
  return inner.kind == ExprKind::Var && inner.var == var;
}

/// Reads a body, statement by statement.
class Reader {
public:
  std::variant<Nest, NestReason> read(const ir::Codelet &codelet) {
    nest_.facts = Inequalities(Inequalities::Divisors::Proven, 150);
    ir::forEach(codelet.body, [&](const ir::Stmt &s) {
      if (s.kind == StmtKind::Assign)
        assigned_.insert(arrayOf(*s.target).get());
    });
    for (const StmtPtr &s : codelet.body->children) {
      if (s->kind == StmtKind::Require)
        require(s->value);
    }
    for (const ir::VarPtr &param : codelet.params) {
      for (unsigned d = 0; param->type.isContainer() && d < param->type.rank; ++d)
        nest_.facts.of(ir::node(ExprKind::Size, ir::scalarType(ir::Scalar::Index),
                                {ir::varRef(param)}, {}, {}, d));
    }
    statement(codelet.body, -1);
    if (failed_)
      return *failed_;
    nest_.sizes = nest_.facts;
    for (int loop = 0; loop < static_cast<int>(nest_.loops.size()); ++loop)
      nest_.assumeBounds({loop}, nest_.facts);
    return std::move(nest_);
  }

private:
  static ir::VarPtr arrayOf(const ir::Expr &target) {
    return target.kind == ExprKind::Index ? arrayOf(*target.args[0]) : target.var;
  }

  /// Takes a requirement for a fact of the values, and, where it compares sizes or positions, of their exact values, too.
  void require(const ExprPtr &condition) {
    nest_.facts.assumeCondition(condition);
    const bool isOfPositions =
        condition->kind == ExprKind::Binary && condition->op.isComparison() &&
        std::ranges::all_of(condition->args,
                            [](const ExprPtr &e) { return ir::isInteger(e->type.scalar); });
    if (!isOfPositions)
      return;
    const Polynomial difference =
        nest_.valueOf(condition->args[1]) - nest_.valueOf(condition->args[0]);
    if (condition->op == "==" || condition->op == "<=")
      nest_.facts.assume(difference);
    if (condition->op == "==" || condition->op == ">=")
      nest_.facts.assume(-difference);
    if (condition->op == "<" || condition->op == ">")
      nest_.facts.assume((condition->op == "<" ? difference : -difference) - 1);
  }

  void fail(std::string text, const ir::SourceLocation &location) {
    if (!failed_)
      failed_ = {std::move(text), location};
  }

  void statement(const StmtPtr &s, int loop) {
    if (!s || failed_)
      return;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        statement(child, loop);
      return;
    case StmtKind::For:
      forLoop(s, loop);
      return;
    case StmtKind::Decl:
      declaration(s, loop);
      return;
    case StmtKind::Assign:
      assignment(s, loop);
      return;
    case StmtKind::If: {
      reads(s->value, loop);
      conditions_.push_back(s->value);
      for (const StmtPtr &child : s->children)
        statement(child, loop);
      conditions_.pop_back();
      return;
    }
    case StmtKind::Return:
      if (loop >= 0)
        fail("it returns in the middle of loop " + nameOf(loop), s->location);
      reads(s->value, loop);
      return;
    case StmtKind::Require:
      return;
    case StmtKind::Eval:
      if (s->value->kind == ExprKind::Atomic)
        return update(s->value, loop);
      fail("'" + ir::toString(s->value) + "' is done in order", s->location);
      return;
    case StmtKind::While:
    case StmtKind::DoWhile:
      opaqueLoop(s, loop);
      return;
    case StmtKind::Break:
      if (!inOpaqueLoop_ && loop >= 0)
        nest_.loops[static_cast<std::size_t>(loop)].leavesEarly = true;
      leavesRound();
      return;
    case StmtKind::Continue:
      leavesRound();
      return;
    default:
      fail("a statement that is not understood", s->location);
    }
  }

  /// A `continue` or `break`: what follows in the loop's body depends on the conditions on the way to it.
  void leavesRound() {
    passed_.insert(passed_.end(), conditions_.begin() + static_cast<std::ptrdiff_t>(bodyBegins_),
                   conditions_.end());
  }

  void loopBody(const StmtPtr &body, int loop) {
    const std::size_t passed = passed_.size();
    const std::size_t around = std::exchange(bodyBegins_, conditions_.size());
    statement(body, loop);
    bodyBegins_ = around;
    passed_.resize(passed);
  }

  std::string nameOf(int loop) const {
    return nest_.loops[static_cast<std::size_t>(loop)].counter->name;
  }

  void declaration(const StmtPtr &s, int loop) {
    declaredIn_[s->var.get()] = loop;
    nest_.changes.push_back({s->var, s.get(), loop, loop});
    if (!s->value)
      return;
    reads(s->value, loop);
    // A name of a value, as long as it is one.
    if (!s->var->extent && ir::isInteger(s->var->type.scalar) &&
        !assigned_.contains(s->var.get()) && isAffine(nest_.valueOf(s->value))) {
      nest_.facts.define(s->var, nest_.valueOf(s->value));
      nest_.names.push_back(s.get());
    }
  }

  void assignment(const StmtPtr &s, int loop) {
    reads(s->value, loop);
    const bool updates = s->op != "=";
    if (s->target->kind == ExprKind::Index && arrayOf(*s->target)->kind == ir::VarKind::Param) {
      for (std::size_t i = 1; i < s->target->args.size(); ++i)
        reads(s->target->args[i], loop);
      access(s->target, loop, updates, true);
      return;
    }
    if (s->target->kind == ExprKind::Index) {
      for (std::size_t i = 1; i < s->target->args.size(); ++i)
        reads(s->target->args[i], loop);
    }
    const ir::VarPtr var = arrayOf(*s->target);
    const auto declared = declaredIn_.find(var.get());
    nest_.changes.push_back(
        {var, s.get(), loop, declared == declaredIn_.end() ? -1 : declared->second});
  }

  /// An atomic operation whose value nothing uses.
  void update(const ExprPtr &e, int loop) {
    const ExprPtr &target = e->args[0];
    const bool isUpdate = e->op == "add" || e->op == "min" || e->op == "max" || e->op == "exchange";
    if (!isUpdate || target->kind != ExprKind::Index || target->args[0]->kind != ExprKind::Var ||
        target->args[0]->var->kind != ir::VarKind::Param)
      return fail("'" + ir::toString(e) + "' is done in order", e->location);
    reads(e->args[1], loop);
    for (std::size_t i = 1; i < target->args.size(); ++i)
      reads(target->args[i], loop);
    access(target, loop, true, true);
    if (!failed_)
      nest_.accesses.back().atomic = e;
  }

  void reads(const ExprPtr &e, int loop) {
    if (!e)
      return;
    if (e->kind == ExprKind::Atomic || ir::callsSpectrum(*e)) {
      fail("'" + ir::toString(e) + "' is no arithmetic", e->location);
      return;
    }
    if (e->kind == ExprKind::Size)
      return;
    if (e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var &&
        e->args[0]->var->kind == ir::VarKind::Param)
      access(e, loop, true, false);
    else if (e->kind == ExprKind::Index && e->args[0]->kind != ExprKind::Var)
      fail("'" + ir::toString(e) + "' is an element of a view", e->location);
    else if (e->kind == ExprKind::Var && e->type.isContainer())
      fail("container '" + e->var->name + "' is used as a whole", e->location);
    const bool chooses =
        e->kind == ExprKind::Select || (e->kind == ExprKind::Binary && e->op.isLogic());
    for (std::size_t i = e->kind == ExprKind::Index ? 1 : 0; i < e->args.size(); ++i) {
      if (chooses && i > 0)
        conditions_.push_back(e->args[0]);
      reads(e->args[i], loop);
      if (chooses && i > 0)
        conditions_.pop_back();
    }
  }

  void access(const ExprPtr &e, int loop, bool read, bool write) {
    NestAccess made{e.get(), e->args[0]->var, {}, read, write, loop, conditions_};
    made.conditions.insert(made.conditions.end(), passed_.begin(), passed_.end());
    if (e->args.size() - 1 != e->args[0]->type.rank) {
      fail("'" + ir::toString(e) + "' is a row", e->location);
      return;
    }
    for (std::size_t i = 1; i < e->args.size(); ++i) {
      const Polynomial place = nest_.valueOf(e->args[i]);
      made.place.push_back(isAffine(place) ? std::optional(place) : std::nullopt);
    }
    nest_.accesses.push_back(std::move(made));
  }

  /// Whether the polynomial is made of counters, sizes and parameters that nobody assigns; counters not inside of
  /// quotients and the like.
  bool isAffine(const Polynomial &p) const {
    if (p.overflowed())
      return false;
    for (const auto &[monomial, coefficient] : p.terms()) {
      for (const Atom atom : monomial) {
        if (nest_.isCounter(atom))
          continue;
        const ExprPtr e = nest_.facts.expression(Polynomial::of(atom));
        if (!e || ir::contains(e, [&](const ir::Expr &each) {
              return each.kind == ExprKind::Index || each.kind == ExprKind::Call ||
                     (each.kind == ExprKind::Var && !each.type.isContainer() &&
                      (each.var->kind != ir::VarKind::Param || assigned_.contains(each.var.get())));
            }))
          return false;
      }
    }
    return true;
  }

  void forLoop(const StmtPtr &s, int around) {
    const StmtPtr &init = s->children[0];
    const StmtPtr &step = s->children[1];
    const StmtPtr &body = s->children[2];
    const bool counts = init && init->kind == StmtKind::Decl && init->value && !init->var->extent &&
                        ir::isInteger(init->var->type.scalar) && step &&
                        step->kind == StmtKind::Assign && isVar(step->target, init->var) &&
                        (step->op == "+=" || step->op == "-=") && ir::isLiteral(step->value, 1) &&
                        s->value && s->value->kind == ExprKind::Binary;
    bool changed = false;
    ir::forEach(body, [&](const ir::Stmt &each) {
      changed |= counts && each.kind == StmtKind::Assign && arrayOf(*each.target) == init->var;
    });
    if (!counts || changed) {
      opaqueLoop(s, around);
      return;
    }
    const ir::VarPtr counter = init->var;
    const bool wasInOpaqueLoop = std::exchange(inOpaqueLoop_, false);
    reads(init->value, around);
    NestLoop loop{s.get(), counter, nest_.facts.unknown(true, ir::varRef(counter)), {}, {}, around};
    loop.first = nest_.valueOf(init->value);
    loop.countsDown = step->op == "-=";
    nest_.facts.define(counter, Polynomial::of(loop.atom));
    declaredIn_[counter.get()] = static_cast<int>(nest_.loops.size());
    nest_.loops.push_back(loop);
    const int number = static_cast<int>(nest_.loops.size()) - 1;
    if (!end(*s->value, nest_.loops.back()))
      nest_.loops.back().leavesEarly = true;
    reads(s->value, number);
    loopBody(body, number);
    inOpaqueLoop_ = wasInOpaqueLoop;
  }

  /// A loop whose number of rounds is not known before it begins: its statements are those of the loop around it.
  void opaqueLoop(const StmtPtr &s, int around) {
    const bool was = std::exchange(inOpaqueLoop_, true);
    reads(s->value, around);
    if (s->value)
      conditions_.push_back(s->value);
    for (const StmtPtr &child : s->children)
      loopBody(child, around);
    if (s->value)
      conditions_.pop_back();
    inOpaqueLoop_ = was;
  }

  /// Reads the end of `loop` from its condition.
  bool end(const ir::Expr &condition, NestLoop &loop) {
    const bool flipped = condition.op == ">" || condition.op == ">=";
    const bool closed = condition.op == "<=" || condition.op == ">=";
    const bool isOrder =
        flipped || closed || condition.op == "<" || (condition.op == "!=" && !loop.countsDown);
    if (!isOrder || !isAffine(loop.first))
      return false;
    const Polynomial low = nest_.valueOf(condition.args[flipped ? 1 : 0]);
    const Polynomial high = nest_.valueOf(condition.args[flipped ? 0 : 1]);
    const Split split = splitBy(loop.countsDown ? high : low, loop.atom);
    const Polynomial &bound = loop.countsDown ? low : high;
    if (!split.linear || split.coefficient.literal() != 1 || bound.mentions(loop.atom))
      return false;
    if (loop.countsDown) {
      loop.end = loop.first + 1;
      loop.first = bound - split.rest + (closed ? 0 : 1);
    } else {
      loop.end = bound - split.rest + (closed ? 1 : 0);
    }
    if (!isAffine(loop.first) || !isAffine(loop.end))
      return false;
    loop.endDependsOnCounters =
        nest_.mentionsCounter(loop.end) || nest_.mentionsCounter(loop.first);
    return loop.isCounted = true;
  }

  Nest nest_;
  std::set<const ir::Var *> assigned_;
  std::map<const ir::Var *, int> declaredIn_;
  bool inOpaqueLoop_ = false; ///< a `break` leaves that one
  std::vector<ExprPtr> conditions_;
  std::vector<ExprPtr> passed_; ///< conditions under which loops around left the round before here
  std::size_t bodyBegins_ = 0;  ///< of conditions_: those in the body of the innermost loop
  std::optional<NestReason> failed_;
};

} // namespace

bool commute(const NestAccess &a, const NestAccess &b) {
  if (!a.atomic || !b.atomic || a.atomic->op != b.atomic->op)
    return false;
  const auto stored = ir::literalValue(a.atomic->args[1]);
  return a.atomic->op != "exchange" || (stored && stored == ir::literalValue(b.atomic->args[1]));
}

Polynomial Nest::valueOf(const ExprPtr &e) const {
  // Positions fit into whatever integers they are kept in.
  const auto isWide = [](const ExprPtr &each) {
    return ir::isInteger(each->type.scalar) && ir::byteSize(each->type.scalar) >= 4;
  };
  if (e->kind == ExprKind::Cast && isWide(e) && ir::isInteger(e->args[0]->type.scalar))
    return valueOf(e->args[0]);
  const bool isArithmetic = e->kind == ExprKind::Binary && isWide(e) &&
                            e->type.scalar != ir::Scalar::Index &&
                            (e->op == "+" || e->op == "-" || e->op == "*");
  if (isArithmetic) {
    const Polynomial second = valueOf(e->args[1]);
    const Polynomial first = valueOf(e->args[0]);
    return e->op == "+" ? first + second : e->op == "-" ? first - second : first * second;
  }
  return facts.unwrapped(ir::rewrite(e, [&](const ExprPtr &each) {
    const bool converts =
        each->kind == ExprKind::Cast && isWide(each) && ir::isInteger(each->args[0]->type.scalar);
    return converts ? each->args[0] : each;
  }));
}

bool Nest::isIn(int inner, int outer) const {
  for (int loop = inner; loop != outer; loop = loops[static_cast<std::size_t>(loop)].around) {
    if (loop < 0)
      return false;
  }
  return true;
}

bool Nest::isCounter(Atom atom) const {
  return std::ranges::any_of(loops, [&](const NestLoop &loop) { return loop.atom == atom; });
}

bool Nest::mentionsCounter(const Polynomial &p) const {
  return std::ranges::any_of(loops, [&](const NestLoop &loop) { return p.mentions(loop.atom); });
}

bool Nest::mayDependOn(const ir::ExprPtr &e, int loop) const {
  const Atom counter = loops[static_cast<std::size_t>(loop)].atom;
  return ir::contains(e, [&](const ir::Expr &each) {
    if (each.kind != ExprKind::Var || each.type.isContainer() ||
        each.var->kind == ir::VarKind::Param)
      return false;
    const bool isNamed =
        std::ranges::any_of(loops, [&](const NestLoop &of) { return of.counter == each.var; }) ||
        std::ranges::any_of(names, [&](const ir::Stmt *name) { return name->var == each.var; });
    return !isNamed || valueOf(ir::varRef(each.var)).mentions(counter);
  });
}

int Nest::loopOf(const ir::Stmt &statement) const {
  const auto found =
      std::ranges::find(loops, &statement, [](const NestLoop &loop) { return loop.statement; });
  return found == loops.end() ? -1 : static_cast<int>(found - loops.begin());
}

std::vector<int> Nest::loopsFrom(int loop) const {
  std::vector<int> found;
  for (int at = loop; at >= 0; at = loops[static_cast<std::size_t>(at)].around)
    found.push_back(at);
  return found;
}

void Nest::assumeBounds(const std::vector<int> &of, Inequalities &known) const {
  for (const int each : of) {
    const NestLoop &loop = loops[static_cast<std::size_t>(each)];
    if (!loop.isCounted)
      continue;
    known.assume(Polynomial::of(loop.atom) - loop.first);
    known.assume(loop.end - 1 - Polynomial::of(loop.atom));
  }
}

std::variant<Nest, NestReason> nestOf(const ir::Codelet &codelet) { return Reader().read(codelet); }

} // namespace tangram::algebra
