#include "runtime/data/real_range.h"

#include "runtime/data/elements.h"
#include "runtime/data/fill_elements.h"
#include "runtime/data/kind_patterns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tangram::runtime {

namespace {

/// The least and the greatest number of a type that are in a range.
template <class T> std::pair<T, T> endsOf(const RealRange &range) {
  T low = static_cast<T>(range.low), high = static_cast<T>(range.high);
  if (static_cast<double>(low) < range.low)
    low = std::nextafter(low, std::numeric_limits<T>::infinity());
  if (static_cast<double>(high) >= range.high)
    high = std::nextafter(high, -std::numeric_limits<T>::infinity());
  return {low, high};
}

/// Without functions of 128 bits, in which the ends are those of double.
template <> std::pair<Quad, Quad> endsOf<Quad>(const RealRange &range) {
  const auto [low, high] = endsOf<double>(range);
  return {low, high};
}

template <class T> void clampAll(const RealRange &range, HostMemory &memory) {
  const auto [low, high] = endsOf<T>(range);
  for (std::size_t at = 0; at + sizeof(T) <= memory.bytes(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, memory.data() + at, sizeof value);
    if (value >= low && value <= high)
      continue;
    if (value == value) {
      value = value < low ? low : high;
      std::memcpy(memory.data() + at, &value, sizeof value);
    }
  }
}

/// Uniform in [0, 1).
double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

std::uint64_t another(std::uint64_t random) { return splitmix64(random, 0); }

/// Numbers of a kind; the caller moves those that roundings take out of the range back into it.
class RealPattern {
public:
  RealPattern(const PatternPlace &place, const RealRange &range, const NamedNumbers &constants)
      : place_(place), range_(range), usual_(range.common({-1, 1})) {
    if (place.kind == DataKind::Constants)
      constants_ = nearNamed(constants, range.low, range.high);
    if (!(usual_.low < usual_.high))
      usual_ = range_;
  }

  double operator()(std::uint64_t i, std::uint64_t random) const {
    switch (place_.kind) {
    case DataKind::Ordinary:
      return between(usual_, unit(random));
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

private:
  static double between(const RealRange &range, double part) {
    return range.low + part * (range.high - range.low);
  }

  double near(double value) const { return std::clamp(value, range_.low, range_.high); }

  /// Of every magnitude that is allowed.
  double scaled(std::uint64_t random) const {
    const double part = unit(another(random));
    if (range_.low > 0)
      return range_.low * std::pow(range_.high / range_.low, part);
    if (range_.high < 0)
      return range_.high * std::pow(range_.low / range_.high, part);
    const double end = (random & 1) != 0 ? range_.low : range_.high;
    return std::ldexp(end, -static_cast<int>((random >> 1) % 24)) * (1 + part) / 2;
  }

  double full(std::uint64_t random) const {
    const std::uint64_t more = another(random);
    switch (random & 7) {
    case 0:
      return range_.low;
    case 1:
      return range_.high;
    case 2:
      return near(std::floor(between(range_, unit(more))));
    case 3:
      return near(static_cast<double>(more % 3) - 1);
    case 4:
      return between(range_, unit(more));
    default:
      return scaled(more);
    }
  }

  double few(std::uint64_t i, std::uint64_t random) const {
    const std::uint64_t of = splitmix64(~place_.state(), place_.choice(i, random));
    const std::array values{range_.low, range_.high, near(0), near(1), between(usual_, 0.5)};
    const std::uint64_t which = of % (values.size() + 2);
    return which < values.size() ? values[which] : between(usual_, unit(another(of)));
  }

  double edge(std::uint64_t random) const {
    const double little = unit(another(random)) * 0x1p-12;
    switch (place_.variant()) {
    case 0:
      return (random >> 32) % 2 != 0 ? range_.low : range_.high;
    case 1:
      return between(range_, 1 - little);
    case 2:
      return between(range_, little);
    default:
      return near(static_cast<double>(random % 3) - 1);
    }
  }

  double inOrder(std::uint64_t i) const {
    const std::uint64_t rank = place_.rank(i);
    const double jitter = unit(splitmix64(place_.state(), rank));
    return between(place_.variant() % 2 == 0 ? usual_ : range_,
                   (static_cast<double>(rank) + jitter) / static_cast<double>(place_.count));
  }

  double constant(std::uint64_t i, std::uint64_t random) const {
    if (constants_.empty())
      return full(random);
    const std::uint64_t more = another(random);
    return place_.isConstant(i, random) ? constants_[more % constants_.size()]
                                        : between(usual_, unit(more));
  }

  PatternPlace place_;
  RealRange range_, usual_;
  std::vector<double> constants_; ///< named numbers and their neighbours
};

} // namespace

RealRange RealRange::common(const RealRange &other) const {
  return {std::max(low, other.low), std::min(high, other.high)};
}

bool RealRange::isEmpty(ir::Scalar element) const {
  const auto isSo = [](const auto &ends) { return !(ends.first <= ends.second); };
  return element == ir::Scalar::F32 ? isSo(endsOf<float>(*this)) : isSo(endsOf<double>(*this));
}

void RealRange::clamp(ir::Scalar element, HostMemory &memory) const {
  if (element == ir::Scalar::F32)
    clampAll<float>(*this, memory);
  else if (element == ir::Scalar::F64)
    clampAll<double>(*this, memory);
  else if (element == ir::Scalar::F128)
    clampAll<Quad>(*this, memory);
}

void generateReals(HostArray &array, const RealRange &range, std::uint64_t seed,
                   std::uint64_t stream, DataKind kind, const NamedNumbers &constants) {
  const PatternPlace place{kind, seed, stream, array.count()};
  const RealPattern pattern(place, range, constants);
  withElement(array.element, [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto [low, high] = endsOf<T>(range);
      fillElements<T>(array, place.state(),
                      [pattern, low, high](std::uint64_t i, std::uint64_t random) {
                        return std::clamp(static_cast<T>(pattern(i, random)), low, high);
                      });
    }
  });
}

std::string shortest(double value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

} // namespace tangram::runtime
