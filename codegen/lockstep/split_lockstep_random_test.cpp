// Random bodies of cooperative codelets: run in lockstep, and split into pieces of which the lanes
// run one after the other in a random order, they leave the same.
#include "codegen/lockstep/split_lockstep.h"

#include "codegen/test_fixture.h"

#include <array>
#include <random>

namespace tangram::codegen {
namespace {

using namespace fixture;
using ir::Expr;
using ir::Operator;

constexpr std::size_t lanesCount = 5;
using PerLane = std::array<std::int64_t, lanesCount>;
using Mask = std::array<bool, lanesCount>;

/// Expressions over what every lane has for itself and what all of them see.
class Machine {
public:
  std::map<const Var *, PerLane> own;
  std::map<const Var *, std::map<std::int64_t, std::int64_t>> seen;
  bool outside = false; ///< an element was touched that is not there, or something divided by 0

  std::int64_t value(const ExprPtr &e, std::size_t lane) {
    auto arg = [&](std::size_t i) { return value(e->args[i], lane); };
    switch (e->kind) {
    case ExprKind::Literal:
      return e->integer;
    case ExprKind::Cast:
      return e->type.scalar == Scalar::Bool ? static_cast<std::int64_t>(arg(0) != 0) : arg(0);
    case ExprKind::CoopIdx:
      return static_cast<std::int64_t>(lane);
    case ExprKind::CoopDim:
      return lanesCount;
    case ExprKind::Var:
      return e->var->kind == VarKind::Shared ? seen[e->var.get()][0] : own[e->var.get()][lane];
    case ExprKind::Index:
      return e->args[0]->var->kind == VarKind::Shared
                 ? seen[e->args[0]->var.get()][at(e, lane)]
                 : privately[{e->args[0]->var.get(), lane}][at(e, lane)];
    case ExprKind::Select:
      return arg(0) != 0 ? arg(1) : arg(2);
    case ExprKind::Unary:
      return e->op == "!" ? static_cast<std::int64_t>(arg(0) == 0) : -arg(0);
    default:
      return binary(*e, lane);
    }
  }

  std::int64_t at(const ExprPtr &element, std::size_t lane) {
    if (element->kind == ExprKind::Var)
      return 0;
    std::int64_t position = value(element->args[1], lane);
    outside |= position < 0 || position >= static_cast<std::int64_t>(lanesCount);
    return position;
  }

  /// What an atomic operation leaves and gives.
  std::int64_t atomically(const Expr &operation, std::size_t lane) {
    const ExprPtr &place = operation.args[0];
    const VarPtr &v = place->kind == ExprKind::Index ? place->args[0]->var : place->var;
    std::int64_t &cell = seen[v.get()][at(place, lane)];
    std::int64_t operand = value(operation.args[1], lane);
    return std::exchange(cell, operation.op == "add" ? cell + operand : std::max(cell, operand));
  }

  void store(const ExprPtr &target, std::size_t lane, std::int64_t at, std::int64_t value) {
    if (target->kind == ExprKind::Var && target->var->kind != VarKind::Shared)
      own[target->var.get()][lane] = value;
    else if (target->kind == ExprKind::Var)
      seen[target->var.get()][0] = value;
    else if (target->args[0]->var->kind == VarKind::Shared)
      seen[target->args[0]->var.get()][at] = value;
    else
      privately[{target->args[0]->var.get(), lane}][at] = value;
  }

private:
  std::int64_t binary(const Expr &e, std::size_t lane) {
    std::int64_t x = value(e.args[0], lane);
    if (e.op == "&&")
      return static_cast<std::int64_t>(x != 0 && value(e.args[1], lane) != 0);
    if (e.op == "||")
      return static_cast<std::int64_t>(x != 0 || value(e.args[1], lane) != 0);
    std::int64_t y = value(e.args[1], lane);
    if (e.op == "+")
      return x + y;
    if (e.op == "-")
      return x - y;
    if (e.op == "*")
      return (x * y) % 1000;
    if (e.op == "<")
      return static_cast<std::int64_t>(x < y);
    if (e.op == ">")
      return static_cast<std::int64_t>(x > y);
    if (e.op == ">=")
      return static_cast<std::int64_t>(x >= y);
    if (e.op == "==")
      return static_cast<std::int64_t>(x == y);
    if (e.op == "!=")
      return static_cast<std::int64_t>(x != y);
    outside |= y == 0;
    return y == 0 ? 0 : (e.op == "/" ? x / y : x % y);
  }

  std::map<std::pair<const Var *, std::size_t>, std::map<std::int64_t, std::int64_t>> privately;
};

bool any(const Mask &mask) {
  return std::ranges::any_of(mask, [](bool lane) { return lane; });
}

/// Statement by statement, for all lanes that are there.
class InLockstep : public Machine {
public:
  bool open = false; ///< what is left depends on the order of lanes

  void run(const StmtPtr &s, Mask mask) {
    if (!s || !any(mask))
      return;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children) {
        for (std::size_t lane = 0; lane < lanesCount; ++lane)
          mask[lane] = mask[lane] && !left_[lane];
        run(child, mask);
      }
      return;
    case StmtKind::Decl:
      if (s->value)
        write(*ir::assign(ir::varRef(s->var), "=", s->value), mask);
      return;
    case StmtKind::Assign:
      return write(*s, mask);
    case StmtKind::Eval:
      return atomic(*s->value, mask);
    case StmtKind::If: {
      Mask holds = where(s->value, mask);
      run(s->children[0], holds);
      if (s->children.size() < 2)
        return;
      for (std::size_t lane = 0; lane < lanesCount; ++lane)
        holds[lane] = mask[lane] && !holds[lane];
      return run(s->children[1], holds);
    }
    case StmtKind::Break:
      for (std::size_t lane = 0; lane < lanesCount; ++lane)
        left_[lane] = left_[lane] || mask[lane];
      return;
    default:
      loop(*s, mask);
    }
  }

private:
  Mask where(const ExprPtr &condition, const Mask &mask) {
    Mask holds{};
    for (std::size_t lane = 0; lane < lanesCount; ++lane)
      holds[lane] = mask[lane] && value(condition, lane) != 0;
    return holds;
  }

  void loop(const Stmt &s, Mask mask) {
    const Mask outer = std::exchange(left_, Mask{});
    run(s.children[0], mask);
    for (mask = where(s.value, mask); any(mask); mask = where(s.value, mask)) {
      run(s.children[2], mask);
      for (std::size_t lane = 0; lane < lanesCount; ++lane)
        mask[lane] = mask[lane] && !left_[lane];
      run(s.children[1], mask);
    }
    left_ = outer;
  }

  void write(const Stmt &s, const Mask &mask) {
    std::map<std::size_t, std::pair<std::int64_t, std::int64_t>> writes;
    for (std::size_t lane = 0; lane < lanesCount; ++lane) {
      if (!mask[lane])
        continue;
      std::int64_t result = value(
          s.op == "=" ? s.value : ir::binary(s.op.withoutAssignment(), s.target, s.value), lane);
      writes[lane] = {at(s.target, lane), result};
    }
    const ExprPtr &base = s.target->kind == ExprKind::Index ? s.target->args[0] : s.target;
    for (const auto &[lane, write] : writes) {
      for (const auto &[other, second] : writes)
        open |= base->var->kind == VarKind::Shared && write.first == second.first &&
                write.second != second.second;
      store(s.target, lane, write.first, write.second);
    }
  }

  void atomic(const Expr &operation, const Mask &mask) {
    // Operands are read before any lane updates.
    std::vector<std::pair<std::size_t, std::shared_ptr<Expr>>> updates;
    for (std::size_t lane = 0; lane < lanesCount; ++lane) {
      if (!mask[lane])
        continue;
      auto update = std::make_shared<Expr>(operation);
      update->args = {
          ir::index(operation.args[0]->args[0], {ir::intLiteral(at(operation.args[0], lane))}),
          ir::intLiteral(value(operation.args[1], lane))};
      updates.emplace_back(lane, update);
    }
    for (const auto &[lane, update] : updates)
      atomically(*update, lane);
  }

  Mask left_{}; ///< the loop around the code at hand
};

/// Pieces one after the other, the lanes of each in a random order.
class InPieces : public Machine {
public:
  explicit InPieces(std::mt19937 &random) : random_(random) {}

  int rounds = 0;

  void run(const StmtPtr &s) { (void)execute(s, 0); }

private:
  enum class Flow { On, Break };

  Flow execute(const StmtPtr &s, std::size_t lane) {
    if (!s || ++rounds > 20000)
      return Flow::On;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children) {
        if (execute(child, lane) == Flow::Break)
          return Flow::Break;
      }
      return Flow::On;
    case StmtKind::Parallel:
      parallel(*s);
      return Flow::On;
    case StmtKind::Decl:
      if (s->value)
        assign(*ir::assign(ir::varRef(s->var), "=", s->value), lane);
      return Flow::On;
    case StmtKind::Assign:
      assign(*s, lane);
      return Flow::On;
    case StmtKind::Eval:
      atomically(*s->value, lane);
      return Flow::On;
    case StmtKind::If:
      if (value(s->value, lane) != 0)
        return execute(s->children[0], lane);
      return s->children.size() > 1 ? execute(s->children[1], lane) : Flow::On;
    case StmtKind::Break:
      return Flow::Break;
    default:
      execute(s->children[0], lane);
      while (value(s->value, lane) != 0 && rounds <= 20000) {
        if (execute(s->children[2], lane) == Flow::Break)
          break;
        execute(s->children[1], lane);
      }
      return Flow::On;
    }
  }

  void parallel(const Stmt &s) {
    std::vector<std::size_t> order{0};
    if (s.var) {
      order.resize(lanesCount);
      for (std::size_t i = 0; i < lanesCount; ++i)
        order[i] = i;
      std::ranges::shuffle(order, random_);
    }
    inPiece_ = true;
    for (std::size_t lane : order)
      execute(s.children[0], lane);
    inPiece_ = false;
  }

  void assign(const Stmt &s, std::size_t lane) {
    std::int64_t result = value(
        s.op == "=" ? s.value : ir::binary(s.op.withoutAssignment(), s.target, s.value), lane);
    std::int64_t position = at(s.target, lane);
    for (std::size_t each = 0; each < lanesCount; ++each) {
      if (!inPiece_ || each == lane)
        store(s.target, each, position, result);
    }
  }

  std::mt19937 &random_;
  bool inPiece_ = false;
};

/// Bodies over two shared arrays, variables of lanes, and what is the same for all.
class Bodies {
public:
  explicit Bodies(std::mt19937 &random) : random_(random) {}

  E t = variable("t", Scalar::Index, VarKind::Shared, ir::intLiteral(lanesCount));
  E u = variable("u", Scalar::Index, VarKind::Shared, ir::intLiteral(lanesCount));
  E x = variable("x");
  E y = variable("y");
  E v = variable("v", Scalar::Index, VarKind::Local, ir::intLiteral(lanesCount));
  E id = ExprPtr(ir::node(ExprKind::CoopIdx, ir::scalarType(Scalar::Index), {}));

  StmtPtr body() {
    std::vector<StmtPtr> all{let(x, id * 3 + 1), let(y, 2), let(v)};
    for (int i = 0; i < static_cast<int>(lanesCount); ++i)
      all.push_back(set(v[i], id + i));
    all.push_back(set(t[id], id * 7 % 5));
    all.push_back(set(u[id], 9 - id));
    all.push_back(statements(3, 3));
    all.push_back(set(t[id], t[id] * 100 + x * 10 + y + v[2]));
    return ir::block(all);
  }

private:
  int upTo(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  E array() { return upTo(3) == 0 ? u : t; }

  /// A subscript that is there.
  E subscript() {
    switch (upTo(5)) {
    case 0:
      return (id + 1) % lanes();
    case 1:
      return (id * 2) % lanes();
    case 2:
      return E(upTo(lanesCount));
    default:
      return id;
    }
  }

  static E lanes() { return E(static_cast<int>(lanesCount)); }

  E number() {
    switch (upTo(9)) {
    case 0:
      return E(upTo(7));
    case 1:
      return x;
    case 2:
      return y;
    case 3:
      return id;
    case 4:
      return ExprPtr(ir::select((id > 0).e, (array()[id - 1]).e, ir::intLiteral(4)));
    case 5:
      return v[upTo(lanesCount)];
    case 6:
      return ExprPtr(ir::select((equals(id, 0)).e, ir::intLiteral(1), (E(100) / id).e));
    default:
      return array()[subscript()];
    }
  }

  E condition() {
    switch (upTo(5)) {
    case 0:
      return E(upTo(5)) < t[upTo(lanesCount)]; // the same for all lanes
    case 1:
      return ExprPtr(ir::binary("&&", (id > 0).e, (array()[id - 1] > number()).e));
    case 2:
      return ExprPtr(ir::binary("||", equals(id, 0).e, (E(12) / id > number()).e));
    case 3:
      return id >= upTo(lanesCount);
    default:
      return number() > number();
    }
  }

  StmtPtr statements(int most, int depth) {
    std::vector<StmtPtr> all;
    for (int i = 0; i <= upTo(most); ++i)
      all.push_back(statement(depth));
    return ir::block(all);
  }

  StmtPtr statement(int depth) {
    switch (upTo(depth > 0 ? 12 : 7)) {
    case 0:
      return set(x, number());
    case 1:
      return addTo(y, number());
    case 2:
      return addTo(array()[subscript()], number());
    case 3:
      return atomic();
    case 4:
      return set(v[upTo(lanesCount)], number());
    case 5:
      return set(array()[array()[id] % lanes()], E(3));
    case 6:
      return set(array()[subscript()], number());
    case 7:
    case 8:
      return ir::ifThen(condition(), statements(2, depth - 1));
    case 9:
      return ir::ifThen(condition(), statements(2, depth - 1), statements(2, depth - 1));
    case 10:
      return loop(depth);
    default: {
      E z = variable("z");
      return ir::block({let(z, number()), set(x, z + x), set(array()[id], z)});
    }
    }
  }

  StmtPtr atomic() {
    auto operation = std::make_shared<Expr>(*ir::node(
        ExprKind::Atomic, ir::scalarType(Scalar::Index), {array()[subscript()], number()}));
    operation->op = upTo(2) == 0 ? Operator("add") : Operator("max");
    return ir::eval(operation);
  }

  StmtPtr loop(int depth) {
    E k = variable("k");
    std::vector<StmtPtr> body{statements(2, depth - 1)};
    if (upTo(3) == 0)
      body.push_back(when(E(upTo(9)) < t[0], {ir::jump(StmtKind::Break)}));
    body.push_back(set(array()[id], k + x));
    E end = upTo(3) == 0 ? E(id) : E(1 + upTo(3));
    return ir::forLoop(let(k, 0), (k < end).e, addTo(k, 1), ir::block(body));
  }

  std::mt19937 &random_;
};

TEST(RandomLockstep, PiecesInAnyOrderLeaveWhatLockstepLeaves) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    std::mt19937 random(seed);
    Bodies bodies(random);
    StmtPtr body = bodies.body();
    Mask all;
    all.fill(true);
    InLockstep expected;
    expected.run(body, all);
    if (expected.open || expected.outside)
      continue;
    auto split = splitLockstep({2, variable("lane", Scalar::Index, VarKind::Worker).var(), body});
    if (std::holds_alternative<Refusal>(split))
      continue;
    ++compared;
    InPieces pieces(random);
    pieces.run(std::get<StmtPtr>(split));
    ASSERT_TRUE(!pieces.outside && pieces.rounds <= 20000 &&
                pieces.seen[bodies.t.var().get()] == expected.seen[bodies.t.var().get()] &&
                pieces.seen[bodies.u.var().get()] == expected.seen[bodies.u.var().get()])
        << "seed " << seed << "\n"
        << ir::toString(body) << "becomes\n"
        << ir::toString(std::get<StmtPtr>(split));
  }
  EXPECT_GT(compared, 800);
}

} // namespace
} // namespace tangram::codegen
