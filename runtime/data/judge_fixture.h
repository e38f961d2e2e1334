// What tests of the judge share: programs of a few lines as generic lambdas, run in every way that the judge asks for.
#pragma once

#include "runtime/data/elements.h"
#include "runtime/data/judge.h"
#include "runtime/data/moved_inputs.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

namespace tangram::runtime::fixture {

/// A number of type Wide whose every operation is rounded to a Narrow one, up or down at random, as emitted code in
/// wider numbers does it (codegen/printing/rounding_functions.h).
template <class Wide, class Narrow> class Sampled {
public:
  Sampled() = default;
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, Wide>)
  Sampled(T value) : value(static_cast<Wide>(value)) {} // as numbers convert

  explicit operator Wide() const { return value; }
  explicit operator float() const
    requires(!std::is_same_v<Wide, float>)
  {
    return static_cast<float>(value);
  }

  friend Sampled operator+(Sampled a, Sampled b) { return rounded(a.value + b.value); }
  friend Sampled operator-(Sampled a, Sampled b) { return rounded(a.value - b.value); }
  friend Sampled operator*(Sampled a, Sampled b) { return rounded(a.value * b.value); }
  friend Sampled operator/(Sampled a, Sampled b) { return rounded(a.value / b.value); }
  friend Sampled operator-(Sampled a) {
    a.value = -a.value;
    return a;
  }
  Sampled &operator+=(Sampled b) { return *this = *this + b; }
  Sampled &operator*=(Sampled b) { return *this = *this * b; }
  friend bool operator==(Sampled a, Sampled b) { return a.value == b.value; }
  friend auto operator<=>(Sampled a, Sampled b) { return a.value <=> b.value; }

  friend Sampled sqrt(Sampled a) { return rounded(std::sqrt(a.value)); }
  friend Sampled fabs(Sampled a) { return a.value < 0 ? -a : a; }
  friend Sampled exp(Sampled a) { return near(std::exp(a.value), 3); }
  friend Sampled expm1(Sampled a) { return near(std::expm1(a.value), 3); }
  friend Sampled log(Sampled a) { return near(std::log(a.value), 3); }
  friend Sampled log1p(Sampled a) { return near(std::log1p(a.value), 2); }
  friend Sampled sin(Sampled a) { return near(std::sin(a.value), 4); }
  friend Sampled cos(Sampled a) { return near(std::cos(a.value), 4); }
  friend Sampled tanh(Sampled a) { return near(std::tanh(a.value), 5); }
  friend Sampled erf(Sampled a) { return near(std::erf(a.value), 16); }
  friend Sampled erfc(Sampled a) { return near(std::erfc(a.value), 16); }

private:
  static unsigned random(unsigned below) {
    static std::mt19937 engine;
    return engine() % below;
  }

  static Sampled rounded(Wide exact) {
    const Narrow nearest = static_cast<Narrow>(exact);
    if (nearest == exact || exact != exact || random(2) == 0)
      return nearest;
    return std::nextafter(nearest, exact > nearest ? std::numeric_limits<Narrow>::infinity()
                                                   : -std::numeric_limits<Narrow>::infinity());
  }

  /// What a function gives that is off by so many ulps.
  static Sampled near(Wide exact, unsigned ulps) {
    Narrow number = static_cast<Narrow>(exact);
    const Narrow end = random(2) == 0 ? std::numeric_limits<Narrow>::infinity()
                                      : -std::numeric_limits<Narrow>::infinity();
    for (unsigned steps = random(ulps + 1); steps > 0 && number != 0; --steps)
      number = std::nextafter(number, end);
    return number;
  }

  Wide value = 0;
};

template <class T> ir::Scalar scalarOf() {
  if (std::is_same_v<T, float>)
    return ir::Scalar::F32;
  if (std::is_same_v<T, double>)
    return ir::Scalar::F64;
  return std::is_same_v<T, Quad> ? ir::Scalar::F128 : ir::Scalar::I32;
}

template <class T> HostMemory memoryOf(const std::vector<T> &values) {
  HostMemory memory(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(memory.data(), values.data(), memory.bytes());
  return memory;
}

template <class T> std::vector<T> valuesOf(const HostMemory &memory) {
  std::vector<T> values(memory.bytes() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), memory.data(), memory.bytes());
  return values;
}

/// Programs are generic lambdas, from a vector of numbers to a vector of numbers or of int.
template <class Narrow, class Wide, class Reference, class Plan> class LambdaRuns : public Runs {
public:
  LambdaRuns(const std::vector<Narrow> &input, Reference reference, Plan plan)
      : input(input), reference(reference), plan(plan) {}

  Result<SharedValues> of(Way way, const Move &move) override {
    ++count;
    HostMemory narrow = memoryOf(input);
    if (move.number != 0 && !move.byWideUlps)
      moveByUlps(scalarOf<Narrow>(), narrow, move);
    const std::vector<Narrow> given = valuesOf<Narrow>(narrow);
    if (way == Way::Reference)
      return shared(reference(given));
    if (way == Way::Plan)
      return shared(plan(given));
    HostMemory wide = memoryOf(std::vector<Wide>(given.begin(), given.end()));
    if (move.number != 0 && move.byWideUlps)
      moveByUlps(scalarOf<Wide>(), wide, move);
    const std::vector<Wide> widened = valuesOf<Wide>(wide);
    const std::vector<Number> sampled(widened.begin(), widened.end());
    if (way == Way::SampledReference)
      return exact(reference(sampled));
    if (way == Way::SampledPlan)
      return exact(plan(sampled));
    return way == Way::WideReference ? shared(reference(widened)) : shared(plan(widened));
  }

  unsigned count = 0; ///< of runs

private:
  using Number = Sampled<Wide, Narrow>;

  static SharedValues exact(const std::vector<int> &values) { return shared(values); }
  static SharedValues exact(const std::vector<Number> &values) {
    std::vector<Wide> wide;
    for (const Number &each : values)
      wide.push_back(static_cast<Wide>(each));
    return shared(wide);
  }

  template <class T> static SharedValues shared(const std::vector<T> &values) {
    auto all = std::make_shared<Values>();
    all->push_back(memoryOf(values));
    return all;
  }

  const std::vector<Narrow> &input;
  Reference reference;
  Plan plan;
};

template <class Narrow, class Wide, class Reference, class Plan>
Verification judged(const std::vector<Narrow> &input, const Reference &reference, const Plan &plan,
                    std::uint64_t depth = 0) {
  const std::size_t size = reference(input).size();
  using Element = typename decltype(reference(input))::value_type;
  using WideElement = typename decltype(reference(std::vector<Wide>()))::value_type;
  JudgedCase asked;
  asked.outputs = {{"out", scalarOf<Element>(), {size}, size}};
  asked.wideTypes = {scalarOf<WideElement>()};
  asked.depth = depth == 0 ? input.size() : depth;
  asked.otherInputs = "other values";
  for (Narrow value : input)
    asked.inputs.notFinite = asked.inputs.notFinite || !std::isfinite(value);
  asked.inputs.areEmpty = input.empty();
  if (!input.empty())
    asked.inputs.coarsest = scalarOf<Narrow>();
  LambdaRuns<Narrow, Wide, Reference, Plan> runs(input, reference, plan);
  Result<Verification> result = judge(asked, runs);
  if (!result) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return *result;
}

template <class Reference, class Plan>
Verification inFloat(const std::vector<float> &input, const Reference &reference, const Plan &plan,
                     std::uint64_t depth = 0) {
  return judged<float, double>(input, reference, plan, depth);
}

template <class Reference, class Plan>
Verification inDouble(const std::vector<double> &input, const Reference &reference,
                      const Plan &plan, std::uint64_t depth = 0) {
  return judged<double, Quad>(input, reference, plan, depth);
}

using Verdict = Verification::Verdict;

/// For a plan that does something else in narrow numbers only, as a compiler's mistake would.
template <class T, class Narrow> inline constexpr bool isNarrow = std::is_same_v<T, Narrow>;

#define EXPECT_VERDICT(expected, expression)                                                       \
  do {                                                                                             \
    const Verification found = expression;                                                         \
    EXPECT_EQ(static_cast<int>(found.verdict), static_cast<int>(Verdict::expected))                \
        << found.reason << " | " << text(found);                                                   \
  } while (false)

template <class T = float>
std::vector<T> random(std::size_t size, double low, double high, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> values(static_cast<T>(low), static_cast<T>(high));
  std::vector<T> all(size);
  for (T &value : all)
    value = values(engine);
  return all;
}

} // namespace tangram::runtime::fixture
