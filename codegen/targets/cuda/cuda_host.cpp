// The host of CUDA kernels in C++: the bytes of temporaries, launches in order on a stream, and the functions of the library
// around them.
#include "algebra/device_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/data_checks.h"
#include "codegen/printing/host_rounds.h"
#include "codegen/printing/index_width.h"
#include "codegen/printing/launch_host.h"
#include "codegen/targets/cuda/cuda.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr const char *factFunction =
    R"(/// What the current device can do.
static size_t tangram_fact(cudaDeviceAttr fact) {
  int device = 0, value = 0;
  if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&value, fact, device) != cudaSuccess)
    return 0;
  return (size_t)value;
}

)";

constexpr const char *overlapFunction =
    R"(/// Whether memory that is written is that of another container, too.
static bool tangram_overlaps(const void *written, size_t bytes, const void *other, size_t other_bytes) {
  const size_t begin = (size_t)written;
  const size_t other_begin = (size_t)other;
  return bytes > 0 && other_bytes > 0 && begin < other_begin + other_bytes &&
         other_begin < begin + bytes;
}

)";

constexpr const char *askFunction =
    R"(/// Waits for what a kernel has decided; false when something has failed.
static bool tangram_says_yes(cudaStream_t stream, const void *answer, int *status) {
  unsigned int yes = 0;
  if (*status == 0)
    *status = -(int)cudaMemcpyAsync(&yes, answer, sizeof yes, cudaMemcpyDeviceToHost, stream);
  if (*status == 0)
    *status = -(int)cudaStreamSynchronize(stream);
  return *status == 0 && yes != 0;
}

)";

constexpr const char *bytesFunction =
    R"(/// The bytes of an array in a workspace, in which each begins where a vector may.
static size_t tangram_bytes(size_t count, size_t size) {
  return (count * size + 255) / 256 * 256;
}

)";

class CudaHost final : public LaunchHost {
public:
  CudaHost(const LoweredPlan &plan, const Spectrum &spectrum, const CudaSource &source,
           bool checked)
      : LaunchHost(plan, spectrum, cudaFunction(plan, spectrum), checked), source_(source),
        pairs_(pairsToKeepApart(plan, containers_)), vectors_(vectorContainers(plan)) {
    setSpelling(spelling());
  }

  std::string text(const std::string &comment) const {
    std::string t = comment + "#include \"" + name_ + ".h\"\n\n" + kernels() + macros();
    t += factFunction + settleFunction() + checkFunction() + bytesFunctions() +
         (plan_.mostIndex ? narrownessText(plan_) + "\n" : "") +
         (asksKernels(plan_) ? askFunction : "") + launchFunction() + "\n" + workspaceFunction() +
         "\n" + enqueueFunction() + "\n" + plainFunction();
    if (!launched_.empty())
      t += "\n" + defaultFunctions();
    return t + "\n" + messageFunction(name_, cudaStatuses());
  }

  std::string declarations() const {
    std::string vectors;
    for (const auto &[container, bytes] : vectors_)
      vectors += "/// " + container->name + ": begins at a multiple of " + std::to_string(bytes) +
                 " bytes, as memory of cudaMalloc does.\n";
    return statusDeclarations(name_, cudaStatuses()) +
           "\n/// Enqueues the kernels on a stream; containers are memory of its device, which is "
           "the current one.\n/// Temporaries are allocated and freed in order on the stream.\n" +
           argumentsDeclaration(plan_, containers_) + vectors +
           overlapDeclaration(name_, containers_, pairs_) + plainHead(false) + ";\n\n" +
           cudaInterface(name_, signature_).declarations + tunedDeclarations();
  }

private:
  // How CUDA spells what all hosts have

  std::string success() const override { return "0"; }
  std::vector<CParameter> enqueueTail() const override {
    return {{"void *", own("workspace")}, {"size_t ", own("workspace_bytes")}};
  }
  std::vector<CParameter> launchTail() const override {
    return temporaries_.empty() ? std::vector<CParameter>{}
                                : std::vector<CParameter>{{"void *", own("workspace")}};
  }
  std::string launchName() const override { return "tangram_launch"; }
  std::string refusals() const override {
    return "Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve "
           "them, or not here.";
  }

  const std::string &stream() const { return queue(); }

  // What the file begins with

  /// The kernels, with indexes of 64 bits and of 32.
  std::string kernels() const {
    const std::string file = "#include \"" + name_ + ".cuh\"\n";
    std::string text = "namespace " + name_ + "_kernels {\n" + file + "}\n";
    if (plan_.mostIndex)
      text += "#define NARROW_INDEXES\nnamespace " + name_ + "_narrow_kernels {\n" + file +
              "}\n#undef NARROW_INDEXES\n";
    return text + "\n";
  }

  static std::string macros() {
    return "#undef min\n#undef max\n#define min(a, b) ((b) < (a) ? (b) : (a))\n"
           "#define max(a, b) ((a) < (b) ? (b) : (a))\n\n";
  }

  // Numbers of workers, and what calls are checked for

  HostSpelling spelling() const {
    HostSpelling spelling{hostExpression, [](const Var &v) { return v.name; }, cName, {}};
    for (const auto &[fact, attribute] :
         std::map<std::string, std::string>{{"compute_units", "MultiProcessorCount"},
                                            {"threads", "MultiProcessorCount"},
                                            {"max_group_size", "MaxThreadsPerBlock"},
                                            {"local_memory", "MaxSharedMemoryPerBlockOptin"}})
      spelling.facts[fact] = "tangram_fact(cudaDevAttr" + attribute + ")";
    return spelling;
  }

  /// What a device has to have for the kernels.
  std::string deviceChecks() const override {
    std::set<std::string> lines;
    for (const Kernel &k : source_.kernels) {
      const std::string threads = k.groupSizeY ? "(" + hostExpression(k.groupSize) + ") * (" +
                                                     hostExpression(k.groupSizeY) + ")"
                                               : hostExpression(k.groupSize);
      lines.insert("  if ((size_t)(" + threads +
                   ") > tangram_fact(cudaDevAttrMaxThreadsPerBlock))\n    return 1;\n");
      if (k.shared)
        lines.insert("  if ((size_t)(" + hostExpression(k.shared) +
                     ") > tangram_fact(cudaDevAttrMaxSharedMemoryPerBlockOptin))\n    return 1;\n");
    }
    std::string text;
    for (const std::string &line : lines)
      text += line;
    return text;
  }

  static std::string bytesOf(const Container &container) {
    return (container.extents.empty() ? "" : container.count + " * ") + "sizeof *" + container.name;
  }

  std::string checkStatements() const {
    std::string text;
    for (const auto &[written, other, maySame] : pairs_) {
      const Container &one = containers_[written], &two = containers_[other];
      text += "  if (" + (maySame ? one.name + " != " + two.name + " && " : "") +
              "tangram_overlaps(" + one.name + ", " + bytesOf(one) + ", " + two.name + ", " +
              bytesOf(two) + "))\n    return " + statusName(name_, Status::Overlap) + ";\n";
    }
    for (const auto &[container, bytes] : vectors_)
      text += "  if ((size_t)" + container->name + " % " + std::to_string(bytes) +
              " != 0)\n    return " + statusName(name_, Status::Misaligned) + ";\n";
    return text + (checksData_ ? dataStatements() : "");
  }

  DataSpelling dataSpelling() const { return {hostExpression, cName}; }

  std::string dataStatements() const {
    const std::string elements = own("elements"), keeps = own("keeps"), failed = own("failed");
    std::string text;
    for (const DataContract &contract : plan_.data) {
      const std::string bad = "return " + statusName(name_, Status::BadData) + ";\n";
      if (isScalar(contract, containers_))
        text += "  if (!" +
                keepsContract(contract, "&" + contract.container->name, "1", dataSpelling()) +
                ")\n    " + bad;
      for (const Container &each : containers_) {
        if (each.name != contract.container->name)
          continue;
        const std::string type = cName(each.element);
        text += "  if (" + each.count + " > 0) {\n    " + type + " *" + elements + " = (" + type +
                " *)malloc(" + bytesOf(each) + ");\n    if (!" + elements +
                ")\n      return -(int)cudaErrorMemoryAllocation;\n    cudaError_t " + failed +
                " = cudaMemcpyAsync(" + elements + ", " + each.name + ", " + bytesOf(each) +
                ", cudaMemcpyDeviceToHost, " + stream() + ");\n    if (" + failed +
                " == cudaSuccess)\n      " + failed + " = cudaStreamSynchronize(" + stream() +
                ");\n    const bool " + keeps + " = " + failed + " != cudaSuccess || " +
                keepsContract(contract, elements, each.count, dataSpelling()) + ";\n    free(" +
                elements + ");\n    if (" + failed + " != cudaSuccess)\n      return -(int)" +
                failed + ";\n    if (!" + keeps + ")\n      " + bad + "  }\n";
      }
    }
    return text;
  }

  std::string checkFunction() const {
    const std::string statements = checkStatements();
    if (statements.empty())
      return "";
    return (pairs_.empty() ? "" : overlapFunction) +
           (checksData_ ? dataCheckFunctions(plan_, dataSpelling()) : "") +
           "/// Checks the containers of a call.\nstatic int tangram_check(" +
           commaSeparated(argumentsIn(statements, true)) + ") {\n" + statements +
           "  return 0;\n}\n\n";
  }

  /// Declares the status of a call: whether it can be served, and its containers are as they have to be.
  std::string checkedCall() const {
    std::string text = "  int " + status() + " = " + settleCall() + ";\n";
    if (const std::string statements = checkStatements(); !statements.empty())
      text += "  if (" + status() + " == 0)\n    " + status() + " = tangram_check(" +
              commaSeparated(argumentsIn(statements, false)) + ");\n";
    return text;
  }

  // Temporaries

  std::string bytesOfTemporary(const Buffer &b) const {
    const std::string count =
        isLiteral(b.count, 1) ? "1" : "max(" + hostExpression(b.count) + ", 1)";
    return "tangram_bytes((size_t)(" + count + "), sizeof(" + cName(b.var->type.scalar) + "))";
  }

  std::string bytesOfAll() const {
    std::string sum;
    for (const Buffer *b : temporaries_)
      sum += (sum.empty() ? "" : "\n         + ") + bytesOfTemporary(*b);
    return sum;
  }

  std::string bytesFunctions() const {
    if (temporaries_.empty())
      return "";
    const std::string sum = bytesOfAll();
    const std::vector<std::string> parameters = sizesAndWorkersIn(sum, true);
    return bytesFunction + std::string("static size_t tangram_bytes_of_temporaries(") +
           (parameters.empty() ? "void" : commaSeparated(parameters)) + ") {\n  return " + sum +
           ";\n}\n\n";
  }

  std::string bytesCall() const {
    return "tangram_bytes_of_temporaries(" +
           commaSeparated(sizesAndWorkersIn(bytesOfAll(), false)) + ")";
  }

  // The launch

  std::string kernelLaunch(std::size_t i) const {
    const Kernel &k = source_.kernels[i];
    const auto orOne = [&](const ExprPtr &e) { return e ? hostExpression(e) : std::string("1"); };
    const std::string grid = own("grid"), block = own("block");
    std::vector<std::string> arguments, narrowed;
    for (const KernelArgument &a : k.arguments) {
      const bool isSize = a.kind == KernelArgument::Kind::Size;
      arguments.push_back(isSize ? "(size_t)" + a.var->name : a.var->name);
      narrowed.push_back(isSize ? "(unsigned int)" + a.var->name : a.var->name);
    }
    const std::string shared = k.shared ? own("shared") : "0";
    const auto call = [&](const std::string &space, const std::vector<std::string> &values,
                          const std::string &indent) {
      const std::string kernel = name_ + space + k.name;
      std::string text;
      if (k.shared)
        text += indent + "if (" + shared + " > 49152)\n" + indent + "  " + status() +
                " = -(int)cudaFuncSetAttribute(" + kernel +
                ", cudaFuncAttributeMaxDynamicSharedMemorySize,\n" + indent +
                "                                    (int)" + shared + ");\n" + indent + "if (" +
                status() + " == 0)\n" + indent + "  ";
      else
        text += indent;
      return text + kernel + "<<<" + grid + ", " + block + ", " + shared + ", " + stream() +
             ">>>(" + commaSeparated(values) + ");\n";
    };
    std::string t = "  if (" + status() + " == 0 && (" + hostExpression(k.groups) + ") > 0 && (" +
                    orOne(k.groupsY) + ") > 0) {\n    const dim3 " + grid + "((unsigned int)(" +
                    hostExpression(k.groups) + "), (unsigned int)(" + orOne(k.groupsY) +
                    "));\n    const dim3 " + block + "((unsigned int)(" +
                    hostExpression(k.groupSize) + "), (unsigned int)(" + orOne(k.groupSizeY) +
                    "));\n";
    if (k.shared)
      t += "    const size_t " + shared + " = " + hostExpression(k.shared) + ";\n";
    if (plan_.mostIndex)
      t += "    if (" + own("narrow") + ") {\n" + call("_narrow_kernels::", narrowed, "      ") +
           "    } else {\n" + call("_kernels::", arguments, "      ") + "    }\n";
    else
      t += call("_kernels::", arguments, "    ");
    return t + "    if (" + status() + " == 0)\n      " + status() +
           " = -(int)cudaGetLastError();\n  }\n";
  }

  std::string launchStatements() const override {
    std::string inside = "  int " + status() + " = 0;\n";
    std::string end = own("workspace");
    for (const Buffer *b : temporaries_) {
      const std::string type = cName(b->var->type.scalar);
      inside += "  " + type + " *" + b->var->name + " = (" + type + " *)" + end + ";\n";
      end = "((char *)" + b->var->name + " + " + bytesOfTemporary(*b) + ")";
    }
    if (plan_.mostIndex)
      inside += "  const bool " + own("narrow") + " = " + narrownessCall(plan_) + ";\n";
    for (const Buffer *b : temporaries_) {
      if (b->countsGroups)
        inside += "  if (" + status() + " == 0)\n    " + status() + " = -(int)cudaMemsetAsync(" +
                  b->var->name + ", 0, sizeof *" + b->var->name + ", " + stream() + ");\n";
    }
    if (hasRounds(plan_)) {
      const RoundSpelling says{
          [&](std::size_t i) { return kernelLaunch(i); },
          cName,
          status(),
          "0",
          own("held"),
          [&](const Var &array) {
            return "tangram_says_yes(" + stream() + ", " + array.name + ", &" + status() + ")";
          },
          [](const Var &array) { return cName(array.type.scalar) + " *const "; }};
      inside += roundsText(plan_, says);
    } else {
      for (std::size_t i = 0; i < source_.kernels.size(); ++i)
        inside += kernelLaunch(i);
    }
    return inside + "  return " + status() + ";\n";
  }

  std::string call() const {
    std::vector<std::string> tail;
    for (const CParameter &each : launchTail())
      tail.push_back(each.name);
    return launchCall(tail);
  }

  // The functions of the library

  std::string workspaceStatements() const override {
    return "  *" + own("bytes") + " = " + (temporaries_.empty() ? "0" : bytesCall()) + ";\n";
  }

  std::string enqueueFunction() const {
    std::string inside = checkedCall();
    if (!temporaries_.empty())
      inside += "  if (" + status() + " == 0 && (!" + own("workspace") + " || " +
                own("workspace_bytes") + " < " + bytesCall() + "))\n    " + status() + " = " +
                statusName(name_, Status::SmallWorkspace) + ";\n";
    inside += "  return " + status() + " != 0 ? " + status() + " : " + call() + ";\n";
    std::vector<std::string> parameters = signature_.arguments;
    parameters.insert(parameters.end(), {own("workspace"), own("workspace_bytes")});
    return enqueueHead(true) + " {\n" + voidOfUnused(inside, parameters) + inside + "}\n";
  }

  std::string plainFunction() const {
    std::string inside = checkedCall();
    if (temporaries_.empty()) {
      inside += "  return " + status() + " != 0 ? " + status() + " : " + call() + ";\n";
    } else {
      const std::string workspace = own("workspace");
      inside += "  void *" + workspace + " = NULL;\n  if (" + status() + " == 0)\n    " + status() +
                " = -(int)cudaMallocAsync(&" + workspace + ", " + bytesCall() + ", " + stream() +
                ");\n  if (" + status() + " == 0)\n    " + status() + " = " + call() + ";\n  if (" +
                workspace + ") {\n    const cudaError_t " + own("freed") + " = cudaFreeAsync(" +
                workspace + ", " + stream() + ");\n    if (" + status() + " == 0)\n      " +
                status() + " = -(int)" + own("freed") + ";\n  }\n  return " + status() + ";\n";
    }
    return plainHead(true) + " {\n" + voidOfUnused(inside, signature_.arguments) + inside + "}\n";
  }

  const CudaSource &source_;
  const std::vector<ContainerPair> pairs_;
  const std::vector<std::pair<VarPtr, unsigned>> vectors_;
};

} // namespace

CSource printCudaHost(const LoweredPlan &plan, const Spectrum &spectrum, const CudaSource &source,
                      const std::vector<std::string> &steps, bool checked) {
  const CudaHost writer(plan, spectrum, source, checked);
  return {writer.text(fileComment("Host code for the CUDA kernels", plan.spectrum,
                                  plan.machine->name, steps)),
          headerText(plan.spectrum, cudaIncludes, writer.declarations())};
}

} // namespace tangram::codegen
