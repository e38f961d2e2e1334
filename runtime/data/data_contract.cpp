#include "runtime/data/data_contract.h"

#include "runtime/data/elements.h"
#include "runtime/data/generate.h"
#include "runtime/data/npy_header.h"

#include <algorithm>

namespace tangram::runtime {

namespace {

/// Integer `i` of an array, whatever its type.
class Integers {
public:
  explicit Integers(const HostArray &array)
      : data(array.memory.data()), bytes(ir::byteSize(array.element)),
        isSigned(ir::isSigned(array.element)) {}

  __int128 operator[](std::uint64_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, data + i * bytes, bytes);
    if (!isSigned)
      return bits;
    const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
    return static_cast<std::int64_t>(bits << unused) >> unused;
  }

private:
  const std::byte *data;
  std::size_t bytes;
  bool isSigned;
};

std::string text(__int128 value) {
  return value < 0 ? std::to_string(static_cast<std::int64_t>(value))
                   : std::to_string(static_cast<std::uint64_t>(value));
}

/// The greatest value of an integer type.
__int128 greatest(ir::Scalar element) {
  const unsigned bits = 8 * static_cast<unsigned>(ir::byteSize(element));
  return UINT64_MAX >> (64 - bits + (ir::isSigned(element) ? 1 : 0));
}

/// As generators take numbers: negative ones in two's complement.
std::uint64_t bits(__int128 value) { return static_cast<std::uint64_t>(value); }

__int128 least(ir::Scalar element) { return ir::isSigned(element) ? -greatest(element) - 1 : 0; }

} // namespace

std::string DataRules::Rule::text() const {
  if (reals)
    return "within [" + low.text + ", " + high.text + ")";
  const bool within = kind == DataContract::Kind::Within;
  auto range = [&](const std::string &from, const std::string &to) {
    return within ? "[" + from + ", " + to + ")" : from + " to " + to;
  };
  std::string named = range(low.text, high.text);
  std::string numbers = range(runtime::text(low.value), runtime::text(high.value));
  return (within ? "within " : "ascending from ") + named +
         (named == numbers ? "" : " = " + numbers);
}

Result<DataRules> DataRules::of(const Signature &signature, const std::string &container,
                                const Bindings &bindings) {
  DataRules all;
  all.container = container;
  all.constants = signature.constants;
  for (const DataContract &contract : signature.data) {
    if (contract.parameter != container)
      continue;
    Rule rule{contract.kind, {contract.low.text(), 0}, {contract.high.text(), 0}, {}};
    if (contract.reals) {
      const auto [low, high] = *contract.reals;
      rule.low.text = shortest(low);
      rule.high.text = shortest(high);
      // Bounds are numbers of the parameter's type: 0.1f is within [0.1, 1).
      const Parameter *parameter = signature.parameter(container);
      const bool isFloat = parameter && parameter->element == ir::Scalar::F32;
      rule.reals = isFloat ? RealRange{static_cast<float>(low), static_cast<float>(high)}
                           : RealRange{low, high};
      all.rules.push_back(std::move(rule));
      continue;
    }
    for (auto [expression, bound] :
         {std::pair(&contract.low, &rule.low), {&contract.high, &rule.high}}) {
      Result<__int128> value = expression->evaluateSigned(bindings);
      if (!value)
        return refusal(container + ": " + value.error().message);
      bound->value = *value;
    }
    all.rules.push_back(std::move(rule));
  }
  return all;
}

Error DataRules::impossible(const Rule &rule, const HostArray &array) const {
  const std::uint64_t count = array.count();
  return refusal(container + ": " + std::to_string(count) +
                 (count == 1 ? " element " : " elements ") + rule.text() +
                 ": there are no such numbers");
}

Status DataRules::generate(HostArray &array, std::uint64_t seed, std::uint64_t stream,
                           DataKind kind) const {
  if (array.count() == 0 || rules.empty())
    return ok();
  if (const std::optional<RealRange> range = commonRange()) {
    if (range->isEmpty(array.element))
      return impossible(rules.front(), array);
    generateReals(array, *range, seed, stream, kind, constants);
    return ok();
  }
  const __int128 most = greatest(array.element);
  const Rule *ascending = nullptr;
  __int128 low = least(array.element), high = most + 1;
  for (const Rule &rule : rules) {
    if (rule.kind == DataContract::Kind::Ascending) {
      const bool fits = rule.low.value == rule.high.value ||
                        (rule.low.value < rule.high.value && array.count() > 1);
      if (!fits)
        return impossible(rule, array);
      for (const Bound &bound : {rule.low, rule.high}) {
        if (bound.value > most || bound.value < least(array.element))
          return refusal(container + ": " + numpyName(array.element) + " cannot hold " +
                         runtime::text(bound.value) + ", which " + bound.text + " is");
      }
      ascending = &rule;
      continue;
    }
    low = std::max(low, rule.low.value);
    high = std::min(high, rule.high.value);
    if (low >= high)
      return impossible(rule, array);
  }
  if (ascending)
    generateAscending(array, bits(ascending->low.value), bits(ascending->high.value), seed, stream,
                      kind);
  else
    generateWithin(array, low, high, seed, stream, kind, constants);
  // Several contracts on one container may ask for what only they together exclude.
  if (Status status = rules.size() > 1 ? check(array, container) : ok(); !status)
    return refusal(status.error().message);
  return ok();
}

Status DataRules::check(const HostArray &array, const std::string &source) const {
  for (const Rule &rule : rules) {
    Status status = rule.reals                                ? checkReals(rule, array, source)
                    : rule.kind == DataContract::Kind::Within ? checkWithin(rule, array, source)
                                                              : checkAscending(rule, array, source);
    if (!status)
      return status;
  }
  return ok();
}

/// What all rules allow of floating-point numbers; nothing where they are about integers.
std::optional<RealRange> DataRules::commonRange() const {
  std::optional<RealRange> range;
  for (const Rule &rule : rules) {
    if (rule.reals)
      range = range ? range->common(*rule.reals) : *rule.reals;
  }
  return range;
}

Status DataRules::checkReals(const Rule &rule, const HostArray &array,
                             const std::string &source) const {
  const Elements elements(array.element, array.memory);
  for (std::uint64_t i = 0; i < array.count(); ++i) {
    const double value = static_cast<double>(elements[i]);
    if (!(value >= rule.reals->low && value < rule.reals->high))
      return inputError(source + ": expected elements " + rule.text() + ", found " +
                        shortest(value) + " at " + indexText(array.shape, i));
  }
  return ok();
}

void DataRules::keep(ir::Scalar element, HostMemory &memory) const {
  if (const std::optional<RealRange> range = commonRange())
    range->clamp(element, memory);
}

Status DataRules::checkWithin(const Rule &rule, const HostArray &array,
                              const std::string &source) const {
  const Integers elements(array);
  const __int128 low = rule.low.value, high = rule.high.value;
  for (std::uint64_t i = 0; i < array.count(); ++i) {
    if (elements[i] < low || elements[i] >= high)
      return inputError(source + ": expected elements " + rule.text() + ", found " +
                        text(elements[i]) + " at " + indexText(array.shape, i));
  }
  return ok();
}

Status DataRules::checkAscending(const Rule &rule, const HostArray &array,
                                 const std::string &source) const {
  const Integers elements(array);
  auto wrong = [&](std::uint64_t i, const std::string &more) {
    return inputError(source + ": expected elements " + rule.text() + ", found " +
                      text(elements[i]) + " at " + indexText(array.shape, i) + more);
  };
  const std::uint64_t count = array.count();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i == 0 && elements[0] != rule.low.value)
      return wrong(0, "");
    if (i > 0 && elements[i] < elements[i - 1])
      return wrong(i, " after " + text(elements[i - 1]));
  }
  if (count > 0 && elements[count - 1] != rule.high.value)
    return wrong(count - 1, ", the last");
  return ok();
}

} // namespace tangram::runtime
