#include "codegen/interpreter/reports.h"

namespace tangram::codegen {

std::string nameOf(Report::Kind kind) {
  switch (kind) {
  case Report::Kind::Race:
    return "race";
  case Report::Kind::Bounds:
    return "bounds";
  case Report::Kind::Unwritten:
    return "unwritten";
  case Report::Kind::Divergence:
    return "divergence";
  case Report::Kind::Division:
    return "division";
  case Report::Kind::Endless:
    return "endless";
  case Report::Kind::Deadlock:
    return "deadlock";
  case Report::Kind::Unsupported:
    return "unsupported";
  }
  return "";
}

std::string Report::text() const {
  std::string text;
  if (location.valid())
    text = location.file + ":" + std::to_string(location.line) + ":" +
           std::to_string(location.column) + ": ";
  text += nameOf(kind) + ": " + message;
  if (!statement.empty())
    text += ", in '" + statement + "'";
  if (times > 1)
    text += " (" + std::to_string(times) + " times)";
  return text;
}

} // namespace tangram::codegen
