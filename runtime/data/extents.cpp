#include "runtime/data/extents.h"

#include <algorithm>

namespace tangram::runtime {

namespace {

std::string textOf(const ShapeEquation &equation) {
  return equation.extent + " == " + equation.equals.text();
}

/// x with factor * x == offset; nothing when there is none in [0, 2^64).
std::optional<std::uint64_t> quotient(__int128 factor, __int128 offset) {
  if (factor == 0 || offset % factor != 0)
    return std::nullopt;
  __int128 x = offset / factor;
  if (x < 0 || x > static_cast<__int128>(UINT64_MAX))
    return std::nullopt;
  return static_cast<std::uint64_t>(x);
}

} // namespace

Status Extents::fix(const std::string &extent, std::uint64_t value, const std::string &by) {
  auto [place, isNew] = bindings.values.emplace(extent, value);
  if (isNew)
    fixedBy[extent] = by;
  else if (place->second != value)
    return inputError(by + ": expected " + extent + " = " + algebra::decimal(place->second) +
                      " as " + fixedBy[extent] + " has it, found " + std::to_string(value));
  return ok();
}

Status Extents::derive() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const ShapeEquation &equation : signature.shape) {
      if (Status status = apply(equation, changed); !status)
        return status;
    }
  }
  return ok();
}

Status Extents::apply(const ShapeEquation &equation, bool &changed) {
  std::vector<std::string> names = equation.equals.names();
  if (std::find(names.begin(), names.end(), equation.extent) == names.end())
    names.push_back(equation.extent);
  std::vector<std::string> unknown = unknownOf(names);
  if (unknown.size() > 1)
    return ok();
  return unknown.empty() ? compare(equation) : solve(equation, unknown[0], changed);
}

Status Extents::solve(const ShapeEquation &equation, const std::string &unknown, bool &changed) {
  const std::vector<std::string> &used = equation.equals.names();
  if (std::find(used.begin(), used.end(), unknown) == used.end()) {
    Result<std::uint64_t> value = equation.equals.evaluate(bindings);
    if (!value)
      return refusal("expected " + textOf(equation) + ", found " + value.error().message);
    changed = true;
    return fix(unknown, *value, textOf(equation));
  }
  std::optional<Linear> right = equation.equals.linearIn(unknown, bindings);
  if (!right)
    return ok();
  Linear left{1, 0};
  if (equation.extent != unknown)
    left = {0, bindings.values.at(equation.extent)};
  std::optional<std::uint64_t> value =
      quotient(right->factor - left.factor, left.offset - right->offset);
  if (value) {
    changed = true;
    return fix(unknown, *value, textOf(equation));
  }
  if (right->factor == left.factor && right->offset == left.offset)
    return ok();
  return inputError("expected " + textOf(equation) + ", found " + named(equation.extent) + ": no " +
                    unknown + " fits");
}

Status Extents::compare(const ShapeEquation &equation) const {
  Result<std::uint64_t> value = equation.equals.evaluate(bindings);
  if (!value)
    return refusal("expected " + textOf(equation) + ", found " + value.error().message);
  if (*value == bindings.values.at(equation.extent))
    return ok();
  return inputError("expected " + textOf(equation) + ", found " + named(equation.extent) +
                    side(equation.equals, *value));
}

/// " and y_size + 1 = 4 with y_size = 3 (y.npy)"; nothing when that is the text itself.
std::string Extents::side(const Expression &e, std::uint64_t value) const {
  if (e.names().empty())
    return "";
  if (e.names()[0] == e.text())
    return " and " + named(e.text());
  std::string text = " and " + e.text() + " = " + std::to_string(value);
  for (const std::string &name : e.names())
    text += (name == e.names()[0] ? " with " : ", ") + named(name);
  return text;
}

/// "y_size = 3 (y.npy)".
std::string Extents::named(const std::string &extent) const {
  auto value = bindings.values.find(extent);
  if (value == bindings.values.end())
    return "no " + extent;
  auto by = fixedBy.find(extent);
  return extent + " = " + algebra::decimal(value->second) +
         (by == fixedBy.end() ? "" : " (" + by->second + ")");
}

Status Extents::suggest(const Expression &expression, std::uint64_t value, const std::string &by) {
  std::vector<std::string> unknown = unknownOf(expression.names());
  if (unknown.size() != 1)
    return ok();
  std::optional<Linear> line = expression.linearIn(unknown[0], bindings);
  std::optional<std::uint64_t> x;
  if (line)
    x = quotient(line->factor, static_cast<__int128>(value) - line->offset);
  if (!x)
    return ok();
  if (Status status = fix(unknown[0], *x, by); !status)
    return status;
  return derive();
}

Status Extents::complete(const std::function<std::uint64_t(const std::string &)> &usual,
                         const std::string &by) {
  while (std::optional<std::string> open = nextOpen()) {
    if (Status status = fix(*open, usual(*open), by); !status)
      return status;
    if (Status status = derive(); !status)
      return status;
  }
  return ok();
}

std::optional<std::string> Extents::nextOpen() const {
  std::vector<std::string> open = unknownOf(signature.extents());
  for (const std::string &extent : open) {
    if (std::none_of(signature.shape.begin(), signature.shape.end(),
                     [&](const ShapeEquation &equation) { return equation.extent == extent; }))
      return extent;
  }
  return open.empty() ? std::nullopt : std::optional(open[0]);
}

/// Those of `names` that are extents without a value. A scalar without one is no size to look for.
std::vector<std::string> Extents::unknownOf(const std::vector<std::string> &names) const {
  std::vector<std::string> unknown;
  for (const std::string &name : names) {
    if (!knows(name) && bindings.unusable.count(name) == 0)
      unknown.push_back(name);
  }
  return unknown;
}

std::map<std::string, std::uint64_t> Extents::values() const {
  std::map<std::string, std::uint64_t> extents;
  for (const auto &[extent, by] : fixedBy)
    extents[extent] = bindings.values.at(extent);
  return extents;
}

} // namespace tangram::runtime
