// Memory accesses and reports of the machine; who runs when is in workers.cpp.
#include "codegen/interpreter/machine.h"

#include <algorithm>
#include <cstring>

namespace tangram::codegen::interpreting {

using Kind = Report::Kind;

namespace {

constexpr std::uint64_t mostMistakes = 100'000; // more of them say nothing new

} // namespace

void Machine::report(Kind kind, std::uint32_t site, const std::string &message) {
  stopped_ |= ++mistakes_ == mostMistakes;
  auto [known, isNew] = reported_.try_emplace({kind, site}, reports_.size());
  if (!isNew) {
    ++reports_[known->second].times;
    return;
  }
  const Site &place = code_.sites[site];
  reports_.push_back({kind, place.location, place.text, message, 1});
}

std::string Machine::element(const Activity &a, std::uint32_t array, Value index) const {
  const Allocation &memory = *a.arrays[array];
  return memory.name + "[" + std::to_string(index.i) + "]";
}

bool Machine::bounds(const Activity &a, const Allocation &memory, Value index,
                     const Instruction &in) {
  if (index.u < memory.count)
    return true;
  report(Kind::Bounds, in.site,
         nameOf(a.worker) + " uses element " + std::to_string(index.i) + " of " + memory.name +
             ", which has " + std::to_string(memory.count));
  return false;
}

void Machine::race(const Activity &a, const Stamp &now, const Stamp &other, std::uint32_t array,
                   Value index, bool write) {
  const std::string doing = now.atomic != ir::Operator::Code::None ? " atomically" : "";
  report(Kind::Race, now.site,
         nameOf(a.worker) + (write ? " writes " : " reads ") + element(a, array, index) + doing +
             ", and nothing orders it and what " + nameOf(other.worker) + " does there in '" +
             code_.sites[other.site].text + "'");
}

std::byte *Machine::read(Activity &a, std::uint32_t array, Value index, const Instruction &in) {
  Allocation &memory = *a.arrays[array];
  if (!bounds(a, memory, index, in))
    return nullptr;
  bool written = true;
  if (!memory.cells.empty()) {
    Cell &cell = memory.cells[index.u];
    written = cell.written;
    Stamp now{a.worker, in.site, ir::Operator::Code::None, true};
    Stamp other;
    if (noteRead(cell, now, a.known, other))
      race(a, now, other, array, index, false);
  } else {
    written = memory.written[index.u] != 0;
  }
  if (!written)
    report(Kind::Unwritten, in.site,
           nameOf(a.worker) + " reads " + element(a, array, index) + ", which nothing has written");
  return memory.bytes.data() + index.u * ir::byteSize(memory.element);
}

std::byte *Machine::write(Activity &a, std::uint32_t array, Value index, const Instruction &in,
                          ir::Operator::Code atomic, const std::byte *value) {
  Allocation &memory = *a.arrays[array];
  if (!bounds(a, memory, index, in))
    return nullptr;
  if (!memory.cells.empty()) {
    Cell &cell = memory.cells[index.u];
    const bool looks = atomic != ir::Operator::Code::None;
    if (looks && !cell.written)
      report(Kind::Unwritten, in.site,
             nameOf(a.worker) + " reads " + element(a, array, index) +
                 ", which nothing has written");
    Stamp now{a.worker, in.site, atomic, true};
    const std::size_t size = ir::byteSize(memory.element);
    const bool same = value && std::memcmp(memory.bytes.data() + index.u * size, value, size) == 0;
    Stamp other;
    if (noteWrite(cell, now, same, a.known, other))
      race(a, now, other, array, index, true);
  } else {
    memory.written[index.u] = 1;
  }
  return memory.bytes.data() + index.u * ir::byteSize(memory.element);
}

bool Machine::await(Activity &a, std::uint32_t array, Value index, const Instruction &in) {
  Allocation &memory = *a.arrays[array];
  if (!bounds(a, memory, index, in))
    return true;
  Cell &cell = memory.cells[index.u];
  if (!cell.written) {
    report(Kind::Unwritten, in.site,
           nameOf(a.worker) + " awaits " + element(a, array, index) +
               ", which nothing has written");
    return true;
  }
  Stamp now{a.worker, in.site, ir::Operator::Code::AtomicPublish, true};
  std::uint64_t value = 0;
  std::memcpy(&value, memory.bytes.data() + index.u * ir::byteSize(memory.element),
              ir::byteSize(memory.element));
  if (value == 0)
    return false;
  auto flag = flags_.find({&memory, index.u});
  if (flag != flags_.end())
    merge(a.known, flag->second);
  Stamp other;
  if (noteRead(cell, now, a.known, other))
    race(a, now, other, array, index, false);
  return true;
}

void Machine::publish(Activity &a, std::uint32_t array, Value index, const Instruction &in) {
  Allocation &memory = *a.arrays[array];
  std::byte *place = write(a, array, index, in, ir::Operator::Code::AtomicPublish);
  if (!place)
    return;
  say(a, memory, index);
  std::memset(place, 0, ir::byteSize(memory.element));
  place[0] = std::byte{1};
}

/// What `a` knows and has done is known to those who ask at the element.
void Machine::say(Activity &a, const Allocation &memory, Value index) {
  ++a.worker.published;
  Clock clock = a.known;
  if (a.worker.group != noItem) {
    clock.resize(std::max<std::size_t>(clock.size(), groupsInLaunch_));
    clock[a.worker.group] = {a.worker.phase[0], a.worker.index, a.worker.published};
  }
  merge(flags_[{&memory, index.u}], clock);
}

void Machine::comeBy(Activity &a, std::uint32_t array, Value index) {
  const Allocation &memory = *a.arrays[array];
  if (index.u >= memory.count)
    return; // reported
  merge(a.known, flags_[{&memory, index.u}]);
  say(a, memory, index);
}

void Machine::meet(Activity &a, std::uint32_t scope, std::uint32_t site) {
  a.state = Activity::State::Meeting;
  a.scope = scope;
  a.site = site;
}

void Machine::allocate(Activity &a, std::uint32_t array, std::uint64_t count) {
  while (a.own.size() <= array)
    a.own.emplace_back();
  Allocation &memory = a.own[array];
  memory.name = code_.arrays[array].name;
  memory.element = code_.arrays[array].element;
  memory.reset(count, options_.lanes == InterpreterOptions::Lanes::Loops);
  a.arrays[array] = &memory;
}

} // namespace tangram::codegen::interpreting
