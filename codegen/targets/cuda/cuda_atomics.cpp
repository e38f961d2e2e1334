#include "codegen/targets/cuda/cuda_atomics.h"

#include "codegen/printing/c_types.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isWide(Scalar type) { return byteSize(type) == 8; }

std::string head(const AtomicUse &use, const std::string &name, const std::string &parameters) {
  const std::string type = cName(use.type);
  return "static __device__ inline " + type + " " + name + "(" + type + " *place" + parameters +
         ") {\n";
}

/// The type that CUDA's functions are declared for, of the same width.
std::string words(Scalar type, bool hasSigned) {
  if (isWide(type))
    return hasSigned && isSigned(type) ? "long long" : "unsigned long long";
  return hasSigned && isSigned(type) ? "int" : "unsigned int";
}

/// The operation by exchanges of bits until nobody came in between.
std::string byExchange(const AtomicUse &use, const std::string &parameters,
                       const std::string &after) {
  const std::string type = cName(use.type), bits = words(use.type, false);
  return head(use, cAtomicName(use), parameters) + "  union {\n    " + type + " number;\n    " +
         bits + " bits;\n  } before, after;\n  before.number = *(volatile " + type +
         " *)place;\n  for (;;) {\n    after.number = " + after + ";\n    const " + bits +
         " seen = atomicCAS((" + bits +
         " *)place, before.bits, after.bits);\n    if (seen == before.bits)\n      return "
         "before.number;\n    before.bits = seen;\n  }\n}\n\n";
}

std::string builtIn(const AtomicUse &use, const std::string &function, bool hasSigned) {
  const std::string type = cName(use.type), own = words(use.type, hasSigned);
  return head(use, cAtomicName(use), ", " + type + " value") + "  return (" + type + ")" +
         function + "((" + own + " *)place, (" + own + ")value);\n}\n\n";
}

std::string compareAndSwap(const AtomicUse &use) {
  const std::string type = cName(use.type);
  if (isFloating(use.type))
    return byExchange(use, ", " + type + " expected, " + type + " value",
                      "before.number == expected ? value : before.number");
  const std::string own = words(use.type, !isWide(use.type));
  return head(use, cAtomicName(use), ", " + type + " expected, " + type + " value") + "  return (" +
         type + ")atomicCAS((" + own + " *)place, (" + own + ")expected, (" + own +
         ")value);\n}\n\n";
}

std::string operation(const AtomicUse &use) {
  const std::string type = cName(use.type);
  if (use.op == "cas")
    return compareAndSwap(use);
  if (isFloating(use.type)) {
    if (use.op == "add")
      return head(use, cAtomicName(use), ", " + type + " value") +
             "  return atomicAdd(place, value);\n}\n\n";
    return byExchange(use, ", " + type + " value",
                      use.op == "exchange" ? "value"
                      : use.op == "min"    ? "value < before.number ? value : before.number"
                                           : "before.number < value ? value : before.number");
  }
  const bool isNarrow = !isWide(use.type);
  if (use.op == "add")
    return builtIn(use, "atomicAdd", isNarrow);
  if (use.op == "exchange")
    return builtIn(use, "atomicExch", isNarrow);
  return builtIn(use, use.op == "min" ? "atomicMin" : "atomicMax", true);
}

constexpr const char *awaitText =
    "// Waits for another block to set the flag.\n"
    "static __device__ inline void await_flag(unsigned int *flag) {\n"
    "  while (*(volatile unsigned int *)flag == 0)\n    ;\n  __threadfence();\n}\n\n";

constexpr const char *publishText =
    "static __device__ inline void set_flag(unsigned int *flag) {\n"
    "  __threadfence();\n  *(volatile unsigned int *)flag = 1;\n}\n\n";

constexpr const char *countText =
    "// Counts a block: who counts later sees what it has written. How many there were before.\n"
    "static __device__ inline unsigned int count_block(unsigned int *blocks, unsigned int one) {\n"
    "  __threadfence();\n  const unsigned int earlier = atomicAdd(blocks, one);\n"
    "  __threadfence();\n  return earlier;\n}\n\n";

std::string text(const AtomicUse &use) {
  const std::string type = cName(use.type);
  const std::string place = "*(volatile " + type + " *)place";
  if (use.op == "await")
    return awaitText;
  if (use.op == "publish")
    return publishText;
  if (use.countsGroups)
    return countText;
  if (use.looks && use.space == Space::Global)
    return "// What is there by now.\n" + head(use, "atomic_look", ", " + type) + "  return " +
           place + ";\n}\n\n";
  if (use.op == "load")
    return head(use, cAtomicName(use), "") + "  return " + place + ";\n}\n\n";
  if (use.op == "store")
    return "static __device__ inline void " + cAtomicName(use) + "(" + type + " *place, " + type +
           " value) {\n  " + place + " = value;\n}\n\n";
  return operation(use);
}

} // namespace

std::string cudaAtomics(const std::set<AtomicUse> &uses) {
  std::set<std::string> known;
  std::string all;
  for (const AtomicUse &use : uses) {
    const std::string each = text(use);
    if (known.insert(each).second)
      all += each;
  }
  return all;
}

} // namespace tangram::codegen
