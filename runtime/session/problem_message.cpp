#include "runtime/session/problem_message.h"

#include <cstring>

namespace tangram::runtime {

namespace {

class Writer {
public:
  void number(std::uint64_t value) { raw(&value, sizeof value); }
  void text(const std::string &value) { bytes(value.data(), value.size()); }
  void bytes(const void *data, std::size_t count) {
    number(count);
    raw(data, count);
  }
  void numbers(const std::map<std::string, std::uint64_t> &values) {
    number(values.size());
    for (const auto &[name, value] : values) {
      text(name);
      number(value);
    }
  }
  /// Each by its sign and its magnitude.
  void integers(const std::map<std::string, __int128> &values) {
    number(values.size());
    for (const auto &[name, value] : values) {
      text(name);
      number(value < 0 ? 1 : 0);
      number(static_cast<std::uint64_t>(value < 0 ? -value : value));
    }
  }

  std::vector<std::byte> message;

private:
  void raw(const void *data, std::size_t count) {
    const auto *first = static_cast<const std::byte *>(data);
    message.insert(message.end(), first, first + count);
  }
};

class Reader {
public:
  explicit Reader(const std::vector<std::byte> &message) : next(message.data()) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, next, sizeof value);
    next += sizeof value;
    return value;
  }
  std::string text() {
    std::string value(number(), '\0');
    std::memcpy(value.data(), next, value.size());
    next += value.size();
    return value;
  }
  HostMemory memory() {
    HostMemory value(number());
    std::memcpy(value.data(), next, value.bytes());
    next += value.bytes();
    return value;
  }
  std::map<std::string, __int128> integers() {
    std::map<std::string, __int128> values;
    for (std::uint64_t left = number(); left > 0; --left) {
      const std::string name = text();
      const bool isNegative = number() != 0;
      const std::uint64_t magnitude = number();
      values[name] = isNegative ? -static_cast<__int128>(magnitude) : magnitude;
    }
    return values;
  }
  std::map<std::string, std::uint64_t> numbers() {
    std::map<std::string, std::uint64_t> values;
    for (std::uint64_t left = number(); left > 0; --left) {
      std::string name = text();
      values[name] = number();
    }
    return values;
  }

private:
  const std::byte *next;
};

} // namespace

std::vector<std::byte> messageOf(const std::string &manifest, const Problem &problem,
                                 const TunableValues &tunables, const Bindings &bindings) {
  Writer to;
  to.text(manifest);
  to.numbers(problem.extents);
  to.number(problem.arguments.size());
  for (const HostArray &array : problem.arguments) {
    to.number(static_cast<std::uint64_t>(array.element));
    to.number(array.shape.size());
    for (std::uint64_t extent : array.shape)
      to.number(extent);
    to.bytes(array.memory.data(), array.memory.bytes());
  }
  to.numbers(tunables);
  to.integers(bindings.values);
  to.number(bindings.unusable.size());
  for (const auto &[name, why] : bindings.unusable) {
    to.text(name);
    to.text(why);
  }
  return std::move(to.message);
}

PreparedProblem problemOf(const std::vector<std::byte> &message) {
  Reader from(message);
  PreparedProblem made;
  made.bundle = from.text();
  made.problem.extents = from.numbers();
  for (std::uint64_t left = from.number(); left > 0; --left) {
    HostArray &array = made.problem.arguments.emplace_back();
    array.element = static_cast<ir::Scalar>(from.number());
    array.shape.resize(from.number());
    for (std::uint64_t &extent : array.shape)
      extent = from.number();
    array.memory = from.memory();
  }
  made.problem.filled = true;
  made.tunables = from.numbers();
  made.bindings.values = from.integers();
  for (std::uint64_t left = from.number(); left > 0; --left) {
    std::string name = from.text();
    made.bindings.unusable[name] = from.text();
  }
  return made;
}

} // namespace tangram::runtime
