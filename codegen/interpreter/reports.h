// What an interpreter has to say about a program: findings, each with its place.
#pragma once

#include "ir/stmt.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tangram::codegen {

struct Report {
  enum class Kind {
    Race,        ///< two workers, one element, one of them writes, and nothing orders them
    Bounds,      ///< an access before the beginning or behind the end
    Unwritten,   ///< a variable or an element is read that nothing has written
    Divergence,  ///< not all workers come to the place where all have to meet
    Division,    ///< of an integer by zero
    Endless,     ///< still running after all the operations it was given
    Deadlock,    ///< every worker waits for another one
    Unsupported, ///< the interpreter does not know the construct
  };
  Kind kind = Kind::Race;
  ir::SourceLocation location; ///< of the statement, or of what it was made from; may be unknown
  std::string statement;       ///< its text
  std::string message;         ///< what happened: workers, buffer and element
  std::uint64_t times = 1;

  /// "sum.cpp:3:5: race: group 0, item 1 and item 2 both write tmp[0], in 'tmp[0] = x;' (7 times)".
  std::string text() const;
};

std::string nameOf(Report::Kind kind); ///< "race", "bounds", ...

} // namespace tangram::codegen
