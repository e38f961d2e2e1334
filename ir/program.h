// What the frontend makes of one source file: spectrums with their codelets,
// and the helper functions they call.
#pragma once

#include "ir/diagnostic.h"
#include "ir/stmt.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tangram::ir {

/// What a codelet's author says that a size, or an integer, mostly is: `typical(points.size(1), 32);`. Plans are compared
/// for it where nobody names sizes; nothing else goes by it.
struct Typical {
  ExprPtr what; ///< size of a parameter along a dimension (ExprKind::Size), or an integer parameter
  std::uint64_t value = 1;
};

/// One implementation of a spectrum.
struct Codelet {
  std::string spectrum;
  std::string tag;      ///< from __tag(...), may be empty
  unsigned ordinal = 0; ///< k-th codelet of its spectrum in source order, from 1
  std::vector<VarPtr> params;
  StmtPtr body; ///< a Block
  std::vector<Typical> typical;
  bool cooperative = false;
  std::vector<std::string> targets; ///< from __env(...); empty: every target
  SourceLocation location;          ///< of the name in the definition
  /// Why no machine can run its lanes together, where somebody found out: it is in no plan.
  std::optional<Diagnostic> impossible;

  /// How plans call it: its tag, or `sum#k`, of every instance where it is a template's.
  std::string name() const {
    return tag.empty() ? spectrum.substr(0, spectrum.find('<')) + "#" + std::to_string(ordinal)
                       : tag;
  }
};

/// A computation: name, signature, and its codelets in source order.
struct Spectrum {
  std::string name; ///< "sum", or "sum<float>" of an instance of a template
  Type result;      ///< Void when it writes through its non-const containers
  std::vector<VarPtr> params;
  std::vector<Codelet> codelets;
  SourceLocation location;
};

/// What functions, variables and files made for the spectrum of this name are called:
/// "sum", "sum_float"; "restrict_" where C or a bundle has another use for the name.
std::string identifierOf(const std::string &spectrum);

/// A function that is not a spectrum, called by codelets.
struct Function {
  std::string name;
  Type result;
  std::vector<VarPtr> params;
  StmtPtr body;
  SourceLocation location;
};

struct Program {
  std::string file;
  std::string contentHash;         ///< of the source text, 16 hex digits (FNV-1a 64)
  std::vector<Spectrum> spectrums; ///< in source order
  std::vector<Function> functions; ///< callees before callers

  /// The spectrum of this name, blanks in template arguments aside; else the first
  /// instance of the template of this name; else null.
  const Spectrum *spectrum(const std::string &name) const;
  /// The spectrum of this name, blanks in template arguments aside, and all instances of the template
  /// of this name.
  std::vector<const Spectrum *> spectrumsNamed(const std::string &name) const;
};

} // namespace tangram::ir
