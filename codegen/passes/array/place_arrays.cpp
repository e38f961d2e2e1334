// Placement: owner and use decide where an array lives.
//
//   owner           size known when compiling      otherwise
//   host, grid      memory of every group          the same
//   group           memory of the group            a slice of global memory for each group
//   warp            memory of the warp             a slice for each warp
//   worker          private array (registers)      a slice for each worker
//
// The slices of workers that step together interleave, so that neighbours touch neighbours; others
// have caches of their own and get theirs in one piece (Futhark's and figure 7.1's choice).
#include "algebra/simplify.h"
#include "codegen/analysis/atomics.h"
#include "codegen/form/index_function.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

class Placement {
public:
  explicit Placement(LoweredPlan &plan) : plan_(plan) {}

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Allocate)
      return place(*s);
    const bool worker = s->kind == StmtKind::Parallel && s->var;
    if (worker)
      enclosing_.push_back(s.get());
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children) {
      if (StmtPtr placed = run(child); placed || s->kind != StmtKind::Block)
        children.push_back(std::move(placed));
    }
    if (worker)
      enclosing_.pop_back();
    return withChildren(s, std::move(children));
  }

  /// Accesses to what was placed elsewhere.
  ExprPtr moved(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      auto found = each->kind == ExprKind::Index && each->args[0]->kind == ExprKind::Var
                       ? places_.find(each->args[0]->var.get())
                       : places_.end();
      if (found == places_.end())
        return each;
      std::vector<ExprPtr> subscripts(each->args.begin() + 1, each->args.end());
      if (found->second.worker)
        subscripts.insert(subscripts.begin(), found->second.worker);
      return index(varRef(found->second.var), std::move(subscripts), each->location);
    });
  }

private:
  /// Where the elements of an array went.
  struct Place {
    VarPtr var;
    ExprPtr worker; ///< first subscript: whose slice; null: there is one
  };

  /// Whether all workers agree on it: it is made of sizes and tunables.
  bool isOfTheCall(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index ||
             (each.kind == ExprKind::Var && !plan_.tunableOf(each.var) &&
              std::ranges::find(plan_.extents, each.var) == plan_.extents.end() &&
              std::ranges::find(plan_.scalars, each.var) == plan_.scalars.end());
    });
  }

  /// An array of items that step together, whose extents only a launch knows, lies as the largest that it may be:
  /// where an element is needs no such number. Its rows are an odd number of elements apart, so that items that
  /// go down a column meet different banks. Copies that are read by vectors have a pitch already.
  Array withFixedRows(const Var &var, const Array &array) const {
    auto isFixed = [this](const ExprPtr &e) { return isCompileTime(plan_, e); };
    const bool grows = array.bounds.size() >= 2 && std::ranges::all_of(array.bounds, isFixed) &&
                       !std::ranges::all_of(array.extents, isFixed);
    if (!grows || plan_.role(array.owner) != Role::Group || plan_.target->itemsAreLoops ||
        plan_.ofVectors.contains(&var))
      return array;
    Array fixed{array.owner, array.bounds, array.bounds};
    const ExprPtr &row = array.bounds.back();
    const ExprPtr odd = add(mul(binary("/", row, intLiteral(2)), intLiteral(2)), intLiteral(1));
    fixed.extents.back() = fixed.bounds.back() = simplify(odd);
    return fixed;
  }

  StmtPtr place(const Stmt &s) {
    const Array array = withFixedRows(*s.var, *s.array);
    ExprPtr size = intLiteral(1);
    for (const ExprPtr &bound : array.bounds)
      size = mul(size, bound);
    size = simplify(size, {.proofs = plan_.proofs});
    const Role owner = plan_.role(array.owner);
    const bool sized = isCompileTime(plan_, size);
    plan_.strides[s.var] = rowMajor(array.extents);
    if (owner == Role::Host) {
      keep({s.var, Space::Global, size, ""});
      return nullptr;
    }
    if (owner == Role::Group && sized) {
      keep({s.var, Space::Local, size, "", plan_.ofVectors.contains(s.var.get())});
      return nullptr;
    }
    if (owner == Role::Warp && sized) {
      keep({s.var, Space::Warp, size, ""});
      return nullptr;
    }
    return sized ? privateArray(s, size) : slices(s, size);
  }

  /// Once, however often the code stands in which the array begins: full tiles have a copy of their own.
  void keep(Buffer buffer) {
    if (!plan_.bufferOf(buffer.var))
      plan_.buffers.push_back(std::move(buffer));
  }

  StmtPtr privateArray(const Stmt &s, const ExprPtr &size) {
    auto own = std::make_shared<Var>(*s.var);
    own->kind = VarKind::Local;
    own->extent = size;
    plan_.strides[own] = plan_.strides.at(s.var);
    places_[s.var.get()] = {own, nullptr};
    return declare(own, nullptr, s.location);
  }

  StmtPtr slices(const Stmt &s, const ExprPtr &size) {
    ExprPtr worker;
    ExprPtr workers = intLiteral(1);
    bool interleaved = false;
    for (const Stmt *each : enclosing_) {
      const ExprPtr own = varRef(each->var);
      const ExprPtr &most = plan_.mostWorkers.at(each->var);
      // Where some have fewer workers below them, slices are counted as if all had the most.
      worker = worker ? add(mul(worker, isOfTheCall(each->value) ? each->value : most), own) : own;
      workers = mul(workers, most);
      interleaved = plan_.role(each->level) == Role::Item && !plan_.target->itemsAreLoops;
    }
    keep({s.var, Space::Global, simplify(mul(workers, size), {.proofs = plan_.proofs}), ""});
    if (!worker)
      return nullptr;
    std::vector<ExprPtr> &strides = plan_.strides.at(s.var);
    if (interleaved) {
      for (ExprPtr &stride : strides)
        stride = mul(stride, workers);
    }
    strides.insert(strides.begin(), interleaved ? intLiteral(1) : size);
    places_[s.var.get()] = {s.var, worker};
    return nullptr;
  }

  LoweredPlan &plan_;
  std::vector<const Stmt *> enclosing_; ///< Parallels around, outermost first
  std::map<const Var *, Place> places_;
};

} // namespace

LoweredPlan placeArrays(LoweredPlan plan) {
  Placement placement(plan);
  plan.body = placement.run(plan.body);
  plan.body = mapExprs(plan.body, [&](const ExprPtr &e) { return placement.moved(e); });
  // Nobody comes between the operations on what is one worker's own.
  plan.body = withoutAtomics(plan.body, [](const Expr &operation) {
    const ExprPtr &place = operation.args[0];
    return place->kind == ExprKind::Index && place->args[0]->kind == ExprKind::Var &&
           place->args[0]->var->kind == VarKind::Local;
  });
  return plan;
}

} // namespace tangram::codegen
