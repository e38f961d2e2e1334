#include "runtime/data/compare.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace tangram::runtime {

namespace {

/// The shortest text that reads back as the same value.
template <class T> std::string numberText(T value) {
  char text[128];
  auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : "?";
}

Mismatch noneOf(const Output &output) {
  Mismatch mismatch;
  mismatch.output = output.name;
  mismatch.count = output.count;
  return mismatch;
}

template <class T>
std::optional<Mismatch> compareIntegers(const Output &output, const HostMemory &got,
                                        const HostMemory &expected) {
  const auto *a = reinterpret_cast<const T *>(got.data());
  const auto *b = reinterpret_cast<const T *>(expected.data());
  Mismatch mismatch = noneOf(output);
  for (std::uint64_t i = 0; i < output.count; ++i) {
    if (a[i] == b[i] || mismatch.differing++ != 0)
      continue;
    mismatch.first = i;
    mismatch.place = indexText(output.shape, i);
    mismatch.got = numberText(a[i]);
    mismatch.expected = numberText(b[i]);
  }
  return mismatch.differing == 0 ? std::nullopt : std::optional(mismatch);
}

enum class Verdict { Right, Wrong, Unknown };

/// How far `got` may be from `expected`.
template <class T, class Wide> Wide boundOf(Wide expected, Wide magnitude, double factor) {
  constexpr Wide roundoff = std::numeric_limits<T>::epsilon() / 2;
  const Wide computed = static_cast<Wide>(factor) * magnitude;
  return computed + roundoff * (std::abs(expected) + computed);
}

template <class T, class Wide> Verdict judge(T got, Wide expected, Wide magnitude, double factor) {
  auto verdict = [](bool right) { return right ? Verdict::Right : Verdict::Wrong; };
  if (std::isnan(expected))
    return verdict(std::isnan(got));
  // Terms this large may overflow in one order and not in another.
  const bool overflows =
      std::isfinite(magnitude) && magnitude > static_cast<Wide>(std::numeric_limits<T>::max());
  const bool isInfinite = !std::isfinite(got) || std::isinf(static_cast<T>(expected));
  if (overflows && isInfinite && got != static_cast<T>(expected))
    return Verdict::Unknown;
  // What rounds to an infinity in the narrow type may only be that infinity.
  if (std::isinf(got) || std::isinf(static_cast<T>(expected)))
    return verdict(got == static_cast<T>(expected));
  if (got == static_cast<T>(expected))
    return Verdict::Right;
  if (!(magnitude >= 0) || std::isinf(magnitude))
    return Verdict::Unknown;
  return verdict(std::abs(static_cast<Wide>(got) - expected) <=
                 boundOf<T>(expected, magnitude, factor));
}

template <class T, class Wide>
Result<std::optional<Mismatch>> compareFloats(const Output &output, const HostMemory &got,
                                              const HostMemory &expected,
                                              const HostMemory &magnitude, double factor) {
  const auto *a = reinterpret_cast<const T *>(got.data());
  const auto *b = reinterpret_cast<const Wide *>(expected.data());
  const auto *m = reinterpret_cast<const Wide *>(magnitude.data());
  Mismatch mismatch = noneOf(output);
  std::optional<std::uint64_t> unknown;
  for (std::uint64_t i = 0; i < output.count; ++i) {
    const Verdict verdict = judge(a[i], b[i], m[i], factor);
    if (verdict == Verdict::Unknown && !unknown)
      unknown = i;
    if (verdict != Verdict::Wrong || mismatch.differing++ != 0)
      continue;
    mismatch.first = i;
    mismatch.place = indexText(output.shape, i);
    mismatch.got = numberText(a[i]);
    mismatch.expected = numberText(b[i]);
    mismatch.bound = numberText(static_cast<double>(boundOf<T>(b[i], m[i], factor)));
  }
  if (mismatch.differing != 0)
    return std::optional(mismatch);
  if (unknown)
    return failure(output.name +
                   (output.count == 1 ? "" : " at " + indexText(output.shape, *unknown)) +
                   ": the error bound could not be computed: the magnitude is " +
                   numberText(static_cast<double>(m[*unknown])));
  return std::optional<Mismatch>();
}

std::optional<Mismatch> compareExactly(const Output &output, const HostMemory &got,
                                       const HostMemory &expected) {
  switch (output.element) {
  case ir::Scalar::I8:
    return compareIntegers<std::int8_t>(output, got, expected);
  case ir::Scalar::I16:
    return compareIntegers<std::int16_t>(output, got, expected);
  case ir::Scalar::U16:
    return compareIntegers<std::uint16_t>(output, got, expected);
  case ir::Scalar::I32:
    return compareIntegers<std::int32_t>(output, got, expected);
  case ir::Scalar::U32:
    return compareIntegers<std::uint32_t>(output, got, expected);
  case ir::Scalar::I64:
    return compareIntegers<std::int64_t>(output, got, expected);
  case ir::Scalar::U64:
  case ir::Scalar::Index:
    return compareIntegers<std::uint64_t>(output, got, expected);
  default: // bool is one byte, 0 or 1
    return compareIntegers<std::uint8_t>(output, got, expected);
  }
}

} // namespace

std::size_t referenceCellBytes(ir::Scalar element) {
  if (element == ir::Scalar::F32)
    return sizeof(double);
  return element == ir::Scalar::F64 ? sizeof(long double) : ir::byteSize(element);
}

std::string Mismatch::text() const {
  std::string values =
      "got " + got + ", expected " + expected + (bound.empty() ? "" : " (bound " + bound + ")");
  if (count == 1)
    return output + ": " + values;
  return output + ": " + std::to_string(differing) + " of " + std::to_string(count) +
         " elements differ, the first at " + place + ": " + values;
}

std::vector<Mismatch> compareExactly(const std::vector<Output> &outputs, const Values &got,
                                     const Values &expected) {
  std::vector<Mismatch> wrong;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (std::optional<Mismatch> mismatch = compareExactly(outputs[i], got[i], expected[i]))
      wrong.push_back(std::move(*mismatch));
  }
  return wrong;
}

Result<double> roundingFactor(ir::Scalar element, std::uint64_t depth) {
  double roundoff = element == ir::Scalar::F32 ? 0x1p-24 : 0x1p-53;
  double du = static_cast<double>(depth) * roundoff;
  if (du >= 1)
    return refusal("the error bound says nothing: " + std::to_string(depth) +
                   " dependent roundings in " + numpyName(element));
  return du / (1 - du);
}

Result<std::vector<Mismatch>> compareOutputs(const std::vector<Output> &outputs,
                                             const std::vector<HostMemory> &got,
                                             const ReferenceValues &reference,
                                             const std::map<ir::Scalar, std::uint64_t> &depths) {
  std::vector<Mismatch> wrong;
  std::optional<Error> unknown;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::optional<Mismatch> mismatch;
    if (ir::isFloating(outputs[i].element)) {
      const auto depth = depths.find(outputs[i].element);
      Result<double> factor =
          roundingFactor(outputs[i].element, depth == depths.end() ? 0 : depth->second);
      if (!factor)
        return factor.error();
      auto compare = outputs[i].element == ir::Scalar::F32 ? compareFloats<float, double>
                                                           : compareFloats<double, long double>;
      Result<std::optional<Mismatch>> compared =
          compare(outputs[i], got[i], reference.values[i], reference.magnitudes[i], *factor);
      if (compared)
        mismatch = *compared;
      else if (!unknown)
        unknown = compared.error();
    } else {
      mismatch = compareExactly(outputs[i], got[i], reference.values[i]);
    }
    if (mismatch)
      wrong.push_back(std::move(*mismatch));
  }
  if (wrong.empty() && unknown)
    return *unknown;
  return wrong;
}

std::string text(const std::vector<Mismatch> &mismatches) {
  std::string all;
  for (const Mismatch &mismatch : mismatches)
    all += (all.empty() ? "" : "; ") + mismatch.text();
  return all;
}

} // namespace tangram::runtime
