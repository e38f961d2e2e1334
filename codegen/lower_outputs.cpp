// Output containers of elements that run side by side must not overlap: this is
// proved from the sequences of the partition, or the plan is refused.
#include "codegen/lowering.h"
#include "codegen/simplify.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isConstant(const Sequence &s) { return !s.dataDependent && isLiteral(s.inc, 0); }

/// Part i ends where part i + 1 begins, or before: contiguous tiles.
bool areTiles(const Parts &parts) {
  if (parts.start.dataDependent || parts.end.dataDependent || !isConstant(parts.inc) ||
      !sameExpr(parts.start.inc, parts.end.inc))
    return false;
  return sameExpr(parts.end.start, simplify(add(parts.start.start, parts.start.inc)));
}

/// Part i holds the positions that are i modulo the number of parts.
bool areInterleaved(const Parts &parts) {
  return !parts.start.dataDependent && isLiteral(parts.start.inc, 1) && isConstant(parts.inc) &&
         sameExpr(parts.inc.start, parts.count);
}

const Var *rootOf(const Value &value) {
  if (const View *view = std::get_if<View>(&value))
    return view->buffer.get();
  if (const Parts *parts = std::get_if<Parts>(&value))
    return parts->base.buffer.get();
  return nullptr;
}

bool isOutput(const VarPtr &param) { return param->type.isContainer() && !param->type.isConst; }

} // namespace

void Lowering::requireDisjointOutputs(const MapWork &work, const PlanNode &node,
                                      const SourceLocation &at) const {
  if (node.policy == MapPolicy::Serialize)
    return;
  std::string where = " so map(" + node.spectrum + ", ...) cannot be distributed at level " +
                      level(node.level).name;
  for (std::size_t k = 0; k < work.args.size(); ++k) {
    const VarPtr &param = work.callee->params[k];
    if (!isOutput(param))
      continue;
    if (work.shared[k])
      refuse("every element writes the same container '" + param->name + "'," + where, at);
    const Parts *parts = std::get_if<Parts>(&work.args[k]);
    if (parts && !areTiles(*parts) && !areInterleaved(*parts))
      refuse("the parts that '" + param->name + "' of different elements is may overlap," + where,
             at);
  }
}

void Lowering::requireNoAliasing(const Spectrum &callee, const std::vector<Value> &args,
                                 const PlanNode &node, const SourceLocation &at) const {
  for (std::size_t a = 0; a < args.size(); ++a) {
    for (std::size_t b = 0; b < args.size(); ++b) {
      bool same = a != b && rootOf(args[a]) && rootOf(args[a]) == rootOf(args[b]);
      if (same && isOutput(callee.params[a]) && runsSideBySide(node))
        refuse("'" + callee.params[a]->name + "' and '" + callee.params[b]->name + "' of " +
                   callee.name +
                   " are the same memory, and the first is written, so it cannot "
                   "run in parallel",
               at);
    }
  }
}

bool Lowering::runsSideBySide(const PlanNode &node) const {
  bool here = (node.kind == PlanNode::Kind::Map && node.policy != MapPolicy::Serialize) ||
              (node.kind == PlanNode::Kind::Compute && codeletOf(node).cooperative);
  return here || std::any_of(node.children.begin(), node.children.end(),
                             [&](const PlanPtr &child) { return runsSideBySide(*child); });
}

} // namespace tangram::codegen
