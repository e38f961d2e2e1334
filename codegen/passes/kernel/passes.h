// The passes over the kernel form: each is one file with one public function. codegen/pipeline/pass_table.cpp lists
// them in order, and any optional one can be switched off by name to measure it.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// before: parallel i { for (k = i; k < n; k += N) atomicAdd(bins[in[k]], 1); }
/// after:  parallel b { own[b] = 0; }  parallel i { for (...) atomicAdd(own[in[k]], 1); }
///         parallel b { atomicAdd(bins[b], own[b]); }
/// where bins are few; for groups of items.
LoweredPlan privatize(LoweredPlan plan);

/// Index expressions simplified with what is known of worker indexes and counts.
LoweredPlan simplifyIndexes(LoweredPlan plan);

/// Declarations nobody reads are dropped; a constant used once, next to its use, stays.
LoweredPlan removeDeadCode(LoweredPlan plan);

/// before: parallel w { A }  parallel w' { B }        (all items, no item sees another's write)
/// after:  parallel w { A B }
/// Likewise what a single worker does one after the other, whatever it reads of it: also kernels of one item.
LoweredPlan fusePieces(LoweredPlan plan);

/// before: r[w] = x; ... y = r[w]      (every access by the item it belongs to)
/// after:  r = x;    ... y = r         (a register of the item: data placement)
LoweredPlan replaceByScalars(LoweredPlan plan);

/// before: parallel w { A; for (i < n_w) B; C }
/// after:  parallel w A;  for (i < min n_w) parallel w B;  parallel w { the rest of B; C }
/// for unrolled levels or for items that are loops (SIMD lanes), as `role` says: neighbouring
/// workers advance together, so that their loads are in flight, or one vector; lanes with chains in
/// them as many vectors as there are chains.
/// before: parallel w { A; for (i = w; i < n; i += N) B; C }                     (N workers)
/// after:  parallel w A;  for (round < n / N) parallel w B;  parallel w { if (i < n) B; C }
/// Where lanes are loops, workers stay one after the other whose rounds go through neighbouring
/// elements, each apart from the one before: these are vectors as they stand.
LoweredPlan unrollAndJam(LoweredPlan plan, Role role);

/// before: for (j < n) out[j] = in[(i < 1 ? m : i - 1) * n + j];
/// after:  row = i < 1 ? m : i - 1;  for (j < n) out[j] = in[row * n + j];
/// for lanes that are loops.
LoweredPlan moveInvariantCode(LoweredPlan plan);

/// before: for (j < n) if (first) A else B                                 (first: the same in all rounds)
/// after:  if (first) for (j < n) A else for (j < n) B
/// of innermost loops, for lanes that are loops.
LoweredPlan unswitchLoops(LoweredPlan plan);

/// before: for (i < n) { T own[3]; for (k < m) s += f(own[k], in[k]); out[i] = s; }
/// after:  for (block < n / 16) { T own[3 * 16], s[16]; for (k < m) for (lane < 16) s[lane] += ...; ... }, and what is left,
/// elements side by side in the lanes of a vector, where none of an element's own loops is one; for lanes that are loops.
LoweredPlan vectorizeOuterLoops(LoweredPlan plan);
/// For predictions: the loops that vectorizeOuterLoops takes side by side are marked (sideBySide), and stay as they are.
LoweredPlan markVectorizedOuterLoops(LoweredPlan plan);

/// Innermost loops whose rounds touch memory of their own, and more arrays than compilers ask about, are said to be such:
/// their rounds go side by side, as vectors; for lanes that are loops.
LoweredPlan markIndependentRounds(LoweredPlan plan);

/// before: rows = min(T, n - first);  parallel w { for (i < rows) A }
/// after:  rows = min(T, n - first);  parallel w { if (rows == T) { for (i < T) A } else { before } }
/// for items of groups.
LoweredPlan fullTiles(LoweredPlan plan);

/// before: for (part < (U + 7) / 8 * T) { j = part / T * 8;  for (r < 8) if (j + r < U) A }
/// after:  for (part < (U + 7) / 8 * T) { j = part / T * 8;  for (r < 8) if (U % 8 == 0 || j + r < U) A }
/// for items of groups.
LoweredPlan wholeBlocks(LoweredPlan plan);

/// before: for (i < n) if (wanted(in[i])) { out[at] = in[i]; at += 1; }
/// after:  for (first < n; first += 512) {
///           for (i < 512) { found[number] = in[first + i]; number += wanted(in[first + i]) ? 1 : 0; }
///           out[at ...] = found[0 ... number];  at += number;
///         }
/// without branches that nobody can predict; for items that are loops.
LoweredPlan compactWithoutBranches(LoweredPlan plan);

/// before: for (i < n) counts[in[i]] += 1;
/// after:  the same in turns among counts and some copies of it, which are added up at the end, where what `in` names is
///         few numbers beside n; for items that are loops.
LoweredPlan privatizeCounts(LoweredPlan plan);

/// before: for (i = s; i < n; i += d) atomicAdd(bins[in[i]], 1);
/// after:  for (; i + 7 * d < n; i += 8 * d) {
///           for (u < 8) ahead[u] = in[i + u * d];  for (u < 8) atomicAdd(bins[ahead[u]], 1);
///         }
///         for (; i < n; i += d) atomicAdd(bins[in[i]], 1);
LoweredPlan prefetchLoads(LoweredPlan plan);

/// before: for (part < parts) { parallel e < M { tile[e] = in[part * M + e]; }  A }
/// after:  next[...] = in[...];  for (part < parts) { tile[...] = next[...]; next[...] = in[part + 1 ...]; A }
/// with registers of items in between.
LoweredPlan pipelineCopies(LoweredPlan plan);

/// before: parallel k < n { out[s + k] = f(in[s + k]); }
/// after:  for (v = item; v < n / 4; v += N) { near = in[4 * v ...], together; out[4 * v ...] = f(near); }, and what is
/// left of n,
/// where the machine reads and writes several elements of an item together; for items of groups.
LoweredPlan vectorizeItems(LoweredPlan plan);

/// before: for (i < n) out[i] = in[i] + in[i + 1] + in[i + 2];
/// after:  in_0 = in[0];  in_1 = in[1];
///         for (i < n) { in_2 = in[i + 2];  out[i] = in_0 + in_1 + in_2;  in_0 = in_1;  in_1 = in_2; }
/// and rows of so many elements where a round is a loop of as many rounds, of `leastPlanes` rounds or more: fewer are
/// read again no more often than caches bear; for items of groups.
LoweredPlan commonLoads(LoweredPlan plan, std::size_t leastPlanes = 4);

/// before: for (i < n) { float lines[5];  for (k < 5) lines[k] = f(in[i + k]);  out[i] = g(lines); }
/// after:  the same where a round computes f(in[i + 4]) alone and lines are carried from round to round; for items of
///         groups.
LoweredPlan commonValues(LoweredPlan plan);

/// before: for (i < m) for (j < n) copy[j * m + i] = in[i * n + j];
/// after:  the same in square blocks of as many rows as a vector has lanes, which are read and written by vectors and
///         turned in registers, and what is left of rows and columns; for lanes that are loops.
LoweredPlan transposeBlocks(LoweredPlan plan);

/// Items that bring elements to memory of their group, one by one, have several of them under way: they ask for some
/// turns at a time, half as many as a loop of one load.
LoweredPlan unrollCopies(LoweredPlan plan);

/// before: for (e < 4) own[e] = in[4 * i + e];
/// after:  the same, as one vector: of global memory, and an array of an item's own.
LoweredPlan vectorizeAccesses(LoweredPlan plan);

/// before: x = in[2 * i]; y = in[2 * i + 1];
/// after:  T in_vector[2]; for (u < 2) in_vector[u] = in[2 * i + u]; x = in_vector[0]; y = in_vector[1];
///         what an item reads and writes of global memory one by one, and is one vector, as one.
LoweredPlan vectorizeNeighbours(LoweredPlan plan);

/// Loops of few rounds, known in number, that say which element of an item's own array is meant ask to be
/// unrolled, all of them: only then is the array one of registers.
LoweredPlan unrollArrays(LoweredPlan plan);

/// Sequential loops that end in a load of global memory ask to be unrolled, so that
/// several loads are in flight: the more a round loads, the fewer rounds.
LoweredPlan unrollLoads(LoweredPlan plan);

/// before: for (i = a; i < b; i += s) A                                  (unrolled)
/// after:  for (round = 0; round < (b + s - 1 - a) / s; ++round) { i = a + round * s; A }
LoweredPlan normalizeLoops(LoweredPlan plan);

/// Loops of items that go round once at most become conditions.
LoweredPlan singleRounds(LoweredPlan plan);

/// before: parallel w { int x = ..; }  parallel w { use(x); }
/// after:  int x[N];  parallel w { x[w] = ..; }  parallel w { use(x[w]); }
/// for unrolled levels, and for items that are loops. Of items that are threads, x becomes a plain
/// variable of the enclosing code, which every item has for itself. An array x[4] becomes x[4 * N],
/// of which worker w has the elements w, N + w, ...
LoweredPlan expandScalars(LoweredPlan plan);

/// The same for items that run as threads, whatever they are to the target: the interpreter runs the array form so.
LoweredPlan expandScalarsOfThreads(LoweredPlan plan);

/// The same for unrolled levels alone, in each lane where lanes are loops.
LoweredPlan expandScalarsOfChains(LoweredPlan plan);

/// Barriers between pieces of which one item may see what another wrote, never in
/// divergent flow, as few as a forward walk needs (loops are walked to a fixpoint); see
/// docs/lowering.md.
LoweredPlan placeBarriers(LoweredPlan plan);

/// Arrays of a thread's own fit its stack: a constraint.
LoweredPlan limitStacks(LoweredPlan plan);

/// Declarations move to their first assignment and into the only block that uses them.
LoweredPlan tidyDeclarations(LoweredPlan plan);

/// Indexes take 32 bits where items divide by them and the sizes of a call allow it: finds what these have
/// to allow.
LoweredPlan narrowIndexes(LoweredPlan plan);

/// before: p = threads     after: p = 8 * threads     (parts that threads take when they have time)
LoweredPlan dealParts(LoweredPlan plan);

/// before: parallel groups { A }  one group { B }                          (two launches)
/// after:  parallel groups { A; before = finished++; if (before == groups - 1) { B; finished = 0 } }
/// where B may run as a part of the groups that run A.
LoweredPlan finishInLastGroup(LoweredPlan plan);

/// Temporaries of one type and space that are never alive together get one allocation, as large
/// as the largest (memory block merging: Munksgaard 2023, notes/index-functions-and-dispatch.md
/// 1.5; live ranges in statement order take the place of the interference graph).
LoweredPlan shareMemory(LoweredPlan plan);

/// Number of Barrier statements.
unsigned countBarriers(const LoweredPlan &plan);

} // namespace tangram::codegen
