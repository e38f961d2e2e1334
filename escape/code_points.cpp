#include "escape/code_points.h"

#include <algorithm>

namespace tangram::escape {

namespace {

unsigned char byteOf(char c) { return static_cast<unsigned char>(c); }

/// Bytes of a sequence by its first one; 0: none begins with it.
std::size_t lengthOf(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return 2;
  if ((first & 0xF0) == 0xE0)
    return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

bool continues(char c) { return (byteOf(c) & 0xC0) == 0x80; }

constexpr char32_t leastOf[] = {0, 0, 0x80, 0x800, 0x10000};

bool within(char32_t value, char32_t low, char32_t high) { return value >= low && value <= high; }

} // namespace

CodePoint firstOf(std::string_view text) {
  const unsigned char first = byteOf(text.front());
  const CodePoint invalid{first, text.substr(0, 1), false};
  const std::size_t length = lengthOf(first);
  if (length == 0 || length > text.size())
    return invalid;
  char32_t value = length == 1 ? first : first & (0x7FU >> length);
  for (char c : text.substr(1, length - 1)) {
    if (!continues(c))
      return invalid;
    value = value << 6 | (byteOf(c) & 0x3FU);
  }
  if (value < leastOf[length] || value > 0x10FFFF || within(value, 0xD800, 0xDFFF))
    return invalid;
  return {value, text.substr(0, length), true};
}

std::size_t unfinishedAtEnd(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const char c = text[text.size() - back];
    if (!continues(c))
      return lengthOf(byteOf(c)) > back ? back : 0;
  }
  return 0;
}

bool isPrintable(const CodePoint &point) {
  const char32_t value = point.value;
  return point.isValid && value >= 0x20 && !within(value, 0x7F, 0x9F) && // controls
         value != 0x61C && !within(value, 0x200B, 0x200F) &&             // invisible, direction
         !within(value, 0x2028, 0x202E) &&                               // lines, direction
         !within(value, 0x2060, 0x206F) && value != 0xFEFF && !within(value, 0xFFF0, 0xFFFB) &&
         !within(value, 0xE0000, 0xE0FFF);
}

bool isPrintableLine(std::string_view text) {
  bool all = true;
  forEach(text, [&](const CodePoint &point) { all = all && isPrintable(point); });
  return all;
}

} // namespace tangram::escape
