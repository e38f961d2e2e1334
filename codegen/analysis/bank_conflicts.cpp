#include "codegen/analysis/bank_conflicts.h"

#include "algebra/simplify.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

std::int64_t Banks::together(std::int64_t bytes) const {
  return std::max<std::int64_t>(1, items * wordBytes / std::max(bytes, wordBytes));
}

std::int64_t Banks::atOnce(std::int64_t bytes) const {
  return std::min(together(bytes), count * wordBytes / std::max(bytes, wordBytes));
}

Banks banksOf(const LoweredPlan &plan, int level) {
  const std::vector<composer::Memory> &all =
      plan.machine->levels[static_cast<std::size_t>(level)].memory;
  const auto banked =
      std::ranges::find_if(all, [](const composer::Memory &memory) { return memory.banks > 1; });
  if (plan.target->itemsAreLoops || banked == all.end())
    return {};
  return {banked->banks, banked->bankBytes, banked->itemsAtBanks()};
}

std::int64_t degreeOfConflict(const Banks &banks, const std::vector<std::int64_t> &places,
                              std::int64_t bytes) {
  const auto together = static_cast<std::size_t>(banks.together(bytes));
  std::size_t degree = 1;
  for (std::size_t first = 0; first < places.size(); first += together) {
    std::map<std::int64_t, std::set<std::int64_t>> words; // by bank
    for (std::size_t t = first; t < std::min(first + together, places.size()); ++t) {
      for (std::int64_t word = places[t] / banks.wordBytes;
           word * banks.wordBytes < places[t] + bytes; ++word)
        words[word % banks.count].insert(word);
    }
    for (const auto &[_, asked] : words)
      degree = std::max(degree, asked.size());
  }
  return static_cast<std::int64_t>(degree);
}

std::int64_t degreeOfConflict(const Banks &banks, const WarpAccess &access) {
  std::vector<std::int64_t> places;
  for (std::int64_t t = 0; t < banks.items; ++t)
    places.push_back((t % access.inTurn * access.step + t / access.inTurn * access.stride) *
                     access.elementBytes);
  return degreeOfConflict(banks, places, access.elementBytes * access.vector);
}

Padding leastPadding(const Banks &banks, std::int64_t pitch, std::int64_t alignment,
                     const std::function<std::int64_t(std::int64_t)> &degree) {
  const std::int64_t first = (alignment - pitch % alignment) % alignment;
  Padding least{first, degree(pitch + first)};
  // An element has a word at most of each bank: pitches repeat after as many elements as all banks have bytes.
  for (std::int64_t more = first; more <= first + banks.count * banks.wordBytes;
       more += alignment) {
    const std::int64_t now = degree(pitch + more);
    if (now < least.degree)
      least = {more, now};
  }
  return least;
}

ExprPtr oddMultipleAbove(const ExprPtr &last, const ExprPtr &unit, std::int64_t times) {
  const ExprPtr once = mul(unit, intLiteral(times)), twice = mul(unit, intLiteral(2 * times));
  return add(mul(binary("/", add(last, once), twice), twice), once);
}

ExprPtr pitchOfColumns(const Banks &banks, const ExprPtr &extent, const ExprPtr &inTurn,
                       std::int64_t elementBytes, std::int64_t alignment) {
  const std::int64_t least = std::max(alignment, banks.wordBytes / elementBytes);
  // Of fewer below each other than rows may begin in different banks, more are side by side.
  const std::int64_t beginnings = std::max<std::int64_t>(1, banks.atOnce(elementBytes) / least);
  return simplify(
      oddMultipleAbove(sub(extent, intLiteral(1)), ceilDiv(intLiteral(beginnings), inTurn), least));
}

ExprPtr pitchOfRows(const Banks &banks, const ExprPtr &extent, const ExprPtr &inTurn,
                    std::int64_t leastInTurn, std::int64_t rows, std::int64_t elementBytes) {
  const std::int64_t all = banks.atOnce(elementBytes);
  if (leastInTurn >= all)
    return extent;
  const ExprPtr unit = ceilDiv(inTurn, intLiteral(rows));
  return simplify(select(binary("<", inTurn, intLiteral(all)),
                         oddMultipleAbove(sub(extent, intLiteral(1)), unit), extent));
}

} // namespace tangram::codegen
