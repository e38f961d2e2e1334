// Clang's messages as the project's.
#pragma once

#include "frontend/clang.h"
#include "ir/diagnostic.h"

namespace tangram::frontend {

/// Collects what Clang says into `diagnostics`, notes below the message they belong
/// to. A message that Clang gives twice at one place (for the declaration and the
/// definition made of one codelet) is kept once.
class ClangDiagnostics : public clang::DiagnosticConsumer {
public:
  explicit ClangDiagnostics(ir::Diagnostics &diagnostics) : diagnostics(diagnostics) {}

  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *) override {
    language = &options;
  }
  void EndSourceFile() override { language = nullptr; }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override;

private:
  ir::Diagnostic translate(clang::DiagnosticsEngine::Level level,
                           const clang::Diagnostic &info) const;

  ir::Diagnostics &diagnostics;
  const clang::LangOptions *language = nullptr;
  /// The last message was left out, so its notes are too.
  bool leaveOutNotes = false;
  /// The last message has been put in other words, so notes in tangram.h are left out.
  bool isExplained = false;
};

} // namespace tangram::frontend
