#include "codegen/printing/index_width.h"

#include "codegen/printing/source.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// What the host knows of the bound of indexes when it is called.
std::vector<std::string> namesOfMostIndex(const LoweredPlan &plan) {
  std::vector<std::string> names;
  forEach(plan.mostIndex, [&](const Expr &e) {
    const Tunable *tunable = e.kind == ExprKind::Var ? plan.tunableOf(e.var) : nullptr;
    const bool isMacro = tunable && tunable->kind == Tunable::Kind::Compile;
    if (e.kind == ExprKind::Var && !isMacro && std::ranges::find(names, e.var->name) == names.end())
      names.push_back(e.var->name);
  });
  return names;
}

/// What a maximum is the greatest of.
void greatestOf(const ExprPtr &e, std::vector<ExprPtr> &all) {
  if (e->kind != ExprKind::Call || e->callee != "max") {
    all.push_back(e);
    return;
  }
  for (const ExprPtr &each : e->args)
    greatestOf(each, all);
}

/// Functions in the place of macros, which would double their arguments each time.
ExprPtr withFunctions(const ExprPtr &e) {
  return rewrite(e, [](const ExprPtr &each) -> ExprPtr {
    const bool extreme =
        each->kind == ExprKind::Call && (each->callee == "min" || each->callee == "max");
    return extreme ? call("tangram_" + each->callee + "_of", each->type, each->args) : each;
  });
}

} // namespace

std::string narrownessText(const LoweredPlan &plan) {
  std::vector<ExprPtr> all;
  greatestOf(plan.mostIndex, all);
  // In double, where nothing overflows.
  std::string conditions;
  for (const ExprPtr &each : all)
    conditions +=
        (conditions.empty() ? "" : "\n      && ") + toString(withFunctions(each)) + " < limit";
  std::string functions;
  for (const auto &[name, sign] :
       {std::pair{"tangram_min_of", "<"}, std::pair{"tangram_max_of", ">"}}) {
    if (conditions.find(name) != std::string::npos)
      functions += "static double " + std::string(name) + "(double a, double b) {\n  return a " +
                   sign + " b ? a : b;\n}\n\n";
  }
  const std::string parameters = commaSeparated(prefixed("double ", namesOfMostIndex(plan)));
  return functions +
         "// Whether no index of a kernel needs more than 31 bits.\nstatic bool "
         "tangram_is_narrow(" +
         (parameters.empty() ? "void" : parameters) +
         ") {\n  const double limit = 2147483648.0;\n  return " + conditions + ";\n}\n";
}

std::string narrownessCall(const LoweredPlan &plan) {
  return "tangram_is_narrow(" + commaSeparated(prefixed("(double)", namesOfMostIndex(plan))) + ")";
}

} // namespace tangram::codegen
