#include "runtime/data/kind_patterns.h"

#include "runtime/data/fill_elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tangram::runtime {

namespace {

/// Uniform in [-1, 1).
double ordinary(std::uint64_t random) {
  return static_cast<double>(static_cast<std::int64_t>(random >> 10) - (1LL << 53)) * 0x1p-53;
}

/// A random number that has nothing to do with `random`.
std::uint64_t another(std::uint64_t random) { return splitmix64(random, 0); }

} // namespace

// ---------------------------------------------------------------------------- places

std::uint64_t PatternPlace::state() const { return stateOf(seed, stream); }

std::uint64_t PatternPlace::choice(std::uint64_t i, std::uint64_t random) const {
  const std::uint64_t values = 1 + variant();
  if (values % 2 != 0)
    return another(random) % values;
  const std::uint64_t run = 1 + another(state()) % 40;
  return splitmix64(state(), i / run) % values;
}

std::uint64_t PatternPlace::rank(std::uint64_t i) const {
  const std::uint64_t at = kind == DataKind::Reversed ? count - 1 - i : i;
  return variant() < 2 ? at : at - at % 3;
}

bool PatternPlace::isConstant(std::uint64_t i, std::uint64_t random) const {
  switch (variant()) {
  case 0:
    return (random >> 8) % 2 == 0;
  case 1:
    return true;
  case 2:
    return (random >> 8) % 16 == 0;
  default:
    return splitmix64(state(), i / 5) % 2 == 0;
  }
}

std::vector<double> nearNamed(const NamedNumbers &named, double low, double high) {
  std::vector<double> numbers;
  const auto add = [&](double number) {
    for (const double each :
         {number, number - 1, number + 1, number * (1 - 0x1p-10), number * (1 + 0x1p-10)}) {
      if (each >= low && each < high)
        numbers.push_back(each);
    }
  };
  std::vector<double> all = named.reals;
  all.insert(all.end(), named.integers.begin(), named.integers.end());
  for (const double each : all) {
    add(each);
    add(-each);
  }
  return numbers;
}

// ---------------------------------------------------------------------------- integers

IntegerPattern::IntegerPattern(const PatternPlace &place, __int128 low, __int128 high,
                               __int128 usualLow, __int128 usualHigh, const NamedNumbers &constants)
    : place_(place), state_(place.state()), low_(low), high_(high), usualLow_(usualLow),
      usualHigh_(usualHigh) {
  if (place.kind != DataKind::Constants)
    return;
  std::vector<__int128> all(constants.integers.begin(), constants.integers.end());
  for (const double each : constants.reals) {
    if (each < 0x1p64)
      all.push_back(static_cast<__int128>(each));
  }
  for (const __int128 each : all) {
    for (const __int128 near : {each, each - 1, each + 1, -each}) {
      if (near >= low && near <= high)
        constants_.push_back(near);
    }
  }
}

__int128 IntegerPattern::operator()(std::uint64_t i, std::uint64_t random) const {
  switch (place_.kind) {
  case DataKind::Few:
    return few(i, random);
  case DataKind::Sorted:
  case DataKind::Reversed:
    return inOrder(i);
  case DataKind::Edges:
    return edge(random);
  case DataKind::Constants:
    return constant(i, random);
  default:
    return full(random);
  }
}

/// Uniform in [low, high], also where that has 2^64 values.
__int128 IntegerPattern::uniform(std::uint64_t random) const {
  const auto values = static_cast<unsigned __int128>(high_ - low_) + 1;
  return low_ + static_cast<__int128>(values > UINT64_MAX
                                          ? random
                                          : belowWide(random, static_cast<std::uint64_t>(values)));
}

__int128 IntegerPattern::near(__int128 value) const { return std::clamp(value, low_, high_); }

__int128 IntegerPattern::full(std::uint64_t random) const {
  const std::uint64_t more = another(random);
  switch (random & 7) {
  case 0:
    return low_;
  case 1:
    return high_;
  case 2:
    return near(static_cast<__int128>(more % 3) - 1);
  case 3:
    return nearPowerOfTwo(more);
  default:
    return uniform(more);
  }
}

/// 2^n - 1, 2^n or 2^n + 1, or its negative, for a 2^n that is allowed.
__int128 IntegerPattern::nearPowerOfTwo(std::uint64_t random) const {
  const __int128 most = std::max(high_, -low_);
  unsigned powers = 1;
  while (powers < 64 && (static_cast<__int128>(1) << powers) <= most)
    ++powers;
  const __int128 power = static_cast<__int128>(1) << (random % powers);
  const __int128 value = power + static_cast<__int128>((random >> 8) % 3) - 1;
  return near(low_ < 0 && (random >> 16) % 2 != 0 ? -value : value);
}

__int128 IntegerPattern::few(std::uint64_t i, std::uint64_t random) const {
  const std::uint64_t of = splitmix64(~state_, place_.choice(i, random));
  switch (of % 6) {
  case 0:
    return near(0);
  case 1:
    return near(1);
  case 2:
    return near(-1);
  case 3:
    return low_;
  case 4:
    return high_;
  default:
    return uniform(another(of));
  }
}

__int128 IntegerPattern::edge(std::uint64_t random) const {
  const bool second = (random >> 32) % 2 != 0;
  switch (place_.variant()) {
  case 0:
    return second ? high_ : low_;
  case 1:
    return near(high_ - second);
  case 2:
    return near(low_ + second);
  default:
    return near(static_cast<__int128>(random % 3) - 1);
  }
}

__int128 IntegerPattern::inOrder(std::uint64_t i) const {
  const std::uint64_t rank = place_.rank(i);
  const bool usual = place_.variant() % 2 == 0;
  const __int128 low = usual ? usualLow_ : low_;
  const auto values = static_cast<unsigned __int128>((usual ? usualHigh_ : high_) - low);
  const std::uint64_t steps = std::max<std::uint64_t>(place_.count, 2) - 1;
  // The product may have more than 128 bits.
  const unsigned __int128 step = values / steps, rest = values % steps;
  const unsigned __int128 jitter =
      splitmix64(state_, rank) % (static_cast<std::uint64_t>(step) / 2 + 1);
  return low +
         static_cast<__int128>(step * rank + rest * rank / steps + (rank < steps ? jitter : 0));
}

__int128 IntegerPattern::constant(std::uint64_t i, std::uint64_t random) const {
  if (constants_.empty())
    return full(random);
  const std::uint64_t more = another(random);
  if (place_.isConstant(i, random))
    return constants_[more % constants_.size()];
  const auto values = static_cast<std::uint64_t>(usualHigh_ - usualLow_);
  return usualLow_ +
         static_cast<__int128>(values == UINT64_MAX ? more : belowWide(more, values + 1));
}

// ---------------------------------------------------------------------------- floating point

FloatPattern::FloatPattern(const PatternPlace &place, bool isFloat, const NamedNumbers &constants)
    : place_(place), state_(place.state()), isFloat_(isFloat) {
  if (place.kind != DataKind::Constants)
    return;
  // So that sums and products of a few constants stay finite.
  const double most = isFloat ? 0x1p120 : 0x1p1000;
  constants_ = nearNamed(constants, -most, most);
  if (constants_.empty())
    return;
  const double largest = std::abs(
      *std::ranges::max_element(constants_, {}, [](double number) { return std::abs(number); }));
  const double any = std::abs(constants_[another(state_) % constants_.size()]);
  beyond_ = std::max(beyond_, state_ % 2 == 0 ? largest : any);
}

double FloatPattern::operator()(std::uint64_t i, std::uint64_t random) const {
  switch (place_.kind) {
  case DataKind::Few:
    return few(i, random);
  case DataKind::Sorted:
  case DataKind::Reversed:
    return inOrder(i);
  case DataKind::Edges:
    return edge(random);
  case DataKind::Special:
    return special(random);
  case DataKind::Constants:
    return constant(i, random);
  default:
    return full(random);
  }
}

double FloatPattern::full(std::uint64_t random) const {
  static constexpr std::array simple{0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0};
  const std::uint64_t more = another(random);
  if ((random & 7) == 0)
    return simple[more % simple.size()];
  if ((random & 7) == 1)
    return static_cast<double>(more % 33) - 16;
  const double number =
      std::ldexp(1 + std::abs(ordinary(more)), static_cast<int>(random >> 60) - 12);
  return (random & 8) != 0 ? -number : number;
}

double FloatPattern::few(std::uint64_t i, std::uint64_t random) const {
  static constexpr std::array simple{0.0, -0.0, 1.0, -1.0, 0.5, -2.0};
  const std::uint64_t of = splitmix64(~state_, place_.choice(i, random));
  const std::uint64_t which = of % (simple.size() + 2);
  return which < simple.size() ? simple[which] : ordinary(another(of));
}

double FloatPattern::edge(std::uint64_t random) const {
  static constexpr std::array mixed{0.0, -0.0, 16.0, -16.0, 0x1p-12, -0x1p-12, 1.0, -1.0};
  const double magnitude = 8 * std::abs(ordinary(another(random))) + 0x1p-12;
  switch (place_.variant()) {
  case 0:
    return mixed[random % mixed.size()];
  case 1:
    return -magnitude;
  case 2:
    return magnitude;
  default:
    return (random >> 32) % 2 != 0 ? 0.0 : -0.0;
  }
}

double FloatPattern::inOrder(std::uint64_t i) const {
  static constexpr std::array<double, 4> lowest{-1, -9, -1, 1};
  const unsigned variant = place_.variant();
  const std::uint64_t rank = place_.rank(i);
  const double width = variant % 2 == 0 ? 2 : 8;
  const double jitter = (ordinary(splitmix64(state_, rank)) + 1) / 2;
  return lowest[variant] +
         width * ((static_cast<double>(rank) + jitter) / static_cast<double>(place_.count));
}

double FloatPattern::constant(std::uint64_t i, std::uint64_t random) const {
  if (constants_.empty())
    return full(random);
  const std::uint64_t more = another(random);
  const double magnitude = beyond_ * (1 + std::abs(ordinary(more)));
  switch (place_.variant()) {
  case 0:
    return place_.isConstant(i, random) ? constants_[more % constants_.size()] : ordinary(more);
  case 1:
    return magnitude;
  case 2:
    return -magnitude;
  default:
    return constants_[more % constants_.size()];
  }
}

double FloatPattern::special(std::uint64_t random) const {
  using Double = std::numeric_limits<double>;
  using Float = std::numeric_limits<float>;
  const std::array<double, 10> values{
      Double::quiet_NaN(),
      Double::infinity(),
      -Double::infinity(),
      0.0,
      -0.0,
      isFloat_ ? 5.0 * Float::denorm_min() : 5.0 * Double::denorm_min(),
      isFloat_ ? -3.0 * Float::denorm_min() : -3.0 * Double::denorm_min(),
      isFloat_ ? Float::min() : Double::min(),
      isFloat_ ? Float::max() : Double::max(),
      isFloat_ ? Float::lowest() : Double::lowest()};
  const std::uint64_t more = another(random);
  return random % 4 == 0 ? values[more % values.size()] : ordinary(more);
}

} // namespace tangram::runtime
