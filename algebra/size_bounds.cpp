#include "algebra/size_bounds.h"

#include "algebra/size_expression_node.h"

#include <algorithm>
#include <bit>

namespace tangram::algebra {

namespace {

using Node = SizeExpression::Node;
using Number = SizeNumber;
using Bounds = std::optional<SizeInterval>;

constexpr SizeInterval zero{0, 0};

bool isPoint(const SizeInterval &a) { return a.low == a.high; }

/// What of [low, high] an expression can be.
Bounds within(Number low, Number high) {
  low = std::max(low, leastSize);
  high = std::min(high, mostSize);
  return low <= high ? Bounds({low, high}) : std::nullopt;
}

Bounds either(const Bounds &a, const Bounds &b) {
  if (!a || !b)
    return a ? a : b;
  return SizeInterval{std::min(a->low, b->low), std::max(a->high, b->high)};
}

/// Of a condition, from what it can be.
Bounds truth(bool canBeFalse, bool canBeTrue) {
  if (!canBeFalse && !canBeTrue)
    return std::nullopt;
  return SizeInterval{canBeFalse ? 0 : 1, canBeTrue ? 1 : 0};
}

bool canBeZero(const SizeInterval &a) { return a.contains(0); }
bool canBeOther(const SizeInterval &a) { return !(a == zero); }

/// The smallest and the largest of `f` at the corners: `f` is monotone in each of its arguments.
template <class F> SizeInterval corners(const SizeInterval &a, const SizeInterval &b, F f) {
  const auto [low, high] =
      std::minmax({f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)});
  return {low, high};
}

/// Far outside of what an expression can be where it does not fit.
Number product(Number a, Number b) {
  constexpr Number far = static_cast<Number>(1) << 120;
  Number result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    return (a < 0) == (b < 0) ? far : -far;
  return std::clamp(result, -far, far);
}

Bounds difference(const SizeInterval &a, const SizeInterval &b) {
  // Of two sizes it has no value below 0.
  const bool sizes = a.low >= 0 && b.low >= 0;
  const Number low = a.low - b.high;
  return within(sizes ? std::max<Number>(low, 0) : low, a.high - b.low);
}

/// By positive and by negative divisors.
template <class F> Bounds divided(const SizeInterval &b, F byDivisors) {
  Bounds result;
  if (b.high >= 1)
    result = byDivisors(SizeInterval{std::max<Number>(b.low, 1), b.high});
  if (b.low <= -1)
    result = either(result, byDivisors(SizeInterval{b.low, std::min<Number>(b.high, -1)}));
  return result;
}

Bounds quotient(const SizeInterval &a, const SizeInterval &b) {
  return divided(b, [&](const SizeInterval &divisors) {
    const SizeInterval all = corners(a, divisors, [](Number x, Number y) { return x / y; });
    return within(all.low, all.high);
  });
}

Bounds remainder(const SizeInterval &a, const SizeInterval &b) {
  return divided(b, [&](const SizeInterval &divisors) -> Bounds {
    if (isPoint(a) && isPoint(divisors))
      return SizeInterval{a.low % divisors.low, a.low % divisors.low};
    if (a.low >= 0 && a.high < divisors.low)
      return a;
    const Number largest = std::max(divisors.high, -divisors.low) - 1;
    return SizeInterval{a.low < 0 ? std::max(a.low, -largest) : 0,
                        a.high > 0 ? std::min(a.high, largest) : 0};
  });
}

Bounds shifted(bool left, const SizeInterval &a, const SizeInterval &b) {
  const SizeInterval by{std::max<Number>(b.low, 0), std::min<Number>(b.high, 63)};
  if (by.low > by.high)
    return std::nullopt;
  const SizeInterval all = corners(a, by, [&](Number x, Number y) {
    return left ? product(x, static_cast<Number>(1) << y) : x >> y;
  });
  return within(all.low, all.high);
}

/// The largest number of as many bits as the larger of two sizes has.
Number allBits(Number a, Number b) {
  const auto larger = static_cast<std::uint64_t>(std::max(a, b));
  const int bits = 64 - std::countl_zero(larger);
  return (static_cast<Number>(1) << bits) - 1;
}

Bounds bitwise(const std::string &op, const SizeInterval &a, const SizeInterval &b) {
  if (isPoint(a) && isPoint(b)) {
    const Number value = op == "&" ? a.low & b.low : op == "|" ? a.low | b.low : a.low ^ b.low;
    return SizeInterval{value, value};
  }
  if (a.low < 0 || b.low < 0)
    return SizeInterval{leastSize, mostSize};
  if (op == "&")
    return SizeInterval{0, std::min(a.high, b.high)};
  return SizeInterval{op == "|" ? std::max(a.low, b.low) : 0, allBits(a.high, b.high)};
}

Bounds comparison(const std::string &op, const SizeInterval &a, const SizeInterval &b) {
  if (op == "==" || op == "!=") {
    const bool canBeEqual = a.low <= b.high && b.low <= a.high;
    const bool canDiffer = !(isPoint(a) && a == b);
    return op == "==" ? truth(canDiffer, canBeEqual) : truth(canBeEqual, canDiffer);
  }
  if (op == "<" || op == ">=") {
    const bool canBeLess = a.low < b.high, canBeMore = a.high >= b.low;
    return op == "<" ? truth(canBeMore, canBeLess) : truth(canBeLess, canBeMore);
  }
  const bool canBeGreater = a.high > b.low, canBeLess = a.low <= b.high;
  return op == ">" ? truth(canBeLess, canBeGreater) : truth(canBeGreater, canBeLess);
}

Bounds converted(const std::string &type, const SizeInterval &a) {
  if (type == "bool")
    return truth(canBeZero(a), canBeOther(a));
  const auto bits = static_cast<unsigned>(std::stoul(type.substr(1)));
  const Number modulus = static_cast<Number>(1) << bits;
  const SizeInterval all =
      type[0] == 'i' ? SizeInterval{-modulus / 2, modulus / 2 - 1} : SizeInterval{0, modulus - 1};
  if (all.contains(a.low) && all.contains(a.high))
    return a;
  if (!isPoint(a))
    return all;
  Number wrapped = (a.low % modulus + modulus) % modulus;
  if (wrapped > all.high)
    wrapped -= modulus;
  return SizeInterval{wrapped, wrapped};
}

class Bounder {
public:
  explicit Bounder(const SizeRanges &ranges) : ranges(ranges) {}

  Bounds of(const Node &e) const {
    if (e.op == "number")
      return SizeInterval{e.number, e.number};
    if (e.op == "name") {
      auto found = ranges.find(e.name);
      return found == ranges.end() ? std::nullopt : Bounds(found->second);
    }
    const Bounds a = of(*e.operands[0]);
    if (!a)
      return std::nullopt;
    if (e.op == "?:")
      return either(canBeOther(*a) ? of(*e.operands[1]) : std::nullopt,
                    canBeZero(*a) ? of(*e.operands[2]) : std::nullopt);
    if (e.op == "&&" || e.op == "||")
      return connected(e.op == "&&", *a, *e.operands[1]);
    if (e.op == "!")
      return truth(canBeOther(*a), canBeZero(*a));
    if (e.op == "negate")
      return within(-a->high, -a->low);
    if (e.operands.size() == 1)
      return converted(e.op, *a);
    const Bounds b = of(*e.operands[1]);
    if (b && e.op == "even_parts")
      return SizeInterval{b->low - std::max<Number>(b->low, 0) / 8, b->high};
    return b ? applied(e.op, *a, *b) : std::nullopt;
  }

private:
  Bounds connected(bool both, const SizeInterval &first, const Node &rest) const {
    const bool decides = both ? canBeZero(first) : canBeOther(first);
    const bool goesOn = both ? canBeOther(first) : canBeZero(first);
    const Bounds second = goesOn ? of(rest) : std::nullopt;
    const bool secondFalse = second && canBeZero(*second),
               secondTrue = second && canBeOther(*second);
    return truth(secondFalse || (both && decides), secondTrue || (!both && decides));
  }

  static Bounds applied(const std::string &op, const SizeInterval &a, const SizeInterval &b) {
    if (op == "+")
      return within(a.low + b.low, a.high + b.high);
    if (op == "-")
      return difference(a, b);
    if (op == "*") {
      const SizeInterval all = corners(a, b, product);
      return within(all.low, all.high);
    }
    if (op == "/")
      return quotient(a, b);
    if (op == "%")
      return remainder(a, b);
    if (op == "min")
      return SizeInterval{std::min(a.low, b.low), std::min(a.high, b.high)};
    if (op == "max")
      return SizeInterval{std::max(a.low, b.low), std::max(a.high, b.high)};
    if (op == "<<" || op == ">>")
      return shifted(op == "<<", a, b);
    if (op == "&" || op == "|" || op == "^")
      return bitwise(op, a, b);
    return comparison(op, a, b);
  }

  const SizeRanges &ranges;
};

} // namespace

std::optional<SizeInterval> boundsOf(const SizeExpression &expression, const SizeRanges &ranges) {
  return Bounder(ranges).of(expression.root());
}

} // namespace tangram::algebra
