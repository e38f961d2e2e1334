#include "runtime/data/command_values.h"

#include <charconv>
#include <optional>

namespace tangram::runtime {

namespace {

std::optional<std::uint64_t> plainNumber(const std::string &text) {
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// Decimal, or a power "2^24".
std::optional<std::uint64_t> number(const std::string &text) {
  std::size_t hat = text.find('^');
  if (hat == std::string::npos)
    return plainNumber(text);
  std::optional<std::uint64_t> base = plainNumber(text.substr(0, hat));
  std::optional<std::uint64_t> exponent = plainNumber(text.substr(hat + 1));
  if (!base || !exponent || *exponent > 64)
    return std::nullopt;
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < *exponent; ++i) {
    if (__builtin_mul_overflow(power, *base, &power))
      return std::nullopt;
  }
  return power;
}

/// "a,b,,c" -> a, b, (empty), c: an empty piece is the caller's error to report.
std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> pieces(1);
  for (char c : text) {
    if (c == separator)
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}

/// Named lists in order of first appearance; "" names what has no name.
template <class T> struct Axes {
  std::vector<std::string> names;
  std::map<std::string, std::vector<T>> values;

  void add(const std::string &name, T value) {
    if (values.count(name) == 0)
      names.push_back(name);
    values[name].push_back(std::move(value));
  }
};

using Shape = std::vector<std::uint64_t>;

std::optional<Shape> shape(const std::string &text) {
  Shape extents;
  for (const std::string &piece : split(text, 'x')) {
    std::optional<std::uint64_t> extent = number(piece);
    if (!extent)
      return std::nullopt;
    extents.push_back(*extent);
  }
  return extents;
}

/// What would do instead of what is no size of all containers.
std::string remedy(const std::string &option, const std::string &piece,
                   const std::optional<Shape> &extents) {
  if (extents)
    return "; a shape is one container's: " + option + " NAME=" + piece;
  const std::size_t equals = piece.find('=');
  if (equals == std::string::npos || !shape(piece.substr(equals + 1)))
    return "";
  return equals == 0 ? "; a name stands before the =: " + option + " NAME" + piece
                     : "; each container has a " + option + " of its own: " + option + " " + piece;
}

} // namespace

Result<std::vector<SizeChoice>> parseSizes(const std::vector<std::string> &words,
                                           const std::string &option) {
  Axes<Shape> axes;
  SizeChoice none;
  none.option = option;
  for (const std::string &word : words) {
    std::size_t equals = word.find('=');
    std::string name = equals == std::string::npos ? "" : word.substr(0, equals);
    for (const std::string &piece : split(word.substr(name.empty() ? 0 : equals + 1), ',')) {
      std::optional<Shape> extents = shape(piece);
      if (!extents || (name.empty() && extents->size() > 1))
        return usageError(option + " " + word + ": expected a size such as 1000 or 2^24, found " +
                          (piece.empty() ? "nothing" : piece) + remedy(option, piece, extents));
      axes.add(name, *extents);
    }
    none.words[name] = word;
  }
  std::vector<SizeChoice> choices{std::move(none)};
  for (const std::string &name : axes.names) {
    std::vector<SizeChoice> product;
    for (const SizeChoice &choice : choices) {
      for (const Shape &extents : axes.values[name]) {
        product.push_back(choice);
        if (name.empty())
          product.back().all = extents[0];
        else
          product.back().named[name] = extents;
      }
    }
    choices = std::move(product);
  }
  return choices;
}

Result<std::vector<TunableValues>> parseSettings(const std::vector<std::string> &words) {
  Axes<std::uint64_t> axes;
  for (const std::string &word : words) {
    std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return usageError("--set " + word + ": expected NAME=VALUE[,VALUE...]");
    for (const std::string &piece : split(word.substr(equals + 1), ',')) {
      std::optional<std::uint64_t> value = number(piece);
      if (!value)
        return usageError("--set " + word + ": expected an integer, 0 or more, found " +
                          (piece.empty() ? "nothing" : piece));
      axes.add(word.substr(0, equals), *value);
    }
  }
  std::vector<TunableValues> settings{TunableValues{}};
  for (const std::string &name : axes.names) {
    std::vector<TunableValues> product;
    for (const TunableValues &setting : settings) {
      for (std::uint64_t value : axes.values[name]) {
        product.push_back(setting);
        product.back()[name] = value;
      }
    }
    settings = std::move(product);
  }
  return settings;
}

Result<std::map<std::string, std::string>> parseNamed(const std::string &option,
                                                      const std::vector<std::string> &words) {
  std::map<std::string, std::string> named;
  for (const std::string &word : words) {
    std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      return usageError(option + " " + word + ": expected NAME=FILE");
    std::string name = word.substr(0, equals);
    if (!named.emplace(name, word.substr(equals + 1)).second)
      return usageError(option + " " + word + ": " + name + " is given a second time");
  }
  return named;
}

} // namespace tangram::runtime
