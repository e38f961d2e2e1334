// The fields of model files, on the checked reader of json/: what is wrong becomes a ModelError.
#pragma once

#include "composer/machine/machine_vocabulary.h"
#include "json/reader.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tangram::composer {

using JsonPointer = nlohmann::json::json_pointer;

/// Collects the errors of one file.
struct ErrorSink : json::Report {
  explicit ErrorSink(std::string file) : file(std::move(file)) {}

  void add(const JsonPointer &pointer, const std::string &message) {
    problem(pointer.to_string(), message);
  }
  void problem(const std::string &pointer, const std::string &message) override;
  std::string describe(const nlohmann::json &value) const override;

  std::string file;
  ModelErrors errors;
  /// Fields that are there under a wrong name: their objects' pointers and the names that were meant. What is missing for
  /// that reason alone is no error of its own.
  std::set<std::pair<std::string, std::string>> misspelt;
};

using json::didYouMean;

/// The document, or nothing and an error (with line and column) in `sink`.
/// A key that stands twice in one object is an error, too.
std::optional<nlohmann::json> parseJson(const std::string &text, ErrorSink &sink);

struct Range {
  std::uint64_t min = 0;
  std::uint64_t max = UINT64_MAX;
};

/// One object of the document, with the fields it may have.
class JsonObject {
public:
  /// Reports a value that is no object, and fields not in `fields`. `what` is
  /// its kind in messages: "a level".
  JsonObject(const nlohmann::json &value, const JsonPointer &at, ErrorSink &sink,
             const std::string &what, const std::vector<std::string> &fields);

  bool isObject() const { return whole.json()->is_object(); }
  bool has(const std::string &field) const { return find(field) != nullptr; }
  const nlohmann::json *find(const std::string &field) const { return whole.member(field).json(); }
  /// Reports a missing field, unless it is there under a wrong name.
  void require(const std::string &field) const;
  JsonPointer pointer(const std::string &field) const { return at / field; }

  // Each returns nothing when the field is absent, or wrong (then reported).
  std::optional<std::string> text(const std::string &field) const;
  std::optional<bool> flag(const std::string &field) const;
  std::optional<std::uint64_t> number(const std::string &field, Range range) const;
  /// Any number above 0.
  std::optional<double> positive(const std::string &field) const;
  /// The elements of an array (null when absent or no array).
  const nlohmann::json *array(const std::string &field) const;
  /// Lines of text that are not empty, each once. With `allowed`, each one of them.
  std::vector<std::string> texts(const std::string &field,
                                 const std::vector<std::string> *allowed = nullptr) const;
  std::optional<std::string> oneOf(const std::string &field,
                                   const std::vector<std::string> &allowed) const;

  template <typename Value>
  std::optional<Value> word(const std::string &field, const Words<Value> &words) const {
    std::optional<std::string> name = oneOf(field, namesOf(words));
    for (const Word<Value> &word : words)
      if (name == word.name)
        return word.value;
    return std::nullopt;
  }

private:
  json::Value whole;
  JsonPointer at;
  const ErrorSink *sink;

  /// A text of one line, as all texts of models are: they go into comments and on terminals.
  static std::optional<std::string> lineOf(const json::Value &value);
  static std::optional<std::string> allowedWord(const json::Value &value,
                                                const std::vector<std::string> &allowed);
};

} // namespace tangram::composer
