// Text of unknown origin, a code point at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tangram::escape {

struct CodePoint {
  char32_t value = 0;
  std::string_view bytes; ///< in the text
  bool isValid = true;    ///< false: a byte that is no UTF-8, which `value` is
};

/// The code point at the front of `text`, which is not empty.
CodePoint firstOf(std::string_view text);

/// Whether bytes are missing that could complete a sequence at the end of `text`.
std::size_t unfinishedAtEnd(std::string_view text);

/// Whether it is something to look at, and nothing but itself: no control character, no newline or other
/// separator of lines, none that turns the direction of text, no byte that is no UTF-8, none that is there
/// only to be invisible.
bool isPrintable(const CodePoint &point);

/// Whether all of it is printable: a text of one line.
bool isPrintableLine(std::string_view text);

/// Calls `visit` with each code point in turn.
template <class Visit> void forEach(std::string_view text, const Visit &visit) {
  while (!text.empty()) {
    const CodePoint point = firstOf(text);
    visit(point);
    text.remove_prefix(point.bytes.size());
  }
}

} // namespace tangram::escape
