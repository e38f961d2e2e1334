// Typed access to a JSON document that knows where it stands. Every problem is
// collected as `file: /json/pointer: expected ..., found ...`; after a problem
// reading goes on with a default, so that one pass reports them all.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// What is wrong with one document.
struct JsonProblems {
  std::string file;
  std::vector<std::string> messages;

  void add(const std::string &pointer, const std::string &message);
};

/// Parse `text`; a syntax error is one problem, with line and column.
std::optional<nlohmann::json> parseJson(const std::string &text, JsonProblems &problems);

/// `value` as a message shows it: the string "x", the number 3, an array, null.
std::string describe(const nlohmann::json &value);

/// One value of the document. A value that is missing has been reported; it
/// reads as "", 0 or empty without a second report.
class JsonValue {
public:
  JsonValue(const nlohmann::json *value, std::string pointer, JsonProblems &problems)
      : value(value), at(std::move(pointer)), problems(&problems) {}

  bool missing() const { return value == nullptr; }
  bool isNull() const { return value == nullptr || value->is_null(); }
  const std::string &pointer() const { return at; }
  const nlohmann::json *json() const { return value; }

  std::string string() const;
  std::string nonEmptyString() const;
  std::uint64_t number() const;
  std::vector<JsonValue> elements() const;
  std::vector<std::string> strings() const;

  /// Report "expected `expected`, found (this value)".
  void expected(const std::string &expected) const;
  /// Report any other problem with this value.
  void problem(const std::string &message) const;

private:
  friend class JsonObject;
  const nlohmann::json *value;
  std::string at;
  JsonProblems *problems;
};

/// The fields of an object. Fields never asked for are reported by finish(),
/// with the nearest known name.
class JsonObject {
public:
  explicit JsonObject(const JsonValue &value);

  /// Report it when it is not there.
  JsonValue required(const std::string &name);
  /// Missing without a report when it is not there.
  JsonValue optional(const std::string &name);
  void finish();

private:
  JsonValue whole;
  bool readable;
  std::vector<std::string> known;
};

} // namespace tangram::runtime
