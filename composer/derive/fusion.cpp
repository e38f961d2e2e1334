#include "composer/derive/fusion.h"

#include "composer/derive/contracted_elements.h"
#include "composer/derive/forwarded_elements.h"
#include "composer/derive/fused_loops.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "ir/unique_name.h"

namespace tangram::composer {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtPtr;

/// Takes a container of which no element is named out of the codelet; what is said of its sizes is said of its extents.
void leaveOut(ir::Codelet &codelet, const LocalContainer &local) {
  std::erase(codelet.params, local.container);
  codelet.body = ir::mapExprs(codelet.body, [&](const ExprPtr &e) {
    return ir::rewrite(e, [&](const ExprPtr &each) {
      const bool isSize = each->kind == ExprKind::Size && each->args[0]->var == local.container;
      return isSize ? local.extents[static_cast<std::size_t>(each->integer)] : each;
    });
  });
  codelet.body = ir::rewrite(codelet.body, [](const StmtPtr &s) -> StmtPtr {
    const bool saysNothing = s->kind == ir::StmtKind::Require &&
                             s->value->kind == ExprKind::Binary && s->value->op == "==" &&
                             ir::sameExpr(s->value->args[0], s->value->args[1]);
    return saysNothing ? nullptr : s;
  });
}

bool namesElementsOf(const ir::Codelet &codelet, const ir::VarPtr &container) {
  bool found = false;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    found |= e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var &&
             e.args[0]->var == container;
  });
  return found;
}

} // namespace

Fusion fused(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
             const std::vector<LocalContainer> &locals,
             const std::function<bool(const std::string &)> &isTaken) {
  const FusedLoops loops = withFusedLoops(codelet);
  Fusion fusion{std::nullopt, {}, {}, loops.apart};
  std::set<const ir::Var *> temporaries;
  for (const LocalContainer &local : locals)
    temporaries.insert(local.container.get());
  MadeSpectrum made;
  made.codelet = codelet;
  if (!loops.fused.empty()) {
    made.codelet.body = loops.body;
    made.codelet.body = withContractedElements(made.codelet, temporaries);
  }
  made.codelet.body = withoutCopies(withForwardedElements(made.codelet, temporaries));
  std::string gone;
  for (const LocalContainer &local : locals) {
    const bool isNeeded = namesElementsOf(made.codelet, local.container);
    if (isNeeded) {
      fusion.declarations += declarationOf(local);
      continue;
    }
    leaveOut(made.codelet, local);
    gone += (gone.empty() ? "'" : ", '") + local.container->name + "'";
  }
  if (loops.fused.empty() && gone.empty())
    return fusion;
  made.spectrum = spectrum;
  made.spectrum.codelets.clear();
  made.spectrum.params = made.codelet.params;
  made.codelet.spectrum = made.spectrum.name =
      ir::uniqueName(ir::identifierOf(spectrum.name) + "_fused", isTaken);
  const bool returns = spectrum.result.scalar != ir::Scalar::Void;
  const std::string body = std::string("  ") + (returns ? "return " : "") + made.spectrum.name +
                           "(" + argumentsOf(made.codelet.params) + ");\n";
  fusion.nests = {{made}, body};
  fusion.why = {"", codelet.location};
  for (const algebra::NestReason &each : loops.fused)
    fusion.why.text += (fusion.why.text.empty() ? "" : ", ") + each.text;
  if (!gone.empty())
    fusion.why.text += (fusion.why.text.empty() ? "" : ", ") + gone + " in no memory";
  return fusion;
}

} // namespace tangram::composer
