// For tests: expressions and statements written with C++'s operators, and an interpreter of these
// that tells whether two of them mean the same.
#pragma once

#include "ir/stmt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tangram::algebra::fixture {

using ir::ExprKind;
using ir::ExprPtr;
using ir::Scalar;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::Var;
using ir::VarKind;
using ir::VarPtr;

/// An expression that C++'s operators build; integers are Index literals.
struct E {
  ExprPtr e;
  E(ExprPtr expr) : e(std::move(expr)) {}
  E(int value) : e(ir::intLiteral(value)) {}
  operator ExprPtr() const { return e; }
  const VarPtr &var() const { return e->var; }
  E operator[](const E &at) const { return ir::index(e, {at.e}); }
};
inline E operator+(const E &a, const E &b) { return ir::binary("+", a.e, b.e); }
inline E operator-(const E &a, const E &b) { return ir::binary("-", a.e, b.e); }
inline E operator*(const E &a, const E &b) { return ir::binary("*", a.e, b.e); }
inline E operator/(const E &a, const E &b) { return ir::binary("/", a.e, b.e); }
inline E operator%(const E &a, const E &b) { return ir::binary("%", a.e, b.e); }
inline E operator<(const E &a, const E &b) { return ir::binary("<", a.e, b.e); }
inline E operator<=(const E &a, const E &b) { return ir::binary("<=", a.e, b.e); }
inline E operator>(const E &a, const E &b) { return ir::binary(">", a.e, b.e); }
inline E operator>=(const E &a, const E &b) { return ir::binary(">=", a.e, b.e); }
inline E equals(const E &a, const E &b) { return ir::binary("==", a.e, b.e); }
inline E callOf(const char *name, const E &a, const E &b) {
  return ir::call(name, ir::scalarType(Scalar::Index), {a.e, b.e});
}
inline E minE(const E &a, const E &b) { return callOf("min", a, b); }
inline E maxE(const E &a, const E &b) { return callOf("max", a, b); }

inline E variable(std::string name, Scalar type = Scalar::Index, VarKind kind = VarKind::Local,
                  const ExprPtr &extent = nullptr) {
  auto v = std::make_shared<Var>();
  v->name = std::move(name);
  v->type = ir::scalarType(type);
  v->kind = kind;
  v->extent = extent;
  return E(ir::varRef(v));
}

/// A variable that may hold what has wrapped around below 0.
inline E wrappingVariable(std::string name) {
  auto v = std::make_shared<Var>(*variable(std::move(name)).var());
  v->wraps = true;
  return E(ir::varRef(v));
}

inline StmtPtr let(const E &v) { return ir::declare(v.var(), nullptr); }
inline StmtPtr let(const E &v, const E &value) { return ir::declare(v.var(), value.e); }
inline StmtPtr set(const E &target, const E &value) { return ir::assign(target.e, "=", value.e); }
inline StmtPtr addTo(const E &target, const E &value) {
  return ir::assign(target.e, "+=", value.e);
}
inline StmtPtr when(const E &condition, std::vector<StmtPtr> then) {
  return ir::ifThen(condition.e, ir::block(std::move(then)));
}
inline StmtPtr when(const E &condition, std::vector<StmtPtr> then, std::vector<StmtPtr> otherwise) {
  return ir::ifThen(condition.e, ir::block(std::move(then)), ir::block(std::move(otherwise)));
}
/// for (i = 0; i < end; i += 1)
inline StmtPtr upTo(const E &i, const E &end, std::vector<StmtPtr> body) {
  return ir::forLoop(let(i, 0), (i < end).e, addTo(i, 1), ir::block(std::move(body)));
}

/// Runs statements on integers, the workers of a Parallel one after the other.
/// A variable declared by a worker of a level is that worker's own.
class Interpreter {
public:
  std::map<const Var *, std::vector<std::int64_t>> memory;
  /// Set when an Index went below zero, or memory was accessed beyond its ends.
  bool wrong = false;
  /// Variable, position, whether written, and the item that does it (-1: all of them).
  std::function<void(const Var *, std::int64_t, bool, std::int64_t)> onAccess;
  std::function<void()> onBarrier;

  void set(const E &v, std::int64_t value) { scalars[{v.var().get(), {}}] = value; }

  std::int64_t operator()(const ExprPtr &e) {
    switch (e->kind) {
    case ExprKind::Literal:
      return e->integer;
    case ExprKind::Var:
      return scalars[key(e->var.get())];
    case ExprKind::Unary:
      return e->op == "!" ? static_cast<std::int64_t>((*this)(e->args[0]) == 0)
                          : -(*this)(e->args[0]);
    case ExprKind::Select:
      return (*this)(e->args[0]) != 0 ? (*this)(e->args[1]) : (*this)(e->args[2]);
    case ExprKind::Cast:
      return (*this)(e->args[0]);
    case ExprKind::Size:
      return static_cast<std::int64_t>(memory[e->args[0]->var.get()].size());
    case ExprKind::Call: {
      std::int64_t x = (*this)(e->args[0]);
      std::int64_t y = (*this)(e->args[1]);
      return e->callee == "min" ? std::min(x, y) : std::max(x, y);
    }
    case ExprKind::Index:
      return *element(e, false);
    case ExprKind::Binary:
      return binary(*e);
    default:
      ADD_FAILURE() << "not for interpretation: " << ir::toString(e);
      return 0;
    }
  }

  /// What a codelet's body returns, when it does.
  std::optional<std::int64_t> run(const StmtPtr &s) {
    returned.reset();
    execute(s);
    return returned;
  }

private:
  enum class Flow { On, Break, Continue, Return };
  using Key = std::pair<const Var *, std::vector<std::int64_t>>;

  /// Workers of the levels below the one that declared the variable are its users.
  Key key(const Var *v) const {
    auto levels = declaredIn.find(v);
    Key key{v, {}};
    if (levels != declaredIn.end()) {
      for (int level : levels->second) {
        auto worker = workers.find(level);
        key.second.push_back(worker == workers.end() ? -1 : worker->second);
      }
    }
    return key;
  }

  std::int64_t *element(const ExprPtr &e, bool write) {
    const Var *v = e->args[0]->var.get();
    std::int64_t at = (*this)(e->args[1]);
    if (onAccess) {
      auto item = workers.find(2);
      onAccess(v, at, write, item == workers.end() ? -1 : item->second);
    }
    auto &cells = declaredIn.contains(v) ? arrays[key(v)] : memory[v];
    if (at < 0 || at >= static_cast<std::int64_t>(cells.size())) {
      wrong = true;
      return &nowhere;
    }
    return &cells[static_cast<std::size_t>(at)];
  }

  std::int64_t binary(const ir::Expr &e) {
    std::int64_t a = (*this)(e.args[0]);
    if (e.op == "&&" && a == 0)
      return 0;
    if (e.op == "||" && a != 0)
      return 1;
    return apply(e.op, a, (*this)(e.args[1]), e.type.scalar);
  }

  std::int64_t apply(ir::Operator op, std::int64_t a, std::int64_t b, Scalar type) {
    if ((op == "/" || op == "%") && b == 0) {
      wrong = true;
      return 0;
    }
    if (op == "-" && type == Scalar::Index && b > a)
      wrong = true;
    if (op == "+")
      return a + b;
    if (op == "-")
      return a - b;
    if (op == "*")
      return a * b;
    if (op == "/")
      return a / b;
    if (op == "%")
      return a % b;
    if (op == "<")
      return static_cast<std::int64_t>(a < b);
    if (op == "<=")
      return static_cast<std::int64_t>(a <= b);
    if (op == ">")
      return static_cast<std::int64_t>(a > b);
    if (op == ">=")
      return static_cast<std::int64_t>(a >= b);
    if (op == "==")
      return static_cast<std::int64_t>(a == b);
    if (op == "!=")
      return static_cast<std::int64_t>(a != b);
    return static_cast<std::int64_t>(op == "&&" ? a != 0 && b != 0 : a != 0 || b != 0);
  }

  Flow execute(const StmtPtr &s) {
    if (!s)
      return Flow::On;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children) {
        if (Flow flow = execute(child); flow != Flow::On)
          return flow;
      }
      return Flow::On;
    case StmtKind::Decl:
      declare(*s);
      return Flow::On;
    case StmtKind::Assign:
      assign(*s);
      return Flow::On;
    case StmtKind::If:
      if ((*this)(s->value) != 0)
        return execute(s->children[0]);
      return s->children.size() > 1 ? execute(s->children[1]) : Flow::On;
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
      return loop(*s);
    case StmtKind::Break:
      return Flow::Break;
    case StmtKind::Continue:
      return Flow::Continue;
    case StmtKind::Return:
      returned = s->value ? (*this)(s->value) : 0;
      return Flow::Return;
    case StmtKind::Parallel:
      parallel(*s);
      return Flow::On;
    case StmtKind::Window:
    case StmtKind::Allocate:
    case StmtKind::Copy:
    case StmtKind::Barrier:
      if (onBarrier)
        onBarrier();
      return Flow::On;
    default:
      return Flow::On;
    }
  }

  void declare(const Stmt &s) {
    std::vector<int> &levels = declaredIn[s.var.get()];
    levels.clear();
    for (const auto &[level, worker] : workers)
      levels.push_back(level);
    if (s.var->extent)
      arrays[key(s.var.get())].assign(static_cast<std::size_t>((*this)(s.var->extent)), 0);
    else
      scalars[key(s.var.get())] = s.value ? (*this)(s.value) : 0;
  }

  void assign(const Stmt &s) {
    std::int64_t value = (*this)(s.value);
    if (s.op != "=")
      value = apply(s.op.withoutAssignment(), (*this)(s.target), value, s.target->type.scalar);
    if (s.target->kind == ExprKind::Index)
      *element(s.target, true) = value;
    else
      scalars[key(s.target->var.get())] = value;
  }

  Flow loop(const Stmt &s) {
    bool counted = s.kind == StmtKind::For;
    if (counted)
      execute(s.children[0]);
    for (int rounds = 0; s.kind == StmtKind::DoWhile || !s.value || (*this)(s.value) != 0;
         ++rounds) {
      if (rounds > 100000) {
        wrong = true;
        return Flow::On;
      }
      Flow flow = execute(s.children[counted ? 2 : 0]);
      if (flow == Flow::Break)
        return Flow::On;
      if (flow == Flow::Return)
        return flow;
      if (counted)
        execute(s.children[1]);
      if (s.kind == StmtKind::DoWhile && (*this)(s.value) == 0)
        return Flow::On;
    }
    return Flow::On;
  }

  void parallel(const Stmt &s) {
    std::int64_t count = (*this)(s.value);
    for (std::int64_t worker = 0; worker < count; ++worker) {
      workers[s.level] = worker;
      if (s.var) {
        declaredIn[s.var.get()].clear();
        scalars[{s.var.get(), {}}] = worker;
      }
      execute(s.children[0]);
    }
    workers.erase(s.level);
  }

  std::map<Key, std::int64_t> scalars;
  std::map<Key, std::vector<std::int64_t>> arrays;
  std::map<const Var *, std::vector<int>> declaredIn; ///< levels whose workers have a copy each
  std::map<int, std::int64_t> workers;                ///< by level, of the pieces around
  std::int64_t nowhere = 0;
  std::optional<std::int64_t> returned;
};

} // namespace tangram::algebra::fixture
