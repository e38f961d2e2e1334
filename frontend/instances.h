// Instances of spectrums that are templates: which are asked for, and what Clang makes
// of their codelets.
#pragma once

#include "frontend/spectrums.h"
#include "ir/diagnostic.h"

#include <deque>
#include <optional>
#include <string>

namespace tangram::frontend {

/// `sum<float>`: what a spectrum is to the program.
struct Instance {
  const SpectrumSource *source = nullptr;
  std::string name;
  /// What calls resolve to; it has the signature.
  const clang::FunctionDecl *called = nullptr;
};

/// A specialization as source calls it: `sum<float>`. `name` is that of its template.
std::string nameWithArguments(const clang::ASTContext &ast, const std::string &name,
                              const clang::TemplateArgumentList &arguments);

class Instances {
public:
  Instances(clang::Sema &sema, const Places &places, ir::Diagnostics &diagnostics)
      : sema(sema), places(places), diagnostics(diagnostics) {}

  /// The one that `called`, a specialization of a template of `source`, stands for. A new
  /// one is queued to be lowered.
  const Instance &of(const SpectrumSource &source, const clang::FunctionDecl &called);

  /// Queues those that the source instantiates by `template float sum<float>(...);`.
  void addExplicit(const SpectrumSource &source);

  /// The next one queued, or null.
  const Instance *next() { return done < all.size() ? &all[done++] : nullptr; }

  /// The codelet or redeclaration of the instance's template that `pattern` is, with
  /// the instance's arguments; nothing when Clang refuses it, which it has said then.
  std::optional<DeclaredFunction> instantiate(const Instance &instance,
                                              const DeclaredFunction &pattern);

private:
  clang::Sema &sema;
  const Places &places;
  ir::Diagnostics &diagnostics;
  std::deque<Instance> all; ///< references to them stay valid
  std::size_t done = 0;
};

/// Reports template parameters that the language does not have, and codelets whose
/// parameters are not those of their spectrum; false when there are any.
bool checkTemplate(clang::Sema &sema, const SpectrumSource &source, const Places &places,
                   ir::Diagnostics &diagnostics);

} // namespace tangram::frontend
