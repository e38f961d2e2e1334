// Codelets that follow from one nest of loops: blocks and lanes of its loops, single rounds, parts of its sums, and the
// nests that it may be taken apart into, from which codelets follow in turn.
#pragma once

#include "algebra/nests.h"
#include "composer/derive/blocks.h"
#include "composer/derive/derived_codelets.h"
#include "composer/derive/nests_in_order.h"
#include "composer/derive/single_rounds.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tangram::composer {

class NestCodelets {
public:
  /// Codelets are added to `derived`, which outlives this.
  NestCodelets(DerivedCodelets &derived, bool keepsOrder)
      : derived_(derived), keepsOrder_(keepsOrder) {}

  /// The codelet whose loops the spectrum `inner` is: what calls several nests calls them itself, beside its own
  /// containers, so that a search begins with it.
  struct Outer {
    std::string inner;
    ir::Spectrum spectrum;
    ir::Codelet codelet;
    std::string declarations;
    std::string tags; ///< what tags begin with
  };
  /// From here on, `outer` calls the nests.
  void callFrom(std::optional<Outer> outer) { outer_ = std::move(outer); }

  /// Adds what follows from a codelet that is a nest. `hasLocalSums`: it has sums in locals that the author keeps in elements.
  void fromNest(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const algebra::Nest &nest,
                bool hasLocalSums = false);
  /// Spectrums with what follows from them, and the codelet of `spectrum` that calls them.
  void addNests(const NestsInOrder &nests, const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                const std::string &tag, const algebra::NestReason &why, const std::string &body);
  void addSpectrums(const std::vector<MadeSpectrum> &spectrums, const algebra::NestReason &why);

private:
  /// Blocks and parts of the sum that a codelet returns.
  void addResult(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                 const algebra::Nest &nest);
  /// The spectrum of a codelet whose sums are in locals, and the codelet that calls it.
  void addLocalSums(const ir::Spectrum &spectrum, const ir::Codelet &codelet);
  /// The spectrum of a nest over the box around its rounds, and the codelet that calls it.
  void addBox(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const algebra::Nest &nest);
  /// The spectrum NAME_word of another body for the codelet, and the codelet derived_word that calls it.
  void addCalled(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const ir::StmtPtr &body,
                 const std::string &word, const algebra::NestReason &why);
  /// The codelets whose rounds update elements by atomic operations, or in copies of their own; the loops that they share.
  std::set<int> addUpdates(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                           const algebra::Nest &nest);
  /// The nest for each residue of loops with congruences; whether there are any.
  bool addResidues(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                   const algebra::Nest &nest);
  /// The lanes and the parts of a scan without loops around it; whether the codelet is one.
  bool addScan(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const algebra::Nest &nest);
  /// The loops that may be blocked; reasons are noted of the others, but for those that are `shared` otherwise.
  std::vector<BlockedLoop> blockedLoops(const ir::Spectrum &spectrum, const algebra::Nest &nest,
                                        const SingleRounds *single,
                                        const std::set<int> &shared = {});
  /// Why the nest's sums must keep their order; none if they may be made in parts.
  std::optional<algebra::NestReason> whyInOrder(const algebra::Nest &nest) const;
  /// Blocks, lanes, and steps of a nest.
  void addForm(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const algebra::Nest &nest,
               std::vector<BlockedLoop> blocked);
  /// Single rounds of a loop, and blocks of the loops in them.
  void addRounds(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                 const algebra::Nest &nest, const SingleRounds &single);
  /// Single rounds of a loop, and all that follows from a round of it, where that is another loop over a flattened
  /// dimension or few loops of it may be blocked: whether it is so.
  bool addRoundsInside(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                       const algebra::Nest &nest, const SingleRounds &single);
  /// The nests that start, make and end sums, and the codelet that runs one after the other.
  void addSums(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const algebra::Nest &nest,
               const std::vector<BlockedLoop> &blocked);
  /// Sums of results in parts, and what follows from what makes and combines these.
  void addParts(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const algebra::Nest &nest,
                const std::vector<BlockedLoop> &blocked);

  DerivedCodelets &derived_;
  std::function<bool(const std::string &)> isTaken_ = [this](const std::string &name) {
    return derived_.isTaken(name);
  };
  bool keepsOrder_; ///< nothing combines parts of sums or products of floating-point numbers
  std::optional<Outer> outer_;
  bool isPart_ = false;     ///< what is derived from makes parts of sums
  bool isCombined_ = false; ///< it combines them
  bool inSums_ = false;     ///< it is one of the nests that make sums in results
};

} // namespace tangram::composer
