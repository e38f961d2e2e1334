#include "algebra/overlap.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tangram::algebra {

namespace {

constexpr std::int64_t mostMultiples = 2; // values either side of 0 that a dimension is split into
constexpr unsigned mostCases = 3;         // minima and maxima told apart, one within the other

/// stride * x, low <= x <= high.
struct Interval {
  Polynomial low, high, stride;
};

/// Whether sum x_k * d_k can be 0.
class Sum {
public:
  Sum(const Inequalities &facts, std::vector<Interval> intervals, Polynomial offset)
      : facts_(facts), intervals_(std::move(intervals)), offset_(std::move(offset)) {}

  bool neverZero() {
    order();
    return avoidsZero(0, offset_);
  }

private:
  /// By decreasing stride, as far as that is known.
  void order() {
    for (std::size_t i = 1; i < intervals_.size(); ++i) {
      for (std::size_t k = i; k > 0; --k) {
        const Polynomial &above = intervals_[k - 1].stride;
        const Polynomial &here = intervals_[k].stride;
        if (facts_.isNonNegative(above - here))
          break;
        if (!facts_.isNonNegative(here - above)) {
          ordered_ = false;
          break;
        }
        std::swap(intervals_[k - 1], intervals_[k]);
      }
    }
  }

  /// What `offset` and the intervals from `first` on add up to is never 0.
  bool avoidsZero(std::size_t first, const Polynomial &offset) {
    if (indivisible(first, offset))
      return true;
    Polynomial low = offset;
    Polynomial high = offset;
    for (std::size_t k = first; k < intervals_.size(); ++k) {
      low = low + intervals_[k].low * intervals_[k].stride;
      high = high + intervals_[k].high * intervals_[k].stride;
    }
    if (facts_.isPositive(low) || facts_.isPositive(-high))
      return true;
    // Any of them may come first; the one of the largest stride, where that is known.
    for (std::size_t k = first; k < intervals_.size(); ++k) {
      std::swap(intervals_[first], intervals_[k]);
      bool avoids = avoidsZeroIn(first, offset);
      std::swap(intervals_[first], intervals_[k]);
      if (avoids)
        return true;
      if (ordered_)
        break;
    }
    return false;
  }

  /// The same, with the offset's part that is a multiple of the first stride counted there.
  bool avoidsZeroIn(std::size_t first, const Polynomial &offset) {
    const Interval here = intervals_[first];
    const Polynomial shift = quotient(offset, here.stride);
    const Polynomial rest = offset - shift * here.stride;
    const Polynomial low = here.low + shift;
    const Polynomial high = here.high + shift;
    // x * stride = -(the rest), so that -up <= x <= down.
    auto isAtMost = [&](std::int64_t most) {
      return facts_.isNonNegative(Polynomial(most) - high) || above(first, rest, most + 1);
    };
    auto isAtLeast = [&](std::int64_t least) {
      return facts_.isNonNegative(low + least) || below(first, rest, least + 1);
    };
    if (!isAtMost(mostMultiples) || !isAtLeast(mostMultiples))
      return false;
    std::int64_t down = 0;
    std::int64_t up = 0;
    while (down < mostMultiples && !isAtMost(down))
      ++down;
    while (up < mostMultiples && !isAtLeast(up))
      ++up;
    for (std::int64_t x = -up; x <= down; ++x) {
      bool outside = facts_.isPositive(low - x) || facts_.isPositive(Polynomial(x) - high);
      if (!outside && !avoidsZero(first + 1, rest + here.stride * x))
        return false;
    }
    return true;
  }

  /// `offset` and the intervals after `first` add up to less than `times` its stride.
  bool below(std::size_t first, const Polynomial &offset, std::int64_t times) const {
    Polynomial high = offset;
    for (std::size_t k = first + 1; k < intervals_.size(); ++k)
      high = high + intervals_[k].high * intervals_[k].stride;
    return facts_.isPositive(intervals_[first].stride * times - high);
  }
  /// They add up to more than minus `times` its stride.
  bool above(std::size_t first, const Polynomial &offset, std::int64_t times) const {
    Polynomial low = offset;
    for (std::size_t k = first + 1; k < intervals_.size(); ++k)
      low = low + intervals_[k].low * intervals_[k].stride;
    return facts_.isPositive(intervals_[first].stride * times + low);
  }

  /// A number divides all strides but not the offset.
  bool indivisible(std::size_t first, Polynomial offset) const {
    std::int64_t divisor = 0;
    auto include = [&](const Polynomial &p) {
      divisor = std::gcd(std::gcd(divisor, p.content()), p.constant());
    };
    for (std::size_t k = first; k < intervals_.size(); ++k) {
      const Interval &each = intervals_[k];
      if (each.low == each.high)
        offset = offset + each.low * each.stride;
      else
        include(each.stride);
      if (each.stride.overflowed())
        return false;
    }
    if (offset.overflowed() || divisor <= 1)
      return false;
    return offset.content() % divisor == 0 && offset.constant() % divisor != 0;
  }

  const Inequalities &facts_;
  std::vector<Interval> intervals_;
  Polynomial offset_;
  bool ordered_ = true;
};

/// No stride below 0; false when the sign of one is not known.
bool normalize(Lmad &lmad, const Inequalities &facts) {
  std::vector<Lmad::Dimension> dims;
  for (Lmad::Dimension d : lmad.dims) {
    if (d.extent == Polynomial(1) || d.stride.isZero())
      continue;
    if (!facts.isNonNegative(d.stride)) {
      if (!facts.isNonNegative(-d.stride))
        return false;
      lmad.offset = lmad.offset + (d.extent - 1) * d.stride;
      d.stride = -d.stride;
    }
    dims.push_back(std::move(d));
  }
  lmad.dims = std::move(dims);
  return true;
}

/// Adds x * stride, x in [low, high], to the interval of that stride.
void include(std::vector<Interval> &intervals, const Polynomial &stride, const Polynomial &low,
             const Polynomial &high) {
  for (Interval &each : intervals) {
    if (each.stride == stride) {
      each.low = each.low + low;
      each.high = each.high + high;
      return;
    }
  }
  intervals.push_back({low, high, stride});
}

bool differ(Lmad a, Lmad b, const Inequalities &facts) {
  if (!normalize(a, facts) || !normalize(b, facts))
    return false;
  // One of stride 1 takes what no other stride divides.
  std::vector<Interval> intervals{{0, 0, 1}};
  for (const Lmad::Dimension &d : a.dims)
    include(intervals, d.stride, 0, d.extent - 1);
  for (const Lmad::Dimension &d : b.dims)
    include(intervals, d.stride, Polynomial(1) - d.extent, 0);
  return Sum(facts, std::move(intervals), a.offset - b.offset).neverZero();
}

Lmad with(Lmad lmad, Atom atom, const Polynomial &value) {
  lmad.offset = lmad.offset.with(atom, value);
  for (Lmad::Dimension &d : lmad.dims) {
    d.extent = d.extent.with(atom, value);
    d.stride = d.stride.with(atom, value);
  }
  return lmad;
}

/// Tried as it is, then with one minimum or maximum being each of the two it is of.
bool differInEachCase(const Lmad &a, const Lmad &b, const Inequalities &facts, unsigned cases) {
  if (differ(a, b, facts))
    return true;
  if (cases == 0 || facts.choices().empty())
    return false;
  const Inequalities::Choice &choice = facts.choices().back();
  auto inCase = [&](bool first) {
    const Polynomial &value = first ? choice.first : choice.second;
    return differInEachCase(with(a, choice.atom, value), with(b, choice.atom, value),
                            facts.with(choice, first), cases - 1);
  };
  return inCase(true) && inCase(false);
}

} // namespace

Lmad byRounds(const Polynomial &position, const std::vector<std::pair<Atom, Polynomial>> &rounds) {
  Lmad lmad{position, {}};
  for (const auto &[round, count] : rounds) {
    const Polynomial start = lmad.offset.with(round, 0);
    const Polynomial stride = lmad.offset.with(round, 1) - start;
    bool others = std::any_of(rounds.begin(), rounds.end(),
                              [&](const auto &each) { return stride.mentions(each.first); });
    if (others || !(start + stride * Polynomial::of(round) == lmad.offset))
      continue;
    lmad.dims.push_back({count, stride});
    lmad.offset = start;
  }
  return lmad;
}

bool disjoint(const Lmad &a, const Lmad &b, const Inequalities &facts) {
  // Where one of them is empty there is nothing to show.
  Inequalities known = facts;
  for (const Lmad *lmad : {&a, &b}) {
    for (const Lmad::Dimension &d : lmad->dims)
      known.assume(d.extent - 1);
  }
  return differInEachCase(a, b, known, mostCases);
}

bool disjoint(const std::vector<Lmad> &a, const std::vector<Lmad> &b, const Inequalities &facts) {
  return std::all_of(a.begin(), a.end(), [&](const Lmad &x) {
    return std::all_of(b.begin(), b.end(), [&](const Lmad &y) { return disjoint(x, y, facts); });
  });
}

} // namespace tangram::algebra
