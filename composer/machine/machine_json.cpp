#include "composer/machine/machine_json.h"

#include "escape/code_points.h"

#include <algorithm>

namespace tangram::composer {

using nlohmann::json;
using tangram::json::Value;

void ErrorSink::problem(const std::string &pointer, const std::string &message) {
  errors.push_back({file, pointer, message});
}

std::string ErrorSink::describe(const json &value) const { return tangram::json::shown(value); }

std::optional<json> parseJson(const std::string &text, ErrorSink &sink) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    sink.add(JsonPointer(), "expected a JSON object, found an empty file");
    return std::nullopt;
  }
  auto parsed = tangram::json::parse(text, [&](const std::string &at, const std::string &key) {
    sink.problem(at, "expected each field once, found " + inQuotes(key) + " twice");
  });
  if (const auto *failure = std::get_if<tangram::json::Failure>(&parsed)) {
    sink.add(JsonPointer(), failure->text);
    return std::nullopt;
  }
  return std::get<json>(std::move(parsed));
}

JsonObject::JsonObject(const json &value, const JsonPointer &at, ErrorSink &sink,
                       const std::string &what, const std::vector<std::string> &fields)
    : whole(&value, at.to_string(), sink), at(at), sink(&sink) {
  if (!isObject()) {
    whole.expected("an object (" + what + ")");
    return;
  }
  for (const auto &[key, unused] : value.items()) {
    if (std::find(fields.begin(), fields.end(), key) != fields.end())
      continue;
    std::string suggestion = didYouMean(key, fields);
    for (const std::string &field : fields) {
      if (suggestion.find(inQuotes(field)) != std::string::npos)
        sink.misspelt.emplace(at.to_string(), field);
    }
    if (suggestion.empty())
      suggestion = "; " + what + " has " + commaList(fields);
    whole.member(key).problem("unknown field " + inQuotes(key) + suggestion);
  }
}

void JsonObject::require(const std::string &field) const {
  if (isObject() && !has(field) && !sink->misspelt.contains({at.to_string(), field}))
    whole.problem("expected a field " + inQuotes(field) + ", found none");
}

std::optional<std::string> JsonObject::text(const std::string &field) const {
  const Value value = whole.member(field);
  return value.missing() ? std::nullopt : lineOf(value);
}

std::optional<std::string> JsonObject::lineOf(const Value &value) {
  if (!value.json()->is_string()) {
    value.expected("a string");
    return std::nullopt;
  }
  const std::string text = value.string();
  if (text.empty())
    value.expected("some text");
  else if (!escape::isPrintableLine(text))
    value.expected("a line of printable text");
  else
    return text;
  return std::nullopt;
}

std::optional<bool> JsonObject::flag(const std::string &field) const {
  const Value value = whole.member(field);
  if (value.missing())
    return std::nullopt;
  if (value.json()->is_boolean())
    return value.json()->get<bool>();
  value.expected("true or false");
  return std::nullopt;
}

std::optional<std::uint64_t> JsonObject::number(const std::string &field, Range range) const {
  const Value value = whole.member(field);
  if (value.missing())
    return std::nullopt;
  if (value.json()->is_number_unsigned()) {
    const auto number = value.json()->get<std::uint64_t>();
    if (number >= range.min && number <= range.max)
      return number;
  }
  value.expected("a whole number, " + std::to_string(range.min) +
                 (range.max == UINT64_MAX ? " or more" : " to " + std::to_string(range.max)));
  return std::nullopt;
}

std::optional<double> JsonObject::positive(const std::string &field) const {
  const Value value = whole.member(field);
  if (value.missing())
    return std::nullopt;
  if (value.json()->is_number() && value.json()->get<double>() > 0)
    return value.json()->get<double>();
  value.expected("a number above 0");
  return std::nullopt;
}

const json *JsonObject::array(const std::string &field) const {
  const Value value = whole.member(field);
  if (value.missing() || value.json()->is_array())
    return value.json();
  value.expected("an array");
  return nullptr;
}

std::vector<std::string> JsonObject::texts(const std::string &field,
                                           const std::vector<std::string> *allowed) const {
  std::vector<std::string> words;
  for (const Value &element : whole.member(field).elements()) {
    std::optional<std::string> word;
    if (allowed)
      word = allowedWord(element, *allowed);
    else
      word = lineOf(element);
    if (!word)
      continue;
    if (std::find(words.begin(), words.end(), *word) != words.end())
      element.problem("expected each value once, found " + inQuotes(*word) + " twice");
    else
      words.push_back(*word);
  }
  return words;
}

std::optional<std::string> JsonObject::oneOf(const std::string &field,
                                             const std::vector<std::string> &allowed) const {
  const Value value = whole.member(field);
  return value.missing() ? std::nullopt : allowedWord(value, allowed);
}

std::optional<std::string> JsonObject::allowedWord(const Value &value,
                                                   const std::vector<std::string> &allowed) {
  const std::string word = value.json()->is_string() ? value.string() : "";
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end())
    return word;
  value.problem("expected one of " + commaList(allowed) + ", found " + value.described() +
                didYouMean(word, allowed));
  return std::nullopt;
}

} // namespace tangram::composer
