// A composition plan: for every spectrum call of a program, which codelet
// computes it on which level, and how every map is scheduled (dissertation
// chapter 5). A plan is an immutable tree; equal subtrees are one object.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tangram::ir {

enum class MapPolicy { Distribute, Serialize, Split };

struct PlanNode;
using PlanPtr = std::shared_ptr<const PlanNode>;

/// How one compose(...) is carried out.
struct PlanNode {
  enum class Kind {
    Devolve, ///< S_L, devolve(l_L): children[0] composes the spectrum at the subordinate level
    Compute, ///< compute(c, SE_L or VE_L): atomic codelet `codelet`; no children
    Codelet, ///< compound codelet `codelet`; a child for each of its sites that is a map
             ///< (a Map node) or a spectrum call, in the order of composer/analysis/sites.h
    Map,     ///< one map: Distribute: children[0] is the spectrum at the subordinate level;
             ///< Serialize: children[0] is the spectrum at this level;
             ///< Split: the outer map is distributed, children[0] is the inner map (a Map
             ///< node) at the subordinate level
  };
  Kind kind = Kind::Compute;
  int level = 0;        ///< index into the machine's levels
  std::string spectrum; ///< the spectrum composed (Map: the one it applies)
  int codelet = -1;     ///< index into the spectrum's codelets (Compute, Codelet)
  MapPolicy policy = MapPolicy::Distribute; ///< Map
  std::vector<PlanPtr> children;
};

} // namespace tangram::ir
