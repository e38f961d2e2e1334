#include "codegen/printing/atomic_functions.h"

#include "codegen/printing/c_types.h"

namespace tangram::codegen {

using namespace ir;

namespace {

std::string combined(Operator op, const std::string &before) {
  if (op == "add")
    return before + " + value";
  return before + (op == "min" ? " < value ? " : " > value ? ") + before + " : value";
}

std::string cHandOver(const AtomicUse &use) {
  const std::string type = cName(use.type);
  const std::string name = "static inline void " + cAtomicName(use) + "(";
  if (use.op == "await")
    return "// Waits for another thread to set the flag, and lets it run where threads are "
           "many.\n" +
           name + type +
           " *flag) {\n  for (unsigned tries = 0; !__atomic_load_n(flag, __ATOMIC_ACQUIRE); "
           "++tries)"
           "\n    if (tries > 1000)\n      sched_yield();\n}\n\n";
  if (use.op == "publish")
    return name + type + " *flag) {\n  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);\n}\n\n";
  if (use.op == "store")
    return name + type + " *place, " + type +
           " value) {\n  __atomic_store(place, &value, __ATOMIC_RELAXED);\n}\n\n";
  return "static inline " + type + " " + cAtomicName(use) + "(" + type + " *place) {\n  " + type +
         " value;\n  __atomic_load(place, &value, __ATOMIC_RELAXED);\n  return value;\n}\n\n";
}

/// Atomic operation in a critical section, for types that processors have no atomic instructions for.
std::string cCriticalFunction(const AtomicUse &use) {
  const std::string type = cName(use.type);
  const std::string head = cAtomicName(use) + "(" + type + " *place";
  const std::string critical = "#pragma omp critical(tangram_atomics)\n";
  if (use.op == "load")
    return "static inline " + type + " " + head + ") {\n  " + type + " value;\n" + critical +
           "  value = *place;\n  return value;\n}\n\n";
  if (use.op == "store")
    return "static inline void " + head + ", " + type + " value) {\n" + critical +
           "  *place = value;\n}\n\n";
  const bool exchanges = use.op == "exchange" || use.op == "cas";
  return "static inline " + type + " " + head + (use.op == "cas" ? ", " + type + " expected" : "") +
         ", " + type + " value) {\n  " + type + " before;\n" + critical +
         "  {\n    before = *place;\n    " +
         (use.op == "cas" ? "if (before == expected)\n      " : "") +
         "*place = " + (exchanges ? "value" : combined(use.op, "before")) +
         ";\n  }\n  return before;\n}\n\n";
}

std::string cFunction(const AtomicUse &use) {
  if (use.type == Scalar::F128)
    return cCriticalFunction(use);
  if (isFlag(use) || isCarry(use))
    return cHandOver(use);
  const std::string type = cName(use.type);
  std::string text = "static inline " + type + " " + cAtomicName(use) + "(" + type + " *place, " +
                     type + (use.op == "cas" ? " before, " + type + " value" : " value") + ") {\n";
  if (use.op == "cas")
    text += "  __atomic_compare_exchange(place, &before, &value, 0, __ATOMIC_RELAXED, "
            "__ATOMIC_RELAXED);\n  return before;\n";
  else if (use.op == "exchange")
    text += "  " + type +
            " before;\n  __atomic_exchange(place, &value, &before, __ATOMIC_RELAXED);\n"
            "  return before;\n";
  else if (use.op == "add" && isInteger(use.type))
    text += "  return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);\n";
  else if ((use.op == "min" || use.op == "max") &&
           isInteger(use.type)) // most change nothing and need no lock
    text += "  " + type +
            " before;\n  __atomic_load(place, &before, __ATOMIC_RELAXED);\n  while (" +
            (use.op == "min" ? "value < before" : "before < value") +
            " &&\n         !__atomic_compare_exchange(place, &before, &value, 1, __ATOMIC_RELAXED, "
            "__ATOMIC_RELAXED))\n    ;\n  return before;\n";
  else
    text += "  " + type + " before;\n  " + type +
            " after;\n  __atomic_load(place, &before, __ATOMIC_RELAXED);\n  do\n    after = " +
            combined(use.op, "before") +
            ";\n  while (!__atomic_compare_exchange(place, &before, &after, 1, __ATOMIC_RELAXED, "
            "__ATOMIC_RELAXED));\n  return before;\n";
  return text + "}\n\n";
}

} // namespace

std::string typeSuffix(Scalar type) {
  return shortName(type == Scalar::Index ? Scalar::U64 : type);
}

std::string cAtomicName(const AtomicUse &use) {
  if (isFlag(use))
    return use.op == "await" ? "await_flag" : "set_flag";
  return "atomic_" + use.op.text() + "_" + typeSuffix(use.type);
}

std::string cAtomics(const std::set<AtomicUse> &uses) {
  std::string text;
  std::set<std::string> known;
  for (const AtomicUse &use : uses) {
    if (known.insert(cAtomicName(use)).second)
      text += cFunction(use);
  }
  return text;
}

} // namespace tangram::codegen
