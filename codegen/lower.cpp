#include "codegen/lower.h"

#include "codegen/lowering.h"
#include "codegen/simplify.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

struct SpelledRole {
  const char *target;
  const char *spelling;
  Role role;
};

constexpr SpelledRole spelledRoles[] = {
    {"opencl", "grid", Role::Host},    {"opencl", "group", Role::Group},
    {"opencl", "item", Role::Item},    {"opencl", "unroll", Role::Unroll},
    {"openmp", "process", Role::Host}, {"openmp", "thread", Role::Group},
    {"openmp", "lane", Role::Item},    {"openmp", "unroll", Role::Unroll},
};

std::string knownSpellings(const std::string &target) {
  std::string list;
  for (const SpelledRole &each : spelledRoles) {
    if (target == each.target)
      list += (list.empty() ? "" : ", ") + std::string(each.spelling);
  }
  return list;
}

} // namespace

std::vector<const Function *> calledFunctions(const Program &program, const StmtPtr &body) {
  std::set<std::string> called;
  auto collectCalls = [&](const StmtPtr &s) {
    forEachExpr(s, [&](const Expr &e) {
      if (e.kind == ExprKind::Call)
        called.insert(e.callee);
    });
  };
  collectCalls(body);
  // Callees stand before their callers, so that one walk backwards finds them all.
  std::vector<const Function *> found;
  for (auto f = program.functions.rbegin(); f != program.functions.rend(); ++f) {
    if (!called.contains(f->name))
      continue;
    found.insert(found.begin(), &*f);
    collectCalls(f->body);
  }
  return found;
}

std::variant<std::vector<Role>, Refusal> rolesOf(const composer::Machine &machine,
                                                 const std::string &target) {
  if (knownSpellings(target).empty())
    return Refusal{"no code generator for target " + target + " (there are: opencl, openmp)", {}};
  std::vector<Role> roles;
  for (const composer::Level &level : machine.levels) {
    auto spelling = level.spelling.find(target);
    if (spelling == level.spelling.end())
      return Refusal{"target " + target + " cannot express level " + level.name + " (" +
                         level.title + ") of " + machine.name,
                     {}};
    const auto *known = std::find_if(
        std::begin(spelledRoles), std::end(spelledRoles), [&](const SpelledRole &each) {
          return target == each.target && spelling->second == each.spelling;
        });
    if (known == std::end(spelledRoles))
      return Refusal{machine.name + ": level " + level.name + " is spelled '" + spelling->second +
                         "', but " + target + " knows " + knownSpellings(target),
                     {}};
    // A row of a level's workers plays the same role as the workers themselves.
    bool row = !roles.empty() && machine.levels[roles.size() - 1].dimension > 0 &&
               known->role == roles.back();
    if (!roles.empty() && known->role <= roles.back() && !row)
      return Refusal{machine.name + ": level " + level.name + " (" + known->spelling +
                         ") cannot stand below " + machine.levels[roles.size() - 1].name +
                         " for target " + target,
                     {}};
    roles.push_back(known->role);
  }
  if (roles.front() != Role::Host)
    return Refusal{machine.name + ": the top level must be spelled '" +
                       (target == "opencl" ? "grid" : "process") + "' for target " + target,
                   {}};
  return roles;
}

std::variant<LoweredPlan, Refusal> lower(const Program &program, const std::string &spectrum,
                                         const PlanPtr &plan, const composer::Machine &machine,
                                         const std::string &target) {
  auto roles = rolesOf(machine, target);
  if (auto *refusal = std::get_if<Refusal>(&roles))
    return *refusal;
  const Spectrum *found = program.spectrum(spectrum);
  if (!found)
    return Refusal{"no spectrum " + spectrum + " in " + program.file, {}};
  if (plan->level != 0)
    return Refusal{"a plan must start at the top level to become a library; this one starts at "
                   "level " +
                       machine.levels[static_cast<std::size_t>(plan->level)].name,
                   {}};
  try {
    return Lowering(program, machine, std::get<std::vector<Role>>(roles), target).run(*found, plan);
  } catch (const RefusedPlan &refused) {
    return refused.refusal;
  }
}

Lowering::Lowering(const Program &program, const composer::Machine &machine,
                   std::vector<Role> roles, std::string target)
    : program_(program), machine_(machine), roles_(std::move(roles)), target_(std::move(target)) {}

LoweredPlan Lowering::run(const Spectrum &spectrum, const PlanPtr &plan) {
  plan_.spectrum = identifierOf(spectrum.name);
  plan_.machine = &machine_;
  plan_.roles = roles_;
  for (const VarPtr &param : spectrum.params) {
    for (unsigned d = 0; d < param->type.rank; ++d) {
      std::string suffix = param->type.rank == 1 ? "_size" : "_size" + std::to_string(d);
      plan_.extents.push_back(variable(param->name + suffix, Scalar::Index, VarKind::Param));
    }
    plan_.parameters.push_back(
        param->type.rank == 0 ? param : variable(param->name, param->type.scalar, VarKind::Buffer));
  }
  recordContracts(spectrum);
  std::map<const Var *, ExprPtr> known;
  for (const ShapeContract &c : plan_.shape) {
    if (c.equals->kind == ExprKind::Var && c.equals->var != c.extent)
      known.try_emplace(c.extent.get(), c.equals);
  }
  std::size_t nextExtent = 0;
  std::vector<Value> args;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &param = spectrum.params[i];
    if (param->type.rank == 0) {
      plan_.scalars.push_back(param);
      args.emplace_back(varRef(param));
      continue;
    }
    std::vector<ExprPtr> extents;
    ExprPtr count = intLiteral(1);
    for (unsigned d = 0; d < param->type.rank; ++d) {
      const VarPtr &extent = plan_.extents[nextExtent++];
      count = mul(count, varRef(extent));
      // A size that has to equal another one goes by that one's name.
      extents.push_back(known.contains(extent.get()) ? known.at(extent.get()) : varRef(extent));
    }
    const VarPtr &memory = plan_.parameters[i];
    plan_.buffers.push_back({memory, Space::Global, count, param->type.isConst ? "in" : "inout"});
    args.emplace_back(wholeBuffer(memory, extents));
  }
  Destination destination;
  if (spectrum.result.scalar != Scalar::Void) {
    plan_.result = variable("result", spectrum.result.scalar, VarKind::Buffer);
    plan_.buffers.push_back({plan_.result, Space::Global, intLiteral(1), "out"});
    destination.place = View{plan_.result, intLiteral(0), {}};
  }
  ExprPtr roundings;
  plan_.body = collect([&] { roundings = lowerCall(plan, args, destination); });
  bool rounds = isFloating(spectrum.result.scalar);
  for (const VarPtr &param : spectrum.params)
    rounds |= isFloating(param->type.scalar);
  plan_.functions = calledFunctions(program_, plan_.body);
  plan_.roundings = rounds ? closed(roundings) : nullptr;
  return std::move(plan_);
}

std::string identifier(const std::string &title) {
  std::string name = title;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; },
      '_');
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "_" + name : name;
}

StmtPtr Lowering::collect(const std::function<void()> &body) {
  std::vector<StmtPtr> statements;
  std::vector<StmtPtr> *outer = std::exchange(out_, &statements);
  const std::size_t visible = names_.size();
  body();
  names_.resize(visible);
  out_ = outer;
  return block(std::move(statements));
}

void Lowering::emitComment(const std::string &text) {
  lastComment_ = text;
  emit(comment(text));
}

ExprPtr Lowering::named(const std::string &name, ExprPtr value) {
  value = simplify(value);
  // The name of a variable that changes is no name of the value it has now.
  if (value->kind == ExprKind::Literal || (value->kind == ExprKind::Var && isFixed(value)))
    return value;
  bool fixed = isFixed(value);
  if (fixed) {
    for (const auto &[known, var] : names_) {
      if (sameExpr(known, value) && known->type.scalar == value->type.scalar)
        return varRef(var);
    }
  }
  VarPtr var = variable(name, value->type.scalar);
  remember(var, value);
  emit(declare(var, value));
  if (fixed)
    names_.emplace_back(value, var);
  return varRef(var);
}

/// Whether `value` is the same wherever its variables are visible.
bool Lowering::isFixed(const ExprPtr &value) const {
  return !contains(value, [&](const Expr &e) {
    bool changes = e.kind == ExprKind::Var && e.var->kind == VarKind::Local &&
                   !definitions_.contains(e.var.get()) && !largest_.contains(e.var.get());
    return changes || e.kind == ExprKind::Index || e.kind == ExprKind::Atomic;
  });
}

VarPtr Lowering::variable(const std::string &name, Scalar type, VarKind kind) const {
  auto v = std::make_shared<Var>();
  v->name = name;
  v->type = scalarType(type);
  v->kind = kind;
  return v;
}

const Codelet &Lowering::codeletOf(const PlanNode &node) const {
  return program_.spectrum(node.spectrum)->codelets[static_cast<std::size_t>(node.codelet)];
}

void Lowering::refuse(std::string reason, SourceLocation at) {
  throw RefusedPlan{Refusal{std::move(reason), std::move(at)}};
}

} // namespace tangram::codegen
