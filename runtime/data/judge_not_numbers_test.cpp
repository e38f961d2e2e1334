// The judge's verdicts about results that are no numbers, or larger than any.
#include "runtime/data/judge_fixture.h"

namespace tangram::runtime {
namespace {

using namespace fixture;
using std::exp, std::sqrt;

TEST(Judge, NaNIsNoAgreement) {
  const auto roots = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back(sqrt(x));
    return out;
  };
  std::vector<float> in = random(100, 0, 1);
  in[7] = in[9] = -1;
  Verification found = inFloat(in, roots, roots);
  EXPECT_EQ(found.verdict, Verdict::Right);
  EXPECT_EQ(text(found).substr(text(found).find(';')),
            "; 2 of 100 results are NaN in the reference");
  found = inFloat(random(1000, -1, 1), roots, roots);
  EXPECT_EQ(found.verdict, Verdict::NotComparable);
  EXPECT_EQ(found.reason.substr(found.reason.find(' ')),
            " of 1000 results are NaN in the reference, which says nothing of the plan; give other "
            "values");
  // Where the inputs have them, that is what was asked.
  std::vector<float> special(100, std::numeric_limits<float>::quiet_NaN());
  EXPECT_VERDICT(Right, inFloat(special, roots, roots));
  // On one side alone.
  const auto zeros = []<class T>(const std::vector<T> &all) {
    std::vector<T> out;
    for (T x : all)
      out.push_back(x < 0 ? T(0) : sqrt(x));
    return out;
  };
  EXPECT_VERDICT(Wrong, inFloat(in, roots, zeros));
  EXPECT_VERDICT(Wrong, inFloat(in, zeros, roots));
}

TEST(Judge, ARootOfNoiseIsANumberOrNone) {
  // The last pivot of a singular matrix is 0 but for rounding: sqrt(c - b * b / a) with c = b * b / a.
  const auto pivot = [](bool otherwise) {
    return [=]<class T>(const std::vector<T> &in) {
      std::vector<T> out;
      for (T x : in) {
        const T row = x / sqrt(x * 3), square = otherwise ? x * x / (x * 3) : row * row;
        out.push_back(sqrt(x / 3 - square));
      }
      return out;
    };
  };
  const std::vector<float> in = random(100, 0.5, 1);
  for (const auto &[reference, plan] : {std::pair(false, true), std::pair(true, false)}) {
    const Verification found = inFloat(in, pivot(reference), pivot(plan));
    EXPECT_NE(found.verdict, Verdict::Wrong) << found.reason;
  }
}

TEST(Judge, OverflowIsNoWrongResult) {
  const auto product = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back(x * x * x);
    return out;
  };
  const auto halves = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back((x * T(0.3F)) * x * x / T(0.3F));
    return out;
  };
  std::vector<float> in = random(100, 0, 1);
  in[3] = 1e13F; // the cube overflows in float
  in[4] = 6e12F;
  const Verification found = inFloat(in, product, halves);
  EXPECT_EQ(found.verdict, Verdict::Right) << found.reason;
  EXPECT_EQ(found.infinite, 1U);
  // One order overflows, the other does not.
  const auto overflows = []<class T>(const std::vector<T> &all) {
    return std::vector<T>{all[0] * T(2) * T(0.5F)};
  };
  const auto fits = []<class T>(const std::vector<T> &all) {
    return std::vector<T>{all[0] * T(0.5F) * T(2)};
  };
  const Verification overflow = inFloat({FLT_MAX}, fits, overflows);
  EXPECT_EQ(overflow.verdict, Verdict::NotComparable);
  EXPECT_EQ(
      overflow.reason,
      "1 of 1 results overflow in one order of their terms and not in another; give other values");
  const auto infinite = []<class T>(const std::vector<T> &all) {
    return std::vector<T>{isNarrow<T, float> ? all[0] * T(INFINITY) : all[0]};
  };
  EXPECT_VERDICT(Wrong, inFloat({1}, fits, infinite));
}

TEST(Judge, WhereTheReferenceOverflowsElsewhereThePlanMayHere) {
  const auto exponentials = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (T x : in)
      out.push_back(exp(x));
    return out;
  };
  // Lanes multiply what came before by 0 where the reference has a branch.
  const auto withBefore = []<class T>(const std::vector<T> &in) {
    std::vector<T> out;
    for (std::size_t i = 0; i < in.size(); ++i)
      out.push_back(exp(in[i]) + (i > 0 ? 0 * exp(in[i - 1]) : 0));
    return out;
  };
  std::vector<float> in = random(100, 0, 1);
  in[3] = 100; // its exponential is no float
  const Verification found = inFloat(in, exponentials, withBefore);
  EXPECT_EQ(found.verdict, Verdict::Right) << found.reason;
  EXPECT_EQ(found.notJudged, 1U);
  // Nothing overflows in the reference.
  in[3] = 1;
  const auto notThere = [](const auto &all) {
    auto out = all;
    for (auto &each : out)
      each = exp(each);
    if (isNarrow<std::decay_t<decltype(out[0])>, float>)
      out[4] = NAN;
    return out;
  };
  EXPECT_VERDICT(Wrong, inFloat(in, exponentials, notThere));
}

} // namespace
} // namespace tangram::runtime
