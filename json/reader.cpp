#include "json/reader.h"

#include "escape/code_points.h"
#include "escape/escape.h"
#include "ir/diagnostic.h"

#include <algorithm>
#include <set>

namespace tangram::json {

namespace {

/// RFC 6901: '~' and '/' are escaped in a pointer.
std::string escaped(const std::string &name) {
  std::string text;
  for (char c : name)
    text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

/// Where a text nests deeper than any document does; empty: nowhere.
std::string tooDeepAt(const std::string &text) {
  std::size_t depth = 0, line = 1, lineStart = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      lineStart = i + 1;
    }
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > mostNesting)
      return "line " + std::to_string(line) + ", column " + std::to_string(i - lineStart + 1);
    else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return {};
}

/// Where the parser stands, to name keys that occur twice.
class KeyWatch {
public:
  explicit KeyWatch(const OnTwice &onTwice) : onTwice_(onTwice) {}

  bool operator()(Json::parse_event_t event, const Json &parsed) {
    switch (event) {
    case Json::parse_event_t::object_start:
    case Json::parse_event_t::array_start:
      enterValue();
      frames_.push_back({event == Json::parse_event_t::array_start, 0, {}, {}});
      break;
    case Json::parse_event_t::object_end:
    case Json::parse_event_t::array_end:
      frames_.pop_back();
      break;
    case Json::parse_event_t::key:
      enterKey(parsed.get<std::string>());
      break;
    case Json::parse_event_t::value:
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

  void enterValue() {
    if (!frames_.empty() && frames_.back().array)
      ++frames_.back().count;
  }

  void enterKey(const std::string &key) {
    frames_.back().key = key;
    if (frames_.back().keys.insert(key).second)
      return;
    std::string at;
    for (const Frame &frame : frames_)
      at += "/" + (frame.array ? std::to_string(frame.count - 1) : escaped(frame.key));
    onTwice_(at, key);
  }

  const OnTwice &onTwice_;
  std::vector<Frame> frames_;
};

} // namespace

std::string shown(const Json &value) {
  if (value.is_array())
    return value.empty() ? "an empty array" : "an array";
  if (value.is_object())
    return "an object";
  std::string text = dumped(value);
  return text.size() <= 60 ? text : "a long " + std::string(value.type_name());
}

std::string shownWithKind(const Json &value) {
  switch (value.type()) {
  case Json::value_t::null:
    return "null";
  case Json::value_t::object:
    return "an object";
  case Json::value_t::array:
    return "an array";
  case Json::value_t::string:
    return "the string " + dumped(value);
  case Json::value_t::boolean:
    return value.get<bool>() ? "true" : "false";
  default:
    return "the number " + dumped(value);
  }
}

std::string dumped(const Json &document, int indent) {
  return escape::json(document.dump(indent, ' ', false, Json::error_handler_t::replace));
}

std::string dumped(const nlohmann::ordered_json &document, int indent) {
  return escape::json(document.dump(indent, ' ', false, Json::error_handler_t::replace));
}

std::string inQuotes(const std::string &text) { return dumped(Json(text)); }

std::string didYouMean(const std::string &word, const std::vector<std::string> &candidates) {
  const std::string near = word.size() < 2 ? "" : ir::nearest(word, candidates);
  return near.empty() ? "" : "; did you mean " + inQuotes(near) + "?";
}

std::variant<Json, Failure> parse(const std::string &text, const OnTwice &onTwice) {
  if (const std::string at = tooDeepAt(text); !at.empty())
    return Failure{true,
                   at + ": arrays and objects nested deeper than " + std::to_string(mostNesting)};
  try {
    if (!onTwice)
      return Json::parse(text);
    KeyWatch watch(onTwice);
    return Json::parse(
        text, [&](int, Json::parse_event_t event, Json &parsed) { return watch(event, parsed); });
  } catch (const Json::parse_error &error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error ..."
    const std::string what = error.what(), before = "parse error at ";
    const std::size_t at = what.find(before);
    return Failure{true, at == std::string::npos ? what : what.substr(at + before.size())};
  } catch (const Json::exception &error) {
    // "[json.exception.out_of_range.406] number overflow parsing '1e999'"
    return Failure{false, error.what()};
  }
}

namespace {

void checkPrintable(const Value &value) {
  const Json &json = *value.json();
  if (json.is_string() && !escape::isPrintableLine(json.get_ref<const std::string &>()))
    value.expected("a line of printable text");
  if (json.is_array()) {
    for (const Value &each : value.elements())
      checkPrintable(each);
  }
  if (!json.is_object())
    return;
  for (const auto &[name, unused] : json.items())
    checkPrintable(value.member(name));
}

} // namespace

void checkPrintable(const Json &document, Report &report) {
  checkPrintable(Value(&document, "", report));
}

Value Value::member(const std::string &name) const {
  const Json *field = nullptr;
  if (value_ && value_->is_object()) {
    auto found = value_->find(name);
    field = found == value_->end() ? nullptr : &*found;
  }
  return {field, at_ + "/" + escaped(name), *report_};
}

std::string Value::described() const { return value_ ? report_->describe(*value_) : "nothing"; }

void Value::expected(const std::string &what) const {
  problem("expected " + what + ", found " + described());
}

void Value::problem(const std::string &message) const { report_->problem(at_, message); }

std::string Value::string() const {
  if (missing())
    return {};
  if (!value_->is_string()) {
    expected("a string");
    return {};
  }
  return value_->get<std::string>();
}

std::string Value::nonEmptyString() const {
  if (value_ && value_->is_string() && value_->get_ref<const std::string &>().empty())
    expected("a string that is not empty");
  return string();
}

std::uint64_t Value::number() const {
  if (missing())
    return 0;
  if (!value_->is_number_unsigned()) {
    expected("an integer, 0 or more");
    return 0;
  }
  return value_->get<std::uint64_t>();
}

std::vector<Value> Value::elements() const {
  std::vector<Value> list;
  if (missing())
    return list;
  if (!value_->is_array()) {
    expected("an array");
    return list;
  }
  for (std::size_t i = 0; i < value_->size(); ++i)
    list.emplace_back(&(*value_)[i], at_ + "/" + std::to_string(i), *report_);
  return list;
}

std::vector<std::string> Value::strings() const {
  std::vector<std::string> list;
  for (const Value &element : elements())
    list.push_back(element.string());
  return list;
}

Object::Object(const Value &value)
    : whole_(value), readable_(value.json() && value.json()->is_object()) {
  if (value.json() && !readable_)
    value.expected("an object");
}

Value Object::required(const std::string &name) {
  Value field = optional(name);
  if (field.missing() && readable_)
    whole_.problem("expected a field " + inQuotes(name) + ", found none");
  return field;
}

Value Object::optional(const std::string &name) {
  known_.push_back(name);
  return whole_.member(name);
}

void Object::finish() {
  if (!readable_)
    return;
  for (const auto &[name, unused] : whole_.json()->items()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end())
      continue;
    const Value unknown = whole_.member(name);
    unknown.problem("expected no such field, found " + unknown.described() +
                    didYouMean(name, known_));
  }
}

} // namespace tangram::json
