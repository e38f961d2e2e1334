#include "codegen/printing/limited_workers.h"

#include "codegen/form/building.h"
#include "codegen/printing/launch_defaults.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr const char *workersFunction =
    R"(/// As many workers as asked for, but no more than there are elements, or 65536.
static size_t tangram_workers(size_t workers, size_t elements) {
  const size_t most = elements < 65536 ? 65536 : elements;
  return workers < most ? workers : most;
}

)";

} // namespace

LimitedWorkers limitedWorkers(const LoweredPlan &plan, const std::vector<std::string> &launched,
                              const std::string &elements) {
  LimitedWorkers limited;
  std::size_t i = 0;
  for (const Tunable *t : launchTunables(plan)) {
    const std::string &name = launched[i++];
    if (!t->values.empty()) {
      limited.statements += "  if (" + name + " != 0";
      for (const std::int64_t value : t->values)
        limited.statements += " && " + name + " != " + std::to_string(value);
      limited.statements += ")\n    return 1;\n";
    } else if (t->max < UINT32_MAX) {
      const std::string most = std::to_string(t->max);
      limited.statements +=
          "  if (" + name + " > " + most + ")\n    " + name + " = " + most + ";\n";
    } else {
      limited.functions = workersFunction;
      limited.statements += "  " + name + " = tangram_workers(" + name + ", " + elements + ");\n";
    }
  }
  return limited;
}

ExprPtr inReals(const ExprPtr &count) {
  if (count->kind == ExprKind::Cast)
    return inReals(count->args[0]);
  if (count->kind == ExprKind::Literal || count->kind == ExprKind::Var)
    return cast(Scalar::F64, count);
  std::vector<ExprPtr> args;
  for (const ExprPtr &arg : count->args) {
    args.push_back(inReals(arg));
    if (!args.back())
      return nullptr;
  }
  const bool isSum = count->kind == ExprKind::Binary &&
                     (count->op == "+" || count->op == "-" || count->op == "*" || count->op == "/");
  if (isSum)
    return binary(count->op, args[0], args[1]);
  const bool isChoice =
      count->kind == ExprKind::Call && (count->callee == "min" || count->callee == "max");
  if (isChoice) // the larger one
    return binary("+", args[0], args[1]);
  return nullptr;
}

} // namespace tangram::codegen
