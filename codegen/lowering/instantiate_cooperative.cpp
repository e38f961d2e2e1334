// Lowering of a cooperative codelet: its lanes are the workers of the subordinate level. What they
// do together is split into pieces first (codegen/lockstep/split_lockstep.h), which are then
// lowered as any code: what is the same for all lanes by the group, a piece by its lanes.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/lowering/cooperative_region.h"
#include "codegen/lowering/instantiation.h"

#include "composer/analysis/coverage.h"
#include "composer/analysis/partition_check_candidates.h"

#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

ExprPtr Instantiation::lowerCooperative(const PlanNode &node, const std::vector<Value> &given,
                                        const Destination &destination) {
  const composer::Level &here = level(node.level);
  if (!isGroupOfItems(node.level))
    refuse("target " + target_.name +
               " runs cooperative codelets on a group of items only; level " + here.name + " (" +
               here.title + ") is none",
           codeletOf(node).location);
  scope_.emitComment("compute(" + codeletOf(node).name() + ", VE_" + here.name + ")");
  const std::vector<Value> args = withPaddedArrays(node, given);
  Instance in = instantiate(node, args, destination);
  const Codelet &codelet = *in.codelet;
  findLanes(in);
  LockstepRegion region = regionOf(codelet, program_.spectrum(node.spectrum)->result.scalar);
  region.level = here.subordinate;
  region.lane = in.rows.back().worker;
  in.roundings = add(roundingsOf(codelet, args), in.lanes);
  bindTunables(in);
  for (const composer::Requirement &needed : needsOf(codelet))
    lowerRequire(in, *require(needed.condition, needed.location));
  auto split = splitLockstep(region);
  if (auto *refusal = std::get_if<Refusal>(&split))
    refuse(refusal->reason, refusal->location);
  const StmtPtr &pieces = std::get<StmtPtr>(split);
  noteAssigned(in, pieces);
  auto windows = windowsOf(node, args);
  std::erase_if(windows,
                [&](const auto &each) { return !plan_.padded.contains(each.second.array); });
  inWindows(node, windows, [&] { lowerStatement(in, pieces); });
  return in.roundings;
}

const std::vector<composer::Requirement> &Instantiation::needsOf(const Codelet &codelet) {
  const auto known = findings_->needs.find(&codelet);
  if (known != findings_->needs.end())
    return known->second;
  const Spectrum &spectrum = *program_.spectrum(codelet.spectrum);
  return findings_->needs[&codelet] =
             composer::inferRequires(codelet, composer::sizeContracts(spectrum, codelet));
}

/// The lanes are the items of the group; where they stand in warps, one warp's behind the other's.
void Instantiation::findLanes(Instance &in) {
  int index = in.node->level;
  do {
    index = level(index).subordinate;
    const VarPtr worker =
        newVariable(identifier(level(index).title), Scalar::Index, VarKind::Worker);
    const ExprPtr count = counts_.workersOf(index, "", {});
    scope_.boundWorker(worker, count);
    in.lane = in.lane ? add(mul(in.lane, count), varRef(worker)) : varRef(worker);
    in.lanes = in.lanes ? mul(in.lanes, count) : count;
    in.rows.push_back({index, worker, count});
  } while (isGroupOfItems(index));
}

/// What all lanes do, or one of them for all.
void Instantiation::lowerPiece(Instance &in, const Stmt &piece) {
  in.perLane = true;
  StmtPtr body = scope_.collect([&] { lowerStatement(in, piece.children[0]); });
  in.perLane = false;
  if (body->children.empty()) // names of what is known have no statement
    return;
  if (piece.span != Span::All)
    return scope_.emit(byFirstItem(in.node->level, body->children));
  for (auto row = in.rows.rbegin(); row != in.rows.rend(); ++row)
    body = block({parallel(row->level, Span::All, row->worker, row->count, body)});
  scope_.emit(body->children[0]);
}

void Instantiation::declareShared(Instance &in, const Stmt &s) {
  const VarPtr &source = s.var;
  ExprPtr count = source->extent
                      ? simplified(cast(Scalar::Index, evaluateScalar(in, source->extent)))
                      : intLiteral(1);
  if (!scope_.isCompileTime(scope_.closed(count)))
    refuse("'" + source->name + "' has " + toString(source->extent) +
               " elements, a number known only at run time; shared memory has to be sized "
               "before, by coopDim(), tunables and constants",
           s.location);
  const View view =
      newArray(source->name, source->type.scalar, in.node->level, {count}, {scope_.closed(count)});
  in.environment[source.get()] =
      source->extent ? Value(view) : Value(elementOf(view, {intLiteral(0)}));
  if (s.value)
    refuse("a __shared variable cannot have an initial value; assign to it", s.location);
}

} // namespace tangram::codegen
