#include "runtime/bundle/json_reader.h"

#include "ir/diagnostic.h"

#include <algorithm>

namespace tangram::runtime {

namespace {

std::string inQuotes(const std::string &text) { return "\"" + text + "\""; }

/// RFC 6901: '~' and '/' are escaped in a pointer.
std::string escaped(const std::string &name) {
  std::string text;
  for (char c : name)
    text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

} // namespace

void JsonProblems::add(const std::string &pointer, const std::string &message) {
  messages.push_back(file + ": " + (pointer.empty() ? "" : pointer + ": ") + message);
}

std::optional<nlohmann::json> parseJson(const std::string &text, JsonProblems &problems) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error &e) {
    // "[json.exception...] parse error at line 1, column 5: syntax error while parsing x - what"
    std::string what = e.what();
    std::size_t place = what.find("parse error at ");
    std::string where = place == std::string::npos ? what : what.substr(place + 15);
    std::size_t detail = where.find(": ");
    std::size_t reason = where.find(" - ");
    if (detail != std::string::npos && reason != std::string::npos)
      where = where.substr(0, detail) + ": " + where.substr(reason + 3);
    problems.add("", "expected a JSON document, found a syntax error at " + where);
    return std::nullopt;
  } catch (const nlohmann::json::out_of_range &e) {
    // "[json.exception.out_of_range.406] number overflow parsing '1e999'"
    std::string what = e.what();
    std::size_t quote = what.find('\'');
    problems.add("", "expected numbers that a double can hold, found " +
                         (quote == std::string::npos ? what : what.substr(quote)));
    return std::nullopt;
  }
}

std::string describe(const nlohmann::json &value) {
  switch (value.type()) {
  case nlohmann::json::value_t::null:
    return "null";
  case nlohmann::json::value_t::object:
    return "an object";
  case nlohmann::json::value_t::array:
    return "an array";
  case nlohmann::json::value_t::string:
    return "the string " + inQuotes(value.get<std::string>());
  case nlohmann::json::value_t::boolean:
    return value.get<bool>() ? "true" : "false";
  default:
    return "the number " + value.dump();
  }
}

void JsonValue::expected(const std::string &what) const {
  problem("expected " + what + ", found " + (value ? describe(*value) : "nothing"));
}

void JsonValue::problem(const std::string &message) const { problems->add(at, message); }

std::string JsonValue::string() const {
  if (missing())
    return {};
  if (!value->is_string()) {
    expected("a string");
    return {};
  }
  return value->get<std::string>();
}

std::string JsonValue::nonEmptyString() const {
  if (value && value->is_string() && value->get<std::string>().empty())
    expected("a string that is not empty");
  return string();
}

std::uint64_t JsonValue::number() const {
  if (missing())
    return 0;
  if (!value->is_number_unsigned()) {
    expected("an integer, 0 or more");
    return 0;
  }
  return value->get<std::uint64_t>();
}

std::vector<JsonValue> JsonValue::elements() const {
  std::vector<JsonValue> list;
  if (missing())
    return list;
  if (!value->is_array()) {
    expected("an array");
    return list;
  }
  for (std::size_t i = 0; i < value->size(); ++i)
    list.emplace_back(&(*value)[i], at + "/" + std::to_string(i), *problems);
  return list;
}

std::vector<std::string> JsonValue::strings() const {
  std::vector<std::string> list;
  for (const JsonValue &element : elements())
    list.push_back(element.string());
  return list;
}

JsonObject::JsonObject(const JsonValue &value)
    : whole(value), readable(value.value && value.value->is_object()) {
  if (value.value && !readable)
    value.expected("an object");
}

JsonValue JsonObject::required(const std::string &name) {
  JsonValue field = optional(name);
  if (field.missing() && readable)
    whole.problem("expected a field " + inQuotes(name) + ", found none");
  return field;
}

JsonValue JsonObject::optional(const std::string &name) {
  known.push_back(name);
  const nlohmann::json *field = nullptr;
  if (readable) {
    auto found = whole.value->find(name);
    field = found == whole.value->end() ? nullptr : &*found;
  }
  return {field, whole.at + "/" + escaped(name), *whole.problems};
}

void JsonObject::finish() {
  if (!readable)
    return;
  for (const auto &[name, field] : whole.value->items()) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    std::string near = ir::nearest(name, known);
    whole.problems->add(whole.at + "/" + escaped(name),
                        "expected no such field, found " + describe(field) +
                            (near.empty() ? "" : "; did you mean " + inQuotes(near) + "?"));
  }
}

} // namespace tangram::runtime
