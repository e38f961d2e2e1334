// A main() that shows how the library is called.
#include "codegen/printing/c_types.h"
#include "codegen/printing/example.h"
#include "codegen/targets/cuda/cuda.h"

namespace tangram::codegen {

using namespace ir;

std::string cudaExample(const LoweredPlan &plan, const Spectrum &spectrum,
                        const std::vector<std::string> &sources) {
  ExampleShapes shapes(plan, spectrum);
  ExampleNames names(plan, spectrum);
  std::string text =
      buildComment("nvcc example.cu", sources, "&& ./a.out") + "#include \"" + plan.spectrum +
      ".h\"\n\n#include <stdio.h>\n\nenum { SIZE = " + std::to_string(exampleSize(spectrum)) +
      " };\n\nint main(void) {\n" + hostArrays(shapes, spectrum, names) +
      "  cudaStream_t $stream;\n"
      "  if (cudaStreamCreate(&$stream) != cudaSuccess) {\n"
      "    fprintf(stderr, \"no CUDA device\\n\");\n    return 1;\n  }\n";
  std::string args = "$stream", after, release;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    args += ", ";
    if (p->type.rank == 0) {
      args += names.of(i);
      continue;
    }
    const std::string memory = names.own(p->name + "_memory"), host = names.of(i);
    text += "  " + cName(p->type.scalar) + " *" + memory + " = NULL;\n  cudaMalloc((void **)&" +
            memory + ", sizeof " + host + ");\n  cudaMemcpy(" + memory + ", " + host + ", sizeof " +
            host + ", cudaMemcpyHostToDevice);\n";
    args += memory;
    for (unsigned d = 0; d < p->type.rank; ++d)
      args += ", " + shapes.extent(i, d);
    if (!p->type.isConst)
      after += "  cudaMemcpy(" + host + ", " + memory + ", sizeof " + host +
               ", cudaMemcpyDeviceToHost);\n";
    release += "  cudaFree(" + memory + ");\n";
  }
  if (plan.result) {
    const std::string type = cName(plan.result->type.scalar);
    text += "  " + type +
            " $result = 0, *$result_memory = NULL;\n"
            "  cudaMalloc((void **)&$result_memory, sizeof $result);\n";
    args += ", $result_memory";
    after += "  cudaMemcpy(&$result, $result_memory, sizeof $result, cudaMemcpyDeviceToHost);\n";
    release += "  cudaFree($result_memory);\n";
  }
  text += checkedCall(plan, args) + "  cudaStreamSynchronize($stream);\n" + after +
          showResult(plan, spectrum, names) + release +
          "  cudaStreamDestroy($stream);\n  return 0;\n}\n";
  return named(text, names);
}

} // namespace tangram::codegen
