// Functions that are not spectrums, lowered when the first call of them is met.
#pragma once

#include "frontend/clang.h"
#include "ir/program.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tangram::frontend {

struct LoweredFile;

class Helpers {
public:
  /// Name in the program of `callee`, lowering it and what it calls first. A recursive
  /// one, or one without a body, is an error at `call`; then nothing.
  std::optional<std::string> nameOf(LoweredFile &file, const clang::FunctionDecl &callee,
                                    clang::SourceRange call);

  /// Callees before callers.
  std::vector<ir::Function> take() { return std::move(functions); }

  /// The names in the source of functions that have other names in the program, as `plus<float>` has; without those that
  /// were renamed because C or OpenCL have another use for the name.
  const std::map<std::string, std::string> &writtenNames() const { return written; }

private:
  void lower(LoweredFile &file, const clang::FunctionDecl &definition, const std::string &name);
  std::string uniqueName(const LoweredFile &file, const clang::FunctionDecl &definition);

  std::map<const clang::FunctionDecl *, std::string> names;
  std::set<const clang::FunctionDecl *> underway;
  std::set<std::string> taken;
  std::map<std::string, std::string> written;
  std::vector<ir::Function> functions;
};

} // namespace tangram::frontend
