// Instances that the caller asks for, as `sum<float>`. Clang reads them: each becomes a
// line below the source's last, `auto request = &sum<float>;`.
#pragma once

#include "frontend/codelet_pragma.h"
#include "ir/diagnostic.h"

#include <string>
#include <vector>

namespace tangram::frontend {

class InstanceRequests {
public:
  /// For a source of this text, in this file.
  InstanceRequests(const std::string &text, std::string file,
                   const std::vector<std::string> &names);

  /// The source with the requests' lines.
  const std::string &text() const { return extended; }

  /// Names of the variables the requests become.
  std::vector<std::string> variables() const;

  /// An error for each request that has not the form of one.
  ir::Diagnostics malformed() const;

  /// Whether a message is about one of the lines that were added.
  bool isAbout(const ir::Diagnostic &message) const;

  /// The messages about them, said of the requests.
  ir::Diagnostics explained(const ir::Diagnostics &messages,
                            const CodeletDeclarations &declarations) const;

private:
  ir::Diagnostic explain(const std::string &name, const ir::Diagnostic &message,
                         const CodeletDeclarations &declarations) const;
  ir::Diagnostic refused(const std::string &message) const;

  std::string file;
  std::string extended;
  std::vector<std::string> names;
  unsigned firstLine = 0;
};

} // namespace tangram::frontend
