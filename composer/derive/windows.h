// Blocks of a loop, as what each of them needs of every container.
//
// A block of rounds x of a loop needs of a container the image of its accesses: with subscripts s * x + r, of which r
// has values from a lowest one to h above it, that is a window of s * (rounds - 1) + 1 + h elements which begins at
// s times the first round. A container that no subscript names by x is handed over whole, and so is one whose image
// is no window; accesses to that one have to add the block's first round to x.
#pragma once

#include "algebra/nests.h"
#include "composer/derive/single_rounds.h"

#include <functional>
#include <optional>
#include <set>
#include <variant>
#include <vector>

namespace tangram::composer {

/// The part of a container that a loop's rounds need, along one dimension.
struct LoopWindow {
  ir::VarPtr array;
  unsigned dimension = 0;
  std::int64_t step = 1;      ///< s: elements from one round's to the next one's
  std::int64_t halo = 0;      ///< h
  algebra::Polynomial lowest; ///< of r, over sizes and parameters
};

/// A loop whose rounds may be cut into blocks.
struct BlockedLoop {
  int loop = 0;
  std::vector<LoopWindow> windows;
  /// A window that has as many elements as the loop has rounds: of a container that is written, where there is one.
  LoopWindow written;
  /// Blocks add to the same results, and are done one after the other.
  bool isSum = false;
  /// A container whose elements blocks change by atomic operations, and which each is handed whole; null: there is none.
  ir::VarPtr shared = nullptr;

  const LoopWindow *windowOf(const ir::Var *array) const;
};

/// The first element of all that the loop's rounds need, and the one behind the last, along the window's dimension.
algebra::Polynomial beginOf(const algebra::NestLoop &loop, const LoopWindow &window);
algebra::Polynomial endOf(const algebra::NestLoop &loop, const LoopWindow &window);
/// Whether that is the whole container, by what the codelet requires.
bool isWhole(const algebra::Nest &nest, int loop, const LoopWindow &window);

/// The windows of a loop, or why its blocks are none: rounds that are not apart, a container written in no window.
/// `single`: a loop around it whose rounds are done one by one; null: there is none.
std::variant<BlockedLoop, algebra::NestReason> blockedLoop(const algebra::Nest &nest, int loop,
                                                           const SingleRounds *single = nullptr);

/// The windows of a loop that only adds up (composer/derive/updates.h); `written` is one that moves by an element a
/// round and no further. Reason: there is none.
std::variant<BlockedLoop, algebra::NestReason> summedLoop(const algebra::Nest &nest, int loop);

/// The size of a parameter along a dimension, as an expression.
ir::ExprPtr sizeOf(const ir::VarPtr &array, unsigned dimension);

/// The number of rounds that a window which moves by one is for: its size without the halo.
ir::ExprPtr roundsOf(const LoopWindow &window);

/// Whether `e` names the size of a container along a dimension of which `isCut` holds.
bool namesSize(const ir::ExprPtr &e, const std::function<bool(const ir::Var *, unsigned)> &isCut);
/// The same for the dimensions that windows of the loop cut.
bool namesWindow(const ir::ExprPtr &e, const BlockedLoop &blocked);

/// Whether the codelet as it stands computes a block of the loop when it is given that block's windows: rounds begin
/// at 0, the end is the size of a window, nothing else names the counter or such a size, and what the codelet
/// requires holds for windows. `codelet` is what `nest` was made of.
bool isItsOwnBlock(const algebra::Nest &nest, const BlockedLoop &blocked,
                   const ir::Codelet &codelet);

} // namespace tangram::composer
