// The passes over the array form: each is one file with one public function. codegen/pipeline/pass_table.cpp lists
// them in order, and any optional one can be switched off by name to measure it.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// before: parallel w { b[w] = f(p[w], p[w + 1], p[w + 2]); }      (p: a window of a padded array)
/// after:  copy t[e] = p[e];  parallel w { b[w] = f(t[w], t[w + 1], t[w + 2]); }
/// for groups of items.
LoweredPlan stageHalos(LoweredPlan plan);

/// before: copy t[row][column] = p[row][column];                    (a copy with halos)
/// after:  copy t[row][column + 3] = p[row][column], or by 4 where wide: t[row][column] = in[row - 1][column - 4];
/// with rows of t as long as vectors, where the machine reads several elements of an item together.
LoweredPlan vectorizeCopies(LoweredPlan plan);

/// Elements of padded arrays are what their edges say: choices of elements that there are. Copies of their windows are
/// loops.
LoweredPlan forgetPadding(LoweredPlan plan);

/// before: await flags[part]; next = carries[part] + total; carries[part + 1] = next; set flags[part + 1]
/// after:  states[part + 1] = (own, total); look at states[part], states[part - 1], ... by all items;
///         next = what they come to + total; states[part + 1] = (all, next)   (+: any associative one)
LoweredPlan decoupleLookBack(LoweredPlan plan);

/// before: for (i) for (j) { s = c[i][j]; for (k) s += a[i][k] * b[k][j]; c[i][j] = s; }
/// after:  for (k) for (i) for (j) c[i][j] += a[i][k] * b[k][j];       (c: a window of bounded extents)
LoweredPlan interchangeLoops(LoweredPlan plan);

/// before: a[(index)((ulong)i + from + (ulong)j)]                (from: ulong)
/// after:  a[i + (index)from + j]
LoweredPlan plainPositions(LoweredPlan plan);

/// before: for (k < n) for (i < m) if (K + k >= I + i) c[i] += a[i][k] * b[k];
/// after:  for (k = some .. all) before;  for (k = all .. n) for (i < m) c[i] += a[i][k] * b[k];
/// for lanes that are loops.
LoweredPlan splitSums(LoweredPlan plan);
/// For predictions: the conditions of such sums go, as if all rounds were all elements'.
LoweredPlan takeSumsWhole(LoweredPlan plan);

/// before: parallel w { c = 0; for (k < n) c += a[k] * b[k]; }   (c: tiles of a window of bounded extents)
/// after:  parallel w { c = 0; }  for (part) parallel w { for (k < STEP) c += a[STEP * part + k] * ...; }
LoweredPlan stripMineSums(LoweredPlan plan);
/// before: parallel w { c = 0; for (k < n) for (p < m) c += a[k][p] * b[k][p]; }
/// after:  parallel w { c = 0; }  for (part) parallel w { for (k < STEP) c += a[STEP * (part / m) + k][part % m] * ...; }
/// The terms of each element are added up in another order.
LoweredPlan reorderSums(LoweredPlan plan);

/// before: parallel block < p { first = block * ceil(n / p); ... for (e < rows * m) y[first + e / m][e % m] = ...; }
/// after:  parallel block < p { first = block * ceil(n * m / p); ... for (e < elements) y[(first + e) / m][(first + e) % m] = ...; }
/// for lanes that take elements in turns.
LoweredPlan coalesceLoops(LoweredPlan plan);

/// Defaults of tunables that are sizes of tiles, from the memory that the machine's model tells of.
LoweredPlan sizeTiles(LoweredPlan plan);

/// before: parallel w { for (i) x += a[i][w]; }                 (a: a window of bounded extents)
/// after:  copy t[i][w] = a[i][w];  parallel w { for (i) x += t[i][w]; }
LoweredPlan stageWindows(LoweredPlan plan);

/// before: for (k) for (i < m) c[i] += a[i][k] * b[k];           (c: a window of at most M)
/// after:  if (m == M) { t = c; for (k) for (i < M) t[i] += a[i][k] * b[k]; c = t; } else { before }
LoweredPlan keepTilesInRegisters(LoweredPlan plan);

/// before: for (o < O) for (i < I) if (f(i)) t[o * I + i] += x[i] * w[o];
/// after:  for (i < I) if (f(i)) xs[i] = x[i];  for (o < O) if (any f) ws[o] = w[o];
///         for (o < O) for (i < I) if (f(i)) t[o * I + i] += xs[i] * ws[o];
LoweredPlan replaceOperandsByScalars(LoweredPlan plan);

/// before: parallel part { for (i < n) s += a[o + i]; }  parallel part { for (i < n) b[o + i] = f(a[o + i]); }
/// after:  parallel part { if (n == N) { held = a[o..]; for (i < N) s += held[i]; } else { before } }
///         parallel part { if (n == N) { for (i < N) kept[i] = f(held[i]); b[o..] = kept; } else { before } }
/// whole vectors at a time, by items of groups.
LoweredPlan replacePartsByScalars(LoweredPlan plan);

/// No Window and no Copy is left.
LoweredPlan forgetWindows(LoweredPlan plan);

/// Decides where the arrays of a plan live, by owner and use: see the file. No Allocate is left.
LoweredPlan placeArrays(LoweredPlan plan);

/// before: parallel e { tile[e] = a[first + e]; }           (tile: in local memory)
/// after:  the same, said to be a copy
LoweredPlan recognizeCopies(LoweredPlan plan);

/// Rows that threads change again and again begin a cache line each.
/// before: own: p * k elements;  own[thread][j] at thread * k + j
/// after:  own: p * own_row elements, own_row = (k + 15) / 16 * 16;  own[thread][j] at thread * own_row + j
LoweredPlan padRows(LoweredPlan plan);

/// before: a[i][j]
/// after:  a[i * n + j]                (each array laid out in memory)
LoweredPlan flattenIndexes(LoweredPlan plan);

} // namespace tangram::codegen
