// A main() that shows how the library is called.
#include "codegen/printing/c_types.h"
#include "codegen/printing/example.h"
#include "codegen/targets/openmp/openmp.h"

namespace tangram::codegen {

using namespace ir;

std::string openmpExample(const LoweredPlan &plan, const Spectrum &spectrum,
                          const std::vector<std::string> &sources, const std::string &compilation) {
  ExampleShapes shapes(plan, spectrum);
  ExampleNames names(plan, spectrum);
  std::string args;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    args += (args.empty() ? "" : ", ") + names.of(i);
    for (unsigned d = 0; d < p->type.rank; ++d)
      args += ", " + shapes.extent(i, d);
  }
  std::string text =
      buildComment(compilation + " example.c", sources, "-lm && ./a.out") + "#include \"" +
      plan.spectrum +
      ".h\"\n\n#include <stdio.h>\n\nenum { SIZE = " + std::to_string(exampleSize(spectrum)) +
      " };\n\nint main(void) {\n" + hostArrays(shapes, spectrum, names);
  if (plan.result) {
    text += "  " + cName(plan.result->type.scalar) + " $result = 0;\n";
    args += ", &$result";
  }
  return named(text + checkedCall(plan, args) + showResult(plan, spectrum, names) +
                   "  return 0;\n}\n",
               names);
}

} // namespace tangram::codegen
