// Findings about elements (runtime/data/judge.cpp), and their messages.
#pragma once

#include "runtime/data/judged_output.h"

#include <functional>

namespace tangram::runtime {

/// An element that is beyond a bound, and later measurements of it.
struct Suspect {
  std::size_t output = 0;
  std::uint64_t i = 0;
  long double movement = 0; ///< with inputs moved
  long double apart = 0;    ///< plan and reference with inputs moved
};

/// Elements of one output that share a finding, and the first of them.
struct Shared {
  std::uint64_t count = 0;
  Suspect first;

  void add(const Suspect &s) {
    if (count++ == 0)
      first = s;
  }
};

class Findings {
public:
  Verification done;
  Suspect unclear; ///< the first element about which nothing can be said

  void noteFunction(const JudgedOutput &output, std::uint64_t i);
  void noteRounding(const JudgedOutput &output, std::uint64_t i);
  void noteDecided(const JudgedOutput &output, std::uint64_t i);
  void noteUnclear(std::size_t output, std::uint64_t i);

  struct Verb {
    const char *one, *many; ///< "differs", "differ"
  };
  using Say = std::function<std::string(const JudgedOutput &, const Suspect &)>;

  /// "out: 2 of 4 elements differ in wider numbers, the first at 3: got 1, expected 2". `shared`: by output.
  void conclude(Verification::Verdict verdict, const std::vector<JudgedOutput> &outputs,
                const std::vector<Shared> &shared, const Verb &verb, const std::string &what,
                const Say &say);
};

} // namespace tangram::runtime
