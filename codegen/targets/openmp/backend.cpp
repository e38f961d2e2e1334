#include "codegen/targets/openmp/backend.h"

#include "codegen/form/building.h"
#include "codegen/targets/openmp/openmp.h"

namespace tangram::codegen {

using namespace ir;

std::vector<std::string> openmpFlags(const LoweredPlan &plan) {
  // Nobody reads errno or traps, for which compilers would leave sqrt and selections out of vectors.
  std::vector<std::string> flags{"-O3", "-march=native", "-fno-math-errno"};
  // GCC 12 then takes (float)(int)x for trunc(x), which is -0.0 where x is between -1 and 0.
  bool truncates = false;
  const auto look = [&](const Expr &e) {
    truncates |=
        e.kind == ExprKind::Cast && isInteger(e.type.scalar) && isFloating(e.args[0]->type.scalar);
  };
  forEachExpr(plan.body, look);
  for (const Function *function : plan.functions)
    forEachExpr(function->body, look);
  if (!truncates)
    flags.emplace_back("-fno-trapping-math");
  return flags;
}

std::variant<PrintedLibrary, Refusal> HostBackend::library(const PrintRequest &request) const {
  PrintedLibrary printed = std::get<PrintedLibrary>(wide(request));
  printed.names["host"] = printed.names["source"];
  return printed;
}

std::variant<PrintedLibrary, Refusal> HostBackend::wide(const PrintRequest &request) const {
  const std::string &name = request.plan.spectrum;
  const CSource source = printOpenmp(request.plan, request.spectrum, request.steps,
                                     request.contraction, request.checked);
  PrintedLibrary printed;
  printed.add("source", hostFile(name), source.text);
  printed.add("header", name + ".h", source.header);
  printed.add("entry", "entry.c", printOpenmpEntry(request.plan, request.spectrum));
  return printed;
}

CSource HostBackend::dispatch(const DispatchRequest &request) const {
  return openmpDispatch(request);
}

std::string HostBackend::example(const LoweredPlan &plan, const Spectrum &spectrum,
                                 const std::vector<std::string> &sources) const {
  return openmpExample(plan, spectrum, sources, compilation());
}

namespace {

class OpenmpBackend : public HostBackend {
public:
  std::string compilation() const override { return "cc -O3 -march=native -fopenmp"; }

  PackageParts package(const LoweredPlan &plan) const override {
    PackageParts parts{
        "OpenMP",       "C", "find_dependency(OpenMP COMPONENTS C)", "PRIVATE OpenMP::OpenMP_C m",
        "-fopenmp -lm", ""};
    for (const std::string &flag : flags(plan))
      parts.options += (parts.options.empty() ? "" : ";") + flag;
    return parts;
  }

  std::vector<std::string> flags(const LoweredPlan &plan) const override {
    return openmpFlags(plan);
  }

  bool knows(const algebra::DeviceFact &fact) const override { return !fact.openmp.empty(); }
};

} // namespace

const Backend &openmpBackend() {
  static const OpenmpBackend backend;
  return backend;
}

} // namespace tangram::codegen
