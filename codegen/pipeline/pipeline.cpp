#include "codegen/pipeline/pipeline.h"

#include "codegen/lowering/lower.h"
#include "codegen/passes/array/passes.h"
#include "codegen/passes/kernel/passes.h"
#include "codegen/passes/kernel/split_edges.h"
#include "codegen/targets/opencl/pocl/passes.h"

#include <utility>

namespace tangram::codegen {

namespace {

struct Pass {
  const char *name;
  bool optional;
  LoweredPlan (*run)(LoweredPlan plan, bool lanesAreLoops);
};

constexpr Pass passes[] = {
    {"plain-positions", false, [](LoweredPlan p, bool) { return plainPositions(std::move(p)); }},
    {"stage-halos", true,
     [](LoweredPlan p, bool loops) { return loops ? p : stageHalos(std::move(p)); }},
    {"wide-copies", true,
     [](LoweredPlan p, bool loops) { return loops ? p : wideCopies(std::move(p)); }},
    {"forget-padding", false, [](LoweredPlan p, bool) { return forgetPadding(std::move(p)); }},
    {"look-back", true, [](LoweredPlan p, bool) { return lookBack(std::move(p)); }},
    {"interchange-loops", true, [](LoweredPlan p, bool) { return interchangeLoops(std::move(p)); }},
    {"step-sums", true, [](LoweredPlan p, bool) { return stepSums(std::move(p)); }},
    {"size-tiles", false, [](LoweredPlan p, bool) { return sizeTiles(std::move(p)); }},
    {"stage-windows", true, [](LoweredPlan p, bool) { return stageWindows(std::move(p)); }},
    {"register-tiles", true,
     [](LoweredPlan p, bool) { return keepTilesInRegisters(std::move(p)); }},
    {"hold-operands", true,
     [](LoweredPlan p, bool loops) { return loops ? p : holdOperands(std::move(p)); }},
    {"hold-parts", true, [](LoweredPlan p, bool) { return holdParts(std::move(p)); }},
    {"forget-windows", false, [](LoweredPlan p, bool) { return forgetWindows(std::move(p)); }},
    {"place-arrays", false, [](LoweredPlan p, bool) { return placeArrays(std::move(p)); }},
    {"separate-rows", true,
     [](LoweredPlan p, bool loops) { return loops ? separateRows(std::move(p)) : p; }},
    {"flatten-indexes", false, [](LoweredPlan p, bool) { return flattenIndexes(std::move(p)); }},
    {"private-copies", true,
     [](LoweredPlan p, bool loops) { return loops ? p : privateCopies(std::move(p)); }},
    {"simplify-indexes", true, [](LoweredPlan p, bool) { return simplifyIndexes(std::move(p)); }},
    {"remove-dead-code", false, [](LoweredPlan p, bool) { return removeDeadCode(std::move(p)); }},
    {"join-pieces", true, [](LoweredPlan p, bool) { return joinPieces(std::move(p)); }},
    {"keep-in-registers", true, [](LoweredPlan p, bool) { return keepInRegisters(std::move(p)); }},
    {"jam-loops", true,
     [](LoweredPlan p, bool loops) { return jamLoops(std::move(p), Role::Unroll, loops); }},
    {"tidy-declarations", false,
     [](LoweredPlan p, bool) { return tidyDeclarations(std::move(p)); }},
    {"expand-chain-variables", false,
     [](LoweredPlan p, bool loops) { return loops ? expandChainVariables(std::move(p)) : p; }},
    {"jam-lanes", true,
     [](LoweredPlan p, bool loops) { return loops ? jamLoops(std::move(p), Role::Item) : p; }},
    {"tidy-declarations", false,
     [](LoweredPlan p, bool) { return tidyDeclarations(std::move(p)); }},
    {"expand-worker-variables", false,
     [](LoweredPlan p, bool loops) { return expandWorkerVariables(std::move(p), loops); }},
    {"split-edges", true,
     [](LoweredPlan p, bool loops) {
       return loops ? splitEdges(std::move(p)) : splitGroups(std::move(p));
     }},
    {"full-tiles", true,
     [](LoweredPlan p, bool loops) { return loops ? p : fullTiles(std::move(p)); }},
    {"whole-blocks", true,
     [](LoweredPlan p, bool loops) { return loops ? p : wholeBlocks(std::move(p)); }},
    // Not of items: a branch in each of their rounds takes more time than the comparisons that it saves.
    {"split-rounds", true,
     [](LoweredPlan p, bool loops) { return loops ? splitRounds(std::move(p), loops) : p; }},
    {"hoist-choices", true,
     [](LoweredPlan p, bool loops) { return loops ? hoistChoices(std::move(p)) : p; }},
    {"hoist-branches", true,
     [](LoweredPlan p, bool loops) { return loops ? hoistBranches(std::move(p)) : p; }},
    {"append-in-blocks", true,
     [](LoweredPlan p, bool loops) { return loops ? appendInBlocks(std::move(p)) : p; }},
    {"count-in-copies", true,
     [](LoweredPlan p, bool loops) { return loops ? countInCopies(std::move(p)) : p; }},
    {"turn-blocks", true,
     [](LoweredPlan p, bool loops) { return loops ? turnBlocks(std::move(p)) : p; }},
    {"elements-in-lanes", true,
     [](LoweredPlan p, bool loops) { return loops ? elementsInLanes(std::move(p)) : p; }},
    {"side-by-side", true,
     [](LoweredPlan p, bool loops) { return loops ? putSideBySide(std::move(p)) : p; }},
    {"load-ahead", true,
     [](LoweredPlan p, bool loops) { return loops ? p : loadAhead(std::move(p)); }},
    {"load-next-tiles", true,
     [](LoweredPlan p, bool loops) { return loops ? p : loadNextTiles(std::move(p)); }},
    {"read-vectors", true,
     [](LoweredPlan p, bool loops) { return loops ? p : readVectors(std::move(p)); }},
    {"carry-values", true,
     [](LoweredPlan p, bool loops) { return loops ? p : carryValues(std::move(p)); }},
    {"carry-loads", true,
     [](LoweredPlan p, bool loops) { return loops ? p : carryLoads(std::move(p)); }},
    {"unroll-arrays", true,
     [](LoweredPlan p, bool loops) { return loops ? p : unrollArrays(std::move(p)); }},
    {"unroll-copies", true,
     [](LoweredPlan p, bool loops) { return loops ? p : unrollCopies(std::move(p)); }},
    {"unroll-loads", true,
     [](LoweredPlan p, bool loops) { return loops ? p : unrollLoads(std::move(p)); }},
    {"join-neighbours", true,
     [](LoweredPlan p, bool loops) { return loops ? p : joinNeighbours(std::move(p)); }},
    {"widen-items", true,
     [](LoweredPlan p, bool loops) { return loops ? p : widenItems(std::move(p)); }},
    {"count-rounds", true,
     [](LoweredPlan p, bool loops) { return loops ? p : countRounds(std::move(p)); }},
    {"single-rounds", true,
     [](LoweredPlan p, bool loops) { return loops ? p : singleRounds(std::move(p)); }},
    {"finish-in-last-group", true,
     [](LoweredPlan p, bool) { return finishInLastGroup(std::move(p)); }},
    {"share-memory", true, [](LoweredPlan p, bool) { return shareMemory(std::move(p)); }},
    {"place-barriers", false,
     [](LoweredPlan p, bool loops) { return loops ? p : placeBarriers(std::move(p)); }},
    {"meet-after-rounds", false, [](LoweredPlan p, bool) { return meetAfterRounds(std::move(p)); }},
    {"separate-branches", false,
     [](LoweredPlan p, bool) { return separateBranches(std::move(p)); }},
    {"meet-before-branches", false,
     [](LoweredPlan p, bool) { return meetBeforeBranches(std::move(p)); }},
    {"structure-rounds", false, [](LoweredPlan p, bool) { return structureRounds(std::move(p)); }},
    {"separate-branches", false,
     [](LoweredPlan p, bool) { return separateBranches(std::move(p)); }},
    {"tidy-declarations", false,
     [](LoweredPlan p, bool) { return tidyDeclarations(std::move(p)); }},
    {"remove-dead-code", false, [](LoweredPlan p, bool) { return removeDeadCode(std::move(p)); }},
    {"narrow-indexes", true,
     [](LoweredPlan p, bool loops) { return loops ? p : narrowIndexes(std::move(p)); }},
    {"deal-parts", true,
     [](LoweredPlan p, bool loops) { return loops ? dealParts(std::move(p)) : p; }},
    {"limit-stacks", false, [](LoweredPlan p, bool) { return limitStacks(std::move(p)); }},
};

} // namespace

std::vector<std::string> optionalPasses() {
  std::vector<std::string> names{resultsInPlaceStep};
  for (const Pass &pass : passes) {
    if (pass.optional)
      names.emplace_back(pass.name);
  }
  return names;
}

namespace {

LoweredPlan run(LoweredPlan plan, const std::set<std::string> &without,
                const PassObserver &observer, const std::string &end) {
  const bool lanesAreLoops = plan.target->itemsAreLoops;
  VerifierStage stage;
  stage.arrayForm = true;
  if (observer)
    observer("lowering", plan, stage);
  for (const Pass &pass : passes) {
    if (pass.name == end)
      break;
    if (pass.optional && without.contains(pass.name))
      continue;
    plan = pass.run(std::move(plan), lanesAreLoops);
    if (pass.name == std::string("flatten-indexes"))
      stage.arrayForm = false;
    if (pass.name == std::string("expand-worker-variables"))
      stage = {true, lanesAreLoops};
    if (observer)
      observer(pass.name, plan, stage);
  }
  return plan;
}

} // namespace

LoweredPlan optimize(LoweredPlan plan, const std::set<std::string> &without,
                     const PassObserver &observer) {
  return run(std::move(plan), without, observer, "");
}

LoweredPlan optimizeForPrediction(LoweredPlan plan, const std::set<std::string> &without) {
  std::set<std::string> skipped = without;
  for (const char *each : {"widen-items", "carry-loads", "hoist-branches", "elements-in-lanes",
                           "side-by-side", "split-rounds", "count-in-copies", "whole-blocks",
                           "single-rounds"}) // memory sees the same, and it stays easier to see
    skipped.insert(each);
  plan = run(std::move(plan), skipped, nullptr, "place-barriers");
  return plan.target->itemsAreLoops && !without.contains("elements-in-lanes")
             ? markElementsInLanes(std::move(plan))
             : plan;
}

} // namespace tangram::codegen
