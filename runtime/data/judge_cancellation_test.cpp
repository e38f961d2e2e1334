// Formulas that cancel, written in two ways: the judge calls neither wrong, whichever of them is the reference, and a
// factor that is wrong by a thousandth is found.
#include "runtime/data/judge_fixture.h"

namespace tangram::runtime {
namespace {

using namespace fixture;
using std::cos, std::erf, std::erfc, std::exp, std::expm1, std::fabs, std::log, std::log1p,
    std::sin, std::sqrt, std::tanh;

/// A program that does the same with each element.
template <class F> auto each(F f) {
  return [f]<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back(f(x));
    return out;
  };
}

/// The program with results multiplied by a number.
template <class F> auto times(double factor, F f) {
  return [=]<class T>(const std::vector<T> &in) {
    std::vector<T> out = f(in);
    for (T &x : out)
      x = x * static_cast<T>(factor);
    return out;
  };
}

/// Numbers of all magnitudes between two, of both signs.
std::vector<float> magnitudes(double least, double most, std::size_t count = 200) {
  std::vector<float> all = random(count, std::log(least), std::log(most), 7);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = (i % 2 == 0 ? 1.F : -1.F) * std::exp(all[i]);
  return all;
}

std::vector<float> positive(std::vector<float> all) {
  for (float &x : all)
    x = std::abs(x);
  return all;
}

template <class One, class Other>
void bothAreRight(const std::vector<float> &in, const One &one, const Other &other) {
  for (const Verification &found : {inFloat(in, one, other, 8), inFloat(in, other, one, 8)}) {
    EXPECT_NE(found.verdict, Verification::Verdict::Wrong) << found.reason;
    EXPECT_NE(found.verdict, Verification::Verdict::NotComparable) << found.reason;
  }
  const Verification found = inFloat(in, one, times(1.001, other), 8);
  EXPECT_EQ(found.verdict, Verification::Verdict::Wrong) << text(found);
}

TEST(Cancellation, OfOneAndTheErrorFunction) {
  const auto gelu = each([]<class T>(T x) { return T(0.5) * x * (1 + erf(x * T(0.70710678F))); });
  const auto byTails = each([]<class T>(T x) {
    const T d = x * T(0.70710678F), tail = erfc(fabs(d));
    return T(0.5) * x * (d < 0 ? 1 - (1 - tail) : 2 - tail);
  });
  const auto byTail = each([]<class T>(T x) { return T(0.5) * x * erfc(-x * T(0.70710678F)); });
  for (double width : {1., 8., 30.}) {
    bothAreRight(random(500, -width, width), gelu, byTails);
    bothAreRight(random(500, -width, width), gelu, byTail);
  }
  bothAreRight(magnitudes(1e-30, 1e30), gelu, byTails);
  bothAreRight(magnitudes(1e-30, 1e30), gelu, byTail);
  // A tail that is wrong by a hundredth of a thousandth.
  const auto wrong =
      each([]<class T>(T x) { return T(0.5) * x * (1 + erf(x * T(0.70710678F)) * T(1.00001F)); });
  EXPECT_EQ(inFloat(random(500, -1, 1), gelu, wrong).verdict, Verification::Verdict::Wrong);
}

TEST(Cancellation, OfOneAndTheHyperbolicTangent) {
  const auto plain = each([]<class T>(T x) { return x * (1 + tanh(x)); });
  const auto byExponentials = each([]<class T>(T x) {
    const T e = exp(-2 * fabs(x));
    const T t = (1 - e) / (1 + e);
    return x * (1 + (x < 0 ? -t : t));
  });
  bothAreRight(random(500, -20, 20), plain, byExponentials);
  bothAreRight(magnitudes(1e-30, 1e30), plain, byExponentials);
}

TEST(Cancellation, OfExponentialsAndOne) {
  const auto plain = each([]<class T>(T x) { return exp(x) - 1; });
  const auto exact = each([]<class T>(T x) { return expm1(x); });
  bothAreRight(random(500, -1, 1), plain, exact);
  bothAreRight(magnitudes(1e-9, 80), plain, exact);
}

TEST(Cancellation, OfOneAndCosines) {
  const auto plain = each([]<class T>(T x) { return 1 - cos(x); });
  const auto exact = each([]<class T>(T x) { return 2 * sin(x / 2) * sin(x / 2); });
  bothAreRight(random(500, -3, 3), plain, exact);
  bothAreRight(magnitudes(1e-4, 10), plain, exact);
}

TEST(Cancellation, OfLogarithmsNearOne) {
  const auto plain = each([]<class T>(T x) { return log(1 + x); });
  const auto exact = each([]<class T>(T x) { return log1p(x); });
  bothAreRight(random(500, -0.5, 1), plain, exact);
  bothAreRight(positive(magnitudes(1e-9, 1e9)), plain, exact);
}

TEST(Cancellation, OfNumbersThatLieClose) {
  const auto plain = each([]<class T>(T x) { return (x + 1000) * (x + 1000) - (x - 1) * (x - 1); });
  const auto exact = each([]<class T>(T x) { return T(1001) * (2 * x + 999); });
  bothAreRight(random(500, -1, 1), plain, exact);
  bothAreRight(random(500, -501, -498), plain, exact);
  const auto fractions = each([]<class T>(T x) { return 1 / x - 1 / (x + 1); });
  const auto fraction = each([]<class T>(T x) { return 1 / (x * (x + 1)); });
  bothAreRight(random(500, 1, 1e4), fractions, fraction);
}

TEST(Cancellation, OfRootsOfQuadratics) {
  const auto plain = each([]<class T>(T b) { return -b + sqrt(b * b - 1); });
  const auto exact = each([]<class T>(T b) { return -1 / (b + sqrt(b * b - 1)); });
  bothAreRight(random(500, 1, 10), plain, exact);
  bothAreRight(random(500, 100, 20000), plain, exact);
}

TEST(Cancellation, OfNorms) {
  const auto plain = each([]<class T>(T x) { return sqrt((x + 1) * (x + 1) - x * x); });
  const auto exact = each([]<class T>(T x) { return sqrt(2 * x + 1); });
  bothAreRight(random(500, 0, 10), plain, exact);
  bothAreRight(random(500, 1000, 100000), plain, exact);
}

TEST(Cancellation, OfSoftmaxAndLogarithmsOfSums) {
  const auto logarithm = [](bool byLargest) {
    return [=]<class T>(const std::vector<T> &in) {
      T top = 0, sum = 0;
      for (T x : in)
        top = byLargest ? std::max(top, x) : top;
      for (T x : in)
        sum += exp(x - top);
      std::vector<T> out;
      for (T x : in)
        out.push_back(x - (top + log(sum)));
      return out;
    };
  };
  bothAreRight(random(500, -5, 5), logarithm(false), logarithm(true));
  bothAreRight(random(500, 40, 60), logarithm(false), logarithm(true));
}

TEST(Cancellation, OfPricesOfOptions) {
  const auto price = [](bool byTail) {
    return each([=]<class T>(T strike) {
      const T d1 = log(T(100) / strike) / T(0.2F) + T(0.1F), d2 = d1 - T(0.2F);
      const auto normal = [&](T d) {
        const T x = d * T(0.70710678F);
        return byTail ? erfc(-x) / 2 : T(0.5F) * (1 + erf(x));
      };
      return 100 * normal(d1) - strike * normal(d2);
    });
  };
  bothAreRight(random(500, 50, 200), price(false), price(true));
  bothAreRight(random(500, 100, 100000), price(false), price(true));
}

} // namespace
} // namespace tangram::runtime
