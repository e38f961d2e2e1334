#include "codegen/form/verify_arrays.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string counted(std::size_t n, const std::string &what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// What is there, and an integer.
void number(std::vector<std::string> &wrong, const std::string &what, const ExprPtr &e) {
  if (!e)
    wrong.push_back("there is no " + what);
  else if (e->type.isContainer() || !isInteger(e->type.scalar))
    wrong.push_back("the " + what + ", " + toString(e) + ", is no integer");
}

/// An extent and an upper bound of it.
void extent(std::vector<std::string> &wrong, const std::string &where, const ExprPtr &extent,
            const ExprPtr &bound) {
  number(wrong, "extent of " + where, extent);
  number(wrong, "bound of " + where, bound);
  const auto size = extent ? literalValue(extent) : std::nullopt;
  const auto most = bound ? literalValue(bound) : std::nullopt;
  if (size && most && *size > *most)
    wrong.push_back("the extent of " + where + " is " + std::to_string(*size) +
                    ", above its bound " + std::to_string(*most));
}

std::string dimensionOf(const std::string &name, std::size_t d) {
  return "dimension " + std::to_string(d) + " of " + name;
}

} // namespace

ArrayRanks::ArrayRanks(const LoweredPlan &plan) {
  for (const auto &[array, strides] : plan.strides)
    ranks_[array.get()] = strides.size();
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Allocate && s.array)
      ranks_[s.var.get()] = std::max<std::size_t>(s.array->extents.size(), 1);
  });
  for (const auto &[var, padded] : plan.padded)
    ranks_[var.get()] = of(padded.array.get());
}

std::size_t ArrayRanks::of(const Var *array) const {
  const auto known = ranks_.find(array);
  return known == ranks_.end() ? 1 : known->second;
}

std::vector<std::string> wrongArray(const LoweredPlan &plan, const Stmt &s) {
  const std::string &name = s.var->name;
  std::vector<std::string> wrong;
  const Array &array = *s.array;
  if (s.var->kind != VarKind::Buffer)
    wrong.push_back(name + " is allocated and is no array");
  if (array.extents.size() != array.bounds.size())
    wrong.push_back(name + " has " + counted(array.extents.size(), "extent") + " and " +
                    counted(array.bounds.size(), "bound"));
  for (std::size_t d = 0; d < std::min(array.extents.size(), array.bounds.size()); ++d)
    extent(wrong, dimensionOf(name, d), array.extents[d], array.bounds[d]);
  if (array.owner < 0 || static_cast<std::size_t>(array.owner) >= plan.roles.size())
    wrong.push_back(name + " belongs to level " + std::to_string(array.owner) +
                    ", which there is not");
  return wrong;
}

std::vector<std::string> wrongWindow(const LoweredPlan &plan, const ArrayRanks &ranks,
                                     const Stmt &s, const std::string &name) {
  std::vector<std::string> wrong;
  const Window &window = *s.window;
  const std::size_t rank = ranks.of(window.array.get());
  if (s.level < 0 || static_cast<std::size_t>(s.level) >= plan.roles.size())
    wrong.push_back(name + " is a window of level " + std::to_string(s.level) +
                    ", which there is not");
  if (window.origin.size() != rank)
    wrong.push_back(name + " begins at " + counted(window.origin.size(), "number") + " of " +
                    window.array->name + ", which has " + counted(rank, "dimension"));
  for (std::size_t d = 0; d < window.origin.size(); ++d)
    number(wrong, "begin of " + name + " along " + dimensionOf(window.array->name, d),
           window.origin[d]);
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const std::string where = dimensionOf(name, d);
    if (window.dims[d].of >= rank)
      wrong.push_back(where + " runs along " + dimensionOf(window.array->name, window.dims[d].of) +
                      ", which has " + counted(rank, "dimension"));
    number(wrong, "step of " + where, window.dims[d].step);
    extent(wrong, where, window.dims[d].extent, window.dims[d].bound);
  }
  return wrong;
}

std::vector<std::string> wrongCopy(const Stmt &s) {
  std::vector<std::string> wrong;
  const std::size_t numbers = s.copy->counters.size();
  const std::size_t dimensions = s.window->dims.size();
  if (numbers != dimensions)
    wrong.push_back(toString(s.target) + " is counted by " + counted(numbers, "number") +
                    ", and is a copy of a window with " + counted(dimensions, "dimension"));
  if (!contains(s.value, [&](const Expr &e) {
        return e.kind == ExprKind::Index && e.args[0]->var == s.window->array;
      }))
    wrong.push_back(toString(s.value) + " is no element of " + s.window->array->name +
                    ", of which it is copied");
  return wrong;
}

std::vector<std::string> wrongPadding(const ArrayRanks &ranks, const VarPtr &var,
                                      const PaddedArray &padded) {
  std::vector<std::string> wrong;
  const std::string &name = var->name;
  if (var->type.scalar != padded.array->type.scalar)
    wrong.push_back(name + " and " + padded.array->name + ", which it continues, differ in type");
  if (padded.edges.empty())
    wrong.push_back(name + " continues " + padded.array->name + " past no end");
  for (const Edge &edge : padded.edges) {
    const std::string where = dimensionOf(name, edge.of);
    if (edge.of >= ranks.of(padded.array.get()))
      wrong.push_back(where + " is continued, and there are " +
                      counted(ranks.of(padded.array.get()), "dimension"));
    number(wrong, "number before the begin of " + where, edge.before);
    number(wrong, "number after the end of " + where, edge.after);
    number(wrong, "begin of " + where, edge.origin);
    number(wrong, "step of " + where, edge.step);
    extent(wrong, where, edge.extent, edge.bound);
    if ((edge.boundary == Boundary::Constant) != (edge.beyond != nullptr))
      wrong.push_back("beyond " + where + " is " +
                      (edge.beyond ? "a value, and no constant is asked for" : "no value"));
  }
  return wrong;
}

} // namespace tangram::codegen
