#include "codegen/atomics.h"

#include "codegen/c_types.h"

namespace tangram::codegen {

using namespace ir;

namespace {

bool isWide(Scalar type) { return byteSize(type) == 8; }

/// What OpenCL C has for integers: atomic_add for 32 bits, atom_add for 64.
std::string builtIn(const AtomicUse &use) {
  std::string operation = use.op == "exchange" ? "xchg" : use.op == "cas" ? "cmpxchg" : use.op;
  return (isWide(use.type) ? "atom_" : "atomic_") + operation;
}

std::string suffix(Scalar type) { return shortName(type == Scalar::Index ? Scalar::U64 : type); }

std::string combined(const std::string &op, const std::string &before) {
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

std::string cFunction(const AtomicUse &use) {
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
  else
    text += "  " + type + " before;\n  " + type +
            " after;\n  __atomic_load(place, &before, __ATOMIC_RELAXED);\n  do\n    after = " +
            combined(use.op, "before") +
            ";\n  while (!__atomic_compare_exchange(place, &before, &after, 1, __ATOMIC_RELAXED, "
            "__ATOMIC_RELAXED));\n  return before;\n";
  return text + "}\n\n";
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
  return {assign(place, "=", call(e.op, place->type, {place, cast(place->type.scalar, e.args[1])}),
                 at)};
}

} // namespace

std::set<AtomicUse> atomicUses(const LoweredPlan &plan, const StmtPtr &body) {
  std::set<AtomicUse> uses;
  forEachExpr(body, [&](const Expr &e) {
    if (e.kind != ExprKind::Atomic)
      return;
    const Buffer *buffer = plan.bufferOf(e.args[0]->args[0]->var);
    uses.insert({e.op, e.args[0]->type.scalar, buffer ? buffer->space : Space::Global});
  });
  return uses;
}

std::string openclAtomicName(const AtomicUse &use) {
  if (!isFloating(use.type))
    return builtIn(use);
  return "atomic_" + use.op + "_" + suffix(use.type) +
         (use.space == Space::Global ? "_global" : "_local");
}

std::string cAtomicName(const AtomicUse &use) {
  return "atomic_" + use.op + "_" + suffix(use.type);
}

std::string openclAtomics(const std::set<AtomicUse> &uses) {
  std::string text;
  bool base = false;
  bool extended = false;
  for (const AtomicUse &use : uses) {
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
  for (const AtomicUse &use : uses) {
    if (isFloating(use.type))
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

StmtPtr withoutAtomics(const StmtPtr &body) {
  auto isAtomic = [](const StmtPtr &s) {
    return s &&
           (s->kind == StmtKind::Eval || s->kind == StmtKind::Decl ||
            s->kind == StmtKind::Assign) &&
           s->value && s->value->kind == ExprKind::Atomic;
  };
  auto plain = [&](const StmtPtr &s) {
    std::vector<StmtPtr> steps;
    const ExprPtr &place = s->value->args[0];
    if (s->kind == StmtKind::Decl)
      steps.push_back(declare(s->var, place, s->location));
    if (s->kind == StmtKind::Assign)
      steps.push_back(assign(s->target, s->op, place, s->location));
    for (StmtPtr &step : effect(*s->value, s->location))
      steps.push_back(std::move(step));
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
