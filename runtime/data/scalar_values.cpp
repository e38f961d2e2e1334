#include "runtime/data/scalar_values.h"

#include "runtime/data/fill_elements.h"
#include "runtime/data/generate.h"

#include <algorithm>

namespace tangram::runtime {

namespace {

template <class T> void put(HostArray &array, T value) {
  std::memcpy(array.memory.data(), &value, sizeof value);
}

/// The sources of a scalar's value in one run: the number of its turn, and a random number.
struct Turn {
  std::uint64_t number, random;
};

std::int64_t integer(const Parameter &p, const Turn &turn) {
  const std::int64_t last = p.high - 1;
  const auto usual = [&] {
    return p.low + static_cast<std::int64_t>(
                       belowWide(turn.random, static_cast<std::uint64_t>(p.high - p.low)));
  };
  if (!p.anyValue)
    return turn.number % 3 == 0 ? p.low : turn.number % 3 == 1 ? last : usual();
  switch (turn.number % 7) {
  case 0:
    return std::clamp<std::int64_t>(1, p.least, p.most);
  case 1:
    return p.most;
  case 2:
    return std::clamp<std::int64_t>(-1, p.least, p.most);
  case 3:
    return p.least;
  case 4:
    return std::clamp<std::int64_t>(0, p.least, p.most);
  case 5:
    return static_cast<std::int64_t>(
        p.least +
        static_cast<__int128>(belowWide(turn.random, static_cast<std::uint64_t>(p.most) -
                                                         static_cast<std::uint64_t>(p.least))));
  default:
    return usual();
  }
}

double floating(const Turn &turn) {
  static constexpr double simple[] = {1, 0, -1, 0.5, -0.0, 2};
  return simple[turn.number % std::size(simple)];
}

/// A constant or a neighbour of one for odd `seed + stream`, else an ordinary number.
void generateConstant(HostArray &array, const Parameter &p, std::uint64_t seed,
                      std::uint64_t stream, const NamedNumbers &constants) {
  const bool isOrdinary = (seed + stream) % 2 == 0;
  // Seeds that select the variants in which all numbers are constants (PatternPlace::variant).
  const std::uint64_t ofIntegers = 4 * seed + 1, ofReals = 4 * seed + 3;
  if (ir::isFloating(p.element))
    generate(array, isOrdinary ? seed : ofReals, isOrdinary ? stream : 0,
             isOrdinary ? DataKind::Ordinary : DataKind::Constants, constants);
  else if (isOrdinary)
    generateWithin(array, p.low, p.high, seed, stream);
  else
    generateWithin(array, p.least, static_cast<__int128>(p.most) + 1, ofIntegers, 0,
                   DataKind::Constants, constants);
}

} // namespace

void generateScalar(HostArray &array, const Parameter &p, DataKind kind, std::uint64_t seed,
                    std::uint64_t stream, const NamedNumbers &constants) {
  if (kind == DataKind::Constants && !constants.empty() && p.anyValue &&
      p.element != ir::Scalar::Bool)
    return generateConstant(array, p, seed, stream, constants);
  const bool counts = ir::isInteger(p.element) && p.element != ir::Scalar::Bool;
  const Turn turn{seed + 3 * stream + static_cast<std::uint64_t>(kind),
                  splitmix64(stateOf(seed, stream), 0)};
  if (counts && kind == DataKind::Ordinary)
    return generateWithin(array, p.low, p.high, seed, stream);
  if (counts) {
    withElement(array.element, [&]<class T>(T) { put(array, static_cast<T>(integer(p, turn))); });
    return;
  }
  // Every third is an ordinary number.
  const bool simple =
      ir::isFloating(p.element) && p.anyValue && kind != DataKind::Ordinary && turn.random % 3 != 0;
  if (!simple)
    return generate(array, seed, stream);
  withElement(array.element, [&]<class T>(T) { put(array, static_cast<T>(floating(turn))); });
}

} // namespace tangram::runtime
