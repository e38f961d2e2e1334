#include "codegen/targets/opencl/kernels/atomic_functions.h"

#include "codegen/printing/atomic_functions.h"
#include "codegen/printing/c_types.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isWide(Scalar type) { return byteSize(type) == 8; }

/// What OpenCL C has for integers: atomic_add for 32 bits, atom_add for 64.
std::string builtIn(const AtomicUse &use) {
  std::string operation = use.op == "exchange" ? "xchg"
                          : use.op == "cas"    ? "cmpxchg"
                                               : use.op.text();
  return (isWide(use.type) ? "atom_" : "atomic_") + operation;
}

std::string openclFunction(const AtomicUse &use) {
  const std::string type = openclName(use.type);
  const std::string bits = isWide(use.type) ? "ulong" : "uint";
  const std::string space = use.space == Space::Global ? "__global " : "__local ";
  const std::string exchange = isWide(use.type) ? "atom_cmpxchg" : "atomic_cmpxchg";
  return "static inline " + type + " " + openclAtomicName(use) + "(volatile " + space + type +
         " *place, " + type + " value) {\n  volatile " + space + bits + " *cell = (volatile " +
         space + bits + " *)place;\n  " + bits + " seen = *cell;\n  " + bits +
         " before;\n  do {\n    before = seen;\n    seen = " + exchange + "(cell, before, as_" +
         bits + "(" + (use.op == "exchange" ? "value" : "as_" + type + "(before) + value") +
         "));\n  } while (seen != before);\n  return as_" + type + "(before);\n}\n\n";
}

/// What orders the carries of a chain and its flags (codegen/lowering/instantiate_chains.cpp), in OpenCL C 1.2,
/// whose own mem_fence says nothing about other groups: NVIDIA's is for one of them alone.
const char *openclFence =
    "// Orders memory accesses of this work-item as all groups see them.\n"
    "static inline void fence_groups(void) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  asm volatile(\"membar.gl;\" ::: \"memory\");\n"
    "#elif __OPENCL_C_VERSION__ >= 200\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);\n"
    "#else\n"
    "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "#endif\n"
    "}\n\n";

const char *openclAwait = "// Waits for another group to set the flag.\n"
                          "static inline void await_flag(volatile __global uint *flag) {\n"
                          "  while (atomic_or(flag, 0u) == 0u)\n"
                          "    ;\n"
                          "  fence_groups();\n"
                          "}\n\n";

const char *openclPublish = "static inline void set_flag(volatile __global uint *flag) {\n"
                            "  fence_groups();\n"
                            "  atomic_xchg(flag, 1u);\n"
                            "}\n\n";

const char *openclCount =
    "// Counts a group: who counts later sees what it has written. How many there were before.\n"
    "static inline uint count_group(volatile __global uint *groups, uint one) {\n"
    "  fence_groups();\n"
    "  const uint earlier = atomic_add(groups, one);\n"
    "  fence_groups();\n"
    "  return earlier;\n"
    "}\n\n";

/// A carry as one word of 32 bits or two, which flags put in order. Where it is what groups leave for the
/// last one, all items load many: plainly on NVIDIA's devices, whose fences leave nothing old in caches.
std::string openclCarry(const AtomicUse &use, bool forLastGroup) {
  const std::string type = openclName(use.type);
  const std::string bits = isWide(use.type) ? "uint2" : "uint";
  const std::string words = "  volatile __global uint *words = (volatile __global uint *)place;\n";
  const std::string place = openclAtomicName(use) + "(volatile __global " + type + " *place";
  if (use.op == "store")
    return "static inline void " + place + ", " + type + " value) {\n" + words + "  " + bits +
           " bits = as_" + bits + "(value);\n" +
           (isWide(use.type) ? "  atomic_xchg(words, bits.x);\n  atomic_xchg(words + 1, bits.y);\n"
                             : "  atomic_xchg(words, bits);\n") +
           "}\n\n";
  const std::string load =
      words + "  " + bits + " bits;\n" +
      (isWide(use.type) ? "  bits.x = atomic_or(words, 0u);\n  bits.y = atomic_or(words + 1, 0u);\n"
                        : "  bits = atomic_or(words, 0u);\n") +
      "  return as_" + type + "(bits);\n";
  return "static inline " + type + " " + place + ") {\n" +
         (forLastGroup ? "#if defined(__NV_CL_C_VERSION)\n  return *(const __global " + type +
                             " *)place;\n#else\n" + load + "#endif\n"
                       : load) +
         "}\n\n";
}

/// A load that other groups' atomic operations are seen by: adding 0 asks more of the memory.
std::string openclLook(const AtomicUse &use) {
  const std::string type = openclName(use.type);
  return "// What is there by now.\nstatic inline " + type + " " + openclAtomicName(use) +
         "(volatile __global " + type + " *place, " + type +
         " nothing) {\n#if defined(__NV_CL_C_VERSION)\n  return *place;\n#else\n  return " +
         (isWide(use.type) ? "atom_add" : "atomic_add") + "(place, nothing);\n#endif\n}\n\n";
}

} // namespace

std::string openclAtomicName(const AtomicUse &use) {
  if (isFlag(use) || isCarry(use))
    return cAtomicName(use);
  if (use.countsGroups)
    return "count_group";
  if (use.looks && use.space == Space::Global)
    return "atomic_look_" + typeSuffix(use.type);
  if (!isFloating(use.type))
    return builtIn(use);
  return "atomic_" + use.op.text() + "_" + typeSuffix(use.type) +
         (use.space == Space::Global ? "_global" : "_local");
}

std::string openclAtomics(const std::set<AtomicUse> &uses) {
  std::string text;
  bool base = false;
  bool extended = false;
  for (const AtomicUse &use : uses) {
    if (isCarry(use))
      continue;
    bool compares = use.op == "min" || use.op == "max";
    base |= isWide(use.type) && !compares;
    extended |= isWide(use.type) && compares;
  }
  if (base)
    text += "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n";
  if (extended)
    text += "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";
  if (!text.empty())
    text += "\n";
  const bool hasLastGroup =
      std::ranges::any_of(uses, [](const AtomicUse &use) { return use.countsGroups; });
  if (hasLastGroup || std::ranges::any_of(uses, isFlag))
    text += openclFence;
  for (const AtomicUse &use : uses) {
    if (isFlag(use))
      text += use.op == "await" ? openclAwait : openclPublish;
    else if (use.countsGroups)
      text += openclCount;
    else if (isCarry(use))
      text += openclCarry(use, hasLastGroup);
    else if (use.looks && use.space == Space::Global)
      text += openclLook(use);
    else if (isFloating(use.type))
      text += openclFunction(use);
  }
  return text;
}

} // namespace tangram::codegen
