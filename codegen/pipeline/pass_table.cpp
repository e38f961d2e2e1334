#include "codegen/pipeline/pass_table.h"

#include "codegen/passes/array/passes.h"
#include "codegen/passes/kernel/index_set_splitting.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

namespace {

constexpr bool optional = true;
constexpr bool needed = false;

// Why predictions leave a pass out.
constexpr const char *sameAccesses =
    "memory sees the same accesses, which are easier to see in the code before it";
constexpr const char *afterThePrediction =
    "predictions are made of the code before barriers: to prove where workers need none takes "
    "longer than all other "
    "passes";

} // namespace

const std::vector<Pass> &passTable() {
  using enum Form;
  using enum Needs;
  static const std::vector<Pass> table = {
      // ---- Array form: what codelets work on is moved ----
      {"plain-positions", Padded, Padded, Nothing, needed, plainPositions,
       "first, since all passes compare subscripts, and two spellings of one position are not seen "
       "to be one"},
      {"stage-halos", Padded, Padded, ThreadItems, optional, stageHalos,
       "before forget-padding, after which overlapping windows of a padded array are no longer "
       "seen"},
      {"vectorized-copies", Padded, Padded, ThreadItems, optional, vectorizeCopies,
       "right behind stage-halos, whose copies it widens, while their elements are still "
       "subscripts of the padded array"},
      {"forget-padding", Padded, Windowed, Nothing, needed, forgetPadding,
       "before all passes that look at values: from here on an element past an end is a choice of "
       "values"},
      {"decoupled-look-back", Windowed, Windowed, Nothing, optional, decoupleLookBack,
       "before loops are interchanged or held in registers: it looks for a carry that one "
       "statement makes of another"},
      {"loop-interchange", Windowed, Windowed, Nothing, optional, interchangeLoops,
       "before strip-mined-sums, size-tiles and register-tiles, which take sums whose innermost "
       "loop runs "
       "over the output"},
      {"index-set-splitting-of-sums", Windowed, Windowed, LoopItems, optional, splitSums,
       "behind loop-interchange, which brings the condition of a sum inside its rounds, and before "
       "register-tiles, which takes rounds without conditions",
       "a condition that some rounds have is seen as if no round had it: tiles take most of them",
       takeSumsWhole},
      {"strip-mined-sums", Windowed, Windowed, Nothing, optional, stripMineSums,
       "before size-tiles, which chooses the number of steps, and stage-windows, which copies what "
       "a step reads"},
      {"size-tiles", Windowed, Windowed, Nothing, needed, sizeTiles,
       "behind all passes that make tunables of tiles, and before those that ask whether a tile of "
       "that size fits"},
      {"stage-windows", Windowed, Windowed, Nothing, optional, stageWindows,
       "before register-tiles, which then reads the copies: these lie as tiles in registers want "
       "them"},
      {"register-tiles", Windowed, Windowed, Nothing, optional, keepTilesInRegisters,
       "behind stage-windows, and while windows say which elements are updated over and over"},
      {"scalar-replacement-of-operands", Windowed, Windowed, ThreadItems, optional,
       replaceOperandsByScalars,
       "behind register-tiles, whose unrolled rounds read their operands again"},
      {"scalar-replacement-of-parts", Windowed, Windowed, Nothing, optional, replacePartsByScalars,
       "behind register-tiles, which takes what is updated; the last pass that needs windows"},
      {"forget-windows", Windowed, Plain, Nothing, needed, forgetWindows,
       "before place-arrays, which looks at all uses of an array and knows no windows"},
      {"place-arrays", Plain, Placed, Nothing, needed, placeArrays,
       "behind all passes that make arrays in the array form: it decides where each of them lives"},
      {"padded-rows", Placed, Placed, LoopItems, optional, padRows,
       "behind place-arrays, when it is known which arrays threads share, and before a row's "
       "length is in subscripts"},

      // ---- Kernel form: one subscript an access ----
      {"flatten-indexes", Placed, Flat, Nothing, needed, flattenIndexes,
       "when all arrays are laid out; passes from here on compare positions in memory"},
      {"privatization", Flat, Flat, ThreadItems, optional, privatize,
       "when an array is one row of bins, and before pieces of items are joined with those that it "
       "adds"},
      {"simplify-indexes", Flat, Flat, Nothing, optional, simplifyIndexes,
       "before passes that tell accesses apart: products of extents made subscripts longer than "
       "they need to be"},
      {"remove-dead-code", Flat, Flat, Nothing, needed, removeDeadCode,
       "before fused-pieces, which would keep the pieces of declarations that nobody reads"},
      {"fused-pieces", Flat, Flat, Nothing, optional, fusePieces,
       "before scalar-replacement: what one piece writes and the next reads is a register when "
       "they "
       "are one"},
      {"scalar-replacement", Flat, Flat, Nothing, optional, replaceByScalars,
       "before unroll-and-jam, so that what is jammed are variables of workers and not memory"},
      {"unroll-and-jam", Flat, Flat, Nothing, optional,
       [](LoweredPlan p) {
         const bool loops = p.target->itemsAreLoops;
         return unrollAndJam(std::move(p), Role::Unroll, loops);
       },
       "before variables are expanded: workers that advance together share the loop that each had"},
      {"tidy-declarations", Flat, Flat, Nothing, needed, tidyDeclarations,
       "before expansion, which makes an array of every variable that is declared too far outside"},
      {"scalar-expansion-of-chains", Flat, Flat, LoopItems, needed, expandScalarsOfChains,
       "before unroll-and-jam-of-lanes, for which the chains of a lane are arrays"},
      {"unroll-and-jam-of-lanes", Flat, Flat, LoopItems, optional,
       [](LoweredPlan p) { return unrollAndJam(std::move(p), Role::Item); },
       "behind unroll-and-jam: as many vectors as there are chains"},
      {"tidy-declarations", Flat, Flat, Nothing, needed, tidyDeclarations,
       "before scalar-expansion, for variables that unroll-and-jam-of-lanes has made"},
      {"scalar-expansion", Flat, Expanded, Nothing, needed,
       [](LoweredPlan p) {
         const bool items = p.target->itemsAreLoops;
         return expandScalars(std::move(p), items);
       },
       "behind the passes that join and jam pieces: what is left of variables that pieces share "
       "becomes arrays"},
      {"index-set-splitting", Expanded, Expanded, LoopItems, optional, splitIndexSets,
       "before all passes that want loops without conditions: it takes comparisons with ends out "
       "of most rounds"},
      {"index-set-splitting", Expanded, Expanded, ThreadItems, optional, splitIndexSetsOfGroups,
       "before full-tiles, so that tiles inside are full ones"},
      {"full-tiles", Expanded, Expanded, ThreadItems, optional, fullTiles,
       "behind index-set-splitting, with whose condition it shares its copies of the code"},
      {"whole-blocks", Expanded, Expanded, ThreadItems, optional, wholeBlocks,
       "behind full-tiles: of a full tile it is known when a kernel is compiled whether blocks "
       "divide it",
       sameAccesses},
      // Not of threads: a branch in each of their rounds takes more time than the comparisons that it saves.
      {"index-set-splitting-of-rounds", Expanded, Expanded, LoopItems, optional,
       splitIndexSetsOfRounds,
       "behind index-set-splitting, for the comparisons that it leaves inside", sameAccesses},
      {"invariant-code-motion", Expanded, Expanded, LoopItems, optional, moveInvariantCode,
       "behind the passes that split loops: what is left of choices is the same in all rounds or "
       "in none"},
      {"loop-unswitching", Expanded, Expanded, LoopItems, optional, unswitchLoops,
       "behind invariant-code-motion, after which more conditions are names that no round changes",
       sameAccesses},
      {"branch-free-compaction", Expanded, Expanded, LoopItems, optional, compactWithoutBranches,
       "behind loop-unswitching, which takes the branches that need not stand in a loop"},
      {"privatization-of-counts", Expanded, Expanded, LoopItems, optional, privatizeCounts,
       "when loops have the bodies that stay: it takes those that are one addition at a place that "
       "data name",
       sameAccesses},
      {"transposed-blocks", Expanded, Expanded, VectorTypes, optional, transposeBlocks,
       "before outer-loop-vectorization, which would take a transposition's columns for elements "
       "that "
       "take long"},
      {"outer-loop-vectorization", Expanded, Expanded, VectorTypes, optional, vectorizeOuterLoops,
       "behind all passes that make vectors of innermost loops: it takes the loops around those "
       "that are none",
       "elements that stay one after the other are easier to see; a mark says that they are lanes",
       markVectorizedOuterLoops},
      {"independent-rounds", Expanded, Expanded, VectorTypes, optional, markIndependentRounds,
       "behind outer-loop-vectorization, for the innermost loops that are left", sameAccesses},
      {"prefetching", Expanded, Expanded, ThreadItems, optional, prefetchLoads,
       "behind full-tiles: it unrolls loops whose numbers of rounds are known by now"},
      {"software-pipelining", Expanded, Expanded, ThreadItems, optional, pipelineCopies,
       "before vectorized-access, which makes vectors of the loads that now come a round earlier"},
      {"vectorized-access", Expanded, Expanded, ThreadItems, optional, vectorizeAccesses,
       "before loops are unrolled: neighbours are seen in a loop over them"},
      {"predictive-commoning-of-values", Expanded, Expanded, ThreadItems, optional, commonValues,
       "before predictive-commoning: a value that is carried needs none of its loads again"},
      {"predictive-commoning", Expanded, Expanded, ThreadItems, optional,
       [](LoweredPlan p) { return commonLoads(std::move(p)); },
       "behind full-tiles, since it takes rows of as many elements as are known when a kernel is "
       "compiled",
       sameAccesses},
      {"unroll-arrays", Expanded, Expanded, ThreadItems, optional, unrollArrays,
       "behind all passes that give items arrays of their own"},
      {"unroll-copies", Expanded, Expanded, ThreadItems, optional, unrollCopies,
       "before unroll-loads, which takes the loops of single loads that are no copies"},
      {"unroll-loads", Expanded, Expanded, ThreadItems, optional, unrollLoads,
       "behind predictive-commoning, so that loops which carry are not asked to be unrolled"},
      {"vectorized-access-of-neighbours", Expanded, Expanded, ThreadItems, optional,
       vectorizeNeighbours,
       "behind vectorized-access, for neighbours that are read by statements and not by a loop"},
      {"vectorized-access-of-items", Expanded, Expanded, ThreadItems, optional, vectorizeItems,
       "behind vectorized-access-of-neighbours: items whose accesses are vectors already stay as "
       "they are",
       sameAccesses},
      {"loop-normalization", Expanded, Expanded, ThreadItems, optional, normalizeLoops,
       "behind all passes that ask for unrolling: it rewrites the loops that compilers would not "
       "unroll"},
      {"single-rounds", Expanded, Expanded, ThreadItems, optional, singleRounds,
       "behind loop-normalization, for the loops over what is left of theirs", sameAccesses},
      {"finish-in-last-group", Expanded, Expanded, Nothing, optional, finishInLastGroup,
       "when kernels have the code that stays, and before their memory is shared"},
      {"share-memory", Expanded, Expanded, Nothing, optional, shareMemory,
       "when no pass makes or drops an array any more, and before barriers: arrays of one memory "
       "need some"},

      // ---- Barriers, and what looks at the code as it will be printed ----
      {"place-barriers", Expanded, Synchronized, Nothing, needed,
       [](LoweredPlan p) { return p.target->itemsAreLoops ? p : placeBarriers(std::move(p)); },
       "behind share-memory, and when no pass moves an access any more", afterThePrediction},
      {"tidy-declarations", Synchronized, Synchronized, Nothing, needed, tidyDeclarations,
       "for variables that passes have left where they were first needed", afterThePrediction},
      {"remove-dead-code", Synchronized, Synchronized, Nothing, needed, removeDeadCode,
       "at the end: what passes have left without a use is not printed", afterThePrediction},
      {"narrow-indexes", Synchronized, Synchronized, ThreadItems, optional, narrowIndexes,
       "when no pass adds an index any more: its bound is of all that kernels compute",
       afterThePrediction},
      {"deal-parts", Synchronized, Synchronized, LoopItems, optional, dealParts,
       "when it is known whether several loops go over the same parts, which then stay where they "
       "are",
       afterThePrediction},
      {"limit-stacks", Synchronized, Synchronized, Nothing, needed, limitStacks,
       "when a thread has all the arrays that it will have", afterThePrediction},
  };
  return table;
}

bool isFor(const Pass &pass, const LoweredPlan &plan) {
  switch (pass.needs) {
  case Needs::Nothing:
    return true;
  case Needs::LoopItems:
    return plan.target->itemsAreLoops;
  case Needs::ThreadItems:
    return !plan.target->itemsAreLoops;
  case Needs::VectorTypes: // those of compilers that know OpenMP
    return plan.target->itemsAreLoops && std::ranges::count(plan.target->roles, Role::Group) != 0;
  }
  return true;
}

} // namespace tangram::codegen
