#include "codegen/cost/numbers_of_data.h"

#include <algorithm>
#include <ranges>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Of so many items that execute together, those that look at different places.
double different(const Samples &position, const std::vector<Around> &nest, double lanes,
                 const SampledValues &values) {
  double found = 1;
  for (const Walk &walk :
       std::views::reverse(walksOf(nest, position, byteSize(Scalar::I32), values))) {
    if (walk.kind != Walk::Kind::Items)
      continue;
    const double here = std::max(1.0, std::min(walk.count, lanes));
    lanes /= here;
    if (walk.stride != 0)
      found *= here;
  }
  return found;
}

} // namespace

std::vector<Samples> NumbersOfData::positions(const ExprPtr &e, const SampledValues &values) const {
  if (e->kind == ExprKind::Var) {
    const auto known = known_.find(e->var.get());
    return known == known_.end() ? std::vector<Samples>{} : known->second;
  }
  if (e->kind == ExprKind::Index && e->args.size() == 2 && e->args[0]->kind == ExprKind::Var) {
    const Buffer *buffer = plan_.bufferOf(e->args[0]->var);
    const bool data = buffer && !buffer->access.empty() && isInteger(e->type.scalar);
    return data ? std::vector<Samples>{values(e->args[1])} : std::vector<Samples>{};
  }
  std::vector<Samples> found;
  for (const ExprPtr &arg : e->args) {
    const std::vector<Samples> inside = positions(arg, values);
    found.insert(found.end(), inside.begin(), inside.end());
  }
  return found;
}

void NumbersOfData::assign(const Var *var, const ExprPtr &value, const SampledValues &values) {
  std::vector<Samples> found = positions(value, values);
  if (found.empty() || !isInteger(var->type.scalar))
    known_.erase(var);
  else
    known_[var] = std::move(found);
}

double NumbersOfData::longest(const ExprPtr &condition, const SampledValues &values,
                              const std::vector<Around> &nest, double lanes) const {
  double most = 1;
  for (const Samples &position : positions(condition, values))
    most = std::max(most, different(position, nest, lanes, values));
  double sum = 0;
  for (double i = 1; i <= most; ++i)
    sum += 1 / i;
  return sum;
}

} // namespace tangram::codegen
