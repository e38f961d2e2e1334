// The judge's verdicts about programs of a few lines, in float and double or in double and 128 bits.
#include "runtime/data/judge_fixture.h"

namespace tangram::runtime {
namespace {

using namespace fixture;
using std::exp, std::sqrt;

// Programs.

/// Forward, in an accumulator of the type of the elements.
const auto sum = []<class T>(const std::vector<T> &in) {
  T s = 0;
  for (T x : in)
    s = s + x;
  return std::vector<T>{s};
};

/// By parts of 7.
const auto partialSums = []<class T>(const std::vector<T> &in) {
  T s = 0;
  for (std::size_t i = 0; i < in.size(); i += 7) {
    T part = 0;
    for (std::size_t k = i; k < std::min(in.size(), i + 7); ++k)
      part = part + in[k];
    s = s + part;
  }
  return std::vector<T>{s};
};

/// All but the last element.
const auto sumShort = []<class T>(std::vector<T> in) {
  in.pop_back();
  return sum(in);
};

const auto softmax = []<class T>(const std::vector<T> &in) {
  T top = -FLT_MAX;
  for (T x : in)
    top = std::max(top, x);
  T s = 0;
  for (T x : in)
    s += exp(x - top);
  std::vector<T> out;
  for (T x : in)
    out.push_back(exp(x - top) / s);
  return out;
};

/// `rescale`: the sum is multiplied when the largest element so far changes; `factor` is what results are
/// multiplied by, and `tail` the last one.
template <bool rescale = true> auto onlineSoftmax(double factor = 1, double tail = 1) {
  return [=]<class T>(const std::vector<T> &in) {
    T top = -FLT_MAX, s = 0;
    for (T x : in) {
      const T next = std::max(top, x);
      s = s * (rescale ? exp(top - next) : T(1)) + exp(x - next);
      top = next;
    }
    std::vector<T> out;
    for (T x : in)
      out.push_back(exp(x - top) / s * static_cast<T>(factor));
    out.back() *= static_cast<T>(tail);
    return out;
  };
}

TEST(Judge, TheSameBytesNeedNoWideNumbers) {
  const std::vector<float> in = random(100, -1, 1);
  EXPECT_EQ(text(inFloat(in, sum, sum)), "bit for bit, same function within 0, rounding at most " +
                                             figureText(*inFloat(in, sum, sum).roundingAtMost));
  JudgedCase asked;
  asked.outputs = {{"out", ir::Scalar::F32, {2}, 2}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto values = [](float a, float b) {
    Values all;
    all.push_back(memoryOf<float>({a, b}));
    return all;
  };
  EXPECT_EQ(text(compareBits(asked, values(1, 2), values(1, 2))), "bit for bit");
  EXPECT_FALSE(compareBits(asked, values(1, 2), values(1, 2.5F)).bitForBit);
  EXPECT_FALSE(compareBits(asked, values(0.F, 2), values(-0.F, 2)).bitForBit);
  const Verification half = compareBits(asked, values(nan, 2), values(-nan, 2));
  EXPECT_TRUE(half.bitForBit);
  EXPECT_EQ(half.verdict, Verdict::NotComparable);
}

TEST(Judge, WhatNobodyWritesIsNoResult) {
  JudgedCase asked;
  asked.outputs = {{"out", ir::Scalar::F32, {3}, 3}};
  const auto written = [](std::size_t count) {
    Values all;
    all.push_back(memoryOf<float>({1, 2, 3}));
    poison(ir::Scalar::F32, all[0].data() + count * sizeof(float), (3 - count) * sizeof(float));
    return all;
  };
  const Verification found = compareBits(asked, written(1), written(1));
  EXPECT_EQ(found.verdict, Verdict::Right);
  EXPECT_EQ(found.results, 1U);
  EXPECT_TRUE(found.bitForBit);
  EXPECT_FALSE(compareBits(asked, written(1), written(2)).bitForBit);
  EXPECT_FALSE(compareBits(asked, written(2), written(1)).bitForBit);
}

TEST(Judge, OrdersOfASumAreTheSameFunction) {
  for (std::size_t n : {1, 2, 10, 100, 1000, 100000}) {
    for (unsigned seed = 1; seed < 6; ++seed) {
      EXPECT_VERDICT(Right, inFloat(random(n, -1, 1, seed), sum, partialSums));
      EXPECT_VERDICT(Right, inFloat(random(n, 0, 1, seed), sum, partialSums));
      EXPECT_VERDICT(Right, inDouble(random<double>(n, -1, 1, seed), sum, partialSums));
      EXPECT_VERDICT(Wrong, inFloat(random(n, 0.1, 1, seed), sum, sumShort));
      EXPECT_VERDICT(Wrong, inDouble(random<double>(n, -1, 1, seed), sum, sumShort));
    }
  }
}

TEST(Judge, SoftmaxHasNoWorstCase) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    for (double width : {1., 10., 40.}) {
      const std::vector<float> in = random(300, -width, width, seed);
      EXPECT_VERDICT(Right, inFloat(in, softmax, onlineSoftmax()));
      EXPECT_VERDICT(Wrong, inFloat(in, softmax, onlineSoftmax<false>()));
      EXPECT_VERDICT(Wrong, inFloat(in, softmax, onlineSoftmax(1e6)));
      EXPECT_VERDICT(Wrong, inFloat(in, softmax, onlineSoftmax(1.001)));
      EXPECT_VERDICT(Wrong, inFloat(in, softmax, onlineSoftmax(1, 1 + 1e-5)));
    }
  }
}

TEST(Judge, ABoundThatHoldsForEveryResultIsNone) {
  const auto spread = []<class T>(const std::vector<T> &in) {
    T low = 1e30F, high = -1e30F;
    for (T x : in) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
    return std::vector<T>{high - low};
  };
  const auto wrong = []<class T>(const std::vector<T> &in) {
    return std::vector<T>{T(in.size()) * -12345};
  };
  const std::vector<float> in = random(1000, -1, 1);
  EXPECT_VERDICT(Right, inFloat(in, spread, spread));
  EXPECT_VERDICT(Wrong, inFloat(in, spread, wrong));
}

TEST(Judge, SaysWhereAndHowFar) {
  const auto twice = []<class T>(const std::vector<T> &in) {
    return std::vector<T>{in[0] * 2, in[1] * 2, in[2] * 2};
  };
  const auto other = []<class T>(const std::vector<T> &in) {
    return std::vector<T>{in[0] * 2, in[1] * 3, in[2] * 4};
  };
  const Verification wrong = inFloat({1, 2, 3}, twice, other);
  EXPECT_EQ(wrong.reason,
            "out: 2 of 3 elements differ in wider numbers, the first at 1: got 6, expected 4");
  const auto one = []<class T>(const std::vector<T> &in) { return std::vector<T>{in[0]}; };
  const auto less = []<class T>(const std::vector<T> &in) { return std::vector<T>{in[0] / 3}; };
  EXPECT_EQ(inFloat({3}, one, less).reason, "out differs in wider numbers: got 1, expected 3");
}

TEST(Judge, WhatNarrowCodeAloneGetsWrongIsWrong) {
  const std::vector<float> in = random(1000, 0.5, 1);
  const auto loses = []<class T>(const std::vector<T> &all) {
    return isNarrow<T, float> ? sumShort(all) : sum(all);
  };
  EXPECT_VERDICT(Wrong, inFloat(in, sum, loses, 100));
  const auto narrows = []<class T>(const std::vector<T> &all) {
    float s = 0; // whatever the type of the elements
    for (T x : all)
      s += static_cast<float>(x);
    return std::vector<T>{s};
  };
  EXPECT_VERDICT(Wrong, inDouble(random<double>(1000, 0.5, 1), sum, narrows, 1000));
  const auto scaled = []<class T>(const std::vector<T> &all) {
    std::vector<T> out = all;
    for (T &x : out)
      x = x * (isNarrow<T, float> ? T(1.001F) : T(1));
    return out;
  };
  const auto same = []<class T>(const std::vector<T> &all) { return all; };
  const Verification found = inFloat(in, same, scaled);
  EXPECT_EQ(found.verdict, Verdict::Wrong);
  EXPECT_NE(
      found.reason.find("1000 of 1000 elements differ from the plan's own wide result by more "
                        "than rounding explains, the first at 0: got "),
      std::string::npos)
      << found.reason;
}

const auto twoPasses = []<class T>(const std::vector<T> &in) {
  const T n = static_cast<T>(in.size());
  const T mean = sum(in)[0] / n;
  T s = 0;
  for (T x : in)
    s = s + (x - mean) * (x - mean);
  return std::vector<T>{s / n};
};

/// E[x^2] - E[x]^2.
const auto ofMoments = []<class T>(const std::vector<T> &in) {
  const T n = static_cast<T>(in.size());
  T s = 0, squares = 0;
  for (T x : in) {
    s = s + x;
    squares = squares + x * x;
  }
  return std::vector<T>{squares / n - (s / n) * (s / n)};
};

const auto welford = []<class T>(const std::vector<T> &in) {
  T mean = 0, m2 = 0, count = 0;
  for (T x : in) {
    count = count + 1;
    const T delta = x - mean;
    mean = mean + delta / count;
    m2 = m2 + delta * (x - mean);
  }
  return std::vector<T>{m2 / count};
};

TEST(Judge, AFormulaThatCancelsIsInaccurateAndNotWrong) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const std::vector<float> near = random(1000, -1, 1, seed);
    EXPECT_VERDICT(Right, inFloat(near, twoPasses, ofMoments));
    EXPECT_VERDICT(Right, inFloat(near, twoPasses, welford));
    const std::vector<float> far = random(1000, 999, 1001, seed);
    EXPECT_VERDICT(Right, inFloat(far, twoPasses, welford));
    EXPECT_VERDICT(Inaccurate, inFloat(far, twoPasses, ofMoments));
    const std::vector<float> farther = random(1000, 99990, 100010, seed);
    EXPECT_VERDICT(Inaccurate, inFloat(farther, twoPasses, ofMoments));
    // A plan is right where the reference itself is no more accurate.
    EXPECT_VERDICT(Right, inFloat(farther, ofMoments, twoPasses));
    // A wrong divisor is another function, however badly it is conditioned.
    const auto biased = []<class T>(const std::vector<T> &in) {
      return std::vector<T>{welford(in)[0] * T(1000) / T(999)};
    };
    EXPECT_VERDICT(Wrong, inFloat(farther, twoPasses, biased));
    EXPECT_VERDICT(Wrong, inFloat(farther, ofMoments, biased));
  }
}

TEST(Judge, LongChainsAndShortOnesAreBothRight) {
  const auto kahan = []<class T>(const std::vector<T> &in) {
    T s = 0, c = 0;
    for (T x : in) {
      const T y = x - c;
      const T t = s + y;
      c = (t - s) - y;
      s = t;
    }
    return std::vector<T>{s};
  };
  const std::vector<float> in = random(100000, 0, 1);
  EXPECT_VERDICT(Right, inFloat(in, kahan, sum));
  EXPECT_VERDICT(Right, inFloat(in, sum, kahan));
  EXPECT_VERDICT(Right, inFloat(std::vector<float>(100000, 0.1F), kahan, sum));
  EXPECT_VERDICT(Wrong, inFloat(in, kahan, sumShort));
}

TEST(Judge, FiltersThatForgetAreRight) {
  // s = s + a * (x - s), as it stands and multiplied out.
  const auto filter = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    T s = 0;
    for (T x : in) {
      s = s + T(0.125) * (x - s);
      out.push_back(s);
    }
    return out;
  };
  const auto expanded = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    T s = 0;
    for (T x : in) {
      s = T(0.875) * s + T(0.125) * x;
      out.push_back(s);
    }
    return out;
  };
  const auto other = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    T s = 0;
    for (T x : in) {
      s = T(0.875) * s + T(0.12501F) * x;
      out.push_back(s);
    }
    return out;
  };
  EXPECT_VERDICT(Right, inFloat(random(1000, -1, 1), filter, expanded));
  EXPECT_VERDICT(Right, inDouble(random<double>(1000, -1, 1), filter, expanded));
  EXPECT_VERDICT(Wrong, inFloat(random(1000, -1, 1), filter, other));
}

TEST(Judge, PolynomialsByHornerAndByPowers) {
  const auto horner = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back(((x - 3) * x + 3) * x - 1); // (x - 1)^3
    return out;
  };
  const auto powers = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back(x * x * x - 3 * (x * x) + 3 * x - 1);
    return out;
  };
  const auto cube = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back((x - 1) * (x - 1) * (x - 1));
    return out;
  };
  EXPECT_VERDICT(Right, inFloat(random(10000, -2, 3), horner, powers));
  EXPECT_VERDICT(Right, inFloat(random(10000, 0.9, 1.1), horner, powers));
  EXPECT_VERDICT(Right, inDouble(random<double>(10000, 0.9, 1.1), horner, powers));
  EXPECT_VERDICT(Right, inFloat(random(10000, 0.9, 1.1), horner, cube));
  EXPECT_VERDICT(Inaccurate, inFloat(random(10000, 0.99, 1.01), cube, horner));
}

/// x = r x (1 - x), so many times.
auto logistic(int steps, bool multipliedOut) {
  return [=]<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in) {
      x = (x + 1) / 4 + T(0.25);
      for (int i = 0; i < steps; ++i)
        x = multipliedOut ? T(3.75) * x - T(3.75) * x * x : T(3.75) * x * (1 - x);
      out.push_back(x);
    }
    return out;
  };
}

TEST(Judge, ChaosIsNotComparable) {
  const std::vector<float> in = random(100, -1, 1);
  EXPECT_VERDICT(Right, inFloat(in, logistic(5, false), logistic(5, true)));
  const Verification chaos = inFloat(in, logistic(500, false), logistic(500, true));
  EXPECT_EQ(chaos.verdict, Verdict::NotComparable);
  EXPECT_EQ(chaos.reason.rfind("its wide runs differ: rounding changes out at 0 by ", 0), 0U)
      << chaos.reason;
  EXPECT_VERDICT(NotComparable,
                 inDouble(random<double>(100, -1, 1), logistic(500, false), logistic(500, true)));
  EXPECT_VERDICT(Wrong, inFloat(in, logistic(5, false), logistic(6, false)));
  // Zeros are not moved.
  const std::vector<float> zeros(10, 0.F);
  EXPECT_VERDICT(NotComparable, inFloat(zeros, logistic(500, false), logistic(500, true)));
  EXPECT_VERDICT(Wrong, inFloat(zeros, logistic(5, false), logistic(6, false)));
}

TEST(Judge, WhatNarrowNumbersLoseWhollyIsNotJudgedByFewUlpsOfWideOnes) {
  // The first result is what 1 + 1e-9 leaves of 1, beside the inputs.
  const auto residue = []<class T>(std::vector<T> in, T least) {
    T sum = 0;
    for (T x : in)
      sum += x * T(1e-12F);
    in[0] = ((1 + (T(1e-9) + least)) - 1) + sum;
    return in;
  };
  const auto backwards = [&]<class T>(const std::vector<T> &in, T least) {
    std::vector<T> turned = residue(std::vector<T>(in.rbegin(), in.rend()), least), out = in;
    out[0] = turned[0];
    return out;
  };
  const auto reference = [&]<class T>(const std::vector<T> &in) { return residue(in, T(0)); };
  // A few ulps of 1 in wide numbers, wherever inputs are moved; and more of them.
  const auto plan = [&]<class T>(const std::vector<T> &in) { return backwards(in, T(4e-16)); };
  const auto wrong = [&]<class T>(const std::vector<T> &in) { return backwards(in, T(1e-11)); };
  const std::vector<float> in = random(60, -1, 1);
  const Verification found = inFloat(in, reference, plan);
  EXPECT_EQ(found.verdict, Verdict::Right) << found.reason;
  EXPECT_VERDICT(Wrong, inFloat(in, reference, wrong));
}

TEST(Judge, DecisionsByFloatingPointNumbers) {
  // The place of the largest product with a weight.
  const auto place = [](bool last) {
    return [=]<class T>(const std::vector<T> &in) {
      int best = 0;
      for (int i = 1; i < static_cast<int>(in.size()); ++i) {
        const bool better = last ? in[i] >= in[best] : in[i] > in[best];
        best = better ? i : best;
      }
      return std::vector<int>{best};
    };
  };
  std::vector<float> in = random(100, -1, 1);
  EXPECT_VERDICT(Right, inFloat(in, place(false), place(false)));
  EXPECT_VERDICT(Right, inFloat(in, place(false), place(true)));
  in[90] = in[40] = 3; // a tie of equal inputs stays one when they are moved
  EXPECT_VERDICT(Right, inFloat(in, place(false), place(false)));
  const Verification tie = inFloat(in, place(false), place(true));
  EXPECT_EQ(tie.verdict, Verdict::Wrong);
  EXPECT_EQ(tie.reason, "out differs in wider numbers: got 90, expected 40");
}

TEST(Judge, ADecisionByRoundingIsSaid) {
  // Whether a sum is above what it is in double: an order of float decides one way or the other.
  const std::vector<float> in = random(1000, 0, 1, 3);
  const double middle = sum(std::vector<double>(in.begin(), in.end()))[0];
  const auto above = [=](auto order) {
    return [=]<class T>(const std::vector<T> &all) {
      return std::vector<int>{order(all)[0] > static_cast<T>(middle - 1e-9) ? 1 : 0, 7};
    };
  };
  const int forward = above(sum)(in)[0], parts = above(partialSums)(in)[0];
  const Verification found = inFloat(in, above(sum), above(partialSums));
  EXPECT_EQ(found.verdict, Verdict::Right) << found.reason;
  EXPECT_EQ(found.decidedDifferently, forward == parts ? 0U : 1U);
  EXPECT_EQ(text(found), forward == parts ? "" : "1 result is decided differently: out at 0");
}

TEST(Judge, ALimitOfAThresholdIsNoRounding) {
  // Clipping at an input's exact value: > in place of >=.
  const auto clip = [](bool strict) {
    return [=]<class T>(const std::vector<T> &in) {
      std::vector<T> out;
      for (T x : in)
        out.push_back((strict ? x > T(0.5) : x >= T(0.5)) ? x : T(0));
      return out;
    };
  };
  std::vector<float> in = random(100, 0, 1);
  in[12] = in[50] = 0.5F;
  EXPECT_VERDICT(Right, inFloat(in, clip(false), clip(false)));
  EXPECT_VERDICT(Wrong, inFloat(in, clip(false), clip(true)));
}

TEST(Judge, ATailOfSmallElementsShows) {
  const auto scale = [](double last) {
    return [=]<class T>(const std::vector<T> &in) {
      std::vector<T> out = in;
      for (T &x : out)
        x = x * T(3);
      out.back() = out.back() * static_cast<T>(last);
      return out;
    };
  };
  std::vector<float> in = random(100, 0.5, 1);
  for (float tail : {1e-3F, 1e-12F, 1e-30F}) {
    in.back() = tail;
    EXPECT_VERDICT(Right, inFloat(in, scale(1), scale(1)));
    EXPECT_VERDICT(Wrong, inFloat(in, scale(1), scale(1 + 1e-5)));
  }
}

TEST(Judge, NothingToMoveIsComparedAsItIs) {
  // A series of constants: there are no inputs.
  const auto series = [](bool backward, double factor) {
    return [=]<class T>(const std::vector<T> &) {
      T s = 0;
      for (int i = 1; i <= 1000; ++i)
        s = s + T(1) / static_cast<T>(backward ? 1001 - i : i);
      return std::vector<T>{s * static_cast<T>(factor)};
    };
  };
  EXPECT_VERDICT(Right, inFloat({}, series(false, 1), series(true, 1), 1000));
  EXPECT_VERDICT(Wrong, inFloat({}, series(false, 1), series(true, 1.00001), 1000));
}

TEST(Verification, FiguresHaveTwoDigits) {
  EXPECT_EQ(figureText(3.1e-7), "3.1e-7");
  EXPECT_EQ(figureText(3.99e-16), "4e-16");
  EXPECT_EQ(figureText(0), "0");
  EXPECT_EQ(figureText(0.25), "0.25");
  EXPECT_EQ(figureText(1e-130), "1e-130");
  Verification v;
  v.results = 10;
  v.sameFunctionWithin = 4e-16;
  v.roundingAtMost = 3.1e-7;
  EXPECT_EQ(text(v), "same function within 4e-16, rounding at most 3.1e-7");
  v.nan = 1;
  v.infinite = 1;
  v.decidedDifferently = 2;
  v.firstDecided = "c at (3, 1)";
  EXPECT_EQ(
      text(v),
      "same function within 4e-16, rounding at most 3.1e-7; 2 of 10 results are NaN or infinite in "
      "the reference; 2 results are decided differently, the first c at (3, 1)");
}

} // namespace
} // namespace tangram::runtime
