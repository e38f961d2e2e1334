// Memory operations, control flow and workers.
#include "codegen/interpreter/operations.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace tangram::codegen::interpreting {

using Code = ir::Operator::Code;
using Kind = Report::Kind;

namespace {

template <class T> T fetch(const std::byte *place) {
  if constexpr (std::is_same_v<T, bool>) {
    return *place != std::byte{0};
  } else {
    T x;
    std::memcpy(&x, place, sizeof x);
    return x;
  }
}
template <class T> void keep(std::byte *place, T x) {
  if constexpr (std::is_same_v<T, bool>)
    *place = std::byte{x};
  else
    std::memcpy(place, &x, sizeof x);
}

template <class T> void loadElement(Machine &m, Activity &a, const Instruction &in) {
  const std::byte *place = m.read(a, in.extra, a.registers[in.a], in);
  a.registers[in.to] = valueOf<T>(place ? fetch<T>(place) : T{});
}

template <class T> void storeElement(Machine &m, Activity &a, const Instruction &in) {
  std::array<std::byte, sizeof(T)> value;
  keep<T>(value.data(), as<T>(a.registers[in.b]));
  if (std::byte *place = m.write(a, in.extra, a.registers[in.a], in, Code::None, value.data()))
    std::ranges::copy(value, place);
}

template <class T, Code op> T combined(T before, T value, T other) {
  if constexpr (op == Code::AtomicAdd) {
    if constexpr (std::is_floating_point_v<T>)
      return before + value;
    else
      return static_cast<T>(static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(value));
  } else if constexpr (op == Code::AtomicMin) {
    return value < before ? value : before;
  } else if constexpr (op == Code::AtomicMax) {
    return before < value ? value : before;
  } else if constexpr (op == Code::AtomicExchange) {
    return value;
  } else {
    return before == value ? other : before;
  }
}

template <class T, Code op> void change(Machine &m, Activity &a, const Instruction &in) {
  std::byte *place = m.write(a, in.extra, a.registers[in.a], in, op);
  const T before = place ? fetch<T>(place) : T{};
  if (place)
    keep<T>(place, combined<T, op>(before, as<T>(a.registers[in.b]), as<T>(a.registers[in.b + 1])));
  a.registers[in.to] = valueOf<T>(before);
}

void awaitFlag(Machine &m, Activity &a, const Instruction &in) {
  if (m.await(a, in.extra, a.registers[in.a], in))
    return;
  a.state = Activity::State::Waiting;
  a.site = in.site;
  --a.at;
}

void publishFlag(Machine &m, Activity &a, const Instruction &in) {
  m.publish(a, in.extra, a.registers[in.a], in);
}

void countGroup(Machine &m, Activity &a, const Instruction &in) {
  change<std::uint32_t, Code::AtomicAdd>(m, a, in);
  m.comeBy(a, in.extra, a.registers[in.a]);
}

template <class T> Handler atomicOf(Code op) {
  switch (op) {
  case Code::AtomicAdd:
    return change<T, Code::AtomicAdd>;
  case Code::AtomicMin:
    return change<T, Code::AtomicMin>;
  case Code::AtomicMax:
    return change<T, Code::AtomicMax>;
  case Code::AtomicExchange:
    return change<T, Code::AtomicExchange>;
  case Code::AtomicCompareExchange:
    return change<T, Code::AtomicCompareExchange>;
  case Code::AtomicLoad: // what flags put in order has to be in order
    return loadElement<T>;
  case Code::AtomicStore:
    return storeElement<T>;
  case Code::AtomicAwait:
    return awaitFlag;
  case Code::AtomicPublish:
    return publishFlag;
  default:
    return nullptr;
  }
}

} // namespace

Handler load(ir::Scalar element) {
  Handler found = nullptr;
  withType(element, [&]<class T>(T) { found = loadElement<T>; });
  return found;
}

Handler store(ir::Scalar element) {
  Handler found = nullptr;
  withType(element, [&]<class T>(T) { found = storeElement<T>; });
  return found;
}

Handler countingOfGroups() { return countGroup; }

Handler atomic(ir::Operator op, ir::Scalar element) {
  Handler found = nullptr;
  withType(element, [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool>)
      found = atomicOf<T>(op.code());
  });
  return found;
}

void move(Machine &, Activity &a, const Instruction &in) { a.registers[in.to] = a.registers[in.a]; }
void jump(Machine &, Activity &a, const Instruction &in) { a.at = in.extra; }
void jumpIfFalse(Machine &, Activity &a, const Instruction &in) {
  if (a.registers[in.a].u == 0)
    a.at = in.extra;
}
void jumpIfTrue(Machine &, Activity &a, const Instruction &in) {
  if (a.registers[in.a].u != 0)
    a.at = in.extra;
}
void unset(Machine &, Activity &a, const Instruction &in) { a.set[in.to] = 0; }
void markSet(Machine &, Activity &a, const Instruction &in) { a.set[in.to] = 1; }
void checkSet(Machine &m, Activity &a, const Instruction &in) {
  if (a.set[in.a] == 0)
    m.report(Kind::Unwritten, in.site,
             nameOf(a.worker) + " reads " + m.code().variables.at(in.a) +
                 ", which nothing has written");
}
void allocate(Machine &m, Activity &a, const Instruction &in) {
  m.allocate(a, in.extra, a.registers[in.a].u);
}
void exchangeArrays(Machine &, Activity &a, const Instruction &in) {
  std::swap(a.arrays[in.a], a.arrays[in.b]);
}
void end(Machine &, Activity &a, const Instruction &) { a.state = Activity::State::Ended; }

void launch(Machine &, Activity &a, const Instruction &in) {
  a.state = Activity::State::Launching;
  a.launch = in.extra;
}

void countGroups(Machine &, Activity &a, const Instruction &in) {
  if (!a.counting)
    return;
  a.state = Activity::State::Counting;
  a.scope = in.a;
}

void groupIndex(Machine &, Activity &a, const Instruction &in) {
  a.registers[in.to] = valueOf<std::uint64_t>(a.element[in.extra]);
}
void groupStep(Machine &, Activity &a, const Instruction &in) {
  a.registers[in.to] = valueOf<std::uint64_t>(a.started[in.extra]);
}
void itemIndex(Machine &, Activity &a, const Instruction &in) {
  const std::uint32_t index = a.worker.index[in.extra];
  a.registers[in.to] = valueOf<std::uint64_t>(index == noItem ? 0 : index);
}
void meet(Machine &m, Activity &a, const Instruction &in) { m.meet(a, in.extra, in.site); }

void enterItem(Machine &, Activity &a, const Instruction &in) {
  a.worker.index[in.extra] = static_cast<std::uint32_t>(a.registers[in.a].u);
  for (std::size_t depth = in.extra + 1; depth < itemDepth; ++depth)
    a.worker.phase[depth] = 0;
}
void leaveItems(Machine &, Activity &a, const Instruction &in) {
  a.worker.index[in.extra] = noItem;
  ++a.worker.phase[in.extra];
}

} // namespace tangram::codegen::interpreting
