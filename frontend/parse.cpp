#include "frontend/parse.h"

#include "files/read_file.h"
#include "frontend/clang_diagnostics.h"
#include "frontend/codelet_pragma.h"
#include "frontend/instance_requests.h"
#include "frontend/language_paths.h"
#include "frontend/lowering/program.h"
#include "frontend/places.h"

#include <algorithm>
#include <filesystem>

namespace tangram::frontend {

namespace {

/// FNV-1a, 64 bits, as 16 hex digits.
std::string contentHash(const std::string &text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  std::ostringstream hex;
  hex.width(16);
  hex.fill('0');
  hex << std::hex << hash;
  return hex.str();
}

/// What reading a source gives.
struct Reading {
  const InstanceRequests &requests;
  ir::Program program = {};
  ir::Diagnostics diagnostics = {};
  /// What `diagnostics` says of the lines of requests, said of the requests.
  ir::Diagnostics aboutRequests = {};
  WrittenSource source = {};
};

/// Lowers the file when Clang has read it without error.
class LoweringConsumer : public clang::ASTConsumer {
public:
  LoweringConsumer(clang::CompilerInstance &compiler, Reading &reading)
      : compiler(compiler), places(compiler.getSourceManager(), compiler.getLangOpts()),
        reading(reading) {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(watchQualifiers(preprocessor, qualifiers));
    addCodeletPragma(preprocessor, qualifiers, places, declarations);
  }

  void HandleTranslationUnit(clang::ASTContext &) override {
    ir::Diagnostics &diagnostics = reading.diagnostics;
    if (!ir::hasErrors(diagnostics)) {
      reading.program = lowerProgram(
          {compiler.getSema(), places, declarations, qualifiers, reading.requests.variables()},
          diagnostics, reading.source);
      return;
    }
    reading.aboutRequests = reading.requests.explained(diagnostics, declarations);
    diagnostics.insert(diagnostics.end(), declarations.diagnostics.begin(),
                       declarations.diagnostics.end());
    if (!qualifiers.languageSeen)
      diagnostics.front().notes.push_back(
          ir::noteAt({}, "the language of codelets is declared by '#include <tangram.h>'"));
  }

private:
  clang::CompilerInstance &compiler;
  Places places;
  Qualifiers qualifiers;
  CodeletDeclarations declarations;
  Reading &reading;
};

class LoweringAction : public clang::ASTFrontendAction {
public:
  explicit LoweringAction(Reading &reading) : reading(reading) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<LoweringConsumer>(compiler, reading);
  }

private:
  Reading &reading;
};

/// The command line of a compiler that reads codelet sources.
std::vector<std::string> commandLine(const ParseOptions &options) {
  std::vector<std::string> line{"clang++", "-fsyntax-only", "-std=c++17", "-x", "c++"};
  // A shared array may have as many elements as there are lanes.
  line.insert(line.end(),
              {"-Wno-vla-cxx-extension", "-Wno-undefined-inline", "-Wno-undefined-internal",
               "-Wno-pragma-once-outside-header", "-Werror=return-type", "-fno-elide-type"});
  if (std::string resources = clangResourceDir(); !resources.empty())
    line.insert(line.end(), {"-resource-dir", resources});
  std::string language = options.languageDir.empty() ? languageDir() : options.languageDir;
  if (!language.empty())
    line.insert(line.end(), {"-isystem", language});
  for (const std::string &folder : options.includeDirs)
    line.insert(line.end(), {"-I", folder});
  // `#include "dot.cpp"` is the library's where there is no other one.
  if (const std::string codelets = codeletsDir(); !codelets.empty())
    line.insert(line.end(), {"-I", codelets});
  line.emplace_back("input"); // stands for the file, whose name may look like an option
  return line;
}

std::shared_ptr<clang::CompilerInvocation>
invocationFor(const ParseOptions &options,
              llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> engine) {
  std::vector<std::string> line = commandLine(options);
  std::vector<const char *> arguments;
  for (const std::string &each : line)
    arguments.push_back(each.c_str());
  clang::CreateInvocationOptions how;
  how.Diags = std::move(engine);
  return clang::createInvocation(arguments, how);
}

ir::Diagnostic withoutLine(const std::string &file, std::string message) {
  return ir::errorAt({file, 0, 0, 1}, std::move(message));
}

/// Reads the source with its requests.
Reading read(const InstanceRequests &requests, const std::string &name,
             const ParseOptions &options) {
  Reading result{requests};
  ClangDiagnostics consumer(result.diagnostics);
  auto engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, &consumer,
                                                           /*ShouldOwnClient=*/false);
  auto invocation = invocationFor(options, engine);
  if (!invocation) {
    if (!ir::hasErrors(result.diagnostics))
      result.diagnostics.push_back(withoutLine(name, "cannot set up the C++ parser"));
    return result;
  }
  clang::ProcessWarningOptions(*engine, invocation->getDiagnosticOpts());
  auto buffer = llvm::MemoryBuffer::getMemBuffer(requests.text(), name);
  invocation->getPreprocessorOpts().addRemappedFile(name, buffer.get());
  invocation->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  invocation->getFrontendOpts().Inputs = {{name, clang::Language::CXX}};
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getDiagnosticOpts().ShowCarets = false;

  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.setDiagnostics(engine.get());
  const auto files = std::make_shared<clang::DependencyCollector>();
  compiler.addDependencyCollector(files);
  LoweringAction action(result);
  bool isDone = compiler.ExecuteAction(action);
  if (options.filesRead) {
    for (const std::string &file : files->getDependencies()) {
      if (std::ranges::find(*options.filesRead, file) == options.filesRead->end())
        options.filesRead->push_back(file);
    }
  }
  if (!isDone && !ir::hasErrors(result.diagnostics))
    result.diagnostics.push_back(withoutLine(name, "the C++ parser failed"));
  return result;
}

} // namespace

ParseResult parseText(const std::string &text, const std::string &name,
                      const ParseOptions &options) {
  InstanceRequests requests(text, name, options.instantiate);
  ParseResult result;
  result.diagnostics = requests.malformed();
  if (!result.diagnostics.empty())
    return result;
  Reading reading = read(requests, name, options);
  result.diagnostics = std::move(reading.diagnostics);
  if (ir::hasErrors(result.diagnostics)) {
    if (!reading.aboutRequests.empty()) {
      // Where the source does not end well, neither do the lines that follow.
      ir::Diagnostics own = read({text, name, {}}, name, options).diagnostics;
      result.diagnostics = ir::hasErrors(own) ? own : reading.aboutRequests;
    }
    return result;
  }
  reading.program.file = name;
  reading.program.contentHash = contentHash(text);
  result.program = std::move(reading.program);
  result.source = std::move(reading.source);
  return result;
}

ParseResult parseFile(const std::string &file, const ParseOptions &options) {
  auto refuse = [&](const std::string &reason) {
    ParseResult result;
    result.diagnostics.push_back(withoutLine(file, "cannot read the file: " + reason));
    return result;
  };
  const std::string found = sourceFile(file);
  const auto text = files::readFile(found);
  if (const auto *why = std::get_if<files::Unreadable>(&text))
    return refuse(why->reason);
  return parseText(std::get<std::string>(text), found, options);
}

} // namespace tangram::frontend
