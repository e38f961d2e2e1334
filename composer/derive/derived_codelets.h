// The codelets that have been derived so far, and the loops that nothing follows from.
#pragma once

#include "composer/derive/derive.h"

#include <set>
#include <string>
#include <utility>

namespace tangram::composer {

class DerivedCodelets {
public:
  DerivedCodelets(const ir::Program &program, const DeriveOptions &options)
      : program_(program), options_(options) {}

  /// Names the spectrum of the source that codelets which are added from here on follow from.
  void beginWith(const std::string &spectrum) { root_ = spectrum; }

  /// Adds a codelet, unless its tag is not asked for or its spectrum has one with this tag.
  void add(const DerivedCodelet &codelet);
  void refuse(const ir::Spectrum &spectrum, algebra::NestReason why);

  /// A spectrum of this name is made, and gets codelets later.
  void promise(const std::string &name) { promised_.insert(name); }
  /// Whether the program, or a spectrum that is made, has the name.
  bool isTaken(const std::string &name) const;

  const Derivation &result() const { return result_; }
  Derivation take() { return std::move(result_); }

private:
  bool isAsked(const std::string &tag) const;

  const ir::Program &program_;
  const DeriveOptions &options_;
  std::set<std::string> promised_;
  std::string root_;
  Derivation result_;
};

} // namespace tangram::composer
