#include "escape/escape.h"

#include "escape/code_points.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tangram::escape {

namespace {

/// The text with what is not printable replaced by `unprintable`, and what `replace` knows by what it
/// says (null: it stays).
template <class Replace>
std::string replaced(std::string_view text, const char *unprintable, const Replace &replace) {
  std::string result;
  forEach(text, [&](const CodePoint &point) {
    if (!isPrintable(point))
      result += unprintable;
    else if (const char *by = replace(static_cast<char>(point.value < 0x80 ? point.value : 0)))
      result += by;
    else
      result += point.bytes;
  });
  return result;
}

std::string numbered(const char *format, unsigned value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// "\u202e", in two halves where UTF-16 needs them.
std::string jsonEscape(char32_t value) {
  if (value < 0x10000)
    return numbered("\\u%04x", value);
  value -= 0x10000;
  return numbered("\\u%04x", 0xD800 + (value >> 10)) +
         numbered("\\u%04x", 0xDC00 + (value & 0x3FF));
}

std::string shown(const CodePoint &point) {
  if (!point.isValid || point.value < 0x100)
    return numbered("\\x%02x", point.value);
  return numbered(point.value < 0x10000 ? "\\u%04x" : "\\U%08x", point.value);
}

std::string jsonWith(std::string_view document, std::string_view alsoEscaped) {
  std::string result;
  forEach(document, [&](const CodePoint &point) {
    const bool isSpace = point.value == '\n' || point.value == '\t' || point.value == '\r';
    if (!point.isValid)
      result += "\\ufffd";
    else if ((!isPrintable(point) && !isSpace) ||
             (point.value < 0x80 &&
              alsoEscaped.find(static_cast<char>(point.value)) != std::string_view::npos))
      result += jsonEscape(point.value);
    else
      result += point.bytes;
  });
  return result;
}

} // namespace

std::string comment(std::string_view text) {
  // A backslash at the end of a line, and the trigraph that means one, go on in the next line.
  std::string result = replaced(text, " ", [](char c) { return c == '\\' ? "/" : nullptr; });
  for (std::size_t i = 1; i < result.size(); ++i) {
    const char before = result[i - 1], now = result[i];
    if ((before == '*' && now == '/') || (before == '/' && (now == '*' || now == '/')) ||
        (before == '?' && now == '?'))
      result.insert(i, " ");
  }
  return result;
}

std::string cString(std::string_view text) {
  std::string result;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (c == '?' && !result.empty() && result.back() == '?')
      result += "\\?";
    else if (c == '\n')
      result += "\\n";
    else if (byte < 0x20 || byte >= 0x7F)
      result += numbered("\\%03o", byte);
    else
      result += c;
  }
  return result;
}

std::string cmake(std::string_view text) {
  return replaced(text, "?", [](char c) {
    return c == '\\' ? "\\\\" : c == '"' ? "\\\"" : c == '$' ? "\\$" : c == '@' ? "\\@" : nullptr;
  });
}

std::string pkgConfig(std::string_view text) {
  return replaced(text, "?", [](char c) {
    return c == '\\' ? "/" : c == '$' ? "$$" : c == '#' ? "\\#" : nullptr;
  });
}

std::string python(std::string_view text) {
  return replaced(text, "?", [](char c) {
    return c == '\\' ? "\\\\" : c == '"' ? "\\\"" : nullptr;
  });
}

std::string xml(std::string_view text) {
  return replaced(text, "?", [](char c) {
    return c == '<'    ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '&'  ? "&amp;"
           : c == '"'  ? "&quot;"
           : c == '\'' ? "&#39;"
                       : nullptr;
  });
}

std::string dot(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += begin == 0 ? "" : "\\n";
    result += replaced(text.substr(begin, end - begin), "?", [](char c) {
      return c == '\\' ? "\\\\" : c == '"' ? "\\\"" : nullptr;
    });
    begin = end + 1;
  }
  return result;
}

std::string shell(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
    return std::string(word);
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string json(std::string_view document) { return jsonWith(document, ""); }

std::string scriptJson(std::string_view document) { return jsonWith(document, "<>&"); }

std::string terminal(std::string_view text) {
  std::string result;
  forEach(text, [&](const CodePoint &point) {
    if (isPrintable(point) || point.value == '\n' || point.value == '\t')
      result += point.bytes;
    else
      result += shown(point);
  });
  return result;
}

std::string terminalLine(std::string_view text) {
  std::string result;
  forEach(text, [&](const CodePoint &point) {
    if (isPrintable(point))
      result += point.bytes;
    else
      result += point.value == '\n' ? "\\n" : point.value == '\t' ? "\\t" : shown(point);
  });
  return result;
}

} // namespace tangram::escape
