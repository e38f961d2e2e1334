// Signatures and bodies; helper functions.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/counted_loops.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"
#include "ir/reserved_names.h"
#include "ir/unique_name.h"

#include <algorithm>

namespace tangram::frontend {

ir::Diagnostic &LoweredFile::error(ir::SourceLocation at, std::string message) {
  auto known = std::find_if(diagnostics.begin(), diagnostics.end(), [&](const auto &d) {
    return d.location == at && d.message == message;
  });
  if (known != diagnostics.end())
    return *known;
  diagnostics.push_back(ir::errorAt(std::move(at), std::move(message)));
  return diagnostics.back();
}

std::optional<UsedSpectrum> LoweredFile::spectrumOf(const clang::FunctionDecl *function) const {
  const SpectrumSource *source = spectrums.calledBy(function);
  if (source == nullptr)
    return std::nullopt;
  if (!source->isTemplate())
    return UsedSpectrum{source->name, source->reference.function};
  const Instance &instance = instances.of(*source, *function);
  return UsedSpectrum{instance.name, instance.called};
}

std::nullptr_t FunctionLowering::unsupported(clang::SourceRange where, const std::string &what) {
  file.error(at(where), "unsupported construct: " + what);
  return nullptr;
}

void FunctionLowering::checkIsAscii(const clang::NamedDecl &declaration) {
  std::string name = declaration.getNameAsString();
  name = name.substr(0, name.find('$')); // a codelet's own, without its number
  if (std::any_of(name.begin(), name.end(), [](char c) { return (c & 0x80) != 0; }))
    unsupported(declaration.getLocation(), "name '" + name + "' with characters other than ASCII");
}

Signature FunctionLowering::signature() {
  Signature result;
  checkIsAscii(function);
  clang::QualType returned = function.getReturnType();
  // A function that is no codelet may return `const T &`, which is taken for a T. Where a caller makes a reference of the result,
  // it is checked that the value cannot change meanwhile.
  if (role == FunctionRole::Helper && returned.getNonReferenceType().isConstQualified())
    returned = returned.getNonReferenceType();
  auto type = typeOf(file.ast, returned);
  if (!type || type->isContainer())
    unsupported(function.getReturnTypeSourceRange(),
                "result of type '" + spelling(file.ast, function.getReturnType()) + "'");
  else
    result.result = *type;
  if (function.isVariadic())
    unsupported(function.getLocation(), "variable number of arguments");
  for (const clang::ParmVarDecl *declaration : function.parameters())
    result.params.push_back(parameter(*declaration));
  return result;
}

/// Whether a parameter has the name that an extent of another one gets: n_size beside n.
bool FunctionLowering::isExtentOfOther(const clang::ParmVarDecl &declaration) const {
  llvm::StringRef name = declaration.getName().rtrim("0123456789");
  return name.consume_back("_size") &&
         std::any_of(function.param_begin(), function.param_end(),
                     [&](const clang::ParmVarDecl *other) { return other->getName() == name; });
}

ir::VarPtr FunctionLowering::parameter(const clang::ParmVarDecl &declaration) {
  ir::Var var;
  var.kind = ir::VarKind::Param;
  var.location = file.places.token(declaration.getLocation());
  const bool isOfHelper = role == FunctionRole::Helper; // const T & is a T there
  auto type = isOfHelper ? typeOf(file.ast, declaration.getType().getNonReferenceType())
                         : parameterType(file.ast, declaration);
  std::string named = declaration.getName().empty()
                          ? "parameter"
                          : "parameter '" + declaration.getName().str() + "'";
  bool isRefused =
      !type || type->scalar == ir::Scalar::Void || type->nest > 0 ||
      (declaration.getType()->isReferenceType() && !type->isContainer() && !isOfHelper);
  if (isRefused)
    unsupported(declaration.getLocation(),
                named + " of type '" + spelling(file.ast, declaration.getType()) + "'");
  else
    var.type = *type;
  if (!isOfHelper && claim(declaration, QualifierKind::Positional) && type &&
      type->scalar != ir::Scalar::Index)
    file.error(var.location, named + " is '__positional': it must be an unsigned integer of 32 or "
                                     "64 bits");
  if (declaration.hasDefaultArg() && !isOfHelper)
    unsupported(declaration.getLocation(), "default argument of " + named);
  var.name = declaration.getName().str();
  if (var.name.empty())
    var.name = "unnamed" + std::to_string(declaration.getFunctionScopeIndex() + 1);
  if (isExtentOfOther(declaration))
    var.name += "_";
  return isRefused ? std::make_shared<const ir::Var>(std::move(var))
                   : define(declaration, std::move(var));
}

ir::StmtPtr FunctionLowering::body() {
  const clang::Stmt *written = function.getBody();
  if (!llvm::isa<clang::CompoundStmt>(written)) {
    unsupported(written->getSourceRange(), "function try block");
    return ir::block({});
  }
  Stmts statements;
  for (const clang::ParmVarDecl *declaration : function.parameters()) {
    const auto known = variables.find(declaration);
    if (isCodelet() && known != variables.end() && isElementReference(file.ast, *declaration)) {
      const ir::SourceLocation place = known->second->location;
      const ir::ExprPtr size = ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index),
                                        {ir::varRef(known->second, place)}, place);
      statements.push_back(ir::require(
          ir::binary("==", size, integerAt(1, ir::Scalar::Index, place), place), place));
    }
  }
  braces = written;
  for (const clang::Stmt *child : written->children())
    statement(child, statements);
  checkTunablesAreUsed();
  statements.insert(statements.begin(), tables.begin(), tables.end());
  return ir::block(std::move(statements), at(function.getLocation()));
}

void FunctionLowering::checkTunablesAreUsed() {
  for (const clang::VarDecl *tunable : tunables) {
    if (!tunable->isReferenced())
      file.error(file.places.token(tunable->getLocation()),
                 "tunable '" + tunable->getName().str() + "' is never used");
  }
}

std::optional<std::string> Helpers::nameOf(LoweredFile &file, const clang::FunctionDecl &callee,
                                           clang::SourceRange call) {
  const clang::FunctionDecl *definition = callee.getDefinition();
  std::string written = "'" + callee.getQualifiedNameAsString() + "'";
  if (definition == nullptr ||
      file.ast.getSourceManager().isInSystemHeader(definition->getLocation())) {
    file.error(file.places.range(call),
               "unsupported construct: call of " + written +
                   (definition ? ", a library function" : ", which has no definition here"));
    return std::nullopt;
  }
  if (underway.count(definition) != 0) {
    file.error(file.places.range(call), "unsupported construct: recursive function " + written)
        .notes = {
        ir::noteAt(file.places.token(definition->getLocation()), written + " is defined here")};
    return std::nullopt;
  }
  auto known = names.find(definition);
  if (known != names.end())
    return known->second;
  std::string name = uniqueName(file, *definition);
  names.emplace(definition, name);
  underway.insert(definition);
  lower(file, *definition, name);
  underway.erase(definition);
  return name;
}

void Helpers::lower(LoweredFile &file, const clang::FunctionDecl &definition,
                    const std::string &name) {
  FunctionLowering lowering(file, definition, FunctionRole::Helper);
  Signature signature = lowering.signature();
  ir::StmtPtr body = withCountedLoops(lowering.body());
  functions.push_back({name, signature.result, std::move(signature.params), std::move(body),
                       file.places.token(definition.getLocation())});
}

/// Overloads and instances of a template become functions of different names.
std::string Helpers::uniqueName(const LoweredFile &file, const clang::FunctionDecl &definition) {
  std::string wanted = definition.getNameAsString();
  if (ir::isReservedFunction(wanted))
    wanted += "_function";
  const std::string name = ir::uniqueName(wanted, [&](const std::string &each) {
    return taken.count(each) != 0 ||
           std::any_of(file.spectrums.all().begin(), file.spectrums.all().end(),
                       [&](const SpectrumSource &s) { return s.name == each; });
  });
  taken.insert(name);
  std::string source = definition.getQualifiedNameAsString();
  if (const auto *arguments = definition.getTemplateSpecializationArgs())
    source = nameWithArguments(file.ast, source, *arguments);
  if (source != name && !ir::isReservedFunction(source))
    written.emplace(name, std::move(source));
  return name;
}

} // namespace tangram::frontend
