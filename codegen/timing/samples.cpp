#include "codegen/timing/samples.h"

#include "ir/large_literal.h"

#include <algorithm>
#include <cmath>

namespace tangram::codegen {

using namespace ir;

namespace {

double cutOff(double value, Scalar type) {
  return isFloating(type) || type == Scalar::Void ? value : std::trunc(value);
}

double apply(Operator op, double a, double b, bool integers) {
  using enum Operator::Code;
  switch (op.code()) {
  case Multiply:
    return a * b;
  case Divide:
    return b == 0 ? 0 : integers ? std::trunc(a / b) : a / b;
  case Remainder:
    return b == 0 ? 0 : std::fmod(a, b);
  case Add:
    return a + b;
  case Subtract:
    return a - b;
  case ShiftLeft:
    return a * std::exp2(b);
  case ShiftRight:
    return std::floor(a / std::exp2(b));
  case Less:
    return a < b;
  case LessOrEqual:
    return a <= b;
  case Greater:
    return a > b;
  case GreaterOrEqual:
    return a >= b;
  case Equal:
    return a == b;
  case NotEqual:
    return a != b;
  case And:
    return a != 0 && b != 0;
  case Or:
    return a != 0 || b != 0;
  case BitAnd:
  case BitXor:
  case BitOr: {
    const auto x = static_cast<std::int64_t>(a);
    const auto y = static_cast<std::int64_t>(b);
    return static_cast<double>(op == Operator(BitAnd)  ? x & y
                               : op == Operator(BitOr) ? x | y
                                                       : x ^ y);
  }
  default:
    return SampledValues::unknown;
  }
}

/// Any number below `range`, the same for the same position.
double scattered(double position, double range) {
  auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(position));
  bits = (bits + 1) * 0x9e3779b97f4a7c15u;
  bits ^= bits >> 29;
  bits *= 0xbf58476d1ce4e5b9u;
  return range <= 0 ? 0 : std::floor(static_cast<double>(bits >> 11) / 0x1p53 * range);
}

} // namespace

/// In the middle of as many parts: the last groups of all often have less to do, or nothing. And after a third or two
/// of a row of groups, if that has a power of two of them: those at its ends are few.
double Samples::groupTried(std::size_t part, double groups) {
  const double middle =
      std::floor(groups * (static_cast<double>(part) + 0.5) / Samples::groupsTried);
  double row = 1;
  double third = 0; // of it, in turn rounded down and up
  for (bool up = part % 2 == 0; row <= groups / 32; row *= 2, up = !up)
    third += up ? row : 0;
  return std::floor(middle / row) * row + third;
}

double Samples::itemTried(std::size_t number, double items) {
  static constexpr std::array<double, betweenTried> parts{1.0 / 5, 1.0 / 3, 2.0 / 3, 4.0 / 5};
  return std::floor(items * parts.at(number));
}

Samples Samples::numberOfGroups(double groups) {
  Samples number = all(0);
  for (std::size_t i = 0; i < groupsTried; ++i)
    number.at[Samples::groups + i] = groupTried(i, groups);
  return number;
}

Samples Samples::numberOfItems(double items) {
  Samples number = all(0);
  number.at[middleItem] = std::floor((items - 1) / 2);
  number.at[lastItem] = items - 1;
  for (std::size_t i = 0; i < betweenTried; ++i)
    number.at[between + i] = itemTried(i, items);
  return number;
}

Samples Samples::opposite() const {
  Samples result = *this;
  for (double &each : result.at)
    each = each > 0 && each < 1 ? 1 - each : each == 0;
  return result;
}

Samples Samples::after(double rounds, const Samples &next) const {
  Samples end = *this;
  for (std::size_t i = 0; i < most; ++i)
    end.at[i] += std::floor(rounds) * (next.at[i] - at[i]);
  return end;
}

SampledValues::SampledValues(const LoweredPlan &plan, const std::map<const Var *, double> &sizes)
    : plan_(plan) {
  for (const auto &[var, size] : sizes)
    values_[var] = Samples::all(size);
}

Samples SampledValues::operator()(const ExprPtr &e) const {
  Samples result = Samples::all(unknown);
  switch (e->kind) {
  case ExprKind::Literal:
    return Samples::all(isFloating(e->type.scalar) ? e->real
                        : isAboveSigned(*e)
                            ? static_cast<double>(static_cast<std::uint64_t>(e->integer))
                            : static_cast<double>(e->integer));
  case ExprKind::Var: {
    const auto known = values_.find(e->var.get());
    return known == values_.end() ? result : known->second;
  }
  case ExprKind::Unary: {
    const Samples a = (*this)(e->args[0]);
    for (std::size_t i = 0; i < Samples::most; ++i)
      result.at[i] = e->op == "-" ? -a.at[i] : e->op == "!" ? a.at[i] == 0 : a.at[i];
    return result;
  }
  case ExprKind::Binary: {
    const Samples a = (*this)(e->args[0]);
    const Samples b = (*this)(e->args[1]);
    const bool integers = !isFloating(e->type.scalar);
    if (integers && (e->op == "/" || e->op == "%"))
      noteRow(a, b);
    for (std::size_t i = 0; i < Samples::most; ++i)
      result.at[i] = apply(e->op, a.at[i], b.at[i], integers);
    return result;
  }
  case ExprKind::Select: {
    const Samples condition = (*this)(e->args[0]);
    const Samples then = (*this)(e->args[1]);
    const Samples otherwise = (*this)(e->args[2]);
    for (std::size_t i = 0; i < Samples::most; ++i)
      result.at[i] = condition.at[i] != 0 ? then.at[i] : otherwise.at[i];
    return result;
  }
  case ExprKind::Cast: {
    const Samples a = (*this)(e->args[0]);
    for (std::size_t i = 0; i < Samples::most; ++i)
      result.at[i] = cutOff(a.at[i], e->type.scalar);
    return result;
  }
  case ExprKind::Call: {
    if (e->args.size() != 2 || (e->callee != "min" && e->callee != "max"))
      return result;
    const Samples a = (*this)(e->args[0]);
    const Samples b = (*this)(e->args[1]);
    for (std::size_t i = 0; i < Samples::most; ++i)
      result.at[i] = e->callee == "min" ? std::min(a.at[i], b.at[i]) : std::max(a.at[i], b.at[i]);
    return result;
  }
  case ExprKind::Index:
    return element(*e);
  default:
    return result;
  }
}

void SampledValues::noteRow(const Samples &number, const Samples &by) const {
  const double row = by.at[Samples::base];
  const bool ofGroup = std::equal(number.at.begin() + Samples::groups,
                                  number.at.begin() + Samples::groups + Samples::groupsTried,
                                  groups_.number.at.begin() + Samples::groups);
  if (ofGroup && groups_.count > row && row > 1)
    rowsOfGroups_.insert(row);
}

SampledValues::Own SampledValues::ownPart(const Samples &position, const Samples &count) const {
  Own own{position, count};
  const double each = position.at[groups_.next] - position.at[Samples::base];
  const double missing = count.at[Samples::base] - each * groups_.count;
  if (groups_.count <= 1 || each <= 1 || std::abs(missing) >= each)
    return own;
  own.count = Samples::all(each);
  for (std::size_t i = 0; i < Samples::most; ++i)
    own.position.at[i] -= each * groups_.number.at[i];
  return own;
}

Samples SampledValues::element(const Expr &e) const {
  Samples result = Samples::all(unknown);
  const ExprPtr &array = e.args[0];
  if (array->kind != ExprKind::Var || e.args.size() != 2)
    return result;
  if (const auto known = elements_.find(array->var.get()); known != elements_.end())
    return known->second;
  const Buffer *buffer = plan_.bufferOf(array->var);
  // Numbers that workers left for each other are mostly places, which grow from element to element.
  if (buffer && buffer->access.empty() && isInteger(e.type.scalar)) {
    result = (*this)(e.args[1]);
    for (double &each : result.at)
      each = std::max(each, unknown);
  }
  // What the caller guarantees of an array holds for all of it, what a codelet requires of its own for that
  // of each group.
  auto keeps = [&](const DataContract &contract, bool ownArray) {
    if (contract.container != array->var || !isInteger(e.type.scalar))
      return;
    const Samples low = (*this)(contract.low);
    const Samples high = (*this)(contract.high);
    const Samples count = buffer ? (*this)(buffer->count) : result;
    const Samples position = (*this)(e.args[1]);
    const Own own = ownArray ? ownPart(position, count) : Own{position, count};
    for (std::size_t i = 0; i < Samples::most; ++i) {
      const double range = high.at[i] - low.at[i];
      result.at[i] =
          low.at[i] + (contract.kind == "ascending" ? std::floor(own.position.at[i] * range /
                                                                 std::max(own.count.at[i] - 1, 1.0))
                                                    : scattered(position.at[i], range));
    }
  };
  for (const DataContract &contract : plan_.data)
    keeps(contract, false);
  for (const DataContract &contract : plan_.relied)
    keeps(contract, true);
  return result;
}

} // namespace tangram::codegen
