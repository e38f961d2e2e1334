// Privatization of counts: rounds of a loop that adds to elements which data name take turns among copies, which are added up
// at the end. Without it a round that names the element of the round before waits for its sum.
//
//   before: for (i < n) counts[in[i]] += 1;
//   after:  if (bins <= 1024 && bins * 32 <= n) {
//             T more[...];  for (b < bins) ...: more of each copy = 0;
//             for (block < n / 4) {
//               counts[in[4 * block]] += 1;  more of copy 1[in[4 * block + 1]] += 1;  ...
//             }
//             for (i = n / 4 * 4; i < n) counts[in[i]] += 1;
//             for (b < bins) counts[b] += more of copy 1[b] + more of copy 2[b] + more of copy 3[b];
//           } else ...
//
// The caller says that what names an element is within [0, bins), so that each of these is one that the loop may add to
// anyway. There are as many copies as the model has chains. Where items step together (a GPU) others work while one waits.
#include "algebra/simplify.h"
#include "codegen/analysis/caches.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <optional>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr std::int64_t lineBytes =
    64; ///< by which copies are further apart, so that no two elements seem to be one
constexpr std::int64_t worthwhile =
    8; ///< so many rounds for each element that is cleared or added up

/// Of chains, which are unrolled loops; 1: the model has none.
std::int64_t copiesFor(const LoweredPlan &plan) {
  std::int64_t copies = 1;
  for (const composer::Level &level : plan.machine->levels) {
    const auto index = static_cast<int>(&level - plan.machine->levels.data());
    const auto count = composer::plainNumber(level.workers.defaultCount);
    if (plan.role(index) == Role::Unroll && count && !level.isOfNests())
      copies = static_cast<std::int64_t>(*count);
  }
  return copies;
}

void collectTerms(const ExprPtr &e, std::vector<ExprPtr> &into) {
  if (e->kind != ExprKind::Binary || e->op != "+")
    return into.push_back(e);
  collectTerms(e->args[0], into);
  collectTerms(e->args[1], into);
}

/// for (i < rounds) array[base + name] += value, where the caller says that name is within [0, count).
struct Counting {
  CountedLoop loop;
  VarPtr array;
  ExprPtr base;
  ExprPtr name;
  ExprPtr count;
  StmtPtr adding;
};

/// What the caller says that elements of the container stay below, none of them being below 0.
ExprPtr boundOf(const LoweredPlan &plan, const Var *container) {
  for (const DataContract &each : plan.data) {
    if (each.container.get() == container && each.kind == "within" &&
        literalValue(each.low).value_or(-1) >= 0 && each.high->type.scalar == Scalar::Index)
      return each.high;
  }
  return nullptr;
}

/// (index)container[...], where the caller says what that is below.
ExprPtr boundOfName(const LoweredPlan &plan, const ExprPtr &term) {
  const bool isElement = term->kind == ExprKind::Cast && term->type.scalar == Scalar::Index &&
                         term->args[0]->kind == ExprKind::Index &&
                         term->args[0]->args[0]->kind == ExprKind::Var;
  return isElement ? boundOf(plan, term->args[0]->args[0]->var.get()) : nullptr;
}

std::optional<Counting> countingOf(const LoweredPlan &plan, const Stmt &s) {
  if (s.kind != StmtKind::For || s.lanes != 0 || s.unroll != 0)
    return std::nullopt;
  const auto loop = countedLoop(s);
  if (!loop || !loop->isPlain() || loop->i->type.scalar != Scalar::Index)
    return std::nullopt;
  const std::vector<StmtPtr> body = withoutBlocks({loop->body});
  if (body.size() != 1 || body[0]->kind != StmtKind::Assign || body[0]->op != "+=")
    return std::nullopt;
  const ExprPtr &target = body[0]->target, &value = body[0]->value;
  if (target->kind != ExprKind::Index || target->args.size() != 2 ||
      target->args[0]->kind != ExprKind::Var || isFloating(target->type.scalar) ||
      byteSize(target->type.scalar) < 4)
    return std::nullopt;
  Counting counting{*loop, target->args[0]->var, nullptr, nullptr, nullptr, body[0]};
  std::vector<ExprPtr> terms;
  collectTerms(target->args[1], terms);
  for (const ExprPtr &term : terms) {
    const ExprPtr count = boundOfName(plan, term);
    if (count && !counting.name) {
      counting.name = term;
      counting.count = count;
    } else {
      counting.base = counting.base ? binary("+", counting.base, term) : term;
    }
  }
  const auto isChanging = [&](const ExprPtr &e) {
    return e && contains(e, [&](const Expr &each) {
             return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
                    each.kind == ExprKind::Call || each.var == loop->i;
           });
  };
  const auto touches = [&](const ExprPtr &e) {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Atomic || each.var == counting.array;
    });
  };
  if (!counting.name || isChanging(counting.base) || isChanging(loop->bound) || touches(value) ||
      touches(counting.name))
    return std::nullopt;
  return counting;
}

/// `mostBytes`: of all copies.
StmtPtr inCopies(const Counting &counting, std::int64_t copies, std::int64_t mostBytes,
                 const StmtPtr &otherwise) {
  const Scalar type = counting.array->type.scalar;
  const auto size = static_cast<std::int64_t>(byteSize(type));
  const std::int64_t most = mostBytes / (copies * size);
  const std::int64_t pitch = most + lineBytes / size;
  auto more = std::make_shared<Var>(*newVariable("more", type));
  more->extent = intLiteral((copies - 1) * pitch);
  const auto inArray = [&](const ExprPtr &at) {
    return index(varRef(counting.array), {counting.base ? binary("+", counting.base, at) : at});
  };
  const auto inCopy = [&](std::int64_t copy, const ExprPtr &at) {
    return index(varRef(more), {copy == 1 ? at : binary("+", intLiteral((copy - 1) * pitch), at)});
  };
  const VarPtr cleared = newVariable("bin"), summed = newVariable("bin"),
               blockNumber = newVariable("block");
  const VarPtr whole = newVariable("whole"), left = renewed(*counting.loop.i);
  std::vector<StmtPtr> clearing, round;
  ExprPtr sum;
  for (std::int64_t copy = 0; copy < copies; ++copy) {
    const ExprPtr first = binary("*", varRef(blockNumber), intLiteral(copies));
    const Substitution here{
        {counting.loop.i.get(), copy == 0 ? first : binary("+", first, intLiteral(copy))}};
    const ExprPtr name = substitute(counting.name, here);
    round.push_back(assign(copy == 0 ? inArray(name) : inCopy(copy, name), "+=",
                           substitute(counting.adding->value, here), counting.adding->location));
    if (copy == 0)
      continue;
    clearing.push_back(assign(inCopy(copy, varRef(cleared)), "=", intLiteral(0, type)));
    sum = sum ? binary("+", sum, inCopy(copy, varRef(summed))) : inCopy(copy, varRef(summed));
  }
  const ExprPtr &rounds = counting.loop.bound;
  const ExprPtr isWorthwhile =
      binary("&&", binary("<=", counting.count, intLiteral(most)),
             binary("<=", binary("*", counting.count, intLiteral(worthwhile * copies)), rounds));
  return ifThen(
      isWorthwhile,
      block({declare(more, nullptr),
             countingLoop(cleared, counting.count, block(std::move(clearing))),
             declare(whole, binary("/", rounds, intLiteral(copies))),
             countingLoop(blockNumber, varRef(whole), block(std::move(round))),
             countingLoop(left, rounds,
                          substitute(counting.loop.body, {{counting.loop.i.get(), varRef(left)}}),
                          binary("*", varRef(whole), intLiteral(copies))),
             countingLoop(summed, counting.count,
                          block({assign(inArray(varRef(summed)), "+=", sum)}))}),
      otherwise);
}

} // namespace

LoweredPlan privatizeCounts(LoweredPlan plan) {
  const std::int64_t copies = copiesFor(plan);
  if (copies < 2)
    return plan;
  const std::int64_t halfOfACache = cachesOf(plan).first / 2;
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const auto counting = countingOf(plan, *s);
    return counting ? inCopies(*counting, copies, halfOfACache, block({s})) : s;
  });
  return plan;
}

} // namespace tangram::codegen
