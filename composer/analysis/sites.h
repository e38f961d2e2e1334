// The composition sites of a compound codelet: what its rule composes, in the
// order of the Cascade rule (dissertation figure 5.3: operands first).
#pragma once

#include "ir/program.h"

#include <optional>
#include <vector>

namespace tangram::composer {

struct Site {
  enum class Kind { Partition, Map, Call };
  Kind kind;
  /// The Partition, Map or SpectrumCall expression in the codelet's body.
  const ir::Expr *expr;
  /// Index of the site's plan among the children of the codelet's PlanNode; -1 for a Partition.
  int child = -1;
};

/// Sites in order of evaluation: operands before the expression they belong to,
/// statements in source order; a site in a loop is listed once.
std::vector<Site> sites(const ir::Codelet &codelet);

/// Whether the codelet calls a spectrum or maps one.
bool isCompound(const ir::Codelet &codelet);

/// Number of the codelet that says what a spectrum means, its first autonomous one: neither
/// cooperative nor compound. None without such a codelet.
std::optional<unsigned> meaningOf(const ir::Spectrum &spectrum);

/// Whether a map takes its elements in order: fold, chain.
bool isOrdered(const ir::Expr &map);

/// Whether the codelet is one map and nothing else runs in it: what stands around the map are
/// partitions, sizes, tunables and requirements. Two such maps, one in the other, nest perfectly.
bool isMapAlone(const ir::Codelet &codelet);

/// The first map or call that stands in a loop of the codelet; null when none does.
const ir::Expr *siteInLoop(const ir::Codelet &codelet);

/// Whether the expression stands in a loop of the codelet.
bool isInLoop(const ir::Codelet &codelet, const ir::Expr &expr);

/// Whether the codelet calls, maps or loops before a statement that its first parameter occurs in: in
/// a chain whose elements are distributed, work that waits for nobody.
bool worksAhead(const ir::Codelet &codelet);

/// Whether `codelet`, of the spectrum that `map` applies, has a map over a dimension of a container
/// that `map` cuts as well.
bool cutsAgain(const ir::Expr &map, const ir::Codelet &codelet);

/// The tunable that counts the parts of a partition among a map's containers, or null.
const ir::Var *partsOf(const ir::Expr &map, const ir::Codelet &codelet);

} // namespace tangram::composer
