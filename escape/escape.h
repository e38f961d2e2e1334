// Text that comes from a model, a source's name, a manifest, a store or a plan file, on its way to where it
// could be taken for something else: one function a place. What goes there without one of them is a
// fault.
#pragma once

#include <string>
#include <string_view>

namespace tangram::escape {

/// For a comment of C, C++ or OpenCL C, after `//` or between `/*` and `*/`: one line that neither ends the
/// comment nor goes on in the next line. What cannot stand there is a blank, a slash or a question mark.
std::string comment(std::string_view text);

/// For a string literal of C and OpenCL C, without the quotes: any bytes.
std::string cString(std::string_view text);

/// For a quoted argument of CMake.
std::string cmake(std::string_view text);

/// For a field of a pkg-config file, such as its description.
std::string pkgConfig(std::string_view text);

/// For a docstring or a string of Python between double quotes.
std::string python(std::string_view text);

/// For text and attributes of HTML, XML and SVG.
std::string xml(std::string_view text);

/// For a string of DOT between quotes.
std::string dot(std::string_view text);

/// For a word of a shell's command line: in quotes where it needs them.
std::string shell(std::string_view word);

/// JSON, printed by a library that leaves all but control characters as they are: what a terminal or a
/// reader could mistake becomes an escape of JSON's own, so that it still is the same document.
std::string json(std::string_view document);

/// The same for JSON in a script of HTML, where "<!--" and "</script>" count in strings, too.
std::string scriptJson(std::string_view document);

/// For people to read, on a terminal or in a log: what is not printable as "\x1b", "\u202e"; newlines and
/// tabs stay. terminalLine(): they are "\n" and "\t", so that a name cannot look like a line of ours.
std::string terminal(std::string_view text);
std::string terminalLine(std::string_view text);

} // namespace tangram::escape
