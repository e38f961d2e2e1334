#include "codegen/analysis/atomics.h"

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

std::string suffix(Scalar type) { return shortName(type == Scalar::Index ? Scalar::U64 : type); }

std::string combined(Operator op, const std::string &before) {
  if (op == "add")
    return before + " + value";
  return before + (op == "min" ? " < value ? " : " > value ? ") + before + " : value";
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

bool isFlag(const AtomicUse &use) { return use.op == "await" || use.op == "publish"; }
bool isCarry(const AtomicUse &use) { return use.op == "load" || use.op == "store"; }

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

/// Whether `e` depends on the variable or container that `place` is of.
bool mentionsVariableOf(const ExprPtr &e, const ExprPtr &place) {
  const VarPtr &v = place->kind == ExprKind::Index ? place->args[0]->var : place->var;
  return contains(e, [&](const Expr &each) { return each.var == v; });
}

/// What operation `e` leaves in its element.
std::vector<StmtPtr> effect(const Expr &e, const SourceLocation &at) {
  const ExprPtr &place = e.args[0];
  if (e.op == "add")
    return {assign(place, "+=", e.args[1], at)};
  if (e.op == "exchange")
    return {assign(place, "=", e.args[1], at)};
  if (e.op == "cas")
    return {ifThen(binary("==", place, e.args[1]), block({assign(place, "=", e.args[2], at)}))};
  return {assign(place, "=",
                 call(e.op.text(), place->type, {place, cast(place->type.scalar, e.args[1])}), at)};
}

} // namespace

AtomicUse atomicUse(const Expr &e, const Buffer *buffer) {
  return {e.op, e.args[0]->type.scalar, buffer ? buffer->space : Space::Global,
          isLook(e) && isInteger(e.args[0]->type.scalar),
          buffer && buffer->countsGroups && e.op == "add"};
}

std::set<AtomicUse> atomicUses(const LoweredPlan &plan, const StmtPtr &body) {
  std::set<AtomicUse> uses;
  forEachExpr(body, [&](const Expr &e) {
    if (e.kind != ExprKind::Atomic)
      return;
    uses.insert(atomicUse(e, plan.bufferOf(e.args[0]->args[0]->var)));
  });
  return uses;
}

std::set<const Var *> atomicallyStored(const LoweredPlan &plan) {
  std::set<const Var *> stored;
  std::set<const Var *> otherwise;
  forEachExpr(plan.body, [&](const Expr &e) {
    if (e.kind == ExprKind::Atomic && e.op != "load")
      (e.op == "store" ? stored : otherwise).insert(e.args[0]->args[0]->var.get());
  });
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
      otherwise.insert(s.target->args[0]->var.get());
  });
  std::erase_if(stored, [&](const Var *array) { return otherwise.contains(array); });
  return stored;
}

std::string openclAtomicName(const AtomicUse &use) {
  if (isFlag(use) || isCarry(use))
    return cAtomicName(use);
  if (use.countsGroups)
    return "count_group";
  if (use.looks && use.space == Space::Global)
    return "atomic_look_" + suffix(use.type);
  if (!isFloating(use.type))
    return builtIn(use);
  return "atomic_" + use.op.text() + "_" + suffix(use.type) +
         (use.space == Space::Global ? "_global" : "_local");
}

std::string cAtomicName(const AtomicUse &use) {
  if (isFlag(use))
    return use.op == "await" ? "await_flag" : "set_flag";
  return "atomic_" + use.op.text() + "_" + suffix(use.type);
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

std::string cAtomics(const std::set<AtomicUse> &uses) {
  std::string text;
  std::set<std::string> known;
  for (const AtomicUse &use : uses) {
    if (known.insert(cAtomicName(use)).second)
      text += cFunction(use);
  }
  return text;
}

ExprPtr atomicIn(const ExprPtr &e) {
  if (!e || e->kind == ExprKind::Atomic)
    return e;
  return e->kind == ExprKind::Cast ? atomicIn(e->args[0]) : nullptr;
}

StmtPtr withoutAtomics(const StmtPtr &body, const std::function<bool(const Expr &)> &which) {
  auto isAtomic = [&](const StmtPtr &s) {
    ExprPtr operation =
        s && (s->kind == StmtKind::Eval || s->kind == StmtKind::Decl || s->kind == StmtKind::Assign)
            ? atomicIn(s->value)
            : nullptr;
    return operation && (!which || which(*operation));
  };
  auto plain = [&](const StmtPtr &s) {
    const ExprPtr operation = atomicIn(s->value);
    ExprPtr before = operation->args[0];
    std::vector<StmtPtr> steps;
    std::vector<StmtPtr> last;
    auto value = [&] {
      return rewrite(s->value, [&](const ExprPtr &e) { return e == operation ? before : e; });
    };
    // What is assigned may be what the operation is made with.
    if (s->target && mentionsVariableOf(operation, s->target)) {
      auto kept = std::make_shared<Var>();
      kept->name = "before";
      kept->type = scalarType(before->type.scalar);
      steps.push_back(declare(kept, before, s->location));
      before = varRef(kept);
      last.push_back(assign(s->target, s->op, value(), s->location));
    } else if (s->target) {
      steps.push_back(assign(s->target, s->op, value(), s->location));
    } else if (s->kind == StmtKind::Decl) {
      steps.push_back(declare(s->var, value(), s->location));
    }
    for (StmtPtr &step : effect(*operation, s->location))
      steps.push_back(std::move(step));
    steps.insert(steps.end(), last.begin(), last.end());
    return steps;
  };
  return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind == StmtKind::Block) {
      std::vector<StmtPtr> children;
      for (const StmtPtr &child : s->children) {
        if (!isAtomic(child)) {
          children.push_back(child);
          continue;
        }
        for (StmtPtr &step : plain(child))
          children.push_back(std::move(step));
      }
      return withChildren(s, std::move(children));
    }
    std::vector<StmtPtr> children = s->children;
    for (StmtPtr &child : children) {
      if (isAtomic(child))
        child = block(plain(child));
    }
    return withChildren(s, std::move(children));
  });
}

} // namespace tangram::codegen
