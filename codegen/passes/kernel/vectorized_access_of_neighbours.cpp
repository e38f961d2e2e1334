// Vectorized access of neighbours: elements of global memory that an item reads or writes by a few statements, and that are
// a vector together, are accessed as one: components of an element, rows of constant size.
//
//   before: x = in[4 * i];  y = in[4 * i + 1];  z = in[4 * i + 2];  w = in[4 * i + 3];  ...  out[2 * i] = a;  out[2 * i + 1] = b;
//   after:  T in_vector[4];  for (u < 4) in_vector[u] = in[4 * i + u];      // one load
//           x = in_vector[0];  ...
//           out_vector[0] = a;  out_vector[1] = b;
//           for (u < 2) out[2 * i + u] = out_vector[u];                     // one store
//
// Statements that are all executed, one after the other, are looked at together. All elements of a vector have to be
// accessed there whatever conditions say, so that nothing is touched that was not before; of an input that consists of
// whole vectors most of them: the others are there, and nobody writes them.
#include "codegen/analysis/multiples.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

/// A subscript: what stays, and the number that is added.
struct Place {
  ExprPtr base;
  std::int64_t offset = 0;
};

Place placeOf(const ExprPtr &subscript) {
  if (const auto literal = literalValue(subscript))
    return {nullptr, *literal};
  if (subscript->kind != ExprKind::Binary || subscript->op != "+")
    return {subscript, 0};
  const Place a = placeOf(subscript->args[0]), b = placeOf(subscript->args[1]);
  const ExprPtr base = !a.base                    ? b.base
                       : !b.base                  ? a.base
                       : a.offset + b.offset == 0 ? subscript
                                                  : binary("+", a.base, b.base);
  return {base, a.offset + b.offset};
}

bool sameBase(const ExprPtr &a, const ExprPtr &b) { return a && b ? sameExpr(a, b) : !a && !b; }

struct Access {
  std::size_t statement = 0;
  VarPtr array;
  Place place;
  bool reads = false;
  bool writes = false;
  bool always = true; ///< whatever conditions of its statement say
};

/// Neighbours from `first` on that are accessed as one.
struct Vector {
  VarPtr array;
  ExprPtr base;
  std::int64_t first = 0;
  std::int64_t lanes = 0;
  std::size_t from = 0, to = 0; ///< the first and the last statement that accesses it
  bool read = false;            ///< before it is written
  bool written = false;
  VarPtr held;

  bool has(const Access &access) const {
    return access.array == array && sameBase(access.place.base, base) &&
           access.place.offset >= first && access.place.offset < first + lanes;
  }
};

/// Statements that are executed one after the other.
class Row {
public:
  Row(const LoweredPlan &plan, std::vector<StmtPtr> statements)
      : plan_(plan), statements_(std::move(statements)) {
    for (number_ = 0; number_ < statements_.size(); ++number_) {
      const Stmt &s = *statements_[number_];
      if (s.value)
        noteReads(s.value, true);
      if (!s.target)
        continue;
      for (std::size_t i = 1; i < s.target->args.size(); ++i)
        noteReads(s.target->args[i], true);
      if (isGlobal(*s.target))
        note(*s.target, s.op != "=", true, true);
    }
  }

  std::vector<StmtPtr> joined() {
    findVectors();
    if (vectors_.empty())
      return statements_;
    std::vector<StmtPtr> all;
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      for (const Vector &each : vectors_) {
        if (each.from != i)
          continue;
        all.push_back(declare(each.held, nullptr));
        if (each.read)
          all.push_back(together(each, true));
      }
      all.push_back(mapExprs(statements_[i], [&](const ExprPtr &e) { return rewrite(e, held_); }));
      for (const Vector &each : vectors_)
        if (each.to == i && each.written)
          all.push_back(together(each, false));
    }
    return all;
  }

private:
  bool isGlobal(const Expr &e) const {
    if (e.kind != ExprKind::Index || e.args.size() != 2 || e.args[0]->kind != ExprKind::Var)
      return false;
    const Buffer *buffer = plan_.bufferOf(e.args[0]->var);
    return buffer && buffer->space == Space::Global;
  }

  void note(const Expr &e, bool reads, bool writes, bool always) {
    accesses_.push_back({number_, e.args[0]->var, placeOf(e.args[1]), reads, writes, always});
  }

  void noteReads(const ExprPtr &e, bool always) {
    const bool asks =
        e->kind == ExprKind::Select || (e->kind == ExprKind::Binary && e->op.isLogic());
    if (isGlobal(*e))
      note(*e, true, false, always);
    for (std::size_t i = 0; i < e->args.size(); ++i)
      noteReads(e->args[i], always && (!asks || i == 0));
  }

  void findVectors() {
    for (const Access &access : accesses_) {
      if (std::ranges::any_of(vectors_, [&](const Vector &each) { return each.has(access); }))
        continue;
      const Scalar type = access.array->type.scalar;
      if (type == Scalar::Bool || type == Scalar::Index)
        continue;
      for (auto lanes = vectorBytes / static_cast<std::int64_t>(byteSize(type)); lanes > 1;
           lanes /= 2) {
        if (std::optional<Vector> vector = vectorAt(access, lanes)) {
          vectors_.push_back(*std::move(vector));
          break;
        }
      }
    }
  }

  std::optional<Vector> vectorAt(const Access &access, std::int64_t lanes) const {
    const auto &[base, offset] = access.place;
    if (offset < 0 || (base && !isMultipleOf(*base, lanes)))
      return std::nullopt;
    Vector vector;
    vector.array = access.array;
    vector.base = base;
    vector.first = offset / lanes * lanes;
    vector.lanes = lanes;
    vector.from = statements_.size();
    std::set<std::int64_t> always, read, written;
    for (const Access &each : accesses_) {
      if (!vector.has(each))
        continue;
      if (each.reads && !written.contains(each.place.offset))
        read.insert(each.place.offset);
      if (each.writes)
        written.insert(each.place.offset);
      if (each.always)
        always.insert(each.place.offset);
      vector.from = std::min(vector.from, each.statement);
      vector.to = each.statement;
    }
    const auto all = static_cast<std::size_t>(lanes);
    vector.read = !read.empty();
    vector.written = !written.empty();
    const bool isEnough = always.size() == all || (2 * always.size() > all && !vector.written &&
                                                   isOfVectors(vector.array, lanes));
    if (!isEnough || (vector.written && written.size() != all) || !isAlone(vector))
      return std::nullopt;
    Var held = *newVariable(vector.array->name + "_vector", vector.array->type.scalar);
    held.extent = intLiteral(lanes);
    vector.held = std::make_shared<const Var>(std::move(held));
    return vector;
  }

  /// Whether `array` is an input of so many elements that vectors of `lanes` have all of them.
  bool isOfVectors(const VarPtr &array, std::int64_t lanes) const {
    const Buffer *buffer = plan_.bufferOf(array);
    Substitution numbers;
    for (const ShapeContract &each : plan_.shape)
      if (literalValue(each.equals))
        numbers[each.extent.get()] = each.equals;
    return buffer->access == "in" && buffer->count &&
           isMultipleOf(*substitute(buffer->count, numbers), lanes);
  }

  /// Whether between its first and its last access nobody else may access its elements, and they stay where they are.
  bool isAlone(const Vector &vector) const {
    std::set<const Var *> names;
    if (vector.base)
      forEach(vector.base, [&](const Expr &e) {
        if (e.var)
          names.insert(e.var.get());
      });
    for (std::size_t i = vector.from; i <= vector.to; ++i) {
      const Stmt &s = *statements_[i];
      const Expr *target = s.target.get();
      if (s.kind == StmtKind::Decl && s.var && names.contains(s.var.get()))
        return false;
      while (target && target->kind == ExprKind::Index)
        target = target->args[0].get();
      if (target && target->var && names.contains(target->var.get()))
        return false;
    }
    return std::ranges::none_of(accesses_, [&](const Access &each) {
      return each.array == vector.array && each.statement >= vector.from &&
             each.statement <= vector.to && !vector.has(each) && (each.writes || vector.written);
    });
  }

  ExprPtr held(const ExprPtr &e) const {
    if (!isGlobal(*e))
      return e;
    Access access;
    access.array = e->args[0]->var;
    access.place = placeOf(e->args[1]);
    const auto vector =
        std::ranges::find_if(vectors_, [&](const Vector &each) { return each.has(access); });
    return vector == vectors_.end()
               ? e
               : index(varRef(vector->held), {intLiteral(access.place.offset - vector->first)});
  }

  static StmtPtr together(const Vector &vector, bool load) {
    const VarPtr u = newVariable("u");
    const ExprPtr start = !vector.base        ? intLiteral(vector.first)
                          : vector.first == 0 ? vector.base
                                              : binary("+", vector.base, intLiteral(vector.first));
    const ExprPtr there = index(varRef(vector.array), {binary("+", start, varRef(u))});
    const ExprPtr here = index(varRef(vector.held), {varRef(u)});
    return unrolledLoop(countingLoop(u, intLiteral(vector.lanes),
                                     load ? assign(here, "=", there) : assign(there, "=", here)),
                        1, static_cast<unsigned>(vector.lanes));
  }

  const LoweredPlan &plan_;
  std::vector<StmtPtr> statements_;
  std::size_t number_ = 0;
  std::vector<Access> accesses_; ///< in order
  std::vector<Vector> vectors_;
  const std::function<ExprPtr(const ExprPtr &)> held_ = [this](const ExprPtr &e) {
    return held(e);
  };
};

bool isOfRow(const Stmt &s) {
  if (s.kind == StmtKind::Comment)
    return true;
  if (s.kind != StmtKind::Decl && s.kind != StmtKind::Assign)
    return false;
  // Neither atomic operations nor functions that are given memory.
  auto isPlain = [](const ExprPtr &e) {
    return !e || !contains(e, [](const Expr &each) {
      return each.kind == ExprKind::Atomic ||
             (each.kind == ExprKind::Call && std::ranges::any_of(each.args, [](const ExprPtr &arg) {
                return arg->kind == ExprKind::Var && arg->var->kind == VarKind::Buffer;
              }));
    });
  };
  return isPlain(s.value) && isPlain(s.target);
}

StmtPtr joined(const LoweredPlan &plan, const StmtPtr &s, bool ofItem) {
  if (!s)
    return s;
  ofItem |= s->kind == StmtKind::Parallel && plan.role(s->level) == Role::Item;
  std::vector<StmtPtr> children;
  for (const StmtPtr &child : s->children)
    children.push_back(joined(plan, child, ofItem));
  if (s->kind != StmtKind::Block || !ofItem)
    return withChildren(s, std::move(children));
  std::vector<StmtPtr> all, row;
  auto end = [&] {
    for (StmtPtr &each : Row(plan, std::exchange(row, {})).joined())
      all.push_back(std::move(each));
  };
  for (StmtPtr &child : children) {
    if (isOfRow(*child)) {
      row.push_back(std::move(child));
      continue;
    }
    end();
    all.push_back(std::move(child));
  }
  end();
  return withChildren(s, std::move(all));
}

} // namespace

LoweredPlan vectorizeNeighbours(LoweredPlan plan) {
  plan.body = joined(plan, plan.body, false);
  return plan;
}

} // namespace tangram::codegen
