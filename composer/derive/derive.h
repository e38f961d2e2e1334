// Codelets that follow from a loop: decompositions of a spectrum that its sequential codelet implies.
//
// A sequential codelet that is a nest of loops says by itself how it can be taken apart. Where the rounds of a loop
// touch different elements (algebra/nests.h), blocks of it are codelets: `derived_split_i` cuts loop i into as many
// blocks as there are workers, `derived_tile_i` into blocks of a chosen size, and `derived_lanes_i_j` deals the rounds
// of loops i and j to lanes. They are written as source, in the language that authors use, so that what is derived
// can be read, pasted and edited, and is checked as what authors write is.
#pragma once

#include "algebra/nest_reason.h"
#include "ir/program.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::composer {

struct DerivedCodelet {
  std::string spectrum;
  std::string tag;
  std::string text; ///< of the whole definition
  /// The property of the loop that allowed it.
  algebra::NestReason why;
  /// The spectrum of the source that it follows from.
  std::string from = {};
};

/// A loop, or a spectrum, that nothing could be derived from.
struct NotDerived {
  std::string spectrum;
  algebra::NestReason why;
};

struct DeriveOptions {
  /// Spectrums to derive from. All: also those whose authors wrote compound or cooperative codelets.
  enum class From { None, Loops, All };
  From from = From::Loops;
  /// Tags to derive alone; empty: every one.
  std::set<std::string> tags;
  /// Spectrums that nothing can be written for, and why: they are given vectors as numbers, they call one of several
  /// functions of a name.
  std::map<std::string, std::string> left;
  /// Spectrum to derive from alone; empty: every one.
  std::string spectrum;
  /// Nothing combines parts of sums or products of floating-point numbers.
  bool keepsOrder = false;
};

struct Derivation {
  std::vector<DerivedCodelet> codelets; ///< in the order in which C++ wants them
  std::vector<NotDerived> reasons;

  /// The source of all codelets.
  std::string text() const;
  /// Tags by spectrum that text has.
  bool has(const std::string &spectrum, const std::string &tag) const;
};

/// Derives from the loops of a program whose index variables are widened.
Derivation derive(const ir::Program &program, const DeriveOptions &options);

} // namespace tangram::composer
