// Memory that remembers who touched each element last.
#pragma once

#include "codegen/interpreter/values.h"
#include "ir/expr.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tangram::codegen::interpreting {

/// How deep items nest in a group: rows of rows of items.
inline constexpr std::size_t itemDepth = 3;
inline constexpr std::uint32_t noItem = UINT32_MAX;

/// Who is at work, and how often it has met others: `phase[0]` counts the meetings of its whole
/// group, `phase[1]` those of the workers that share `index[0]`, and so on. Meetings count upwards,
/// so that two accesses by workers that share a scope are ordered when its count differs.
struct Worker {
  std::uint32_t launch = 0; ///< every launch has a number of its own, and so has the code between
  std::uint32_t group = 0;
  std::array<std::uint32_t, itemDepth> index{noItem, noItem, noItem};
  std::array<std::uint32_t, itemDepth> phase{};
  std::uint32_t published = 0; ///< how many flags it has set

  bool sameItem(const Worker &other) const { return group == other.group && index == other.index; }
};

/// What a group is known to have done before: all until its meeting `phase`, and of one item all
/// before its flag number `published`.
struct Known {
  std::uint32_t phase = 0;
  std::array<std::uint32_t, itemDepth> index{};
  std::uint32_t published = 0;
};
using Clock = std::vector<Known>; ///< by group
void merge(Clock &into, const Clock &from);

/// An access that is remembered.
struct Stamp {
  Worker worker;
  std::uint32_t site = 0;
  ir::Operator::Code atomic = ir::Operator::Code::None;
  bool valid = false;
};

struct Cell {
  Stamp write;
  Stamp same;                   ///< by another worker of its group, of the value that `write` wrote
  std::array<Stamp, 2> reads;   ///< by different workers
  std::array<Stamp, 2> atomics; ///< since the last write, by different workers
  bool written = false;
};

struct Allocation {
  std::string name;
  ir::Scalar element = ir::Scalar::I32;
  std::uint64_t count = 0;
  std::vector<std::byte> bytes;
  std::vector<Cell> cells;           ///< of memory that several workers see
  std::vector<std::uint8_t> written; ///< of one worker's own

  void reset(std::uint64_t elements, bool shared);
  /// All elements, which several workers see, have been written, and are 0.
  void clear();
};

/// Whether nothing puts the access `before` ahead of what `now` does. `known`: what flags that
/// `now` awaited say of other groups.
bool concurrent(const Stamp &before, const Worker &now, const Clock &known);

/// The remembered access that a new one races with; null when there is none. The new one is remembered.
/// `same`: it writes the value that is there, which workers of a group may do at once.
const Stamp *noteRead(Cell &cell, const Stamp &now, const Clock &known, Stamp &other);
const Stamp *noteWrite(Cell &cell, const Stamp &now, bool same, const Clock &known, Stamp &other);

/// "group 2, item 5", "the host".
std::string nameOf(const Worker &worker);

} // namespace tangram::codegen::interpreting
