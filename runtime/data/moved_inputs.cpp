#include "runtime/data/moved_inputs.h"

#include "runtime/data/data_contract.h"
#include "runtime/data/elements.h"
#include "runtime/data/fill_elements.h"

#include <algorithm>
#include <cmath>

namespace tangram::runtime {

namespace {

using Bits128 = unsigned __int128;

/// Numbers whose bits are a `Bits`, with so many bits of significand.
template <class Bits, unsigned significand> void moveAll(HostMemory &memory, const Move &move) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  constexpr Bits infinity = ((sign >> significand) - 1) << significand;
  for (std::size_t at = 0; at < memory.bytes(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, memory.data() + at, sizeof bits);
    const Bits magnitude = bits & ~sign;
    if (magnitude == 0 || magnitude >= infinity)
      continue;
    const std::uint64_t folded =
        static_cast<std::uint64_t>(magnitude) ^
        (sizeof(Bits) > 8 ? static_cast<std::uint64_t>(magnitude >> (sizeof(Bits) * 4)) : 0);
    const std::uint64_t random = splitmix64(folded, move.number);
    const Bits steps = 1 + static_cast<Bits>((random >> 32) % move.ulps);
    // Down where there is room and the bit says so, or where there is none above.
    const bool down = magnitude > steps && ((random & 1) == 0 || infinity - magnitude <= steps);
    if (down || infinity - magnitude > steps)
      bits = down ? bits - steps : bits + steps;
    std::memcpy(memory.data() + at, &bits, sizeof bits);
  }
}

template <class Wide, class Narrow> void convert(const HostMemory &from, HostMemory &to) {
  for (std::size_t i = 0; i < from.bytes() / sizeof(Narrow); ++i) {
    Narrow narrow;
    std::memcpy(&narrow, from.data() + i * sizeof(Narrow), sizeof narrow);
    const Wide wide = narrow;
    std::memcpy(to.data() + i * sizeof(Wide), &wide, sizeof wide);
  }
}

HostMemory copyOf(const HostMemory &memory) {
  HostMemory copy(memory.bytes());
  std::memcpy(copy.data(), memory.data(), memory.bytes());
  return copy;
}

/// The numbers of `from` as elements of another type; memory that is not there stays so.
HostMemory converted(const HostArray &from, ir::Scalar element) {
  if (element == from.element)
    return copyOf(from.memory);
  HostMemory to(from.memory.bytes() / ir::byteSize(from.element) * ir::byteSize(element));
  const bool isFloat = from.element == ir::Scalar::F32;
  if (element == ir::Scalar::F128)
    (isFloat ? convert<Quad, float> : convert<Quad, double>)(from.memory, to);
  else
    convert<double, float>(from.memory, to);
  return to;
}

Problem withoutArguments(const Problem &problem, const Signature &signature) {
  Problem other;
  other.signature = signature;
  other.extents = problem.extents;
  other.filled = problem.filled;
  return other;
}

/// Moves what has left the range that a contract promises back into it.
void keepContracts(const Problem &problem, std::size_t argument, HostArray &moved) {
  if (!ir::isFloating(moved.element))
    return;
  const auto rules =
      DataRules::of(problem.signature, problem.signature.parameters[argument].name, {});
  if (rules)
    rules->keep(moved.element, moved.memory);
}

template <class T> void look(const HostArray &array, InputFacts &facts) {
  const auto *elements = reinterpret_cast<const T *>(array.memory.data());
  const std::size_t count = array.memory.bytes() / sizeof(T);
  facts.notFinite = facts.notFinite || !std::all_of(elements, elements + count,
                                                    [](T each) { return std::isfinite(each); });
  if (count > 0 && (!facts.coarsest || array.element == ir::Scalar::F32))
    facts.coarsest = array.element;
}

} // namespace

void moveByUlps(ir::Scalar element, HostMemory &memory, const Move &move) {
  if (element == ir::Scalar::F32)
    moveAll<std::uint32_t, 23>(memory, move);
  else if (element == ir::Scalar::F64)
    moveAll<std::uint64_t, 52>(memory, move);
  else if (element == ir::Scalar::F128)
    moveAll<Bits128, 112>(memory, move);
}

Problem widened(const Problem &problem, const Signature &wide, const Move &move) {
  Problem other = withoutArguments(problem, wide);
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    const HostArray &from = problem.arguments[i];
    const ir::Scalar element = wide.parameters[i].element;
    HostArray to{element, from.shape, converted(from, element)};
    if (move.byWideUlps && move.number != 0 && element != from.element) {
      moveByUlps(element, to.memory, move);
      keepContracts(problem, i, to);
    }
    other.arguments.push_back(std::move(to));
  }
  return other;
}

Problem moved(const Problem &problem, const Move &move) {
  Problem other = withoutArguments(problem, problem.signature);
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    const HostArray &from = problem.arguments[i];
    HostArray to{from.element, from.shape, copyOf(from.memory)};
    if (move.number != 0) {
      moveByUlps(from.element, to.memory, move);
      keepContracts(problem, i, to);
    }
    other.arguments.push_back(std::move(to));
  }
  return other;
}

InputFacts factsOf(const Problem &problem) {
  InputFacts facts;
  bool containers = false;
  facts.areEmpty = true;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    const Parameter &p = problem.signature.parameters[i];
    if (!p.isInput())
      continue;
    const HostArray &array = problem.arguments[i];
    containers = containers || p.container;
    facts.areEmpty = facts.areEmpty && (!p.container || array.memory.bytes() == 0);
    if (p.element == ir::Scalar::F32)
      look<float>(array, facts);
    else if (p.element == ir::Scalar::F64)
      look<double>(array, facts);
  }
  facts.areEmpty = facts.areEmpty && containers;
  return facts;
}

} // namespace tangram::runtime
