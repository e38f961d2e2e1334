// What the caller of a spectrum guarantees of the elements of a container or of a floating-point scalar, with numbers
// in place of names: what is generated obeys it, and what is given is checked.
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/data/data_kind.h"
#include "runtime/data/host_array.h"
#include "runtime/data/real_range.h"

namespace tangram::runtime {

/// The contracts on one parameter of one problem.
class DataRules {
public:
  /// `bindings`: extents and integer scalars.
  /// Error (Fault::Refused): "columns: 'offsets_size - 1': 0 - 1 is below 0".
  static Result<DataRules> of(const Signature &signature, const std::string &container,
                              const Bindings &bindings);

  bool empty() const { return rules.empty(); }

  /// Fill `array` with elements that obey.
  /// Error (Fault::Refused), when there are none: "columns: 10 elements within [0, x_size) = [0, 0):
  /// there are no such numbers", "offsets: 1 element ascending from 0 to values_size = 7: there are
  /// no such numbers", "offsets: uint8 cannot hold 1000, which values_size is".
  Status generate(HostArray &array, std::uint64_t seed, std::uint64_t stream,
                  DataKind kind = DataKind::Ordinary) const;

  /// Error (Fault::Input): "columns.npy: expected elements within [0, x_size) = [0, 5), found 9 at
  /// 7", "offsets.npy: expected elements ascending from 0 to values_size = 7, found 3 at 4 after 5".
  Status check(const HostArray &array, const std::string &source) const;

  /// Moves floating-point elements that have left their range by roundings back into it.
  void keep(ir::Scalar element, HostMemory &memory) const;

private:
  struct Bound {
    std::string text; ///< as the contract has it
    __int128 value = 0;
  };
  struct Rule {
    DataContract::Kind kind;
    Bound low, high;
    std::optional<RealRange> reals; ///< of floating-point numbers, in place of the bounds
    std::string text() const;
  };

  std::optional<RealRange> commonRange() const;
  Status checkReals(const Rule &rule, const HostArray &array, const std::string &source) const;
  Status checkWithin(const Rule &rule, const HostArray &array, const std::string &source) const;
  Status checkAscending(const Rule &rule, const HostArray &array, const std::string &source) const;
  Error impossible(const Rule &rule, const HostArray &array) const;

  std::string container;
  std::vector<Rule> rules;
  NamedNumbers constants;
};

} // namespace tangram::runtime
