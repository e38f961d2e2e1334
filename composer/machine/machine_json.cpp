#include "composer/machine/machine_json.h"

#include "ir/diagnostic.h"

#include <algorithm>
#include <set>

namespace tangram::composer {

using nlohmann::json;

namespace {

/// Where the parser stands, to name keys that occur twice: a JSON document
/// keeps the last one and would hide the mistake.
class KeyWatch {
public:
  explicit KeyWatch(ErrorSink &sink) : sink(sink) {}

  bool operator()(json::parse_event_t event, const json &parsed) {
    switch (event) {
    case json::parse_event_t::object_start:
    case json::parse_event_t::array_start:
      enterValue();
      frames.push_back({event == json::parse_event_t::array_start, 0, {}, {}});
      break;
    case json::parse_event_t::object_end:
    case json::parse_event_t::array_end:
      frames.pop_back();
      break;
    case json::parse_event_t::key:
      enterKey(parsed.get<std::string>());
      break;
    case json::parse_event_t::value:
      enterValue();
      break;
    }
    return true;
  }

private:
  struct Frame {
    bool array;
    std::size_t count; ///< elements seen
    std::string key;
    std::set<std::string> keys;
  };
  ErrorSink &sink;
  std::vector<Frame> frames;

  void enterValue() {
    if (!frames.empty() && frames.back().array)
      ++frames.back().count;
  }

  void enterKey(const std::string &key) {
    frames.back().key = key;
    if (frames.back().keys.insert(key).second)
      return;
    JsonPointer at;
    for (const Frame &frame : frames)
      at = frame.array ? at / (frame.count - 1) : at / frame.key;
    sink.add(at, "expected each field once, found " + inQuotes(key) + " twice");
  }
};

/// "line 3, column 5: syntax error while ... - unexpected ...; expected ..." of the library's
/// "[json.exception.parse_error.101] parse error at line 3, column 5: ...".
std::string syntaxError(std::string what) {
  std::size_t at = what.find("parse error at ");
  if (at != std::string::npos)
    what = what.substr(at + std::string("parse error at ").size());
  return what;
}

} // namespace

void ErrorSink::add(const JsonPointer &pointer, std::string message) {
  errors.push_back({file, pointer.to_string(), std::move(message)});
}

std::string describe(const json &value) {
  if (value.is_array())
    return value.empty() ? "an empty array" : "an array";
  if (value.is_object())
    return "an object";
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= 60 ? text : "a long " + std::string(value.type_name());
}

std::string didYouMean(const std::string &word, const std::vector<std::string> &candidates) {
  if (word.size() < 2) // one letter is near every other
    return "";
  std::string near = ir::nearest(word, candidates);
  return near.empty() ? "" : "; did you mean " + inQuotes(near) + "?";
}

std::optional<json> parseJson(const std::string &text, ErrorSink &sink) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    sink.add(JsonPointer(), "expected a JSON object, found an empty file");
    return std::nullopt;
  }
  KeyWatch watch(sink);
  try {
    return json::parse(
        text, [&](int, json::parse_event_t event, json &parsed) { return watch(event, parsed); });
  } catch (const json::exception &error) {
    sink.add(JsonPointer(), syntaxError(error.what()));
    return std::nullopt;
  }
}

JsonObject::JsonObject(const json &value, JsonPointer at, ErrorSink &sink, const std::string &what,
                       const std::vector<std::string> &fields)
    : at(std::move(at)), sink(sink) {
  if (!value.is_object()) {
    sink.add(this->at, "expected an object (" + what + "), found " + describe(value));
    return;
  }
  object = &value;
  for (const auto &[key, unused] : value.items()) {
    if (std::find(fields.begin(), fields.end(), key) != fields.end())
      continue;
    std::string suggestion = didYouMean(key, fields);
    if (suggestion.empty())
      suggestion = "; " + what + " has " + commaList(fields);
    sink.add(pointer(key), "unknown field " + inQuotes(key) + suggestion);
  }
}

const json *JsonObject::find(const std::string &field) const {
  if (!object)
    return nullptr;
  auto found = object->find(field);
  return found == object->end() ? nullptr : &*found;
}

const json *JsonObject::require(const std::string &field) const {
  const json *value = find(field);
  if (!value && object)
    sink.add(at, "expected a field " + inQuotes(field) + ", found none");
  return value;
}

std::optional<std::string> JsonObject::text(const std::string &field) const {
  const json *value = find(field);
  if (!value)
    return std::nullopt;
  if (value->is_string() && !value->get_ref<const std::string &>().empty())
    return value->get<std::string>();
  sink.add(pointer(field), value->is_string() ? "expected some text, found \"\""
                                              : "expected a string, found " + describe(*value));
  return std::nullopt;
}

std::optional<bool> JsonObject::flag(const std::string &field) const {
  const json *value = find(field);
  if (!value)
    return std::nullopt;
  if (value->is_boolean())
    return value->get<bool>();
  sink.add(pointer(field), "expected true or false, found " + describe(*value));
  return std::nullopt;
}

std::optional<std::uint64_t> JsonObject::number(const std::string &field, Range range) const {
  const json *value = find(field);
  if (!value)
    return std::nullopt;
  std::string upTo = range.max == UINT64_MAX ? " or more" : " to " + std::to_string(range.max);
  std::string expected = "expected a whole number, " + std::to_string(range.min) + upTo;
  bool inRange = value->is_number_unsigned() && value->get<std::uint64_t>() >= range.min &&
                 value->get<std::uint64_t>() <= range.max;
  if (inRange)
    return value->get<std::uint64_t>();
  sink.add(pointer(field), expected + ", found " + describe(*value));
  return std::nullopt;
}

const json *JsonObject::array(const std::string &field) const {
  const json *value = find(field);
  if (!value || value->is_array())
    return value;
  sink.add(pointer(field), "expected an array, found " + describe(*value));
  return nullptr;
}

std::vector<std::string> JsonObject::texts(const std::string &field,
                                           const std::vector<std::string> *allowed) const {
  std::vector<std::string> words;
  const json *elements = array(field);
  if (!elements)
    return words;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    const json &element = (*elements)[i];
    JsonPointer where = pointer(field) / i;
    std::optional<std::string> word;
    if (allowed)
      word = allowedWord(element, where, *allowed);
    else if (element.is_string())
      word = element.get<std::string>();
    else
      sink.add(where, "expected a string, found " + describe(element));
    if (!word)
      continue;
    if (std::find(words.begin(), words.end(), *word) != words.end())
      sink.add(where, "expected each value once, found " + inQuotes(*word) + " twice");
    else
      words.push_back(*word);
  }
  return words;
}

std::optional<std::string> JsonObject::oneOf(const std::string &field,
                                             const std::vector<std::string> &allowed) const {
  const json *value = find(field);
  return value ? allowedWord(*value, pointer(field), allowed) : std::nullopt;
}

std::optional<std::string> JsonObject::allowedWord(const json &value, const JsonPointer &where,
                                                   const std::vector<std::string> &allowed) const {
  std::string word = value.is_string() ? value.get<std::string>() : "";
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end())
    return word;
  sink.add(where, "expected one of " + commaList(allowed) + ", found " + describe(value) +
                      didYouMean(word, allowed));
  return std::nullopt;
}

} // namespace tangram::composer
