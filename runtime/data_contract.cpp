#include "runtime/data_contract.h"

#include "runtime/generate.h"
#include "runtime/npy_header.h"

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
std::uint64_t greatest(ir::Scalar element) {
  const unsigned bits = 8 * static_cast<unsigned>(ir::byteSize(element));
  return UINT64_MAX >> (64 - bits + (ir::isSigned(element) ? 1 : 0));
}

} // namespace

std::string DataRules::Rule::text() const {
  const bool within = kind == DataContract::Kind::Within;
  auto range = [&](const std::string &from, const std::string &to) {
    return within ? "[" + from + ", " + to + ")" : from + " to " + to;
  };
  std::string named = range(low.text, high.text);
  std::string numbers = range(std::to_string(low.value), std::to_string(high.value));
  return (within ? "within " : "ascending from ") + named +
         (named == numbers ? "" : " = " + numbers);
}

Result<DataRules> DataRules::of(const Signature &signature, const std::string &container,
                                const Bindings &bindings) {
  DataRules all;
  all.container = container;
  for (const DataContract &contract : signature.data) {
    if (contract.parameter != container)
      continue;
    Rule rule{contract.kind, {contract.low.text(), 0}, {contract.high.text(), 0}};
    for (auto [expression, bound] :
         {std::pair(&contract.low, &rule.low), {&contract.high, &rule.high}}) {
      Result<std::uint64_t> value = expression->evaluate(bindings);
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

Status DataRules::generate(HostArray &array, std::uint64_t seed, std::uint64_t stream) const {
  if (array.count() == 0)
    return ok();
  const std::uint64_t most = greatest(array.element);
  const Rule *ascending = nullptr;
  std::uint64_t low = 0, high = most == UINT64_MAX ? most : most + 1;
  for (const Rule &rule : rules) {
    if (rule.kind == DataContract::Kind::Ascending) {
      const bool fits = rule.low.value == rule.high.value ||
                        (rule.low.value < rule.high.value && array.count() > 1);
      if (!fits)
        return impossible(rule, array);
      if (rule.high.value > most)
        return refusal(container + ": " + numpyName(array.element) + " cannot hold " +
                       std::to_string(rule.high.value) + ", which " + rule.high.text + " is");
      ascending = &rule;
      continue;
    }
    low = std::max(low, rule.low.value);
    high = std::min(high, rule.high.value);
    if (low >= high)
      return impossible(rule, array);
  }
  if (ascending)
    generateAscending(array, ascending->low.value, ascending->high.value, seed, stream);
  else
    generateWithin(array, low, high, seed, stream);
  // Several contracts on one container may ask for what only they together exclude.
  if (Status status = rules.size() > 1 ? check(array, container) : ok(); !status)
    return refusal(status.error().message);
  return ok();
}

Status DataRules::check(const HostArray &array, const std::string &source) const {
  for (const Rule &rule : rules) {
    Status status = rule.kind == DataContract::Kind::Within ? checkWithin(rule, array, source)
                                                            : checkAscending(rule, array, source);
    if (!status)
      return status;
  }
  return ok();
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
    if (i == 0 && elements[0] != static_cast<__int128>(rule.low.value))
      return wrong(0, "");
    if (i > 0 && elements[i] < elements[i - 1])
      return wrong(i, " after " + text(elements[i - 1]));
  }
  if (count > 0 && elements[count - 1] != static_cast<__int128>(rule.high.value))
    return wrong(count - 1, ", the last");
  return ok();
}

} // namespace tangram::runtime
