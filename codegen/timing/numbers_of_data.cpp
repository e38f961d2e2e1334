#include "codegen/timing/numbers_of_data.h"

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

/// Places that are looked at of one number. What a loop carries may be made of more from round to round: of those beyond
/// it is assumed that they lie as these do.
constexpr std::size_t mostPositions = 32;

void add(const Samples &position, std::vector<Samples> &to) {
  const auto isSame = [&](const Samples &each) { return each.at == position.at; };
  if (to.size() < mostPositions && std::ranges::none_of(to, isSame))
    to.push_back(position);
}

} // namespace

std::vector<Samples> NumbersOfData::positions(const ExprPtr &e, const SampledValues &values) const {
  std::vector<Samples> found;
  collect(e, values, found);
  return found;
}

void NumbersOfData::collect(const ExprPtr &e, const SampledValues &values,
                            std::vector<Samples> &into) const {
  if (e->kind == ExprKind::Var) {
    if (const auto known = known_.find(e->var.get()); known != known_.end())
      std::ranges::for_each(known->second, [&](const Samples &each) { add(each, into); });
    return;
  }
  if (e->kind == ExprKind::Index && e->args.size() == 2 && e->args[0]->kind == ExprKind::Var) {
    const Buffer *buffer = plan_.bufferOf(e->args[0]->var);
    if (buffer && !buffer->access.empty() && isInteger(e->type.scalar))
      add(values(e->args[1]), into);
    return;
  }
  for (const ExprPtr &arg : e->args)
    collect(arg, values, into);
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
