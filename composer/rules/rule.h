// The abstract composition rules (dissertation section 5.2.1, figure 5.3).
//
// Composition rewrites terms. It starts from `compose(sum, L)`, the spectrum to
// compose at a level, and each of the eight rules rewrites one open term
//
//   compose(x, L)   x: a spectrum, a codelet, a partition or a map
//
// into steps that are done (S_L, select, devolve, compute, regroup, distribute,
// serialize, split) and terms that are still open. A rule is one file in
// composer/rules/: its id, the two lines of the figure, a cheap test of what it
// is for, and `apply`, which gives the new terms or the reason why not.
//
// Program composition rules (figure 5.5), which chain these until only choices
// are left, are in composer/plans/plan_rules.h.
#pragma once

#include "composer/machine/machine.h"
#include "ir/program.h"

#include <array>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tangram::composer {

/// "distribute", "serialize", "split".
std::string nameOf(MapRule rule);

/// What becomes of levels that nested maps share (Level::isOfNests).
enum class NestedMaps {
  None,      ///< no map is distributed to them
  Offered,   ///< rules that use them stand behind those that do not
  Preferred, ///< and before them, because somebody asked for them
};

/// What rules are applied to and for. Refers to the program and the machine,
/// which must outlive it.
struct RuleContext {
  const ir::Program *program = nullptr;
  /// Null before a machine is named: then level 0 is `L`, its subordinate 1 is
  /// `l_L`, any atomic codelet can be computed and maps can only be distributed.
  const Machine *machine = nullptr;
  /// Target whose codelets to use (`__env`); empty: codelets for any target.
  std::string target;
  /// Names of codelets to leave out (Codelet::name()).
  std::vector<std::string> without;
  /// Replaces what every level of the model offers for maps when not empty.
  std::vector<MapRule> mapRules;
  NestedMaps nests = NestedMaps::Preferred;
  /// Rules are ranked by figure 6.5 of the dissertation as it is printed, without criteria of our own.
  bool asPrinted = false;

  /// Name in plan notation: "G", or "L" and "l_L" before a machine is named.
  std::string levelName(int level) const;
  /// For messages: "level G (grid)", or "level L".
  std::string levelText(int level) const;
  bool hasSubordinate(int level) const;
  int subordinate(int level) const; ///< -1: none
  /// Whether the level can execute anything at all.
  bool computes(int level) const;
  /// Whether the level can execute an atomic codelet (table 6.1).
  bool canExecute(const ir::Codelet &codelet, int level) const;
  /// What the level offers for a map, in its order of preference.
  std::vector<MapRule> offered(int level) const;
  /// Why no loop may stand at the level; empty when one may.
  std::string whyNoLoop(int level) const;
  /// Whether all that the level can do for the target is to launch what is below it.
  bool onlyLaunches(int level) const;
  /// Why no codelet may go round what it composes at the level; empty when one may. A level that
  /// only launches runs no loop over elements, and yet its host goes round launches.
  std::string whyNoRounds(int level) const;
  /// Whether the level is one of hosts: of the target where it is known, else the top level.
  bool isHost(int level) const;
  /// Whether the level only says how nested maps share another level's workers: rows (or planes) of
  /// them, or one index over all maps.
  bool isOfNests(int level) const;
  /// The latter.
  bool isFlat(int level) const;
  /// Why workers of the level's subordinate may not wait for each other; empty when they may.
  std::string whyNoWaiting(int level) const;
};

/// One term of a derivation: open (compose) or done.
struct Term {
  enum class Kind {
    Spectrum,   ///< compose(spectrum, L), open
    Codelet,    ///< compose(codelet, L), open
    Partition,  ///< compose(partition(...), L), open
    Map,        ///< compose(map(spectrum, ...), L), open
    Sync,       ///< S_L
    Select,     ///< select(codelet, L): a compound codelet that no regroup introduces
    Devolve,    ///< devolve(L)
    Compute,    ///< compute(codelet, SE_L or VE_L)
    Regroup,    ///< regroup(codelet, L): the partitioning scheme of `codelet`
    Distribute, ///< distribute(L)
    Serialize,  ///< serialize(L)
    Split,      ///< split(L)
  };
  Kind kind;
  int level; ///< the level the notation names
  /// Spectrum, Map: what is composed or applied.
  const ir::Spectrum *spectrum = nullptr;
  /// Codelet, Partition, Select, Compute, Regroup: the codelet. Map: the codelet it stands in; null for
  /// the inner map that Split leaves open. Spectrum: the codelet proposed to Select, or null.
  const ir::Codelet *codelet = nullptr;
  /// Partition, Map: the expression in the codelet, for its source location.
  const ir::Expr *expr = nullptr;
  /// Index among the children of the codelet's plan node; -1 when it has none.
  int child = -1;
  /// Map: the level to distribute it to when that is not the subordinate but one of nested maps that
  /// share its workers.
  int across = -1;

  bool isOpen() const { return kind <= Kind::Map; }
};

/// The term in plan notation: `S_G`, `compute(kog, VE_B)`, `compose(map(sum), T)`, ...
std::string toString(const Term &term, const RuleContext &context);

/// Why a rule could not be applied.
struct Refusal {
  std::string rule; ///< id of the abstract rule
  int level = 0;
  ir::SourceLocation location; ///< of the codelet, the map or the spectrum it was for
  std::string reason;          ///< "level T (thread) has no subordinate level to devolve to"
};

/// What a rule makes of an open term.
using Rewriting = std::variant<std::vector<Term>, Refusal>;

/// One abstract composition rule.
struct AbstractRule {
  const char *id; ///< "distribute"
  /// Whether the rule is for this kind of term at all: looks at nothing but the term.
  bool (*concerns)(const Term &);
  /// Rewrite a term the rule concerns, or say why it cannot be.
  Rewriting (*apply)(const Term &, const RuleContext &);
};

/// The eight rules, in the order of figure 5.3.
std::span<const AbstractRule *const> abstractRules();
/// The rule that composes a map by `policy`.
const AbstractRule &mapRule(MapRule policy);

namespace rules {
extern const AbstractRule select;
extern const AbstractRule devolve;
extern const AbstractRule compute;
extern const AbstractRule regroup;
extern const AbstractRule distribute;
extern const AbstractRule serialize;
extern const AbstractRule split;
extern const AbstractRule cascade;
} // namespace rules

} // namespace tangram::composer
