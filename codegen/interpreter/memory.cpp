#include "codegen/interpreter/memory.h"

#include <algorithm>

namespace tangram::codegen::interpreting {

void merge(Clock &into, const Clock &from) {
  if (into.size() < from.size())
    into.resize(from.size());
  for (std::size_t g = 0; g < from.size(); ++g) {
    bool later = from[g].phase > into[g].phase ||
                 (from[g].phase == into[g].phase && from[g].published > into[g].published);
    if (later)
      into[g] = from[g];
  }
}

void Allocation::reset(std::uint64_t elements, bool shared) {
  count = elements;
  bytes.assign(elements * ir::byteSize(element), std::byte{0xCD});
  if (shared)
    cells.assign(elements, Cell{});
  else
    written.assign(elements, 0);
}

void Allocation::clear() {
  std::ranges::fill(bytes, std::byte{0});
  for (Cell &cell : cells)
    cell.written = true;
}

bool concurrent(const Stamp &before, const Worker &now, const Clock &known) {
  const Worker &then = before.worker;
  if (!before.valid || then.launch != now.launch)
    return false;
  if (then.group != now.group) {
    if (then.group >= known.size())
      return true;
    const Known &seen = known[then.group];
    return then.phase[0] >= seen.phase &&
           !(then.index == seen.index && then.published < seen.published);
  }
  for (std::size_t depth = 0; depth < itemDepth; ++depth) {
    if (then.phase[depth] != now.phase[depth])
      return false;
    if (then.index[depth] != now.index[depth])
      return true;
  }
  return false;
}

namespace {

bool races(const Stamp &before, const Stamp &now, const Clock &known) {
  bool sameKind = now.atomic != ir::Operator::Code::None && now.atomic == before.atomic;
  return !sameKind && concurrent(before, now.worker, known);
}

/// Of two, the one that has nothing more to say makes room.
void remember(std::array<Stamp, 2> &of, const Stamp &now, const Clock &known) {
  Stamp &first = of[0];
  if (!first.valid || first.worker.sameItem(now.worker) || !concurrent(first, now.worker, known))
    first = now;
  else
    of[1] = now;
}

const Stamp *firstRace(const std::array<const Stamp *, 6> &before, const Stamp &now,
                       const Clock &known, Stamp &other) {
  for (const Stamp *each : before) {
    if (each && races(*each, now, known)) {
      other = *each;
      return &other;
    }
  }
  return nullptr;
}

} // namespace

const Stamp *noteRead(Cell &cell, const Stamp &now, const Clock &known, Stamp &other) {
  const Stamp *found =
      firstRace({&cell.write, &cell.same, &cell.atomics[0], &cell.atomics[1], nullptr, nullptr},
                now, known, other);
  remember(cell.reads, now, known);
  return found;
}

const Stamp *noteWrite(Cell &cell, const Stamp &now, bool same, const Clock &known, Stamp &other) {
  const bool together = same && cell.write.valid && cell.write.worker.group == now.worker.group;
  const Stamp *found =
      firstRace({together ? nullptr : &cell.write, together ? nullptr : &cell.same, &cell.reads[0],
                 &cell.reads[1], &cell.atomics[0], &cell.atomics[1]},
                now, known, other);
  cell.written = true;
  if (now.atomic != ir::Operator::Code::None) {
    remember(cell.atomics, now, known);
    return found;
  }
  if (!together)
    cell.same.valid = false;
  else if (!cell.write.worker.sameItem(now.worker))
    cell.same = cell.write;
  cell.write = now;
  for (Stamp *gone : {&cell.reads[0], &cell.reads[1], &cell.atomics[0], &cell.atomics[1]})
    gone->valid = false;
  return found;
}

std::string nameOf(const Worker &worker) {
  if (worker.group == noItem)
    return "the host";
  std::string text = "group " + std::to_string(worker.group);
  std::string item;
  for (std::uint32_t index : worker.index) {
    if (index != noItem)
      item += (item.empty() ? "" : ".") + std::to_string(index);
  }
  return item.empty() ? text : text + ", item " + item;
}

} // namespace tangram::codegen::interpreting
