#include "codegen/analysis/default_groups.h"

#include "algebra/simplify.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/analysis/tunable_ranges.h"
#include "codegen/form/building.h"
#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t mostWaves = 8;
/// Rounds of as many loads as hide the latency of memory.
constexpr std::int64_t roundsOfLoads = 2;
/// Elements that are taken for the parts of one: coordinates, planes of a lattice.
constexpr std::int64_t mostParts = 16;

ExprPtr number(double value) { return intLiteral(static_cast<std::int64_t>(value)); }
ExprPtr quotient(ExprPtr a, ExprPtr b) { return binary("/", std::move(a), std::move(b)); }

bool isOfParts(const ExprPtr &length) {
  return literalValue(length).value_or(mostParts + 1) <= mostParts;
}

/// Elements of the largest container, or of the largest array of all groups whose size the sizes of
/// a call decide: those of more dimensions have no fewer than their rows. Along a dimension of a
/// certain short length, which a spectrum requires or an array has, are the parts of one element:
/// the coordinates of a point.
ExprPtr elementsOf(const LoweredPlan &plan) {
  Substitution parts;
  for (const ShapeContract &contract : plan.shape) {
    if (isOfParts(contract.equals))
      parts[contract.extent.get()] = intLiteral(1);
  }
  ExprPtr most;
  const auto take = [&](const ExprPtr &elements) {
    const ExprPtr count = simplify(substitute(elements, parts));
    most = most ? maxOf(most, count) : count;
  };
  for (const Buffer &buffer : plan.buffers) {
    if (!buffer.access.empty() && buffer.var != plan.result)
      take(buffer.count);
  }
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Allocate || plan.role(s.array->owner) >= Role::Group)
      return;
    ExprPtr elements = intLiteral(1);
    for (const ExprPtr &bound : s.array->bounds)
      elements = isOfParts(bound) ? elements : mul(elements, bound);
    const bool isKnown = !contains(elements, [&](const Expr &e) {
      return e.var && (e.var->kind != VarKind::Param || plan.tunableOf(e.var));
    });
    if (isKnown)
      take(elements);
  });
  return most ? simplify(most) : nullptr;
}

/// The number of the smallest elements in the longest line of memory or of a cache; 1 where the
/// model does not say.
std::int64_t elementsOfALine(const LoweredPlan &plan) {
  std::int64_t smallest = 8;
  for (const Buffer &buffer : plan.buffers) {
    if (!buffer.access.empty() && buffer.var != plan.result)
      smallest = std::min(smallest, static_cast<std::int64_t>(byteSize(buffer.var->type)));
  }
  std::int64_t line = 0;
  for (const composer::Level &level : plan.machine->levels) {
    for (const composer::Memory &memory : level.memory)
      line = std::max(line, static_cast<std::int64_t>(memory.lineBytes));
  }
  return std::max<std::int64_t>(1, line / std::max<std::int64_t>(1, smallest));
}

/// The number of the largest elements in a vector, at least two.
std::int64_t elementsOfAVector(const LoweredPlan &plan) {
  std::int64_t largest = 4;
  for (const Buffer &buffer : plan.buffers) {
    if (!isOfParts(buffer.count))
      largest = std::max(largest, static_cast<std::int64_t>(byteSize(buffer.var->type)));
  }
  return std::max<std::int64_t>(2, vectorBytes / largest);
}

/// Null: one.
ExprPtr itemsOf(const LoweredPlan &plan) {
  ExprPtr items;
  for (const auto &[level, workers] : plan.workers) {
    if (plan.role(level) == Role::Item || plan.role(level) == Role::Warp)
      items = items ? mul(items, workers) : workers;
  }
  return items;
}

/// Groups that the local memory of a unit has room for; null where a unit has room for as many as
/// it carries anyhow when tunables have their defaults, or the model does not say.
ExprPtr roomFor(const LoweredPlan &plan, const ExprPtr &resident) {
  const composer::Level *level = levelOfLocalMemory(*plan.machine);
  const std::uint64_t unit = level ? level->memoryNamed("local")->unitBytes : 0;
  ExprPtr bytes;
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Allocate || plan.role(s.array->owner) != Role::Group)
      return;
    ExprPtr each = number(byteSize(s.var->type.scalar));
    for (const ExprPtr &bound : s.array->bounds)
      each = mul(each, bound);
    bytes = bytes ? add(bytes, each) : each;
  });
  if (unit == 0 || !bytes)
    return nullptr;
  const auto most = defaultValue(plan, resident), taken = defaultValue(plan, bytes);
  if (!most || !taken || *most * *taken <= static_cast<std::int64_t>(unit))
    return nullptr;
  return maxOf(intLiteral(1),
               quotient(intLiteral(static_cast<std::int64_t>(unit)), maxOf(intLiteral(1), bytes)));
}

/// The groups that any launch may have.
std::int64_t mostGroups(const LoweredPlan &plan) {
  std::uint64_t most = INT32_MAX;
  for (const Tunable &tunable : plan.tunables) {
    if (tunable.kind == Tunable::Kind::Launch)
      most = std::min(most, tunable.max);
  }
  return static_cast<std::int64_t>(most);
}

/// Rows of groups that a launch has where their number is a tunable, too.
constexpr std::int64_t defaultRows = 64;

/// Groups in several dimensions: rows of them, and in each row so many.
class RowsOfGroups {
public:
  explicit RowsOfGroups(const LoweredPlan &plan) : plan_(plan), constants_(constantsOf(plan.body)) {
    forEach(plan.body, [&](const Stmt &s) {
      if (!areGroups(s) || plan.machine->levels[static_cast<std::size_t>(s.level)].dimension == 0)
        return;
      if (tunableOf(s))
        rows_.insert(tunableOf(s));
      forEach(s.children[0], [&](const Stmt &inner) {
        if (areGroups(inner) && tunableOf(inner))
          rowsOf_[tunableOf(inner)] = s.value;
      });
    });
  }

  /// The part of `groups`, all that a launch has, that `tunable` says: the number of rows, or of
  /// groups in each.
  ExprPtr share(const Tunable &tunable, const ExprPtr &groups) const {
    if (rows_.contains(tunable.var.get()))
      return minOf(groups, intLiteral(defaultRows));
    const auto found = rowsOf_.find(tunable.var.get());
    if (found == rowsOf_.end())
      return groups;
    const ExprPtr rows = plan_.tunableOf(found->second->var)
                             ? minOf(groups, intLiteral(defaultRows))
                             : known(found->second);
    return rows ? maxOf(intLiteral(1), quotient(groups, maxOf(intLiteral(1), rows))) : groups;
  }

private:
  bool areGroups(const Stmt &s) const {
    return s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Group && s.value;
  }
  /// Null: their number is none.
  const Var *tunableOf(const Stmt &groups) const {
    const bool is = groups.value->kind == ExprKind::Var && plan_.tunableOf(groups.value->var);
    return is ? groups.value->var.get() : nullptr;
  }
  /// The number over sizes of the call; null: it is none.
  ExprPtr known(const ExprPtr &number) const {
    const ExprPtr written = rewrite(number, [&](const ExprPtr &each) -> ExprPtr {
      const auto constant =
          each->kind == ExprKind::Var ? constants_.find(each->var.get()) : constants_.end();
      const ExprPtr value = constant == constants_.end() ? nullptr : known(constant->second);
      return value ? value : each;
    });
    const bool isOfSizes = !contains(written, [&](const Expr &e) {
      return e.kind == ExprKind::Index ||
             (e.kind == ExprKind::Var &&
              std::ranges::find(plan_.extents, e.var) == plan_.extents.end());
    });
    return isOfSizes ? written : nullptr;
  }

  const LoweredPlan &plan_;
  std::map<const Var *, ExprPtr> constants_;
  std::set<const Var *> rows_;            ///< tunables that count rows
  std::map<const Var *, ExprPtr> rowsOf_; ///< of a tunable that counts groups in a row: the rows
};

/// The elements of all of the caller's containers, if these are of one length and groups do nothing
/// but go over them: they share no array, keep none of their own, and do not meet at atomic
/// operations. Null otherwise.
ExprPtr elementsOfAMap(const LoweredPlan &plan) {
  Substitution equal;
  for (const ShapeContract &contract : plan.shape)
    equal[contract.extent.get()] = contract.equals;
  ExprPtr length;
  for (const Buffer &buffer : plan.buffers) {
    const ExprPtr count = simplify(substitute(buffer.count, equal));
    const bool isShort = isOfParts(count);
    if (buffer.access.empty() || buffer.var == plan.result ||
        (length && !isShort && !sameExpr(count, length)))
      return nullptr;
    if (!isShort)
      length = count;
  }
  bool goesOver = length && length->kind == ExprKind::Var;
  forEach(plan.body, [&](const Stmt &s) { goesOver &= s.kind != StmtKind::Allocate; });
  return goesOver && !hasAtomic(plan.body) ? length : nullptr;
}

} // namespace

void sizeDefaultGroups(LoweredPlan &plan) {
  const composer::Costs &costs = plan.machine->costs;
  const ExprPtr elements = elementsOf(plan);
  if (!plan.target->groupsRunInKernels || costs.residentItems <= 1 || !elements)
    return;
  const ExprPtr known = itemsOf(plan);
  const ExprPtr items = known ? known : intLiteral(1);
  const ExprPtr units = varRef(newVariable("compute_units", Scalar::Index, VarKind::Param));
  const ExprPtr resident =
      known ? minOf(number(costs.residentGroups),
                    maxOf(intLiteral(1), quotient(number(costs.residentItems), items)))
            : number(costs.residentAUnit(1));
  const ExprPtr room = roomFor(plan, resident);
  const ExprPtr wave = mul(units, room ? minOf(resident, room) : resident);
  const auto each = static_cast<std::int64_t>(plan.machine->code.loadsInFlight) * roundsOfLoads;
  // Groups with so much memory of their own begin and end with it: they are no more than there is
  // room for.
  const ExprPtr waves =
      room ? intLiteral(1)
           : maxOf(intLiteral(1),
                   minOf(intLiteral(mostWaves),
                         quotient(elements, mul(mul(wave, items), intLiteral(each)))));
  // Groups of a map have nothing to prepare: each has a vector for each of its items.
  const ExprPtr ofMap = elementsOfAMap(plan);
  const ExprPtr parts =
      ofMap ? minOf(intLiteral(mostGroups(plan)),
                    maxOf(wave, ceilDiv(ofMap, mul(items, intLiteral(elementsOfAVector(plan))))))
            : mul(wave, waves);
  ExprPtr groups = maxOf(intLiteral(1), minOf(ceilDiv(elements, items), parts));
  if (const std::int64_t line = elementsOfALine(plan); line > 1)
    groups = call("even_parts", scalarType(Scalar::Index), {elements, groups, intLiteral(line)});
  const RowsOfGroups rows(plan);
  for (Tunable &tunable : plan.tunables) {
    if (tunable.kind == Tunable::Kind::Launch)
      tunable.sizedDefault = rows.share(tunable, groups);
  }
}

double mostDefaultWaves(const LoweredPlan &plan, const ExprPtr &groups, double items) {
  const Tunable *tunable = groups->kind == ExprKind::Var ? plan.tunableOf(groups->var) : nullptr;
  if (!tunable)
    return 1;
  if (tunable->sizedDefault)
    return mostWaves;
  const auto count = composer::plainNumber(tunable->defaultValue);
  if (!count)
    return 1; // as many as the device has units, or a few times that
  const double wave = plan.machine->groupUnits() * plan.machine->costs.residentAUnit(items);
  return std::ceil(static_cast<double>(*count) / wave);
}

} // namespace tangram::codegen
