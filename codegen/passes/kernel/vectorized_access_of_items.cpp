// Vectorized access of items: an item takes several neighbours at a time, which it reads and writes together, instead of
// elements that are far apart.
//
//   before: parallel k < n { out[s + k] = f(in[s + k - 1], in[s + k]); }
//   after:  first = (s + 3) / 4;  last = max((s + n) / 4, first);
//           all items: for (v = item; v < last - first; v += items) {
//             T in_near[5];  in_near[0] = in[4 * (first + v) - 1];
//             for (u < 4) in_near[1 + u] = in[4 * (first + v) + u];     // one load
//             for (u < 4) out_near[u] = f(in_near[u], in_near[u + 1]);
//             for (u < 4) out[4 * (first + v) + u] = out_near[u];      // one store
//           }
//           and the elements before the first and behind the last whole vector, one by one.
//
// The same for a loop in which an item of a group goes on by as many as there are items. All that a round reads of
// global memory has to be such neighbours, which every round reads whichever branches it takes (`x > 0 ? x : a * x`
// reads x, `flag ? x : 0` may not), so that nothing is read that was not before; what it writes has to be the element
// of the round, which every round writes or reads. How many bytes are an access the machine says ("access_bytes"). Few
// elements a group, known when the kernel is compiled, stay as they are: they keep more items at work.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses_on_all_paths.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t mostLanes = 4;
constexpr std::int64_t mostHeld = 64; ///< elements of all arrays of neighbours
constexpr std::int64_t fewRounds = 2; ///< of an item, by vectors

/// Rounds that items share: the elements start, start + step, ... below `bound`, of all items together each one once.
struct Rounds {
  VarPtr element;
  ExprPtr bound;
  StmtPtr body;
};

/// Elements of one array that a round reads, from its own on, and whether it writes its own.
struct Near {
  VarPtr array;
  std::set<std::int64_t> read = {};
  std::set<std::int64_t> alwaysRead = {}; ///< of these, on all paths
  bool written = false;
  bool alwaysWritten = false;
  VarPtr held = nullptr; ///< an array with the neighbours of a whole vector

  std::int64_t least() const { return std::min<std::int64_t>(read.empty() ? 0 : *read.begin(), 0); }
  std::int64_t most() const { return std::max<std::int64_t>(read.empty() ? 0 : *read.rbegin(), 0); }
};

class Widening {
public:
  Widening(const LoweredPlan &plan, Rounds rounds) : plan_(plan), rounds_(std::move(rounds)) {
    forEach(rounds_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl)
        own_.insert(s.var.get());
    });
    changing_ = own_;
    changing_.insert(rounds_.element.get());
  }

  /// Whether all that a round does can be done for neighbours together; finds how many.
  bool isPossible() {
    if (!isPlain(rounds_.body))
      return false;
    forEach(rounds_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign)
        note(*s.target, true, s.op != "=");
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
        for (std::size_t i = 1; i < s.target->args.size(); ++i)
          noteReads(s.target->args[i]);
      if (s.value)
        noteReads(s.value);
    });
    return possible_ && base_ && isOnAllPaths() && findLanes();
  }

  std::int64_t lanes() const { return lanes_; }
  std::size_t loads() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(near_, [](const Near &each) { return !each.read.empty(); }));
  }

  /// What stands before the loops: the first whole vector, and the end of them.
  std::vector<StmtPtr> declarations() {
    const ExprPtr number = intLiteral(lanes_);
    const ExprPtr start = base_;
    first_ = newVariable("first_vector");
    end_ = newVariable("end_vector");
    rest_ = newVariable("first_rest");
    before_ = newVariable("before");
    const ExprPtr behind = sub(mul(varRef(end_), number), start);
    return {
        declare(first_, simplify(binary("/", add(start, intLiteral(lanes_ - 1)), number))),
        declare(end_,
                simplify(maxOf(binary("/", add(start, rounds_.bound), number), varRef(first_)))),
        declare(before_, simplify(minOf(sub(mul(varRef(first_), number), start), rounds_.bound))),
        declare(rest_, simplify(minOf(behind, rounds_.bound))),
    };
  }

  ExprPtr vectors() const { return binary("-", varRef(end_), varRef(first_)); }
  /// Elements that are in no whole vector.
  ExprPtr others() const {
    return binary("+", varRef(before_), binary("-", rounds_.bound, varRef(rest_)));
  }

  /// What is done of the vector number `v`.
  StmtPtr whole(const VarPtr &v) {
    const ExprPtr at = mul(add(varRef(first_), varRef(v)), intLiteral(lanes_));
    std::vector<StmtPtr> body;
    for (Near &each : near_) {
      each.held = arrayOf(each);
      body.push_back(declare(each.held, nullptr));
      for (const StmtPtr &load : loadsOf(each, at))
        body.push_back(load);
    }
    const VarPtr lane = newVariable("lane");
    const ExprPtr element = sub(add(at, varRef(lane)), base_);
    StmtPtr round = mapExprs(rounds_.body, [&](const ExprPtr &e) { return near(e, varRef(lane)); });
    round = substitute(round, {{rounds_.element.get(), element}});
    body.push_back(unrolledLoop(countingLoop(lane, intLiteral(lanes_), withOwnVariables(round)),
                                static_cast<unsigned>(lanes_)));
    for (const Near &each : near_) {
      if (each.written)
        body.push_back(together([&](const ExprPtr &u) {
          return assign(elementOf(each.array, add(at, u)), "=",
                        elementOf(each.held, add(u, intLiteral(-each.least()))));
        }));
    }
    return block(std::move(body));
  }

  /// What is done of the element number `k` of those in no whole vector.
  StmtPtr single(const VarPtr &k) const {
    const VarPtr element = newVariable(rounds_.element->name);
    const ExprPtr number = varRef(k);
    const StmtPtr is =
        declare(element, select(binary("<", number, varRef(before_)), number,
                                binary("+", binary("-", number, varRef(before_)), varRef(rest_))));
    return withOwnVariables(
        block({is, substitute(rounds_.body, {{rounds_.element.get(), varRef(element)}})}));
  }

private:
  static ExprPtr elementOf(const VarPtr &array, const ExprPtr &at) {
    return index(varRef(array), {simplify(at)});
  }

  /// A loop over the elements of a vector, which is one access.
  template <typename F> StmtPtr together(const F &assignment) const {
    const VarPtr u = newVariable("u");
    return unrolledLoop(countingLoop(u, intLiteral(lanes_), assignment(varRef(u))), 1,
                        static_cast<unsigned>(lanes_));
  }

  VarPtr arrayOf(const Near &each) const {
    Var array = *newVariable(each.array->name + "_near", each.array->type.scalar);
    array.extent = intLiteral(lanes_ + each.most() - each.least());
    return std::make_shared<const Var>(std::move(array));
  }

  std::vector<StmtPtr> loadsOf(const Near &each, const ExprPtr &at) const {
    std::vector<StmtPtr> loads;
    if (each.read.empty())
      return loads;
    const std::int64_t before = -each.least();
    std::set<std::int64_t> used; ///< elements of `held`
    for (std::int64_t u = 0; u < lanes_; ++u)
      for (const std::int64_t offset : each.read)
        used.insert(u + offset + before);
    for (const std::int64_t one : used) {
      if (one == before)
        loads.push_back(together([&](const ExprPtr &u) {
          return assign(elementOf(each.held, add(u, intLiteral(before))), "=",
                        elementOf(each.array, add(at, u)));
        }));
      if (one >= before && one < before + lanes_)
        continue;
      const ExprPtr place =
          one < before ? sub(at, intLiteral(before - one)) : add(at, intLiteral(one - before));
      loads.push_back(
          assign(elementOf(each.held, intLiteral(one)), "=", elementOf(each.array, place)));
    }
    return loads;
  }

  /// `e` with what is held in the place of elements of global memory.
  ExprPtr near(const ExprPtr &e, const ExprPtr &lane) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (!isGlobal(*each))
        return each;
      const Near &of = *std::ranges::find(near_, each->args[0]->var, &Near::array);
      const std::int64_t offset = offsetOf(each->args[1])->second - of.least();
      return index(varRef(of.held), {simplify(add(lane, intLiteral(offset)))});
    });
  }

  bool isGlobal(const Expr &e) const {
    if (e.kind != ExprKind::Index || e.args[0]->kind != ExprKind::Var)
      return false;
    const Buffer *buffer = plan_.bufferOf(e.args[0]->var);
    return buffer && buffer->space == Space::Global;
  }

  /// Whether each round reads all that neighbours are asked for, and writes what is written, or reads it: then the
  /// element, which no other round touches, can be written back as it is.
  bool isOnAllPaths() {
    const AccessedElements always = accessedOnAllPaths(rounds_.body);
    for (const ExprPtr &e : always.read) {
      if (Near *of = nearOf(*e))
        of->alwaysRead.insert(offsetOf(e->args[1])->second);
    }
    for (const ExprPtr &e : always.written) {
      if (Near *of = nearOf(*e))
        of->alwaysWritten = true;
    }
    return std::ranges::all_of(near_, [](const Near &each) {
      return each.read == each.alwaysRead &&
             (!each.written || each.alwaysWritten || each.alwaysRead.contains(0));
    });
  }

  Near *nearOf(const Expr &e) {
    const auto found = isGlobal(e) ? std::ranges::find(near_, e.args[0]->var, &Near::array) : near_.end();
    return found == near_.end() ? nullptr : &*found;
  }

  /// One statement after the other, and branches, which change nothing that was there before but elements of global
  /// memory.
  bool isPlain(const StmtPtr &body) const {
    bool plain = true;
    forEach(body, [&](const Stmt &s) {
      plain &= s.kind == StmtKind::Block || s.kind == StmtKind::Decl ||
               s.kind == StmtKind::Assign || s.kind == StmtKind::If || s.kind == StmtKind::Comment;
      if (s.kind == StmtKind::Decl)
        plain &= !s.var->type.isContainer();
      if (s.kind == StmtKind::Assign) {
        const Var *base = s.target->kind == ExprKind::Var     ? s.target->var.get()
                          : s.target->kind == ExprKind::Index ? s.target->args[0]->var.get()
                                                              : nullptr;
        plain &= own_.contains(base) || isGlobal(*s.target);
      }
    });
    forEachExpr(body, [&](const Expr &e) {
      plain &= e.kind != ExprKind::Atomic;
      if (e.kind == ExprKind::Call)
        plain &= std::ranges::none_of(e.args, [](const ExprPtr &arg) {
          return arg->kind == ExprKind::Var &&
                 (arg->var->kind == VarKind::Buffer || arg->var->extent);
        });
    });
    return plain;
  }

  void noteReads(const ExprPtr &e) {
    note(*e, false, true);
    for (const ExprPtr &each : e->args)
      noteReads(each);
  }

  void note(const Expr &e, bool written, bool read) {
    if (!isGlobal(e))
      return;
    const auto place = e.args.size() == 2 ? offsetOf(e.args[1]) : std::nullopt;
    if (!place || (written && place->second != 0) || (base_ && !sameExpr(base_, place->first))) {
      possible_ = false;
      return;
    }
    base_ = place->first;
    auto found = std::ranges::find(near_, e.args[0]->var, &Near::array);
    if (found == near_.end())
      found = near_.insert(near_.end(), Near{.array = e.args[0]->var});
    found->written |= written;
    if (read)
      found->read.insert(place->second);
  }

  /// What is added to the element's number in a subscript: something that stays, and a number.
  std::optional<std::pair<ExprPtr, std::int64_t>> offsetOf(const ExprPtr &subscript) const {
    std::vector<std::pair<ExprPtr, bool>> open{{subscript, false}};
    ExprPtr base = intLiteral(0);
    std::int64_t number = 0;
    int elements = 0;
    std::vector<ExprPtr> taken;
    while (!open.empty()) {
      const auto [e, negative] = open.back();
      open.pop_back();
      if (e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-")) {
        open.emplace_back(e->args[1], negative != (e->op == "-"));
        open.emplace_back(e->args[0], negative);
      } else if (const auto literal = literalValue(e)) {
        number += negative ? -*literal : *literal;
      } else if (e->kind == ExprKind::Var && e->var == rounds_.element && !negative) {
        ++elements;
      } else if (!staysInRounds(plan_, e, changing_)) {
        return std::nullopt;
      } else if (negative) {
        taken.push_back(e);
      } else {
        base = add(base, e);
      }
    }
    for (const ExprPtr &each : taken)
      base = sub(base, each);
    return elements == 1 ? std::optional(std::pair(base, number)) : std::nullopt;
  }

  bool findLanes() {
    std::size_t bytes = 0;
    bool writes = false;
    for (const Near &each : near_) {
      const Scalar type = each.array->type.scalar;
      if (type == Scalar::Bool || type == Scalar::Index || (isFloating(type) && byteSize(type) < 4))
        return false;
      bytes = std::max(bytes, byteSize(type));
      writes |= each.written;
      const bool hasNeighbours =
          each.read.size() > 1 || (each.read.size() == 1 && *each.read.begin() != 0);
      if ((each.written && hasNeighbours) || (!each.read.empty() && !each.read.contains(0)))
        return false;
    }
    lanes_ = std::min<std::int64_t>(
        plan_.machine->code.accessBytes / static_cast<std::int64_t>(bytes), mostLanes);
    if (!writes || lanes_ < 2 || !std::has_single_bit(static_cast<std::uint64_t>(lanes_)))
      return false;
    std::int64_t held = 0;
    for (const Near &each : near_) {
      held += lanes_ + each.most() - each.least();
      if (each.most() - each.least() > lanes_)
        return false;
    }
    return held <= mostHeld;
  }

  const LoweredPlan &plan_;
  Rounds rounds_;
  std::set<const Var *> own_;      ///< declared in a round
  std::set<const Var *> changing_; ///< these, and the number of the round
  std::vector<Near> near_;
  ExprPtr base_;
  bool possible_ = true;
  std::int64_t lanes_ = 0;
  VarPtr first_;
  VarPtr end_;
  VarPtr before_;
  VarPtr rest_;
};

class VectorizeItems {
public:
  explicit VectorizeItems(const LoweredPlan &plan) : plan_(plan), values_(constantsOf(plan.body)) {}

  StmtPtr run(const StmtPtr &s, const Stmt *items = nullptr) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && s->span == Span::Turns && isOfItems(*s))
      return turns(s);
    if (const auto loop = s->kind == StmtKind::For && items ? loopToTheEnd(*s) : std::nullopt;
        loop && s->lanes <= 1 && isVariable(loop->start, items->var) &&
        sameExpr(loop->step, items->value))
      return strided(s, *loop);
    const Stmt *inside = s->kind != StmtKind::Parallel           ? items
                         : s->span == Span::All && isOfItems(*s) ? s.get()
                                                                 : nullptr;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child, inside));
    return withChildren(s, std::move(children));
  }

private:
  bool isOfItems(const Stmt &s) const {
    return plan_.role(s.level) == Role::Item && s.var && s.value;
  }

  static bool isVariable(const ExprPtr &e, const VarPtr &var) {
    return e->kind == ExprKind::Var && e->var == var;
  }

  /// All items together, each by turns of its own: between the vectors and what is left nobody has to wait.
  StmtPtr turns(const StmtPtr &s) {
    const auto items = plan_.workers.find(s->level);
    if (items == plan_.workers.end())
      return s;
    const VarPtr item = newVariable("item", Scalar::Index, VarKind::Worker);
    const auto loops = widened({s->var, s->value, s->children[0]}, varRef(item), items->second);
    return loops ? parallel(s->level, Span::All, item, items->second, *loops) : s;
  }

  StmtPtr strided(const StmtPtr &s, const CountedLoop &loop) {
    const auto loops = widened({loop.i, loop.bound, loop.body}, loop.start, loop.step);
    return loops ? *loops : s;
  }

  /// What one item does of the rounds, the number `first` and every `step` from there on; nothing where each has to be
  /// done for itself.
  std::optional<StmtPtr> widened(Rounds rounds, const ExprPtr &first, const ExprPtr &step) const {
    const ExprPtr bound = rounds.bound;
    Widening widening(plan_, std::move(rounds));
    if (isShort(bound) || !widening.isPossible())
      return std::nullopt;
    auto over = [&](const ExprPtr &end, const VarPtr &i, const StmtPtr &body) {
      return forLoop(declare(i, first), binary("<", varRef(i), end), assign(varRef(i), "+=", step),
                     body);
    };
    std::vector<StmtPtr> all = widening.declarations();
    const VarPtr v = newVariable("v"), k = newVariable("k");
    all.push_back(unrolledLoop(over(widening.vectors(), v, widening.whole(v)), timesOf(widening)));
    all.push_back(unrolledLoop(over(widening.others(), k, widening.single(k)), 1));
    return block(std::move(all));
  }

  unsigned timesOf(const Widening &widening) const {
    const std::size_t loads =
        std::max<std::size_t>(widening.loads(), 1) * static_cast<std::size_t>(widening.lanes());
    return static_cast<unsigned>(
        std::bit_ceil((plan_.machine->code.loadsInFlight + loads - 1) / loads));
  }

  /// Whether it is known to be so few elements that most items would have none of their vectors.
  bool isShort(const ExprPtr &count) const {
    const auto most = mostOf(count, 0);
    std::int64_t items = 1;
    for (const auto &[level, number] : plan_.workers)
      if (plan_.role(level) == Role::Item)
        items *= std::max<std::int64_t>(mostOf(number, 0).value_or(1), 1);
    return most && *most < fewRounds * mostLanes * items;
  }

  /// What `e` is at most, with the defaults of tunables; nothing where sizes alone decide.
  std::optional<std::int64_t> mostOf(const ExprPtr &e, int depth) const {
    constexpr int deepest = 8;
    if (const auto literal = literalValue(e))
      return literal;
    if (depth > deepest)
      return std::nullopt;
    if (e->kind == ExprKind::Cast)
      return mostOf(e->args[0], depth + 1);
    if (e->kind == ExprKind::Var) {
      if (const Tunable *tunable = plan_.tunableOf(e->var)) {
        const auto number = tunable->kind == Tunable::Kind::Compile
                                ? composer::plainNumber(tunable->defaultValue)
                                : std::nullopt;
        return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
      }
      const auto value = values_.find(e->var.get());
      return value == values_.end() ? std::nullopt : mostOf(value->second, depth + 1);
    }
    if (e->kind == ExprKind::Call && e->callee == "min") {
      const auto a = mostOf(e->args[0], depth + 1), b = mostOf(e->args[1], depth + 1);
      return a && b ? std::min(*a, *b) : a ? a : b;
    }
    if (e->kind == ExprKind::Binary && (e->op == "*" || e->op == "+")) {
      const auto a = mostOf(e->args[0], depth + 1), b = mostOf(e->args[1], depth + 1);
      return !a || !b ? std::nullopt : std::optional(e->op == "*" ? *a * *b : *a + *b);
    }
    if (e->kind == ExprKind::Binary && (e->op == "-" || e->op == "/"))
      return mostOf(e->args[0], depth + 1);
    return std::nullopt;
  }

  const LoweredPlan &plan_;
  std::map<const Var *, ExprPtr> values_;
};

} // namespace

LoweredPlan vectorizeItems(LoweredPlan plan) {
  if (plan.machine && plan.machine->code.accessBytes > 0)
    plan.body = VectorizeItems(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
