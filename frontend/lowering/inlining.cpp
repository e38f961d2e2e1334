// Functions that are inlined where they are called: those that a C function would need addresses for. They take
// references, containers, arrays or structs, or give a struct, or are lambdas.
//
// before: static void order(float &a, float &b) { if (b < a) { float t = a; a = b; b = t; } }
//         order(x[i], x[j]);
// after:  if (x[j] < x[i]) { float t = x[i]; x[i] = x[j]; x[j] = t; }
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"
#include "ir/early_return.h"

#include <algorithm>
#include <utility>

namespace tangram::frontend {

namespace {

/// Whether a C function cannot take it.
bool needsAddress(const clang::ASTContext &ast, const clang::ParmVarDecl &parameter) {
  const clang::QualType type = parameter.getType();
  if (isElementReference(ast, parameter) || isRecord(type) || type->isPointerType() ||
      type.getNonReferenceType()->isArrayType() || isStandardArray(type))
    return true;
  return languageClass(type) == LanguageClass::Array;
}

/// The same of a variable that is read where `s` stands, or not.
bool changes(const clang::Stmt *s, const clang::ValueDecl *variable, bool isRead = false) {
  if (s == nullptr)
    return false;
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(s))
    return named->getDecl() == variable && !isRead;
  const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(s);
  // The variable is read, or passed on as const.
  const bool reads = cast != nullptr && (cast->getCastKind() == clang::CK_LValueToRValue ||
                                         (cast->getCastKind() == clang::CK_NoOp &&
                                          cast->isLValue() && cast->getType().isConstQualified()));
  const bool same = isRead && (llvm::isa<clang::ParenExpr>(s) || cast != nullptr);
  return std::any_of(s->child_begin(), s->child_end(), [&](const clang::Stmt *child) {
    return changes(child, variable, reads || same);
  });
}

/// Whether a lambda is called in `s`, which may change what it captures.
bool callsLambda(const clang::Stmt *s) {
  if (s == nullptr)
    return false;
  const auto *called = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s);
  return (called != nullptr && called->getOperator() == clang::OO_Call) ||
         std::any_of(s->child_begin(), s->child_end(), callsLambda);
}

/// What `{ return value; }` returns, or null.
const clang::Expr *onlyValue(const clang::FunctionDecl &definition) {
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(definition.getBody());
  const auto *only = body != nullptr && body->size() == 1
                         ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front())
                         : nullptr;
  return only != nullptr ? only->getRetValue() : nullptr;
}

/// Whether all that `s` returns is `*this`.
bool returnsSelf(const clang::Stmt *s) {
  if (s == nullptr)
    return true;
  if (const auto *returned = llvm::dyn_cast<clang::ReturnStmt>(s)) {
    const auto *whole =
        returned->getRetValue() != nullptr
            ? llvm::dyn_cast<clang::UnaryOperator>(returned->getRetValue()->IgnoreParenImpCasts())
            : nullptr;
    return whole != nullptr && whole->getOpcode() == clang::UO_Deref &&
           llvm::isa<clang::CXXThisExpr>(whole->getSubExpr()->IgnoreParenImpCasts());
  }
  return std::all_of(s->child_begin(), s->child_end(), returnsSelf);
}

bool hasReturns(const ir::StmtPtr &body) {
  bool found = false;
  ir::forEach(body, [&](const ir::Stmt &s) { found |= s.kind == ir::StmtKind::Return; });
  return found;
}

/// `body`, which goes on where it returned.
ir::StmtPtr withoutReturns(const ir::StmtPtr &body) {
  if (!hasReturns(body))
    return body;
  return ir::rewrite(ir::tailReturns(body, ir::Scalar::Void),
                     [](const ir::StmtPtr &s) -> ir::StmtPtr {
                       return s->kind == ir::StmtKind::Return ? ir::block({}, s->location) : s;
                     });
}

const clang::Expr *writtenArgument(const clang::CallExpr &e, unsigned i) {
  const clang::Expr *argument = e.getArg(i);
  if (const auto *byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
    return byDefault->getExpr();
  return argument;
}

/// Number of the first argument that stands for a parameter: that of an operator of a class is the object.
unsigned firstArgument(const clang::CallExpr &e) {
  return llvm::isa<clang::CXXOperatorCallExpr>(e) &&
                 llvm::isa<clang::CXXMethodDecl>(e.getDirectCallee())
             ? 1
             : 0;
}

} // namespace

bool isChanged(const clang::Stmt &s, const clang::ValueDecl &variable) {
  return changes(&s, &variable);
}

bool FunctionLowering::isInlined(const clang::FunctionDecl &callee) const {
  const clang::FunctionDecl *definition = callee.getDefinition();
  if (definition == nullptr || inLanguage(definition) ||
      file.ast.getSourceManager().isInSystemHeader(definition->getLocation()) ||
      file.spectrums.calledBy(&callee) != nullptr)
    return false;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  if (method != nullptr)
    return !llvm::isa<clang::CXXConstructorDecl>(method) && !method->isVirtual() &&
           !method->isDefaulted();
  return isRecord(definition->getReturnType()) ||
         std::any_of(definition->param_begin(), definition->param_end(),
                     [&](const clang::ParmVarDecl *p) { return needsAddress(file.ast, *p); });
}

/// The function that is inlined for `e`, or null.
const clang::FunctionDecl *FunctionLowering::inlinedCallee(const clang::CallExpr &e) const {
  const clang::FunctionDecl *callee = e.getDirectCallee();
  return callee != nullptr && isInlined(*callee) ? callee->getDefinition() : nullptr;
}

bool FunctionLowering::isKnown(const clang::ValueDecl &declaration) const {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
  return (variable != nullptr && variables.count(variable) != 0) ||
         aliases.count(&declaration) != 0 || arrayParts.count(&declaration) != 0 ||
         closures.count(&declaration) != 0 || records.count(&declaration) != 0 ||
         recordArrays.count(&declaration) != 0;
}

/// Does the body of `definition` before the expression at hand; nothing after an error.
std::optional<FunctionLowering::InlinedValue>
FunctionLowering::inlinedCall(const clang::CallExpr &e, const clang::FunctionDecl &definition) {
  const std::string name = definition.getDeclName().isIdentifier() ? definition.getNameAsString()
                                                                   : std::string("lambda");
  auto isIt = [&](const Inlined &each) { return each.function == &definition; };
  if (std::any_of(inlined.begin(), inlined.end(), isIt)) {
    unsupported(e.getSourceRange(), "recursive function '" + name + "'");
    return std::nullopt;
  }
  if (before == nullptr) {
    unsupported(e.getSourceRange(),
                "call of '" + name + "' here: give its value a name in a statement of its own");
    return std::nullopt;
  }
  // A lambda may be called while another call of it waits: names of this one end with it.
  const std::map<const clang::VarDecl *, ir::VarPtr> outside = variables;
  const std::shared_ptr<const Record> outerSelf = self;
  const auto outerAliases = aliases;
  const auto outerRecords = records;
  const bool isBound = bindParameters(e, definition) && bindCalled(e, definition);
  std::optional<InlinedValue> value;
  if (isBound)
    value = inlinedBody(e, definition, name);
  for (const auto &[variable, known] : outside)
    variables[variable] = known;
  for (const clang::ParmVarDecl *parameter : definition.parameters()) {
    if (const auto known = outerAliases.find(parameter); known != outerAliases.end())
      aliases[parameter] = known->second;
    if (const auto known = outerRecords.find(parameter); known != outerRecords.end())
      records[parameter] = known->second;
  }
  self = outerSelf;
  return value;
}

/// What is called is a lambda, whose copies are known by the names of what they are copies of, or a member function.
bool FunctionLowering::bindCalled(const clang::CallExpr &e, const clang::FunctionDecl &definition) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&definition);
  if (method == nullptr || method->isStatic())
    return true;
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&e);
  const clang::Expr *object = member != nullptr ? member->getImplicitObjectArgument() : e.getArg(0);
  if (!method->getParent()->isLambda()) {
    const bool isOwn =
        object->IgnoreParenImpCasts()->getStmtClass() == clang::Stmt::CXXThisExprClass;
    if (!isOwn)
      self = recordOf(object);
    return self != nullptr;
  }
  const Closure *closed = closureOf(object, *before);
  if (closed == nullptr)
    return false;
  for (const auto &[captured, copy] : closed->copies)
    variables[captured] = copy;
  return true;
}

std::optional<FunctionLowering::InlinedValue>
FunctionLowering::inlinedBody(const clang::CallExpr &e, const clang::FunctionDecl &definition,
                              const std::string &name) {
  InlinedValue value;
  const clang::QualType returned = definition.getReturnType();
  const ir::SourceLocation place = at(e.getSourceRange());
  const auto type = typeOf(file.ast, returned.getNonReferenceType());
  const clang::Expr *only = onlyValue(definition);
  if (only != nullptr && hasIncrements(*only))
    only = nullptr;
  const bool givesSelf =
      isRecord(returned) && returned->isReferenceType() && returnsSelf(definition.getBody());
  if (only != nullptr && isRecord(returned) && returned->isReferenceType()) {
    inlined.push_back({&definition, nullptr, nullptr});
    value.record = recordOf(only);
    inlined.pop_back();
    return value.record ? std::optional(value) : std::nullopt;
  }
  if (returned->isReferenceType() && only == nullptr && !givesSelf &&
      !returned.getNonReferenceType().isConstQualified()) { // a copy would be written
    unsupported(definition.getLocation(),
                "result of type '" + spelling(file.ast, returned) + "' of '" + name + "'");
    return std::nullopt;
  }
  if (only != nullptr && type && !isRecord(returned) && type->scalar != ir::Scalar::Void) {
    inlined.push_back({&definition, nullptr, nullptr});
    const ir::ExprPtr number = expression(only);
    if (number && (number->type.isContainer() || type->isContainer()))
      value.number = number;
    else if (number)
      value.number = convert(number, type->scalar);
    inlined.pop_back();
    return value.number ? std::optional(value) : std::nullopt;
  }
  Inlined here{&definition, nullptr, nullptr, givesSelf};
  if (givesSelf) {
    value.record = self;
  } else if (isRecord(returned)) {
    value.record = newRecord(*returned.getNonReferenceType()->getAsRecordDecl(), name + "_result",
                             place, *before);
    here.record = value.record.get();
    if (!value.record)
      return std::nullopt;
  } else if (!type || type->isContainer()) {
    unsupported(definition.getLocation(),
                "result of type '" + spelling(file.ast, returned) + "' of '" + name + "'");
    return std::nullopt;
  } else if (type->scalar != ir::Scalar::Void) {
    ir::Var var;
    var.name = name + "_result";
    var.kind = ir::VarKind::Local;
    var.type = *type;
    var.location = place;
    here.result = std::make_shared<const ir::Var>(std::move(var));
    before->push_back(ir::declare(here.result, nullptr, place));
    value.number = ir::varRef(here.result, place);
  }
  inlined.push_back(here);
  Stmts body;
  Stmts *const outer = std::exchange(before, nullptr);
  const clang::Stmt *const outerBraces = std::exchange(braces, definition.getBody());
  ++depth;
  for (const clang::Stmt *child : definition.getBody()->children())
    statement(child, body);
  --depth;
  before = outer;
  inlined.pop_back();
  braces = outerBraces;
  before->push_back(withoutReturns(ir::block(std::move(body), place)));
  return value;
}

bool FunctionLowering::bindParameters(const clang::CallExpr &e,
                                      const clang::FunctionDecl &definition) {
  const unsigned first = firstArgument(e);
  const Scope in{definition.getBody(), &e, &definition};
  bool complete = true;
  for (unsigned i = first; i < e.getNumArgs() && i - first < definition.getNumParams(); ++i)
    complete &= bindParameter(*definition.getParamDecl(i - first), *writtenArgument(e, i), in,
                              i - first + 1);
  return complete;
}

bool FunctionLowering::bindParameter(const clang::ParmVarDecl &parameter,
                                     const clang::Expr &argument, const Scope &in,
                                     unsigned number) {
  const clang::QualType type = parameter.getType();
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record != nullptr && record->isLambda()) {
    const Closure *known = closureOf(&argument, *before);
    if (known == nullptr)
      return false;
    closures[&parameter] = Closure(*known);
    return true;
  }
  if (languageClass(type) == LanguageClass::Array)
    return bindContainer(parameter, argument, in, number);
  // A std::array by value is a copy, which shows where the function changes it.
  const bool isCopy =
      isStandardArray(type) && !type->isReferenceType() && changes(in.body, &parameter);
  if (isRecordArray(type)) {
    const auto given = recordArrayOf(argument);
    recordArrays[&parameter] = given;
    if (given && isCopy) {
      NewArray copy{parameter.getNameAsString(), at(argument.getSourceRange()), given->dimensions};
      recordArrays[&parameter] = newRecordArray(*given->type, copy, *before);
      if (recordArrays[&parameter])
        copyRecords(*recordArrays[&parameter], *given, copy.place, *before);
    }
    return recordArrays[&parameter] != nullptr;
  }
  if (type->isPointerType() || type.getNonReferenceType()->isArrayType() || isStandardArray(type)) {
    const auto part = arrayPartOf(argument);
    if (!part)
      return false;
    arrayParts[&parameter] = *part;
    if (isCopy) {
      const ir::SourceLocation place = at(argument.getSourceRange());
      const auto copy = newArray(type, {parameter.getNameAsString(), place}, *before);
      if (!copy)
        return false;
      copyArray(*copy, *part, place, *before);
      arrayParts[&parameter] = *copy;
    }
    return true;
  }
  if (isRecord(type)) {
    std::shared_ptr<const Record> value =
        type->isReferenceType() ? namedRecord(argument, in) : recordOf(&argument);
    if (value && !type->isReferenceType()) {
      const auto copy = newRecord(*type->getAsRecordDecl(), parameter.getNameAsString(),
                                  at(argument.getSourceRange()), *before);
      if (copy)
        recordAssignment(*copy, *value, at(argument.getSourceRange()), *before);
      value = copy;
    }
    records[&parameter] = value;
    return value != nullptr;
  }
  if (isElementReference(file.ast, parameter))
    return bindReference(parameter, argument, in);
  const ir::ExprPtr value = expression(&argument);
  const auto wanted = typeOf(file.ast, type.getNonReferenceType());
  if (!value || !wanted || value->type.isContainer())
    return value && !unsupported(parameter.getLocation(),
                                 "parameter '" + parameter.getNameAsString() + "' of type '" +
                                     spelling(file.ast, type) + "'");
  const ir::ExprPtr converted = convert(value, wanted->scalar);
  const bool isPlain =
      converted->kind == ir::ExprKind::Literal ||
      (converted->kind == ir::ExprKind::Var && converted->var->kind != ir::VarKind::Shared &&
       converted->type == *wanted && !mayChange(argument, in));
  if (isPlain && !changes(in.body, &parameter))
    aliases[&parameter] = converted;
  else
    bindValue(parameter, converted, *before);
  return true;
}

bool FunctionLowering::bindContainer(const clang::ParmVarDecl &parameter,
                                     const clang::Expr &argument, const Scope &in,
                                     unsigned number) {
  const ir::ExprPtr value = expression(&argument);
  const auto type = typeOf(file.ast, parameter.getType());
  if (!value || !type)
    return false;
  if (value->type.isConst && !type->isConst) {
    file.error(value->location, "argument " + std::to_string(number) + " of '" +
                                    in.called->getNameAsString() + "' is const, its parameter '" +
                                    parameter.getNameAsString() + "' is not")
        .notes = {
        ir::noteAt(file.places.token(parameter.getLocation()), "the parameter is declared here")};
    return false;
  }
  if (value->kind == ir::ExprKind::Var)
    aliases[&parameter] = value;
  else if (!nameView(parameter, value, argument, in))
    bindValue(parameter, value, *before);
  return true;
}

/// The name of a variable or an element.
bool FunctionLowering::bindReference(const clang::VarDecl &reference, const clang::Expr &argument,
                                     const Scope &in) {
  const ir::ExprPtr place = assignable(&argument);
  if (!place)
    return false;
  aliases[&reference] = stable(place, argument, in, *before);
  return true;
}

/// Whether a variable that `written` names may be changed in a scope.
bool FunctionLowering::mayChange(const clang::Expr &written, const Scope &in) {
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(&written)) {
    const clang::ValueDecl *variable = named->getDecl();
    const clang::QualType type = variable->getType().getNonReferenceType();
    if (!type->isArithmeticType() && languageClass(type) != LanguageClass::Vector)
      return false;
    if (changes(in.body, variable) || callsLambda(in.body) ||
        variable->getType()->isReferenceType())
      return true;
    for (unsigned i = 0; in.call != nullptr && i < in.call->getNumArgs(); ++i) {
      const unsigned first = firstArgument(*in.call);
      const bool isWritten = i >= first && i - first < in.called->getNumParams() &&
                             isElementReference(file.ast, *in.called->getParamDecl(i - first));
      if (isWritten && changes(in.call->getArg(i), variable))
        return true;
    }
    return false;
  }
  return std::any_of(written.child_begin(), written.child_end(), [&](const clang::Stmt *child) {
    const auto *e = llvm::dyn_cast_or_null<clang::Expr>(child);
    return e != nullptr && mayChange(*e, in);
  });
}

/// A variable or element whose subscripts are evaluated once, here.
ir::ExprPtr FunctionLowering::stable(const ir::ExprPtr &place, const clang::Expr &written,
                                     const Scope &in, Stmts &into) {
  if (place->kind != ir::ExprKind::Index)
    return place;
  const bool changing = mayChange(written, in);
  std::vector<ir::ExprPtr> args = place->args;
  for (std::size_t i = 1; i < args.size(); ++i) {
    const bool reads = ir::contains(args[i], [](const ir::Expr &e) {
      return e.kind == ir::ExprKind::Index || e.kind == ir::ExprKind::Call;
    });
    if (args[i]->kind != ir::ExprKind::Literal && (changing || reads))
      args[i] = named(args[i], "at", into);
  }
  return ir::withArgs(place, std::move(args));
}

/// The place that a reference names. Of `max(a, b)` or `c ? a : b` one of two is chosen where the reference is made, and its value is
/// read where the reference is used. Null after an error.
ir::ExprPtr FunctionLowering::settled(const ir::ExprPtr &place, const clang::Expr &written,
                                      const Scope &in, Stmts &into) {
  if (place->kind == ir::ExprKind::Index)
    return stable(place, written, in, into);
  const bool isElement = ir::contains(place, [](const ir::Expr &e) {
    return e.kind == ir::ExprKind::Index && !e.args[0]->type.isConst;
  });
  if (!isElement && !mayChange(written, in))
    return place;
  const ir::ExprPtr one = settledChoice(place, written, in, into);
  const bool isResult =
      llvm::isa<clang::CallExpr>(written) && !llvm::isa<clang::CXXOperatorCallExpr>(written);
  if (one != place || !isResult)
    return one;
  return unsupported(written.getSourceRange(),
                     "reference to what a function returns, where that may change; take the value "
                     "without '&'");
}

/// `place` with the conditions of its choices evaluated once, into variables.
ir::ExprPtr FunctionLowering::settledChoice(const ir::ExprPtr &place, const clang::Expr &written,
                                            const Scope &in, Stmts &into) {
  const auto of = [&](const ir::ExprPtr &condition, const ir::ExprPtr &a, const ir::ExprPtr &b) {
    const ir::ExprPtr isFirst = named(condition, "is_first", into);
    return ir::select(isFirst, settledChoice(a, written, in, into),
                      settledChoice(b, written, in, into), place->location);
  };
  if (place->kind == ir::ExprKind::Select)
    return of(place->args[0], place->args[1], place->args[2]);
  const bool isMost = place->kind == ir::ExprKind::Call && place->callee == "max";
  const bool isLeast = place->kind == ir::ExprKind::Call && place->callee == "min";
  if (!isMost && !isLeast)
    return stable(place, written, in, into);
  const ir::ExprPtr &a = place->args[0], &b = place->args[1]; // equal: a, as in C++
  return of(ir::binary("<", isMost ? a : b, isMost ? b : a, place->location), b, a);
}

/// A variable of its own that begins with `value`.
void FunctionLowering::bindValue(const clang::VarDecl &declaration, const ir::ExprPtr &value,
                                 Stmts &into) {
  ir::Var var;
  var.name = declaration.getNameAsString();
  if (var.name.empty())
    var.name = "unnamed";
  var.kind = ir::VarKind::Local;
  var.type = value->type;
  var.location = file.places.token(declaration.getLocation());
  const auto type = typeOf(file.ast, declaration.getType().getNonReferenceType());
  if (type && !type->isContainer())
    var.type = *type;
  const ir::SourceLocation place = var.location;
  aliases.erase(&declaration);
  into.push_back(ir::declare(define(declaration, std::move(var)), value, place));
}

} // namespace tangram::frontend
