#include "runtime/data/verification.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace tangram::runtime {

void Verification::include(const Verification &other) {
  bitForBit = bitForBit && other.bitForBit;
  for (auto figure : {&Verification::sameFunctionWithin, &Verification::roundingAtMost}) {
    if (other.*figure)
      this->*figure = std::max((this->*figure).value_or(0), *(other.*figure));
  }
  for (auto count : {&Verification::results, &Verification::nan, &Verification::infinite,
                     &Verification::decidedDifferently, &Verification::notJudged})
    this->*count += other.*count;
  if (firstDecided.empty())
    firstDecided = other.firstDecided;
}

std::string figureText(double figure) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1e", figure);
  double rounded = 0;
  std::from_chars(buffer, buffer + sizeof buffer, rounded);
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, rounded);
  std::string text(buffer, end);
  // "3.1e-07" is how C writes it.
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos)
    text.erase(zero + 2, 1);
  return text;
}

std::string text(const Verification &verification) {
  std::string all;
  const auto add = [&all](const std::string &separator, const std::string &more) {
    all += (all.empty() ? "" : separator) + more;
  };
  if (verification.bitForBit && verification.results > 0)
    add(", ", "bit for bit");
  if (verification.sameFunctionWithin)
    add(", ", "same function within " + figureText(*verification.sameFunctionWithin));
  if (verification.roundingAtMost)
    add(", ", "rounding at most " + figureText(*verification.roundingAtMost));
  if (const std::uint64_t count = verification.nan + verification.infinite; count > 0)
    add("; ", std::to_string(count) + " of " + std::to_string(verification.results) +
                  (verification.results == 1 ? " result is " : " results are ") +
                  (verification.infinite == 0 ? "NaN"
                   : verification.nan == 0    ? "infinite"
                                              : "NaN or infinite") +
                  " in the reference");
  if (const std::uint64_t count = verification.decidedDifferently; count > 0)
    add("; ", std::to_string(count) +
                  (count == 1 ? " result is decided differently: "
                              : " results are decided differently, the first ") +
                  verification.firstDecided);
  if (const std::uint64_t count = verification.notJudged; count > 0)
    add("; ", std::to_string(count) +
                  (count == 1 ? " result is not judged: rounding or overflow decides it"
                              : " results are not judged: rounding or overflow decides them"));
  return all;
}

} // namespace tangram::runtime
