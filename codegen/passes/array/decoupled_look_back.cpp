// Decoupled look-back: a part of a chain publishes its own total at once and looks back over the totals of its predecessors,
// instead of waiting until the part before it is done (Merrill, Garland, Single-pass Parallel Prefix Scan, NVIDIA 2016).
// The pass applies where an associative operator makes the carry of the carry before and of a value that is known without
// it.
//
//   before:  await flags[part]; carry = carries[part]; next = carry + total;
//            carries[part + 1] = next; set flags[part + 1]
//   after:   state[part + 1] = (own, total);
//            the items look at state[part], state[part - 1], ... one each, until each has something;
//            carry = the totals as far back as somebody knows all up to there;
//            next = carry + total; state[part + 1] = (all, next)
//
// A state is one word that atomic operations read and write whole, of which half is the value (two
// such words for values of 64 bits, each with the mark): nothing else has to be put in order between
// groups. Where none of the elements that are looked at knows all up to itself, the items look further
// back. Elements start in the order of their numbers and say what they have before they look
// for more, so that nobody is waited for who waits in turn.
//
// That the value is made so is seen from the code: the carry occurs once, as an operand of the
// operator at the root, and the other operands stand before the carry is asked for. Sums of floating
// point numbers are re-associated as the codelet has done that adds up its part for itself.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t window = 64; ///< elements looked at together: more take longer to combine
constexpr std::int64_t own = 1;     ///< state: the value is the element's own
constexpr std::int64_t all = 2;     ///< the value is of all elements up to this one

ExprPtr word(std::int64_t value) { return intLiteral(value, Scalar::U64); }

bool isAtomic(const ExprPtr &e, Operator op) {
  return e && e->kind == ExprKind::Atomic && e->op == op;
}

/// What one of the workers runs for all; empty where `s` is something else.
std::vector<StmtPtr> doneByOne(const StmtPtr &s) {
  if (s->kind != StmtKind::Parallel || s->span != Span::One)
    return {};
  const StmtPtr &body = s->children[0];
  return body->kind == StmtKind::Block ? body->children : std::vector<StmtPtr>{body};
}

/// a op b, or a function of two arguments.
struct Combination {
  Operator op;
  std::string function;
  Scalar type = Scalar::Void; ///< of the carry

  ExprPtr of(const ExprPtr &a, const ExprPtr &b) const {
    return function.empty() ? binary(op, a, b) : call(function, a->type, {a, b});
  }
  /// The type to combine in: signed numbers must not overflow on the way.
  Scalar within() const {
    const bool wraps = op == "+" || op == "*";
    if (wraps && type == Scalar::I32)
      return Scalar::U32;
    return wraps && type == Scalar::I64 ? Scalar::U64 : type;
  }
};

/// A chain whose elements hand the carry over.
struct Chain {
  const Stmt *groups = nullptr;     ///< the Parallel
  const Stmt *statements = nullptr; ///< the Block of what follows
  std::size_t awaits = 0;           ///< one of the workers waits; the next statement sets the carry
  std::size_t publishes = 0;
  VarPtr flags;
  VarPtr carries;
  ExprPtr element; ///< its number
  VarPtr carry;
  ExprPtr value; ///< that is handed on
  ExprPtr total; ///< what the carry is combined with
  Combination combination;
};

class ChainFinder {
public:
  explicit ChainFinder(const LoweredPlan &plan) : plan_(plan) {}

  std::vector<Chain> run() {
    forEach(plan_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Group)
        look(s);
    });
    return std::move(found_);
  }

private:
  void look(const Stmt &groups) {
    const int items = plan_.machine->levels[static_cast<std::size_t>(groups.level)].subordinate;
    if (items < 0 || plan_.role(items) != Role::Item || !plan_.workers.contains(items))
      return;
    const auto &atomics = plan_.machine->levels[static_cast<std::size_t>(groups.level)].atomics;
    if (std::ranges::find(atomics, "u64") == atomics.end())
      return;
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Block)
        return;
      for (std::size_t i = 0; i + 1 < s.children.size(); ++i) {
        Chain chain;
        chain.groups = &groups;
        chain.statements = &s;
        chain.awaits = i;
        if (isAwait(chain) && isPublished(chain) && isCombined(chain))
          found_.push_back(chain);
      }
    });
  }

  static bool isAwait(Chain &chain) {
    const auto done = doneByOne(chain.statements->children[chain.awaits]);
    const StmtPtr &then = chain.statements->children[chain.awaits + 1];
    if (done.size() != 2 || done[0]->kind != StmtKind::Eval || !isAtomic(done[0]->value, "await") ||
        done[1]->kind != StmtKind::Assign || !isAtomic(done[1]->value, "load") ||
        then->kind != StmtKind::Assign || then->target->kind != ExprKind::Var)
      return false;
    const ExprPtr &flag = done[0]->value->args[0];
    const ExprPtr &value = done[1]->value->args[0];
    chain.flags = flag->args[0]->var;
    chain.element = flag->args[1];
    chain.carries = value->args[0]->var;
    chain.carry = then->target->var;
    return sameExpr(flag->args[1], value->args[1]);
  }

  static bool isPublished(Chain &chain) {
    const std::vector<StmtPtr> &statements = chain.statements->children;
    for (std::size_t i = chain.awaits + 2; i < statements.size(); ++i) {
      const auto done = doneByOne(statements[i]);
      if (done.size() != 2 || !isAtomic(done[0]->value, "store") ||
          !isAtomic(done[1]->value, "publish"))
        continue;
      chain.publishes = i;
      chain.value = done[0]->value->args[1];
      return done[0]->value->args[0]->args[0]->var == chain.carries &&
             done[1]->value->args[0]->args[0]->var == chain.flags;
    }
    return false;
  }

  /// Whether the value is the carry, combined with what stands before the wait.
  static bool isCombined(Chain &chain) {
    std::map<const Var *, ExprPtr> constants;
    std::set<const Var *> later; // declared or assigned behind the wait
    std::size_t carries = 0;     // assignments
    forEach(chain.groups->children[0], [&](const Stmt &s) {
      carries += s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var &&
                 s.target->var == chain.carry;
    });
    for (std::size_t i = chain.awaits; i < chain.statements->children.size(); ++i) {
      const StmtPtr &s = chain.statements->children[i];
      if (s->kind == StmtKind::Decl && s->value && i < chain.publishes)
        constants[s->var.get()] = s->value;
      forEach(s, [&](const Stmt &each) {
        if (each.kind == StmtKind::Decl)
          later.insert(each.var.get());
        if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var) {
          later.insert(each.target->var.get());
          constants.erase(each.target->var.get());
        }
      });
    }
    if (carries != 1)
      return false;
    chain.combination.type = chain.carry->type.scalar;
    std::vector<ExprPtr> operands;
    if (!isRoot(chain.value, constants, chain.combination))
      return false;
    flatten(chain.value, constants, chain.combination, operands);
    bool hasCarry = false;
    for (const ExprPtr &each : operands) {
      if (each->kind == ExprKind::Var && each->var == chain.carry) {
        if (hasCarry)
          return false;
        hasCarry = true;
        continue;
      }
      const bool known = !contains(each, [&](const Expr &e) {
        return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic ||
               later.contains(e.var.get());
      });
      if (!known || each->type.scalar != chain.combination.type)
        return false;
      chain.total = chain.total ? chain.combination.of(chain.total, each) : each;
    }
    return hasCarry && chain.total;
  }

  using Constants = std::map<const Var *, ExprPtr>;

  /// `e` without conversions to the type that it has, and names.
  static ExprPtr bare(const ExprPtr &e, const Constants &constants) {
    if (e->kind == ExprKind::Cast && e->type.scalar == e->args[0]->type.scalar)
      return bare(e->args[0], constants);
    if (e->kind == ExprKind::Var) {
      if (auto constant = constants.find(e->var.get());
          constant != constants.end() && constant->second->type.scalar == e->type.scalar)
        return bare(constant->second, constants);
    }
    return e;
  }

  static bool isRoot(const ExprPtr &value, const Constants &constants, Combination &combination) {
    const ExprPtr root = bare(value, constants);
    const Scalar type = combination.type;
    const bool sized = byteSize(type) >= 4 && type != Scalar::Index && type != Scalar::Bool;
    if (!sized || root->type.scalar != type)
      return false;
    if (root->kind == ExprKind::Binary) {
      combination.op = root->op;
      return root->op == "+" || root->op == "*" ||
             (isInteger(type) && (root->op == "&" || root->op == "|" || root->op == "^"));
    }
    if (root->kind != ExprKind::Call || root->args.size() != 2)
      return false;
    combination.function = root->callee;
    return isInteger(type) ? root->callee == "min" || root->callee == "max"
                           : root->callee == "fmin" || root->callee == "fmax";
  }

  static void flatten(const ExprPtr &value, const Constants &constants,
                      const Combination &combination, std::vector<ExprPtr> &operands) {
    const ExprPtr e = bare(value, constants);
    const bool same = e->type.scalar == combination.type &&
                      (combination.function.empty()
                           ? e->kind == ExprKind::Binary && e->op == combination.op
                           : e->kind == ExprKind::Call && e->callee == combination.function);
    if (!same) {
      operands.push_back(e);
      return;
    }
    for (const ExprPtr &arg : e->args)
      flatten(arg, constants, combination, operands);
  }

  const LoweredPlan &plan_;
  std::vector<Chain> found_;
};

/// The code of one chain.
class LookingBack {
public:
  LookingBack(const LoweredPlan &plan, const Chain &chain)
      : chain_(chain), group_(chain.groups->level),
        items_(plan.machine->levels[static_cast<std::size_t>(group_)].subordinate),
        lanes_(plan.workers.at(items_)), words_(byteSize(chain.combination.type) / 4),
        states_(newVariable("states", Scalar::U64, VarKind::Buffer)),
        isRead_(isReadElsewhere(plan)) {}

  StmtPtr run(const StmtPtr &body) {
    return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
      if (s->kind == StmtKind::Allocate && s->var == chain_.flags)
        return places(*s);
      if (s->kind == StmtKind::Allocate && s->var == chain_.carries && !isRead_)
        return nullptr;
      if (s->kind == StmtKind::Parallel && prepares(*s))
        return prepared(*s);
      return s.get() == chain_.statements ? handedOver() : s;
    });
  }

private:
  ExprPtr count(std::int64_t n) const { return intLiteral(n); }

  bool isReadElsewhere(const LoweredPlan &plan) const {
    std::size_t uses = 0;
    std::size_t known = 0;
    forEachExpr(plan.body, [&](const Expr &e) { uses += e.var == chain_.carries; });
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
        known += s.target->args[0]->var == chain_.carries;
      forEachOwnExpr(s, [&](const ExprPtr &e) {
        if (isAtomic(e, "load") || isAtomic(e, "store"))
          known += e->args[0]->args[0]->var == chain_.carries;
      });
    });
    return uses > known;
  }

  // States.

  StmtPtr places(const Stmt &flags) const {
    Array array = *flags.array;
    for (auto *each : {&array.extents, &array.bounds})
      each->front() = simplify(mul(each->front(), count(words_)));
    return allocate(states_, array, flags.location);
  }

  ExprPtr placeOf(const ExprPtr &element, std::int64_t part) const {
    const ExprPtr first = words_ == 1 ? element : add(mul(element, count(words_)), count(part));
    return index(varRef(states_), {simplify(first)});
  }

  static ExprPtr bitsOf(const ExprPtr &value) {
    switch (value->type.scalar) {
    case Scalar::F32:
      return cast(Scalar::U64, call("as_uint", scalarType(Scalar::U32), {value}));
    case Scalar::F64:
      return call("as_ulong", scalarType(Scalar::U64), {value});
    case Scalar::I32:
      return cast(Scalar::U64, cast(Scalar::U32, value));
    default:
      return cast(Scalar::U64, value);
    }
  }

  static ExprPtr valueOf(const ExprPtr &bits, Scalar type) {
    if (type == Scalar::F32)
      return call("as_float", scalarType(type), {cast(Scalar::U32, bits)});
    if (type == Scalar::F64)
      return call("as_double", scalarType(type), {bits});
    return cast(type, byteSize(type) == 4 ? cast(Scalar::U32, bits) : bits);
  }

  ExprPtr state(std::int64_t mark, const ExprPtr &value, std::int64_t part) const {
    ExprPtr bits = bitsOf(value);
    if (words_ == 2)
      bits = part == 0 ? binary("&", bits, word(0xffffffff)) : binary(">>", bits, word(32));
    return binary("+", word(mark << 32), bits);
  }

  // What happens before.

  bool prepares(const Stmt &s) const {
    bool found = false;
    if (s.var && s.span == Span::Turns)
      forEach(s.children[0], [&](const Stmt &each) {
        found |= each.kind == StmtKind::Assign && each.target->kind == ExprKind::Index &&
                 each.target->args[0]->var == chain_.flags;
      });
    return found;
  }

  /// By all items of as few groups as do it.
  StmtPtr prepared(const Stmt &s) const {
    const VarPtr part = newVariable("part", Scalar::Index);
    const VarPtr group = newVariable("first", Scalar::Index, VarKind::Worker);
    const VarPtr lane = newVariable("item", Scalar::Index, VarKind::Worker);
    ExprPtr first;
    forEach(s.children[0], [&](const Stmt &each) {
      if (each.kind == StmtKind::Assign && each.target->args[0]->var == chain_.carries)
        first = cast(chain_.combination.type, each.value);
    });
    StmtPtr body = rewrite(s.children[0], [&](const StmtPtr &each) -> StmtPtr {
      if (each->kind == StmtKind::Parallel)
        return each->children[0];
      if (each->kind != StmtKind::Assign || each->target->kind != ExprKind::Index)
        return each;
      if (each->target->args[0]->var == chain_.carries)
        return isRead_ ? each : nullptr;
      if (each->target->args[0]->var != chain_.flags)
        return each;
      std::vector<StmtPtr> words;
      for (std::int64_t w = 0; w < words_; ++w)
        words.push_back(assign(placeOf(each->target->args[1], w), "=",
                               select(binary("==", varRef(s.var), count(0)),
                                      state(all, simplify(first), w), word(0))));
      return block(std::move(words));
    });
    body = substitute(body, {{s.var.get(), varRef(part)}});
    body =
        block({comment("A state: in its upper half 1 where the sum of the part alone is there, 2 "
                       "where that of all parts up to it is"),
               declare(part, add(mul(varRef(group), lanes_), varRef(lane))),
               ifThen(binary("<", varRef(part), s.value), body)});
    return parallel(group_, Span::Turns, group, ceilDiv(s.value, lanes_),
                    block({parallel(items_, Span::All, lane, lanes_, body)}), s.location);
  }

  // What elements do.

  StmtPtr handedOver() const {
    std::vector<StmtPtr> done;
    const std::vector<StmtPtr> &before = chain_.statements->children;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (i == chain_.awaits) {
        // PoCL 3.1 forgets branches between a barrier and a loop with barriers.
        done.push_back(barrier(group_));
        publish(done, true);
        done.push_back(barrier(group_));
        lookBack(done);
        ++i; // sets the carry
      } else if (i == chain_.publishes) {
        publish(done, false);
      } else {
        done.push_back(before[i]);
      }
    }
    return withChildren(std::make_shared<Stmt>(*chain_.statements), std::move(done));
  }

  /// The total, or instead of it the carry: operations of one kind, which nobody has to wait for.
  void publish(std::vector<StmtPtr> &to, bool total) const {
    const ExprPtr next = simplify(add(chain_.element, count(1)));
    std::vector<StmtPtr> body;
    for (std::int64_t w = 0; w < words_; ++w) {
      const ExprPtr first = state(own, chain_.total, w);
      body.push_back(
          eval(atomicAt("add", placeOf(next, w),
                        {total ? first : binary("-", state(all, chain_.value, w), first)})));
    }
    if (!total && isRead_) {
      const ExprPtr place = index(varRef(chain_.carries), {next});
      body.push_back(assign(place, "=", cast(place->type.scalar, chain_.value)));
    }
    to.push_back(oneOf(items_, block(std::move(body))));
  }

  void lookBack(std::vector<StmtPtr> &to) const {
    const Scalar within = chain_.combination.within();
    const VarPtr behind = newVariable("behind", Scalar::Index);
    const VarPtr mark = newVariable("mark", Scalar::U32);
    const VarPtr marks = newVariable("marks", Scalar::U32, VarKind::Buffer);
    const VarPtr values = newVariable("values", within, VarKind::Buffer);
    const VarPtr lane = newVariable("item", Scalar::Index, VarKind::Worker);
    const VarPtr far = newVariable("lane", Scalar::Index, VarKind::Worker);
    const VarPtr stride = newVariable("stride", Scalar::Index);
    auto at = [](const VarPtr &array, const ExprPtr &i) { return index(varRef(array), {i}); };

    to.push_back(allocate(marks, {group_, {count(window)}, {count(window)}}));
    to.push_back(allocate(values, {group_, {count(window)}, {count(window)}}));
    to.push_back(declare(behind, chain_.element));
    to.push_back(declare(mark, intLiteral(own, Scalar::U32)));
    to.push_back(assign(varRef(chain_.carry), "=", cast(chain_.carry->type.scalar, count(0))));

    std::vector<StmtPtr> seen = looks(behind, lane, marks, values);
    StmtPtr poll =
        parallel(items_, Span::All, lane, lanes_,
                 block({ifThen(binary("<", varRef(lane), count(window)), block(std::move(seen)))}));

    const ExprPtr wide = minOf(lanes_, count(window));
    const ExprPtr other = add(varRef(far), varRef(stride));
    const ExprPtr joins = binary(
        "&&",
        binary("&&",
               binary("==", binary("%", varRef(far), mul(count(2), varRef(stride))), count(0)),
               binary("<", other, wide)),
        binary("==", at(marks, varRef(far)), intLiteral(own, Scalar::U32)));
    StmtPtr join = ifThen(
        joins, block({assign(at(values, varRef(far)), "=",
                             chain_.combination.of(at(values, other), at(values, varRef(far)))),
                      assign(at(marks, varRef(far)), "=", at(marks, other))}));
    StmtPtr tree = forLoop(declare(stride, count(1)), binary("<", varRef(stride), wide),
                           assign(varRef(stride), "*=", count(2)),
                           block({parallel(items_, Span::All, far, lanes_, block({join}))}));

    const ExprPtr here = at(values, count(0));
    const ExprPtr so = cast(within, varRef(chain_.carry));
    const ExprPtr farther =
        select(binary("==", varRef(behind), chain_.element), here, chain_.combination.of(here, so));
    to.push_back(whileLoop(
        binary("==", varRef(mark), intLiteral(own, Scalar::U32)),
        block({poll, tree,
               assign(varRef(chain_.carry), "=", cast(chain_.carry->type.scalar, farther)),
               assign(varRef(mark), "=", at(marks, count(0))),
               assign(varRef(behind), "-=", minOf(varRef(behind), wide))})));
  }

  /// One item looks at the element so far behind, until it has something; the chain's start is
  /// behind all of them.
  std::vector<StmtPtr> looks(const VarPtr &behind, const VarPtr &lane, const VarPtr &marks,
                             const VarPtr &values) const {
    std::vector<StmtPtr> body;
    std::vector<VarPtr> seen;
    std::vector<StmtPtr> reads;
    ExprPtr nothing;
    const ExprPtr element = sub(varRef(behind), varRef(lane));
    for (std::int64_t w = 0; w < words_; ++w) {
      seen.push_back(newVariable(w == 0 ? "seen" : "rest", Scalar::U64));
      body.push_back(declare(seen.back(), word(all << 32)));
      reads.push_back(
          assign(varRef(seen.back()), "=", atomicAt("add", placeOf(element, w), {word(0)})));
    }
    const ExprPtr mark = binary(">>", varRef(seen[0]), word(32));
    nothing = binary("==", mark, word(0));
    if (words_ == 2)
      nothing = binary("||", nothing, binary("!=", mark, binary(">>", varRef(seen[1]), word(32))));
    std::vector<StmtPtr> wait;
    for (const VarPtr &each : seen)
      wait.push_back(assign(varRef(each), "=", word(0)));
    wait.push_back(whileLoop(nothing, block(reads)));
    body.push_back(ifThen(binary("<=", varRef(lane), varRef(behind)), block(std::move(wait))));
    ExprPtr bits = varRef(seen[0]);
    if (words_ == 2)
      bits =
          binary("+", binary("&", bits, word(0xffffffff)), binary("<<", varRef(seen[1]), word(32)));
    body.push_back(assign(index(varRef(marks), {varRef(lane)}), "=", cast(Scalar::U32, mark)));
    body.push_back(assign(index(varRef(values), {varRef(lane)}), "=",
                          valueOf(bits, chain_.combination.within())));
    return body;
  }

  const Chain &chain_;
  int group_;
  int items_;
  ExprPtr lanes_;
  std::int64_t words_;
  VarPtr states_;
  bool isRead_; ///< the value of the chain is used
};

} // namespace

LoweredPlan decoupleLookBack(LoweredPlan plan) {
  if (plan.target->itemsAreLoops)
    return plan;
  // One at a time: another chain's statements may stand around this one's.
  std::set<const Var *> done;
  for (bool found = true; found;) {
    found = false;
    for (const Chain &chain : ChainFinder(plan).run()) {
      if (!done.insert(chain.flags.get()).second)
        continue;
      plan.body = LookingBack(plan, chain).run(plan.body);
      found = true;
      break;
    }
  }
  return plan;
}

} // namespace tangram::codegen
