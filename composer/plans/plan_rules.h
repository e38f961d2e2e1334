// Program composition rules (dissertation section 5.2.2, figure 5.5) and their
// specialization for a machine (section 5.3, figures 5.6 and 5.7).
//
// A program composition rule is what the abstract rules make of `compose(s, L)`
// until only choices are left: rule 1 devolves the spectrum, rule k+1 selects
// its k-th codelet. A level that offers several policies for maps has one rule
// for each combination of them, all with the same number.
#pragma once

#include "composer/rules/rule.h"
#include "ir/plan.h"

#include <compare>
#include <map>
#include <memory>
#include <vector>

namespace tangram::composer {

/// What a goal is of a computation that is cut into tiles, parts of which all sizes are chosen.
enum class Tiled {
  No,
  Tile,  ///< an element of a map over tiles that was distributed
  Depth, ///< a step of a fold over parts of chosen sizes: all it reads and writes is bounded
};

/// Something open: `compose(spectrum, level)`, or `compose(map(spectrum), level)`.
struct Goal {
  const ir::Spectrum *spectrum = nullptr;
  int level = 0;
  bool map = false;
  /// The call combines the results of a map that was distributed at this very level: its input has
  /// as many elements as the level has workers. The same rules apply; their order differs.
  bool combines = false;
  /// On a level that nested maps share: the maps that were distributed to it, the outermost first. What is composed
  /// there has to cut the data along another dimension, or two of the maps would be one over more parts.
  std::vector<const ir::Expr *> nestedIn = {};
  /// An element of a chain whose elements are distributed: it waits for its carry, and what it does
  /// before it asks for the carry runs beside its predecessors. As with `combines`, the order differs.
  bool handedOver = false;
  /// As with `combines`, the order differs.
  Tiled tiled = Tiled::No;

  auto operator<=>(const Goal &) const = default;
  /// Without what only orders its rules: `combines`, `handedOver` and `tiled`.
  Goal unordered() const;
};

std::string toString(const Goal &goal, const RuleContext &context);

/// An open compose among the steps of a rule.
struct OpenGoal {
  Goal goal;
  /// Index among the children of the rule's plan node.
  int child = 0;
  /// Set when the goal is what a map of the codelet applies: how the map is carried out.
  std::optional<ir::MapPolicy> policy;
  /// The spectrum that map applies, with `policy`.
  const ir::Spectrum *mapped = nullptr;
};

/// A program composition rule at one level.
struct ProgramRule {
  enum class Kind {
    Devolve, ///< number 1
    Codelet, ///< number k+1: codelet k, compute or compound
    Map,     ///< number 0: composes the inner map that Split left open
  };
  Kind kind = Kind::Codelet;
  unsigned number = 0;
  Goal goal;             ///< what it composes (`combines`, `handedOver` and `tiled` are not set)
  int codeletIndex = -1; ///< Codelet: index into the spectrum's codelets
  std::vector<ir::MapPolicy> policies; ///< one for each map, in the order of the steps
  /// For each map the level at which what it applies is composed; where nested maps share the
  /// subordinate's workers it is not the subordinate itself.
  std::vector<int> appliedAt;
  std::vector<Term> terms;        ///< the right-hand side
  std::vector<std::string> steps; ///< the terms in plan notation
  std::vector<OpenGoal> open;     ///< its open terms, in order

  // What figure 6.5 asks about a rule.
  bool computes = false;
  /// Distribute or Split; for a codelet without maps: a spectrum it calls has one to distribute.
  bool distributes = false;
  bool acrossDimensions = false; ///< distributes a map to a level that nested maps share
  bool serializes = false;
  bool vectorizes = false; ///< computes on a vector level
  bool tunable = false;    ///< of a codelet with a __tunable
  /// Of a codelet that calls, maps or loops before it asks for its first parameter.
  bool worksAhead = false;
  bool tiles =
      false; ///< distributes a map over parts of which all sizes are chosen, of two or more
  bool folds = false; ///< serializes a fold over parts of chosen sizes
  Tiling tiling = Tiling::None;
  /// Its position among the rules of its goal: codelets in source order, policies in the level's.
  unsigned position = 0;

  const ir::Codelet *codelet() const;
  /// "Devolve", the codelet's name, or the map policy of a Map rule: "Distribute".
  std::string origin() const;
};

/// A rule that could not be made, and why.
struct RejectedRule {
  ProgramRule::Kind kind = ProgramRule::Kind::Codelet;
  unsigned number = 0;
  Goal goal;
  int codeletIndex = -1;
  Refusal refusal;

  std::string origin() const;
};

/// All rules of one goal.
struct RuleSet {
  std::vector<ProgramRule> rules;
  std::vector<RejectedRule> rejected;
};

/// The tiling a partition makes: Adjacent when consecutive elements of a part are adjacent (its
/// increment is 1), Strided when its increment is the number of parts, else None.
Tiling tilingOf(const ir::Expr &partition);

/// The rules of a program on a machine (or on none), made when asked for and kept.
/// Not for use by several threads at once.
class RuleBook {
public:
  explicit RuleBook(RuleContext context) : theContext(std::move(context)) {}

  const RuleContext &context() const { return theContext; }
  /// The rules of a goal; `combines`, `handedOver` and `tiled` make no difference. Stays valid as long as the book.
  const RuleSet &rules(const Goal &goal) const;
  /// The rule by which `node` composes its goal; null when there is none. The node is Devolve,
  /// Compute or Codelet, or a Map that is composed by itself. `nested`, if not null: the goal, of which
  /// only the maps around it count.
  const ProgramRule *ruleOf(const ir::PlanNode &node, const Goal *nested = nullptr) const;
  /// "G4", or "G4/serialize" where the level has several rules of this number; "B/distribute" for
  /// a map's own rule.
  std::string label(const ProgramRule &rule) const;
  /// "serialize", "distribute+split", "distribute.y": how the rule's maps are carried out; empty
  /// without maps.
  std::string variant(const ProgramRule &rule) const;

private:
  RuleContext theContext;
  mutable std::map<Goal, std::unique_ptr<RuleSet>> made; ///< by unordered goals
};

} // namespace tangram::composer
