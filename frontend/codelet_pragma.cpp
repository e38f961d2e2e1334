#include "frontend/codelet_pragma.h"

#include "frontend/places.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tangram::frontend {

namespace {

using clang::Token;
namespace tok = clang::tok;

/// Index of the declared function's name: the first identifier from `from` on, outside
/// parentheses, that an opening one follows.
std::optional<std::size_t> nameIn(const std::vector<Token> &tokens, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is(tok::l_paren))
      ++depth;
    else if (tokens[i].is(tok::r_paren))
      --depth;
    else if (depth == 0 && tokens[i].is(tok::identifier) && tokens[i + 1].is(tok::l_paren))
      return i;
  }
  return std::nullopt;
}

/// Index of the `>` that closes the `<` at `open`, or of the last token.
std::size_t closingAngle(const std::vector<Token> &tokens, std::size_t open) {
  int depth = 0;
  int parentheses = 0; // in them, `>` compares
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const Token &token = tokens[i];
    if (token.is(tok::l_paren))
      ++parentheses;
    else if (token.is(tok::r_paren))
      --parentheses;
    else if (parentheses == 0 && token.is(tok::less))
      ++depth;
    else if (parentheses == 0 && token.isOneOf(tok::greater, tok::greatergreater))
      depth -= token.is(tok::greater) ? 1 : 2;
    if (depth <= 0)
      return i;
  }
  return tokens.size() - 1;
}

/// Index of the name in `sum<float>(`: the first identifier with arguments that an opening parenthesis follows.
std::optional<std::size_t> instanceNameIn(const std::vector<Token> &tokens, std::size_t from) {
  for (std::size_t i = from; i + 1 < tokens.size() && tokens[i].isNot(tok::l_paren); ++i) {
    if (tokens[i + 1].isNot(tok::less))
      continue;
    const std::size_t close = closingAngle(tokens, i + 1);
    const bool isName = tokens[i].is(tok::identifier) && close + 1 < tokens.size() &&
                        tokens[close + 1].is(tok::l_paren);
    if (isName)
      return i;
    i = close;
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

  /// Has been handed to the parser.
  void passed(const Token &token) {
    if (token.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      before.clear();
    else
      before.push_back(token);
  }

private:
  std::vector<Token> declarationTokens(clang::Preprocessor &preprocessor);
  std::vector<Token> replacement(clang::Preprocessor &preprocessor, std::vector<Token> tokens,
                                 std::size_t name, std::vector<Token> head);
  std::vector<Token> ofInstance(clang::Preprocessor &preprocessor, std::vector<Token> tokens,
                                std::size_t name, bool hasHead);
  void refuseStrayQualifiers(const clang::Preprocessor &preprocessor,
                             clang::SourceLocation codelet);
  void error(clang::SourceLocation location, std::string message) {
    declarations.diagnostics.push_back(ir::errorAt(places.token(location), std::move(message)));
  }

  Qualifiers &qualifiers;
  const Places &places;
  CodeletDeclarations &declarations;
  bool collecting = false;
  /// What the parser has been given of the current declaration.
  std::vector<Token> before;
};

/// The template head (`template <class T>`) that `tokens` start with, or nothing.
std::vector<Token> templateHead(const std::vector<Token> &tokens) {
  if (tokens.size() < 2 || tokens[0].isNot(tok::kw_template) || tokens[1].isNot(tok::less))
    return {};
  const auto close = static_cast<std::ptrdiff_t>(closingAngle(tokens, 1));
  if (!tokens[static_cast<std::size_t>(close)].isOneOf(tok::greater, tok::greatergreater))
    return {};
  return {tokens.begin(), tokens.begin() + close + 1};
}

bool isSpecialization(const std::vector<Token> &head) {
  return head.size() == 3; // template < >
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
  std::vector<Token> tokens = declarationTokens(preprocessor);
  std::vector<Qualifier> own = std::exchange(qualifiers.pending, {});

  bool complete = tokens.back().is(tok::semi) || tokens.back().is(tok::l_brace);
  std::vector<Token> head = templateHead(before);
  std::vector<Token> ownHead = templateHead(tokens);
  const bool isOfInstance = isSpecialization(head) || isSpecialization(ownHead);
  auto name =
      isOfInstance ? instanceNameIn(tokens, ownHead.size()) : nameIn(tokens, ownHead.size());
  if (!complete && tokens.size() > 1) {
    // The file ends in the declaration: Clang's message says so.
  } else if (isOfInstance && (!name || tokens.back().isNot(tok::l_brace))) {
    error(
        place,
        "expected the definition of a codelet of one instance, as in 'template <> __codelet float "
        "sum<float>(...) {'");
  } else if (!name) {
    error(place, "'__codelet' must stand before the declaration or definition of a function");
  } else {
    CodeletDeclaration declaration;
    declaration.name = tokens[*name].getIdentifierInfo()->getName().str();
    declaration.nameLocation = tokens[*name].getLocation();
    declaration.isDefinition = tokens.back().is(tok::l_brace);
    declaration.isTemplate = !head.empty() || !ownHead.empty();
    declaration.isOfInstance = isOfInstance;
    declaration.qualifiers = std::move(own);
    declarations.all.push_back(std::move(declaration));
    if (isOfInstance) {
      tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(ownHead.size()));
      tokens = ofInstance(preprocessor, std::move(tokens), *name - ownHead.size(), !head.empty());
    } else {
      tokens = replacement(preprocessor, std::move(tokens), *name, std::move(head));
    }
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

/// `tokens` of a declaration as one that a call resolves to: without a body, or with one
/// that means nothing where it is a template.
std::vector<Token> callable(clang::Preprocessor &preprocessor, std::vector<Token> tokens,
                            bool isTemplate) {
  Token last = tokens.back();
  tokens.pop_back();
  if (!tokens.empty() && tokens.back().is(tok::kw_try)) // a function try block
    tokens.pop_back();
  auto add = [&](tok::TokenKind kind) {
    Token token = last;
    token.setKind(kind);
    if (kind == tok::identifier)
      token.setIdentifierInfo(preprocessor.getIdentifierInfo("__builtin_trap"));
    tokens.push_back(token);
  };
  if (!isTemplate) {
    add(tok::semi);
    return tokens;
  }
  for (tok::TokenKind kind :
       {tok::l_brace, tok::identifier, tok::l_paren, tok::r_paren, tok::semi, tok::r_brace})
    add(kind);
  return tokens;
}

/// What the parser gets for the declaration just recorded (see the head of codelet_pragma.h).
/// `head` is the template head it has been given already.
std::vector<Token> CodeletPragma::replacement(clang::Preprocessor &preprocessor,
                                              std::vector<Token> tokens, std::size_t name,
                                              std::vector<Token> head) {
  CodeletDeclaration &declaration = declarations.all.back();
  auto sameName = [&](const CodeletDeclaration &d) { return d.name == declaration.name; };
  auto ordinal = std::count_if(declarations.all.begin(), declarations.all.end(), sameName);
  bool declares = std::none_of(declarations.all.begin(), std::prev(declarations.all.end()),
                               [&](const CodeletDeclaration &d) {
                                 return sameName(d) && d.isTemplate == declaration.isTemplate;
                               });
  declaration.uniqueName = declaration.name + "$" + std::to_string(ordinal);
  std::vector<Token> result;
  if (declares) {
    result = callable(preprocessor, tokens, declaration.isTemplate);
    if (!declaration.isDefinition) {
      declaration.uniqueName = declaration.name;
      return result;
    }
    result.insert(result.end(), head.begin(), head.end());
  }
  tokens[name].setIdentifierInfo(preprocessor.getIdentifierInfo(declaration.uniqueName));
  result.insert(result.end(), tokens.begin(), tokens.end());
  return result;
}

/// The tokens that stand for a codelet of one instance. `hasHead`: the parser has been given `template <>`, and needs a
/// specialization now.
std::vector<Token> CodeletPragma::ofInstance(clang::Preprocessor &preprocessor,
                                             std::vector<Token> tokens, std::size_t name,
                                             bool hasHead) {
  CodeletDeclaration &declaration = declarations.all.back();
  declaration.uniqueName = declaration.name + "$" +
                           std::to_string(std::ranges::count(declarations.all, declaration.name,
                                                             &CodeletDeclaration::name));
  std::vector<Token> result;
  const auto add = [&](tok::TokenKind kind, const std::string &identifier = {}) {
    Token token = tokens[name];
    token.setKind(kind);
    token.setIdentifierInfo(identifier.empty() ? nullptr
                                               : preprocessor.getIdentifierInfo(identifier));
    result.push_back(token);
  };
  if (hasHead) {
    add(tok::kw_void, "void");
    add(tok::identifier, "tangram_codelet_of_instance");
    for (tok::TokenKind kind : {tok::less, tok::greater, tok::l_paren, tok::r_paren, tok::semi})
      add(kind);
  }
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(name);
  const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(closingAngle(tokens, name + 1)) + 1;
  add(tok::kw_auto, "auto");
  add(tok::identifier, instanceVariable(declaration));
  add(tok::equal);
  add(tok::amp);
  result.insert(result.end(), begin, end);
  add(tok::semi);
  tokens.erase(begin + 1, end);
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
  auto *pragma = new CodeletPragma(qualifiers, places, declarations);
  preprocessor.AddPragmaHandler("tangram", pragma);
  preprocessor.setTokenWatcher([pragma](const Token &token) { pragma->passed(token); });
}

std::string instanceVariable(const CodeletDeclaration &declaration) {
  return declaration.uniqueName + "$of";
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
