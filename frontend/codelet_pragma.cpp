#include "frontend/codelet_pragma.h"

#include "frontend/places.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tangram::frontend {

namespace {

using clang::Token;
namespace tok = clang::tok;

/// Index of the declared function's name: the first identifier outside parentheses
/// that an opening one follows.
std::optional<std::size_t> nameIn(const std::vector<Token> &tokens) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is(tok::l_paren))
      ++depth;
    else if (tokens[i].is(tok::r_paren))
      --depth;
    else if (depth == 0 && tokens[i].is(tok::identifier) && tokens[i + 1].is(tok::l_paren))
      return i;
  }
  return std::nullopt;
}

class CodeletPragma : public clang::PragmaHandler {
public:
  CodeletPragma(Qualifiers &qualifiers, const Places &places, CodeletDeclarations &declarations)
      : PragmaHandler("codelet"), qualifiers(qualifiers), places(places),
        declarations(declarations) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                    Token &) override;

private:
  std::vector<Token> declarationTokens(clang::Preprocessor &preprocessor);
  std::vector<Token> replacement(clang::Preprocessor &preprocessor, std::vector<Token> tokens,
                                 std::size_t name);
  void refuseStrayQualifiers(const clang::Preprocessor &preprocessor,
                             clang::SourceLocation codelet);
  void error(clang::SourceLocation location, std::string message) {
    declarations.diagnostics.push_back(ir::errorAt(places.token(location), std::move(message)));
  }

  Qualifiers &qualifiers;
  const Places &places;
  CodeletDeclarations &declarations;
  bool collecting = false;
};

/// Whether the last token before `location` closes a template's parameter list.
bool followsTemplate(const clang::Preprocessor &preprocessor, clang::SourceLocation location) {
  const clang::SourceManager &sources = preprocessor.getSourceManager();
  auto [file, offset] = sources.getDecomposedLoc(location);
  clang::Lexer lexer(file, sources.getBufferOrFake(file), sources, preprocessor.getLangOpts());
  Token token;
  tok::TokenKind last = tok::unknown;
  bool inDirective = false; // `#include <file>` ends like a template
  for (;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(tok::eof) || sources.getFileOffset(token.getLocation()) >= offset)
      return last == tok::greater;
    if (token.isAtStartOfLine())
      inDirective = token.is(tok::hash);
    last = inDirective ? tok::unknown : token.getKind();
  }
}

void CodeletPragma::HandlePragma(clang::Preprocessor &preprocessor,
                                 clang::PragmaIntroducer introducer, Token &) {
  Token rest;
  do {
    preprocessor.LexUnexpandedToken(rest);
  } while (rest.isNot(tok::eod) && rest.isNot(tok::eof));

  clang::SourceLocation place = preprocessor.getSourceManager().getFileLoc(introducer.Loc);
  if (collecting) {
    error(place, "'__codelet' is given twice");
    return;
  }
  refuseStrayQualifiers(preprocessor, place);
  clang::SourceLocation first =
      qualifiers.pending.empty()
          ? place
          : preprocessor.getSourceManager().getFileLoc(qualifiers.pending.front().range.getBegin());
  std::vector<Token> tokens = declarationTokens(preprocessor);
  std::vector<Qualifier> own = std::exchange(qualifiers.pending, {});

  bool complete = tokens.back().is(tok::semi) || tokens.back().is(tok::l_brace);
  auto name = nameIn(tokens);
  if (!complete && tokens.size() > 1) {
    // The file ends in the declaration: Clang's message says so.
  } else if (!name) {
    error(place, "'__codelet' must stand before the declaration or definition of a function");
  } else if (followsTemplate(preprocessor, first)) {
    error(tokens[*name].getLocation(), "unsupported construct: template codelet");
  } else {
    CodeletDeclaration declaration;
    declaration.name = tokens[*name].getIdentifierInfo()->getName().str();
    declaration.nameLocation = tokens[*name].getLocation();
    declaration.isDefinition = tokens.back().is(tok::l_brace);
    declaration.qualifiers = std::move(own);
    declarations.all.push_back(std::move(declaration));
    tokens = replacement(preprocessor, std::move(tokens), *name);
  }
  auto stream = std::make_unique<Token[]>(tokens.size());
  std::copy(tokens.begin(), tokens.end(), stream.get());
  preprocessor.EnterTokenStream(std::move(stream), tokens.size(), /*DisableMacroExpansion=*/true,
                                /*IsReinject=*/false);
}

/// The coming tokens up to the `;` or `{` that ends the declaration, or the end of the file.
std::vector<Token> CodeletPragma::declarationTokens(clang::Preprocessor &preprocessor) {
  collecting = true;
  std::vector<Token> tokens;
  int depth = 0;
  bool ended = false;
  while (!ended) {
    Token token;
    preprocessor.Lex(token);
    tokens.push_back(token);
    ended = token.is(tok::eof) || (depth <= 0 && token.isOneOf(tok::semi, tok::l_brace));
    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      ++depth;
    else if (token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace))
      --depth;
  }
  collecting = false;
  return tokens;
}

/// What the parser gets for the declaration just recorded (see the head of codelet_pragma.h).
std::vector<Token> CodeletPragma::replacement(clang::Preprocessor &preprocessor,
                                              std::vector<Token> tokens, std::size_t name) {
  CodeletDeclaration &declaration = declarations.all.back();
  auto ordinal = std::count_if(declarations.all.begin(), declarations.all.end(),
                               [&](const auto &d) { return d.name == declaration.name; });
  bool declares = ordinal == 1;
  if (declares && !declaration.isDefinition) {
    declaration.uniqueName = declaration.name;
    return tokens;
  }
  declaration.uniqueName = declaration.name + "$" + std::to_string(ordinal);
  std::vector<Token> result;
  if (declares) {
    result = tokens;
    if (result.size() > 1 && result[result.size() - 2].is(tok::kw_try))
      result.erase(result.end() - 2); // a function try block
    result.back().setKind(tok::semi);
  }
  tokens[name].setIdentifierInfo(preprocessor.getIdentifierInfo(declaration.uniqueName));
  result.insert(result.end(), tokens.begin(), tokens.end());
  return result;
}

/// Qualifiers may stand before `__codelet`, but nothing else between them and it.
void CodeletPragma::refuseStrayQualifiers(const clang::Preprocessor &preprocessor,
                                          clang::SourceLocation codelet) {
  const clang::SourceManager &sources = preprocessor.getSourceManager();
  clang::SourceLocation next = codelet;
  auto stray = qualifiers.pending.end();
  while (stray != qualifiers.pending.begin()) {
    const Qualifier &candidate = *std::prev(stray);
    auto following = clang::Lexer::findNextToken(sources.getFileLoc(candidate.range.getEnd()),
                                                 sources, preprocessor.getLangOpts());
    // One that a macro hands on is met in another order than it is written in.
    bool inMacro = candidate.range.getBegin().isMacroID() ||
                   sources.isBeforeInTranslationUnit(codelet, candidate.range.getBegin());
    if (!inMacro && (!following || following->getLocation() != next))
      break;
    next = sources.getFileLoc(candidate.range.getBegin());
    --stray;
  }
  for (auto each = qualifiers.pending.begin(); each != stray; ++each)
    error(each->range.getBegin(), "'" + spelling(each->kind) + "' must stand beside '__codelet'");
  qualifiers.pending.erase(qualifiers.pending.begin(), stray);
}

} // namespace

void addCodeletPragma(clang::Preprocessor &preprocessor, Qualifiers &qualifiers,
                      const Places &places, CodeletDeclarations &declarations) {
  preprocessor.AddPragmaHandler("tangram", new CodeletPragma(qualifiers, places, declarations));
}

std::string withoutUniqueNames(llvm::StringRef text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i > 0 && i + 1 < text.size() && llvm::isDigit(text[i + 1])) {
      while (i + 1 < text.size() && llvm::isDigit(text[i + 1]))
        ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

} // namespace tangram::frontend
