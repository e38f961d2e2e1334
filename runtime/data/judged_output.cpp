#include "runtime/data/judged_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tangram::runtime {

namespace {

long double rootMeanSquare(const Elements &elements, std::uint64_t count) {
  long double squares = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    squares += measure(elements[i] * elements[i]);
  return count == 0 ? 0 : std::sqrt(squares / static_cast<long double>(count));
}

} // namespace

JudgedOutput judgedOutput(const JudgedCase &asked, std::size_t o, const FourResults &results) {
  const Output &output = asked.outputs[o];
  const ir::Scalar wide = asked.wideTypes[o];
  const FloatLimits narrow = limitsOf(output.element);
  const bool floating = ir::isFloating(output.element);
  const Elements reference(wide, results.wideReference[o]);
  return {&output,
          floating,
          Elements(output.element, results.reference[o]),
          Elements(output.element, results.plan[o]),
          reference,
          Elements(wide, results.widePlan[o]),
          narrow,
          limitsOf(wide),
          !asked.inputs.coarsest || limitsOf(*asked.inputs.coarsest).roundoff <= narrow.roundoff,
          floating ? rootMeanSquare(reference, output.count) : 0};
}

long double JudgedOutput::scale(long double value, long double other) const {
  return std::max({std::abs(value), std::abs(other), 1e-3L * norm});
}

std::string JudgedOutput::placeOf(std::uint64_t i) const {
  return output->count == 1 ? output->name : output->name + " at " + indexText(output->shape, i);
}

bool sameKind(long double a, long double b) {
  return std::isfinite(a) ? std::isfinite(b) : std::isnan(a) ? std::isnan(b) : a == b;
}

long double measure(long double distance) { return std::isfinite(distance) ? distance : 0; }

std::string numberText(long double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9Lg", value);
  return text;
}

bool areMany(std::uint64_t some, std::uint64_t all) { return some > all / 10; }

} // namespace tangram::runtime
