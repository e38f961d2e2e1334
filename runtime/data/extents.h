// The sizes of one problem: some are given, others follow from the equations of
// the signature ("offsets_size == y_size + 1"), in whatever direction they can be solved.
#pragma once

#include "runtime/bundle/manifest.h"

#include <functional>
#include <map>
#include <string>

namespace tangram::runtime {

/// Extents and where each is from. The equations must outlive it.
class Extents {
public:
  /// `scalars`: the integer scalars, which equations may use.
  Extents(const Signature &signature, Bindings scalars)
      : signature(signature), bindings(std::move(scalars)) {}

  /// `by` says who wants it: "x.npy", "--size k". Error (Fault::Input):
  /// "--size k: expected k = 3 as x.npy has it, found 4".
  Status fix(const std::string &extent, std::uint64_t value, const std::string &by);

  /// Derive what the equations give, until they give no more. An equation is solved for the one
  /// extent that is not known, on either side, where it is linear in it.
  /// Errors (Fault::Input): "expected b_size0 == a_size1, found b_size0 = 4 (b.npy) and a_size1 = 3
  /// (a.npy)", "expected offsets_size == y_size + 1, found offsets_size = 0 (offsets.npy): no y_size
  /// fits"; Fault::Refused when a side cannot be evaluated.
  Status derive();

  /// When `expression` has one extent that is not known, make it such that the value is `value`,
  /// and derive again; when it cannot be made so, nothing happens.
  Status suggest(const Expression &expression, std::uint64_t value, const std::string &by);

  /// Give every extent that is not known yet the size `usual` has for it; those that no equation
  /// defines first, since the others may follow.
  Status complete(const std::function<std::uint64_t(const std::string &)> &usual,
                  const std::string &by);

  bool knows(const std::string &extent) const { return bindings.values.count(extent) != 0; }
  /// Who fixed an extent that is known.
  const std::string &source(const std::string &extent) const { return fixedBy.at(extent); }
  std::map<std::string, std::uint64_t> values() const;

private:
  Status apply(const ShapeEquation &equation, bool &changed);
  Status solve(const ShapeEquation &equation, const std::string &unknown, bool &changed);
  Status compare(const ShapeEquation &equation) const;
  std::string side(const Expression &e, std::uint64_t value) const;
  std::string named(const std::string &extent) const;
  std::vector<std::string> unknownOf(const std::vector<std::string> &names) const;
  std::optional<std::string> nextOpen() const;

  const Signature &signature;
  Bindings bindings; ///< integer scalars, and the extents that are known
  std::map<std::string, std::string> fixedBy;
};

} // namespace tangram::runtime
