// The first part of runtime/data/judge.h: are the bytes the same, and are they numbers?
#include "runtime/data/judged_output.h"

#include <cmath>

namespace tangram::runtime {

namespace {

/// Counts what is no number, and says nothing more where that is much.
void judgeNumbers(const JudgedCase &asked, Verification &done) {
  const std::uint64_t none = done.nan + done.infinite;
  if (!areMany(none, done.results) || asked.inputs.notFinite || asked.inputs.areEmpty)
    return;
  done.verdict = Verification::Verdict::NotComparable;
  done.reason = std::to_string(none) + " of " + std::to_string(done.results) +
                (done.results == 1 ? " result is " : " results are ") +
                (done.infinite == 0 ? "NaN"
                 : done.nan == 0    ? "infinite"
                                    : "NaN or infinite") +
                " in the reference, which says nothing of the plan; give " + asked.otherInputs;
}

/// Counts what is no number in the reference. `same`: all bytes are; otherwise NaN equals NaN.
template <class T>
void count(const HostMemory &plan, const HostMemory &reference, bool same, Verification &done) {
  const std::byte *got = plan.data(), *expected = reference.data();
  for (std::size_t at = 0; at < reference.bytes(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, expected + at, sizeof value);
    const bool isNan = std::isnan(value);
    if (isNan && isPoison(expected + at, sizeof(T))) { // nobody writes it, and it is no result
      done.bitForBit = done.bitForBit && (same || isPoison(got + at, sizeof(T)));
      continue;
    }
    ++done.results;
    done.nan += isNan ? 1 : 0;
    done.infinite += std::isinf(value) ? 1 : 0;
    if (same || !done.bitForBit || std::memcmp(got + at, expected + at, sizeof(T)) == 0)
      continue;
    T other;
    std::memcpy(&other, got + at, sizeof other);
    done.bitForBit = isNan && std::isnan(other) && !isPoison(got + at, sizeof(T));
  }
}

} // namespace

Verification compareBits(const JudgedCase &asked, const Values &plan, const Values &reference) {
  Verification done;
  done.bitForBit = true;
  for (std::size_t o = 0; o < asked.outputs.size(); ++o) {
    const Output &output = asked.outputs[o];
    const std::size_t bytes = reference[o].bytes();
    const bool same = std::memcmp(plan[o].data(), reference[o].data(), bytes) == 0;
    if (output.element == ir::Scalar::F32)
      count<float>(plan[o], reference[o], same, done);
    else if (output.element == ir::Scalar::F64)
      count<double>(plan[o], reference[o], same, done);
    else
      done.bitForBit = done.bitForBit && same;
  }
  judgeNumbers(asked, done);
  return done;
}

} // namespace tangram::runtime
