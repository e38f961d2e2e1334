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
    "longer than all other passes";

} // namespace

const std::vector<Pass> &passTable() {
  using enum Form;
  using enum Needs;
  static const std::vector<Pass> table = {
      // ---- Array form: what codelets work on is moved ----
      {"plain-positions", Padded, Padded, Nothing, needed, plainPositions,
       "first, since all passes compare subscripts, and two spellings of one position are not seen "
       "to be one"},
      {"stage-windows", Padded, Padded, ThreadItems, optional, stageHalos,
       "of windows with halos: before forget-padding, after which overlapping windows of a padded "
       "array are no longer seen"},
      {"vectorized-access", Padded, Padded, ThreadItems, optional, vectorizeCopies,
       "of copies: right behind the halos' stage-windows, whose copies it widens, while their "
       "elements are still subscripts of the padded array"},
      {"forget-padding", Padded, Windowed, Nothing, needed, forgetPadding,
       "before all passes that look at values: from here on an element past an end is a choice of "
       "values, and a copy of a padded array's window is loops"},
      {"decoupled-look-back", Windowed, Windowed, Nothing, optional, decoupleLookBack,
       "before loops are interchanged or held in registers: it looks for a carry that one "
       "statement makes of another"},
      {"loop-interchange", Windowed, Windowed, Nothing, optional, interchangeLoops,
       "before strip-mined-sums, size-tiles and register-tiles, which take sums whose innermost "
       "loop runs over the output"},
      {"index-set-splitting", Windowed, Windowed, LoopItems, optional, splitSums,
       "of sums: behind loop-interchange, which brings the condition of a sum inside its rounds, "
       "and before register-tiles, which takes rounds without conditions",
       "a condition that some rounds have is seen as if no round had it: tiles take most of them",
       takeSumsWhole},
      {"reordered-sums", Windowed, Windowed, ThreadItems, optional, reorderSums,
       "before strip-mined-sums, which takes the innermost loop of a sum although another one may "
       "be longer, and before size-tiles and stage-windows, too"},
      {"strip-mined-sums", Windowed, Windowed, Nothing, optional, stripMineSums,
       "before size-tiles, which chooses the number of steps, and stage-windows, which copies what "
       "a step reads"},
      {"size-tiles", Windowed, Windowed, Nothing, needed, sizeTiles,
       "behind all passes that make tunables of tiles, and before those that ask whether a tile of "
       "that size fits"},
      {"stage-windows", Windowed, Windowed, Nothing, optional, stageWindows,
       "of windows without halos: before register-tiles, which then reads the copies: these lie as "
       "tiles in registers want them"},
      {"register-tiles", Windowed, Windowed, Nothing, optional, keepTilesInRegisters,
       "behind stage-windows, and while windows say which elements are updated over and over"},
      {"scalar-replacement", Windowed, Windowed, ThreadItems, optional, replaceOperandsByScalars,
       "of operands: behind register-tiles, whose unrolled rounds read their operands again"},
      {"scalar-replacement", Windowed, Windowed, Nothing, optional, replacePartsByScalars,
       "of parts: behind register-tiles, which takes what is updated; the last pass that needs "
       "windows"},
      {"forget-windows", Windowed, Plain, Nothing, needed, forgetWindows,
       "before place-arrays, which looks at all uses of an array and knows neither windows nor "
       "copies of them"},
      {"loop-coalescing", Plain, Plain, ThreadItems, optional, coalesceLoops,
       "behind forget-windows, as windows are of rows, and before flatten-indexes, which makes one "
       "subscript of the row and the element in it"},
      {"place-arrays", Plain, Placed, Nothing, needed, placeArrays,
       "behind all passes that make arrays in the array form: it decides where each of them lives"},
      {"recognize-copies", Placed, Placed, ThreadItems, needed, recognizeCopies,
       "of codelets: when it is known which arrays are in local memory, and before the passes that "
       "unroll copies and start them early; other passes say of what they make that it is a copy"},
      {"padded-rows", Placed, Placed, LoopItems, optional, padRows,
       "behind place-arrays, when it is known which arrays threads share, and before a row's "
       "length is in subscripts"},

      // ---- Kernel form: one subscript an access ----
      {"flatten-indexes", Placed, Flat, Nothing, needed, flattenIndexes,
       "when all arrays are laid out; passes from here on compare positions in memory"},
      {"privatization", Flat, Flat, ThreadItems, optional, privatize,
       "of bins: when an array is one row of them, and before pieces of items are joined with "
       "those that it adds"},
      {"simplify-indexes", Flat, Flat, Nothing, optional, simplifyIndexes,
       "before passes that tell accesses apart: products of extents made subscripts longer than "
       "they need to be"},
      {"remove-dead-code", Flat, Flat, Nothing, needed, removeDeadCode,
       "before fused-pieces, which would keep the pieces of declarations that nobody reads"},
      {"fused-pieces", Flat, Flat, Nothing, optional, fusePieces,
       "before scalar-replacement of elements: what one piece writes and the next reads is a "
       "register when they are one"},
      {"scalar-replacement", Flat, Flat, Nothing, optional, replaceByScalars,
       "of elements: before unroll-and-jam, so that what is jammed are variables of workers and "
       "not memory"},
      {"unroll-and-jam", Flat, Flat, Nothing, optional,
       [](LoweredPlan p) { return unrollAndJam(std::move(p), Role::Unroll); },
       "before variables are expanded: workers that advance together share the loop that each had"},
      {"tidy-declarations", Flat, Flat, Nothing, needed, tidyDeclarations,
       "before scalar-expansion, which makes an array of every variable that is declared too far "
       "outside"},
      {"scalar-expansion", Flat, Flat, LoopItems, needed, expandScalarsOfChains,
       "of chains: before unroll-and-jam of lanes, for which the chains of a lane are arrays"},
      {"unroll-and-jam", Flat, Flat, LoopItems, optional,
       [](LoweredPlan p) { return unrollAndJam(std::move(p), Role::Item); },
       "of lanes: behind that of chains, as many vectors as there are chains"},
      {"tidy-declarations", Flat, Flat, Nothing, needed, tidyDeclarations,
       "before scalar-expansion, for variables that unroll-and-jam of lanes has made"},
      {"scalar-expansion", Flat, Expanded, Nothing, needed, expandScalars,
       "behind the passes that join and jam pieces: what is left of variables that pieces share "
       "becomes arrays"},
      {"index-set-splitting", Expanded, Expanded, LoopItems, optional, splitIndexSets,
       "before all passes that want loops without conditions: it takes comparisons with ends out "
       "of most rounds"},
      {"index-set-splitting", Expanded, Expanded, ThreadItems, optional, splitIndexSetsOfGroups,
       "before loop-versioning, so that tiles inside are full ones"},
      {"loop-versioning", Expanded, Expanded, ThreadItems, optional, fullTiles,
       "for full tiles: behind index-set-splitting, with whose condition it shares its copies of "
       "the code"},
      {"loop-versioning", Expanded, Expanded, ThreadItems, optional, wholeBlocks,
       "for whole blocks: behind that for full tiles, of which it is known when a kernel is "
       "compiled whether blocks divide them",
       sameAccesses},
      // Not of threads: a branch in each of their rounds takes more time than the comparisons that
      // it saves.
      {"index-set-splitting", Expanded, Expanded, LoopItems, optional, splitIndexSetsOfRounds,
       "of rounds: behind that of rows, for the comparisons that it leaves inside", sameAccesses},
      {"invariant-code-motion", Expanded, Expanded, LoopItems, optional, moveInvariantCode,
       "behind the passes that split loops: what is left of choices is the same in all rounds or "
       "in none"},
      {"loop-unswitching", Expanded, Expanded, LoopItems, optional, unswitchLoops,
       "behind invariant-code-motion, after which more conditions are names that no round changes",
       sameAccesses},
      {"branch-free-compaction", Expanded, Expanded, LoopItems, optional, compactWithoutBranches,
       "behind loop-unswitching, which takes the branches that need not stand in a loop"},
      {"privatization", Expanded, Expanded, LoopItems, optional, privatizeCounts,
       "of counts: when loops have the bodies that stay. It takes those that are one addition at a "
       "place that data name",
       sameAccesses},
      {"transposed-blocks", Expanded, Expanded, VectorTypes, optional, transposeBlocks,
       "before outer-loop-vectorization, which would take a transposition's columns for elements "
       "that take long"},
      {"outer-loop-vectorization", Expanded, Expanded, VectorTypes, optional, vectorizeOuterLoops,
       "behind all passes that make vectors of innermost loops: it takes the loops around those "
       "that are none",
       "elements that stay one after the other are easier to see; a mark says that they are lanes",
       markVectorizedOuterLoops},
      {"independent-rounds", Expanded, Expanded, VectorTypes, optional, markIndependentRounds,
       "behind outer-loop-vectorization, for the innermost loops that are left", sameAccesses},
      {"software-pipelining", Expanded, Expanded, ThreadItems, optional, prefetchLoads,
       "of loads: behind loop-versioning, for it unrolls loops whose numbers of rounds are known "
       "by now"},
      {"software-pipelining", Expanded, Expanded, ThreadItems, optional, pipelineCopies,
       "of copies: before vectorized-access, which makes vectors of the loads that now come a "
       "round earlier"},
      {"vectorized-access", Expanded, Expanded, ThreadItems, optional, vectorizeAccesses,
       "of loops: before loops are unrolled, while neighbours are seen in a loop over them"},
      {"predictive-commoning", Expanded, Expanded, ThreadItems, optional, commonValues,
       "of values: before that of loads, since a value that is carried needs none of its loads "
       "again"},
      {"predictive-commoning", Expanded, Expanded, ThreadItems, optional,
       [](LoweredPlan p) { return commonLoads(std::move(p)); },
       "of loads: behind loop-versioning, since it takes rows of as many elements as are known "
       "when a kernel is compiled",
       sameAccesses},
      {"unrolling", Expanded, Expanded, ThreadItems, optional, unrollArrays,
       "of loops over arrays: behind all passes that give items arrays of their own"},
      {"unrolling", Expanded, Expanded, ThreadItems, optional, unrollCopies,
       "of copies: before that of loads, which takes the loops of single loads that are no copies"},
      {"unrolling", Expanded, Expanded, ThreadItems, optional, unrollLoads,
       "of loads: behind predictive-commoning, so that loops which carry are not asked to be "
       "unrolled"},
      {"vectorized-access", Expanded, Expanded, ThreadItems, optional, vectorizeNeighbours,
       "of statements: behind that of loops, for neighbours that are read by statements and not by "
       "a loop"},
      {"vectorized-access", Expanded, Expanded, ThreadItems, optional, vectorizeItems,
       "of items: behind the other two, since items whose accesses are vectors already stay as "
       "they are",
       sameAccesses},
      {"loop-normalization", Expanded, Expanded, ThreadItems, optional, normalizeLoops,
       "behind all passes that ask for unrolling: it rewrites the loops that compilers would not "
       "unroll"},
      {"loop-normalization", Expanded, Expanded, ThreadItems, optional, singleRounds,
       "of single rounds: behind that of counts, for the loops over what is left of theirs",
       sameAccesses},
      {"finish-in-last-group", Expanded, Expanded, Nothing, optional, finishInLastGroup,
       "when kernels have the code that stays, and before their memory is shared"},
      {"share-memory", Expanded, Expanded, Nothing, optional, shareMemory,
       "when no pass makes or drops an array any more, and before barriers: arrays of one memory "
       "need some"},
      {"deal-parts", Expanded, Expanded, LoopItems, optional, dealParts,
       "when it is known whether several loops go over the same parts, which then stay where they "
       "are"},

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
