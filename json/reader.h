// Reading JSON that somebody may have written by hand: every access is checked, and what is wrong is
// reported with its place as a JSON pointer. Reading goes on with a default, so that all mistakes of
// a document are found at once. Hardware models, manifests and plans are read with it.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tangram::json {

using Json = nlohmann::json;

/// Who is told what is wrong with a document, and how values look in what is told.
class Report {
public:
  virtual ~Report() = default;
  virtual void problem(const std::string &pointer, const std::string &message) = 0;
  /// For "expected ..., found VALUE".
  virtual std::string describe(const Json &value) const = 0;
};

/// A value itself where it is short: "x", 3, an array, an empty array, a long string.
std::string shown(const Json &value);
/// A value and what it is: the string "x", the number 3, an array, null.
std::string shownWithKind(const Json &value);

/// A document as text, also where a string of it is no UTF-8 (the bytes are U+FFFD), with nothing in it
/// that a terminal could take for more than text. `indent`: blanks a level; -1: all on one line.
std::string dumped(const Json &document, int indent = -1);
std::string dumped(const nlohmann::ordered_json &document, int indent = -1);

/// The text as JSON writes it: in quotes, control characters escaped.
std::string inQuotes(const std::string &text);

/// `; did you mean "x"?` where a candidate is near, else empty. One letter is near every other.
std::string didYouMean(const std::string &word, const std::vector<std::string> &candidates);

/// Arrays and objects in each other that a document may have: readers follow them by recursion.
inline constexpr std::size_t mostNesting = 256;

/// Why a text is no document.
struct Failure {
  bool syntax = true; ///< else a number that no double holds
  std::string
      text; ///< "line 3, column 5: syntax error while parsing ... - ...", "line 3, column 5: arrays and
            ///< objects nested deeper than 256"; or that number
};

/// Told the pointer and the key that stands twice in one object; the document keeps the last one.
using OnTwice = std::function<void(const std::string &pointer, const std::string &key)>;

std::variant<Json, Failure> parse(const std::string &text, const OnTwice &onTwice = {});

/// Reports texts of a document that are no line of printable text.
void checkPrintable(const Json &document, Report &report);

/// One value of a document. One that is missing has been reported; it reads as "", 0 or empty
/// without a second report.
class Value {
public:
  Value(const Json *value, std::string pointer, Report &report)
      : value_(value), at_(std::move(pointer)), report_(&report) {}

  bool missing() const { return value_ == nullptr; }
  bool isNull() const { return value_ == nullptr || value_->is_null(); }
  const std::string &pointer() const { return at_; }
  const Json *json() const { return value_; }

  /// Member of an object, missing where it has none, or is none.
  Value member(const std::string &name) const;

  std::string string() const;
  std::string nonEmptyString() const;
  std::uint64_t number() const;
  std::vector<Value> elements() const;
  std::vector<std::string> strings() const;

  std::string described() const;
  /// Report "expected `expected`, found (this value)".
  void expected(const std::string &expected) const;
  /// Report any other problem with this value.
  void problem(const std::string &message) const;

private:
  const Json *value_;
  std::string at_;
  Report *report_;
};

/// The fields of an object. finish() reports those never asked for, with the nearest known name.
class Object {
public:
  explicit Object(const Value &value);

  /// Report it when it is not there.
  Value required(const std::string &name);
  /// Missing without a report when it is not there.
  Value optional(const std::string &name);
  void finish();

private:
  Value whole_;
  bool readable_;
  std::vector<std::string> known_;
};

} // namespace tangram::json
