// Vectorized access: an item reads neighbours in global memory into an array of its own as one vector:
//
//   before: for (e < 4) own[e] = in[4 * i + e];
//   after:  own = the vector at in[4 * i];
//
// Where they begin at multiples of a vector's elements only if sizes are such, code asks for that before the loops around:
//
//   before: for (j < m) { for (e < 4) own[e] = in[row * n + 4 * j + e];  A }
//   after:  if (n % 4 == 0) for (j < m) { own = the vector at in[row * n + 4 * j];  A }
//           else before
#include "codegen/analysis/multiples.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <optional>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isElement(const Expr &e) { return e.kind == ExprKind::Index && e.args.size() == 2; }

/// own[i] of an array of one item, whose size is a multiple of `lanes`.
bool isOwnElement(const Expr &e, const Var &i, std::int64_t lanes) {
  if (!isElement(e) || e.args[0]->kind != ExprKind::Var)
    return false;
  const Var &array = *e.args[0]->var;
  return array.kind == VarKind::Local && array.extent &&
         literalValue(array.extent).value_or(1) % lanes == 0 && e.args[1]->kind == ExprKind::Var &&
         e.args[1]->var.get() == &i;
}

/// Whether `e` is one number in all rounds of a loop over i that changes nothing but elements of `own`.
bool isSame(const ExprPtr &e, const Var &i, const Var &own) {
  return !contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Atomic || each.var.get() == &i || each.var.get() == &own;
  });
}

/// for (i < rounds) own[i] = value, of as many rounds as fill vectors.
struct Copy {
  VarPtr i;
  VarPtr own;
  ExprPtr value;
  std::int64_t lanes; ///< elements of a vector
};

/// What a loop copies to an array of an item's own, if it does nothing else.
std::optional<Copy> copyOf(const Stmt &s) {
  const std::optional<CountedLoop> loop =
      s.kind == StmtKind::For && s.lanes == 0 ? countedLoop(s) : std::nullopt;
  const auto bound = loop && loop->isPlain() ? literalValue(loop->bound) : std::nullopt;
  if (!bound)
    return std::nullopt;
  const std::vector<StmtPtr> body = withoutBlocks({loop->body});
  if (body.size() != 1 || body[0]->kind != StmtKind::Assign || body[0]->op != "=")
    return std::nullopt;
  const ExprPtr &target = body[0]->target, &value = body[0]->value;
  const Scalar element = target->type.scalar;
  if (element == Scalar::Bool || element == Scalar::Index || value->type.scalar != element)
    return std::nullopt;
  const auto lanes = vectorBytes / static_cast<std::int64_t>(byteSize(element));
  if (lanes < 2 || *bound <= 0 || *bound % lanes != 0 || !isOwnElement(*target, *loop->i, lanes) ||
      value->kind != ExprKind::Index)
    return std::nullopt;
  return Copy{loop->i, target->args[0]->var, value, lanes};
}

/// What vectors of global memory are read into an item's own array.
class Reading {
public:
  explicit Reading(const LoweredPlan &plan) : plan_(plan), multiples_(plan) {}

  StmtPtr run(const StmtPtr &s) {
    const StmtPtr always = withVectors(s, {});
    return asking(always);
  }

private:
  struct Vectors {
    unsigned lanes;
    VariableSet sizes; ///< that have to be multiples of `lanes`
  };

  /// The vectors that a loop reads, if it does nothing else.
  std::optional<Vectors> vectorsOf(const Stmt &s) const {
    const auto copy = copyOf(s);
    if (!copy)
      return std::nullopt;
    auto sizes = sizesFor(*copy->value, *copy->i, *copy->own, copy->lanes);
    return sizes ? std::optional(Vectors{static_cast<unsigned>(copy->lanes), *std::move(sizes)})
                 : std::nullopt;
  }

  /// Of in[m + i] of global memory, where m is one number in all rounds of a loop over i that changes nothing but elements
  /// of `own`: the sizes that have to be multiples for m to be a multiple of `lanes`.
  std::optional<VariableSet> sizesFor(const Expr &e, const Var &i, const Var &own,
                                      std::int64_t lanes) const {
    if (!isElement(e) || e.args[0]->kind != ExprKind::Var)
      return std::nullopt;
    const Buffer *buffer = plan_.bufferOf(e.args[0]->var);
    if (!buffer || buffer->space != Space::Global)
      return std::nullopt;
    unsigned numbers = 0;
    VariableSet sizes;
    for (const ExprPtr &term : summandsOf(e.args[1])) {
      if (term->kind == ExprKind::Var && term->var.get() == &i) {
        ++numbers;
        continue;
      }
      auto found = multiples_.sizesFor(*term, lanes);
      if (!found || !isSame(term, i, own))
        return std::nullopt;
      sizes.merge(*found);
    }
    return numbers == 1 ? std::optional(sizes) : std::nullopt;
  }

  /// With those vectors for which no more than these sizes have to be multiples.
  StmtPtr withVectors(const StmtPtr &body, const VariableSet &sizes) const {
    return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
      const auto vectors = vectorsOf(*s);
      if (!vectors || !std::ranges::includes(sizes, vectors->sizes, ir::ByIdentity()))
        return s;
      const auto rounds = literalValue(countedLoop(*s)->bound);
      return unrolledLoop(s, static_cast<unsigned>(*rounds) / vectors->lanes, vectors->lanes);
    });
  }

  /// With the others, in loops of items that ask for sizes before.
  StmtPtr asking(const StmtPtr &s) const {
    if (isLoop(*s) && !hasWorkers(plan_, s, Role::Item) && !hasWorkers(plan_, s, Role::Group))
      return askedBefore(s);
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(child ? asking(child) : child);
    return children == s->children ? s : withChildren(s, std::move(children));
  }

  StmtPtr askedBefore(const StmtPtr &loop) const {
    VariableSet sizes;
    unsigned lanes = 0; // the most elements of a vector
    forEach(loop, [&](const Stmt &s) {
      if (auto vectors = vectorsOf(s)) {
        sizes.merge(vectors->sizes);
        lanes = std::max(lanes, vectors->lanes);
      }
    });
    if (sizes.empty())
      return loop;
    ExprPtr condition;
    for (const VarPtr &extent : plan_.extents) {
      if (!sizes.contains(extent))
        continue;
      const ExprPtr fits =
          binary("==", binary("%", varRef(extent), intLiteral(lanes)), intLiteral(0));
      condition = condition ? binary("&&", condition, fits) : fits;
    }
    return ifThen(condition, block({withOwnVariables(withVectors(loop, sizes))}), block({loop}));
  }

  const LoweredPlan &plan_;
  Multiples multiples_;
};

} // namespace

LoweredPlan vectorizeAccesses(LoweredPlan plan) {
  bool copies = false;
  forEach(plan.body, [&](const Stmt &s) { copies = copies || copyOf(s); });
  if (!copies)
    return plan;
  plan.body = Reading(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
