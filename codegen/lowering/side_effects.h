// What elements that run side by side do to memory: that they write different parts of it, and that none
// reads what another one writes, is proved, or the plan is refused.
#pragma once

#include "algebra/overlap.h"
#include "codegen/lowering/scope.h"
#include "codegen/lowering/value.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

class SideEffects {
public:
  SideEffects(const ir::Program &program, const LoweredPlan &plan, const Scope &scope)
      : program_(program), plan_(plan), scope_(scope) {}

  /// Output containers of different elements must not overlap where elements run side by side.
  void requireDisjointOutputs(const MapWork &work, const ir::PlanNode &node,
                              const ir::SourceLocation &at) const;
  /// Why two elements of the map may write the same memory; empty when they do not. `appended`: the
  /// arguments of which elements of a chain write what lies between their carry and the next.
  std::string whyOverlap(const MapWork &work, const ir::PlanNode &node,
                         const std::set<std::size_t> &appended = {}) const;
  /// That no element of the map may see a result of another one.
  void requireNotRead(const MapWork &work, const View &result, const ir::SourceLocation &at) const;
  /// That no argument is written while another one, which is the same memory, is in use.
  /// `work`: the map that is called, null for a call.
  void requireNoAliasing(const ir::Spectrum &callee, const std::vector<Value> &args,
                         const ir::PlanNode &node, const ir::SourceLocation &at,
                         const MapWork *work = nullptr) const;
  /// Whether two windows onto one array surely have no element in common.
  bool areDifferent(const View &a, const View &b) const {
    return areApart(a, b) || valuesAreDisjoint(a, b);
  }
  /// Whether the elements of a map write one container that is not `appended`.
  static bool sharesOutput(const MapWork &work, const std::set<std::size_t> &appended = {});

private:
  // side_effects.cpp
  /// Where the plan of a call touches its parameter number `param` without an atomic operation, and what would be
  /// one; empty: nowhere.
  std::string plainUse(const ir::PlanNode &node, std::size_t param) const;
  bool areApart(const View &one, const View &other) const;
  /// Whether an element of the map may see another one's place in `result` through argument `a`.
  bool mayRead(const MapWork &work, std::size_t a, const View &result) const;
  bool mayMeet(const std::vector<Value> &args, std::size_t a, std::size_t b,
               const ir::PlanNode &node, const MapWork *work) const;
  bool runsSideBySide(const ir::PlanNode &node) const;

  // What is different memory (disjoint_elements.cpp): true where it is proved.
  struct ElementNumber;
  class Footprints;
  /// The parts along one of the cuts.
  bool partsAreDisjoint(const Parts &parts, std::size_t cut) const;
  /// Two windows without edges onto one array, along one of its dimensions.
  bool subscriptsAreDisjoint(const View &a, const View &b) const;
  /// Two arguments of a call.
  bool valuesAreDisjoint(const Value &a, const Value &b) const;
  /// Arguments a and b of each element of the map.
  bool sameElementIsDisjoint(const MapWork &work, std::size_t a, std::size_t b) const;
  /// Argument a of one element of the map and argument b of every other one.
  bool argumentsAreDisjoint(const MapWork &work, std::size_t a, std::size_t b) const;
  /// The same for argument a and the others' places in `result`.
  bool resultsAreDisjoint(const MapWork &work, const View &result, std::size_t a) const;
  bool otherElementsAreDisjoint(
      const MapWork &work, std::size_t a,
      const std::function<std::vector<algebra::Lmad>(Footprints &, const ElementNumber &)> &other)
      const;
  ElementNumber elementNumber(const MapWork &work, std::size_t k, const std::string &name) const;
  void assumeElement(Footprints &footprints, const MapWork &work, std::size_t k,
                     const ElementNumber &i) const;

  const ir::Program &program_;
  const LoweredPlan &plan_;
  const Scope &scope_;
};

} // namespace tangram::codegen
