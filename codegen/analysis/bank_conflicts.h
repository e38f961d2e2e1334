// Conflicts of banks. Memory of a group lies in banks, word after word, and each bank gives one word at a time. Items of a
// warp that ask one bank for different words wait for each other; those that ask for the same word get it together.
// How often a bank is asked at most is the degree of conflict of an access: 1 where nobody waits.
//
// The pitch of a tile, from a row to the next one, decides it where the items of a warp are in several rows. With B banks
// and as many items in a warp, B a power of two, of tiles of as many columns or rows as a power of two:
//
//   items below each other first, t at [t % n][t / n]: what lies as columns is written as rows are read
//     n rows, in each of which B / n items are side by side: the rows begin an odd multiple of B / n words apart
//   items side by side first, t at [t / n][t % n]
//     B / n rows, in each of which n items are side by side: the rows begin an odd multiple of n words apart
//
// since odd multiples of a part of B, as many as fill it, all differ by B. Vectors have to begin at their multiples, so that
// the pitch is one too.
// Source: ../shared/notes/stencils-and-views.md 1.4.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tangram::codegen {

/// Banks of a memory.
struct Banks {
  std::int64_t count = 0; ///< 0: it has none
  std::int64_t wordBytes = 4;
  std::int64_t items = 0; ///< of a warp: whose words are asked for together

  explicit operator bool() const { return count > 1; }
  /// Items that get `bytes` bytes each at a time.
  std::int64_t together(std::int64_t bytes) const;
  /// Elements of `bytes` bytes that all banks, or all of these items, have at a time: the fewer.
  std::int64_t atOnce(std::int64_t bytes) const;
};

/// Of the memory that groups of `level` have; none where their items are loops, which ask for one word after the other.
Banks banksOf(const LoweredPlan &plan, int level);

/// The degree of conflict where the items of a warp ask for `bytes` bytes each, from `places` on, in bytes. Of wide
/// elements and vectors as many items are served at a time as there are words for; the slowest of these counts.
std::int64_t degreeOfConflict(const Banks &banks, const std::vector<std::int64_t> &places,
                              std::int64_t bytes);

/// Where the items of a warp access a tile, in elements: item t from (t % inTurn) * step + (t / inTurn) * stride on.
struct WarpAccess {
  std::int64_t inTurn = 1;
  std::int64_t step = 1;
  std::int64_t stride = 1;
  std::int64_t elementBytes = 4;
  std::int64_t vector = 1; ///< neighbouring elements that an item gets at a time
};
std::int64_t degreeOfConflict(const Banks &banks, const WarpAccess &access);

struct Padding {
  std::int64_t elements = 0;
  std::int64_t degree = 1;
};

/// The smallest padding of a pitch that has the least degree, which `degree` says of a padded pitch, of those
/// that make it a multiple of `alignment`.
Padding leastPadding(const Banks &banks, std::int64_t pitch, std::int64_t alignment,
                     const std::function<std::int64_t(std::int64_t)> &degree);

/// The smallest odd multiple of `unit * times` that is above `last`.
ir::ExprPtr oddMultipleAbove(const ir::ExprPtr &last, const ir::ExprPtr &unit,
                             std::int64_t times = 1);

/// A pitch for rows of `extent` elements, of which item t accesses [t % inTurn][t / inTurn]; a multiple of `alignment`.
ir::ExprPtr pitchOfColumns(const Banks &banks, const ir::ExprPtr &extent, const ir::ExprPtr &inTurn,
                           std::int64_t elementBytes, std::int64_t alignment);
/// The same where it accesses [t / inTurn * rows][t % inTurn], for a number of rows, and rows begin anywhere.
/// `leastInTurn`: that `inTurn` is at least.
ir::ExprPtr pitchOfRows(const Banks &banks, const ir::ExprPtr &extent, const ir::ExprPtr &inTurn,
                        std::int64_t leastInTurn, std::int64_t rows, std::int64_t elementBytes);

} // namespace tangram::codegen
