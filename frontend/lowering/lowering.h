// From Clang's syntax tree to the IR, one function at a time. A FunctionLowering
// reports what the language does not have as errors, and goes on: a null result
// means that an error has been reported for it. Its members stand in the files
// arrays, atomics, calls, closures, containers, expressions, functions, hoisting, increments, inlining, library_calls,
// maps, pads, partitions, primitives, ranges, records, requirements, statements, switches, variables, vectors and views of
// this folder.
#pragma once

#include "frontend/instances.h"
#include "frontend/lowering/helpers.h"
#include "frontend/places.h"
#include "frontend/spectrums.h"
#include "ir/program.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::frontend {

/// A spectrum where it is called or mapped.
struct UsedSpectrum {
  std::string name; ///< in the program: "sum", "sum<float>"
  /// Sets result and parameters.
  const clang::FunctionDecl *signature = nullptr;
};

/// What the lowering of all functions of a file shares.
struct LoweredFile {
  clang::ASTContext &ast;
  const Places &places;
  const Spectrums &spectrums;
  Instances &instances;
  Qualifiers &qualifiers;
  ir::Diagnostics &diagnostics;
  Helpers helpers = {};

  /// The spectrum a call of `function` means, instantiated where it is a template;
  /// nothing for other functions.
  std::optional<UsedSpectrum> spectrumOf(const clang::FunctionDecl *function) const;

  /// Adds an error, unless the same stands there already (a spectrum and its codelet
  /// share their parameters' places).
  ir::Diagnostic &error(ir::SourceLocation at, std::string message);
};

enum class FunctionRole {
  Autonomous,  ///< a codelet
  Cooperative, ///< a `__coop` codelet
  Helper,      ///< a function that is not a spectrum
  Spectrum,    ///< a declaration only
};

/// An array, or a row of an array of arrays: its items along the first of its dimensions begin at number `first`.
struct ArrayPart {
  ir::VarPtr array;
  std::vector<ir::ExprPtr> dimensions;
  ir::ExprPtr first; ///< null: 0
};

/// An array of structs: an array for each member, whose own dimensions, if it has some, come last.
struct RecordArray {
  const clang::RecordDecl *type = nullptr;
  std::vector<ir::ExprPtr> dimensions;
  std::map<const clang::FieldDecl *, ArrayPart> members;
  std::map<const clang::FieldDecl *, std::shared_ptr<const RecordArray>> records;
};

/// An array to be declared.
struct NewArray {
  std::string name;
  ir::SourceLocation place;
  std::vector<ir::ExprPtr> dimensions = {}; ///< in front of those of its type
  ir::VarKind kind = ir::VarKind::Local;
};

/// The members of a struct, each a number, a vector, an array, a struct or an array of structs.
struct Record {
  const clang::RecordDecl *type = nullptr;
  std::map<const clang::FieldDecl *, ir::ExprPtr> numbers;
  std::map<const clang::FieldDecl *, ArrayPart> arrays;
  std::map<const clang::FieldDecl *, std::shared_ptr<const Record>> records;
  std::map<const clang::FieldDecl *, std::shared_ptr<const RecordArray>> tables;
};

struct Signature {
  ir::Type result;
  std::vector<ir::VarPtr> params;
};

/// Whether there are increments in `s` whose variables change when it is evaluated.
bool hasIncrements(const clang::Stmt &s);

/// Whether `s` does anything to `variable` but read it.
bool isChanged(const clang::Stmt &s, const clang::ValueDecl &variable);

/// The part of `part` that its item number `index` is: a row, of an array of arrays.
ArrayPart rowOf(const ArrayPart &part, const ir::ExprPtr &index, const ir::SourceLocation &place);
/// Number of the element `index` of a part of one dimension in its array.
ir::ExprPtr numberIn(const ArrayPart &part, const ir::ExprPtr &index,
                     const ir::SourceLocation &place);

/// The element of that number in a part, whose elements are numbered row by row.
ir::ExprPtr elementNumbered(const ArrayPart &part, const ir::ExprPtr &number,
                            const ir::SourceLocation &place);

/// The item `number` of an array of structs that has more than one dimension, or one alone.
std::shared_ptr<const RecordArray> rowIn(const RecordArray &array, const ir::ExprPtr &number,
                                         const ir::SourceLocation &place);
std::shared_ptr<const Record> recordIn(const RecordArray &array, const ir::ExprPtr &number,
                                       const ir::SourceLocation &place);

/// The list in braces that `e` is, also of a std::initializer_list; or null.
const clang::InitListExpr *listIn(const clang::Expr *e);

/// The text that `e` is, or null.
const clang::StringLiteral *textIn(const clang::Expr *e);

/// Whether it is a call of `std::max` or `std::min` with two arguments.
bool isExtreme(const clang::Expr &e);

/// Whether it makes a new std::pair.
bool makesPair(const clang::Expr &e);
bool isPairComparison(const clang::CXXOperatorCallExpr &e);

/// Whether an operand is a vector.
bool isVectorOperation(const clang::CXXOperatorCallExpr &e);

class FunctionLowering {
public:
  FunctionLowering(LoweredFile &file, const clang::FunctionDecl &function, FunctionRole role)
      : file(file), function(function), role(role) {}

  /// Result and parameters. Call it before body().
  Signature signature();
  /// The body, a Block.
  ir::StmtPtr body();
  /// What it said of sizes. After body().
  const std::vector<ir::Typical> &typicalSizes() const { return saidOfSizes; }

private:
  using Stmts = std::vector<ir::StmtPtr>;

  // functions.cpp
  ir::VarPtr parameter(const clang::ParmVarDecl &declaration);
  bool isExtentOfOther(const clang::ParmVarDecl &declaration) const;
  void checkTunablesAreUsed();
  /// Manifests and several targets take no other names.
  void checkIsAscii(const clang::NamedDecl &declaration);

  /// Where a name is visible, and so where what it stands for may be changed.
  struct Scope {
    const clang::Stmt *body;
    const clang::CallExpr *call; ///< of `called`, which is inlined; or null
    const clang::FunctionDecl *called;
  };

  // hoisting.cpp: statements that are done before the expression that they are part of.
  ir::ExprPtr hoisted(Stmts *into, const clang::Expr *e);
  std::vector<ir::ExprPtr> hoistedInOrder(const std::vector<const clang::Expr *> &all);
  ir::ExprPtr named(const ir::ExprPtr &value, const std::string &name, Stmts &into);
  ir::ExprPtr fixed(const ir::ExprPtr &place, Stmts &into);
  ir::ExprPtr chosen(const ir::ExprPtr &condition, const ir::ExprPtr &ifTrue, Stmts whenTrue,
                     const ir::ExprPtr &ifFalse, Stmts whenFalse, const clang::Expr &e);
  ir::ExprPtr assignmentValue(const clang::Expr &e);
  ir::ExprPtr incrementValue(const clang::UnaryOperator &e);

  // inlining.cpp
  struct Inlined {
    const clang::FunctionDecl *function;
    ir::VarPtr result;      ///< null: it gives nothing, or a record
    const Record *record;   ///< what it gives, or null
    bool givesSelf = false; ///< `return *this;`
  };
  struct InlinedValue {
    ir::ExprPtr number; ///< null: it gives none
    std::shared_ptr<const Record> record;
  };
  bool isInlined(const clang::FunctionDecl &callee) const;
  const clang::FunctionDecl *inlinedCallee(const clang::CallExpr &e) const;
  std::optional<InlinedValue> inlinedCall(const clang::CallExpr &e,
                                          const clang::FunctionDecl &callee);
  bool bindCalled(const clang::CallExpr &e, const clang::FunctionDecl &definition);
  bool bindParameters(const clang::CallExpr &e, const clang::FunctionDecl &definition);
  bool bindParameter(const clang::ParmVarDecl &parameter, const clang::Expr &argument,
                     const Scope &in, unsigned number);
  bool bindContainer(const clang::ParmVarDecl &parameter, const clang::Expr &argument,
                     const Scope &in, unsigned number);
  bool bindReference(const clang::VarDecl &reference, const clang::Expr &argument, const Scope &in);
  void bindValue(const clang::VarDecl &declaration, const ir::ExprPtr &value, Stmts &into);
  std::optional<InlinedValue> inlinedBody(const clang::CallExpr &e,
                                          const clang::FunctionDecl &definition,
                                          const std::string &name);
  ir::ExprPtr stable(const ir::ExprPtr &place, const clang::Expr &written, const Scope &in,
                     Stmts &into);
  ir::ExprPtr settled(const ir::ExprPtr &place, const clang::Expr &written, const Scope &in,
                      Stmts &into);
  ir::ExprPtr settledChoice(const ir::ExprPtr &place, const clang::Expr &written, const Scope &in,
                            Stmts &into);
  bool mayChange(const clang::Expr &written, const Scope &in);
  bool isKnown(const clang::ValueDecl &declaration) const;

  // closures.cpp
  struct Closure {
    const clang::LambdaExpr *written;
    std::map<const clang::VarDecl *, ir::VarPtr> copies; ///< of what it captures by value
  };
  const Closure *closureOf(const clang::Expr *e, Stmts &into);
  bool closure(const clang::VarDecl &declaration, const clang::Expr &init, Stmts &into);
  bool capture(const clang::ValueDecl &key, const clang::LambdaExpr &written, Stmts &into);
  bool mayChange(const clang::VarDecl &variable) const;

  // records.cpp: a variable of a struct is a variable for each of its members.
  std::shared_ptr<const Record> recordOf(const clang::Expr *e);
  std::shared_ptr<const Record> listedRecord(const clang::InitListExpr &list);
  std::shared_ptr<const Record> newRecord(const clang::RecordDecl &type, const std::string &name,
                                          const ir::SourceLocation &place, Stmts &into);
  bool recordVariable(const clang::VarDecl &declaration, Stmts &into);
  void assignRecord(const clang::CXXOperatorCallExpr &e, Stmts &into);
  void recordAssignment(const Record &target, const Record &value, const ir::SourceLocation &place,
                        Stmts &into);
  ir::ExprPtr member(const clang::MemberExpr &e);
  std::shared_ptr<const Record> chosenRecord(const clang::ConditionalOperator &e);
  std::shared_ptr<const Record> defaultRecord(const clang::RecordDecl &type);
  bool checkIsPlain(const clang::RecordDecl &type, const ir::SourceLocation &place);
  void unsupportedMember(const clang::FieldDecl &field, const ir::SourceLocation &place);
  std::optional<ArrayPart> listedArray(const clang::FieldDecl &field, const clang::Expr &value);
  static void copyArray(const ArrayPart &target, const ArrayPart &value,
                        const ir::SourceLocation &place, Stmts &into);

  // pairs.cpp: std::pair is a struct.
  std::shared_ptr<const Record> pairOf(const clang::Expr &e);
  bool giveMember(Record &pair, const clang::FieldDecl &member, const ir::ExprPtr &value,
                  const clang::Expr &e);
  std::shared_ptr<const Record> zeroPair(const clang::RecordDecl &type,
                                         const ir::SourceLocation &place);
  std::shared_ptr<const Record> convertedPair(const clang::Expr &e, const clang::RecordDecl &type);
  std::shared_ptr<const Record> leastAndMost(const clang::CallExpr &e,
                                             const clang::RecordDecl &type);
  ir::ExprPtr comparedPairs(const clang::CXXOperatorCallExpr &e);
  ir::ExprPtr comparedNumber(const Record &pair, unsigned i);
  ir::ExprPtr areEqual(const Record &a, const Record &b, const clang::Expr &e);
  ir::ExprPtr isBefore(const Record &a, const Record &b, const clang::Expr &e);
  ir::ExprPtr comparedInOrder(const Record &a, const Record &b, const clang::Expr &e,
                              ir::Operator joins, ir::Operator compares);
  std::shared_ptr<const Record> extremePair(const clang::CallExpr &e,
                                            const clang::RecordDecl &type);
  ir::ExprPtr pairMember(const clang::BindingDecl &binding);

  // record_arrays.cpp: an array of structs is an array for each of their members.
  bool isRecordArray(clang::QualType type) const;
  std::shared_ptr<const RecordArray> newRecordArray(const clang::RecordDecl &type,
                                                    const NewArray &array, Stmts &into);
  std::shared_ptr<const RecordArray> newTable(const clang::FieldDecl &field,
                                              const std::string &name,
                                              const ir::SourceLocation &place, Stmts &into);
  std::shared_ptr<const RecordArray> listedTable(const clang::FieldDecl &field,
                                                 const clang::Expr &value);
  std::shared_ptr<const RecordArray> recordArrayOf(const clang::Expr &written);
  std::shared_ptr<const Record> recordItem(const clang::Expr &base, const clang::Expr &index);
  std::shared_ptr<const Record> namedRecord(const clang::Expr &e, const Scope &in);
  ir::ExprPtr itemNumber(const clang::Expr &index);
  void recordArrayVariable(const clang::VarDecl &declaration, ir::VarKind kind, Stmts &into);
  void recordItems(const clang::Expr &init, const RecordArray &array,
                   const ir::SourceLocation &place, Stmts &into);
  void recordValue(const clang::Expr &init, const Record &target, const ir::SourceLocation &place,
                   Stmts &into);
  static void zeroRecord(const Record &target, const ir::SourceLocation &place, Stmts &into);
  static void zeroRecords(const RecordArray &target, const ir::SourceLocation &place, Stmts &into);
  void forItems(std::int64_t from, const RecordArray &array, const ir::SourceLocation &place,
                Stmts &into, const std::function<void(const ir::ExprPtr &, Stmts &)> &lower);
  static void copyRecords(const RecordArray &target, const RecordArray &value,
                          const ir::SourceLocation &place, Stmts &into);
  void itemVariable(const clang::VarDecl &declaration, const RecordArray &array,
                    const ir::ExprPtr &number, Stmts &into);

  // ranges.cpp
  void rangeStatement(const clang::CXXForRangeStmt &s, Stmts &into);
  ir::ExprPtr rangeOf(const clang::Expr &range, const clang::Stmt *body, Stmts &into);
  std::optional<ArrayPart> listOf(const clang::InitListExpr &list, Stmts &into);
  bool rowVariable(const clang::VarDecl &declaration, const ArrayPart &array,
                   const ir::ExprPtr &number, Stmts &into);
  bool elementVariable(const clang::VarDecl &declaration, const ir::ExprPtr &element, Stmts &into);

  // library_calls.cpp: functions of <algorithm>, <cmath> and <utility> made of others.
  bool isLibraryCall(const clang::FunctionDecl &callee) const;
  ir::ExprPtr libraryCall(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  bool exchangeValues(const clang::CallExpr &e, Stmts &into);
  void exchangeNumbers(const ir::ExprPtr &a, const ir::ExprPtr &b, Stmts &into);
  ir::ExprPtr exchangedValue(const clang::CallExpr &e);

  // statements.cpp: lower `s`, appending what it becomes to `into`.
  void statement(const clang::Stmt *s, Stmts &into);
  void expressionStatement(const clang::Expr *e, Stmts &into);
  void effect(const clang::Expr *e, Stmts &into);
  void assignment(const clang::BinaryOperator &e, Stmts &into);
  void increment(const clang::UnaryOperator &e, Stmts &into);
  void ifStatement(const clang::IfStmt &s, Stmts &into);
  void forStatement(const clang::ForStmt &s, Stmts &into);
  void whileStatement(const clang::WhileStmt &s, Stmts &into);
  void doStatement(const clang::DoStmt &s, Stmts &into);
  void returnStatement(const clang::ReturnStmt &s, Stmts &into);
  void returnedValue(const clang::ReturnStmt &s, Stmts &into);
  ir::ExprPtr assignable(const clang::Expr *e);
  /// A statement as the body of another: a Block, or the one statement it is.
  ir::StmtPtr substatement(const clang::Stmt *s);

  void branches(const clang::IfStmt &s, Stmts &into);
  static ir::StmtPtr withMoreIncrements(const ir::StmtPtr &body, Stmts increments,
                                        ir::StmtPtr &increment);

  // increments.cpp
  /// Increments that become statements of their own, done before an expression or after it.
  struct Increments {
    Stmts before, after;
  };
  Increments incrementsIn(const clang::Expr *e);
  std::shared_ptr<const Record> namedStruct(const clang::Expr *e) const;
  ir::VarPtr namedNumber(const clang::Expr *e) const;
  ir::VarPtr containerOfElement(const clang::Expr *e) const;
  unsigned usesOf(const ir::VarPtr &variable, const clang::Stmt *s) const;
  /// `lower`, which appends a statement made of `e` to `into`, between the increments in `e`.
  void withIncrements(const clang::Expr *e, Stmts &into, const std::function<void()> &lower);
  /// A condition, and what is done before it is decided by.
  ir::ExprPtr condition(const clang::Expr *e, Stmts &first);
  ir::StmtPtr endedBy(const ir::ExprPtr &condition, Stmts first, const ir::StmtPtr &body);

  // switches.cpp
  struct SwitchSection {
    std::vector<const clang::CaseStmt *> cases;
    bool isDefault = false;
    std::vector<const clang::Stmt *>
        statements; ///< at least one; those that it falls through to as well
  };
  void switchStatement(const clang::SwitchStmt &s, Stmts &into);
  bool switchSections(const clang::SwitchStmt &s, std::vector<SwitchSection> &sections);
  bool joinFallThrough(std::vector<SwitchSection> &sections);
  ir::ExprPtr caseCondition(const ir::ExprPtr &selected, const SwitchSection &section);
  ir::StmtPtr sectionBody(const SwitchSection &section);

  // variables.cpp
  void declarations(const clang::DeclStmt &s, Stmts &into);
  void variable(const clang::VarDecl &declaration, Stmts &into);
  void scalarVariable(const clang::VarDecl &declaration, ir::Type type, ir::VarKind kind,
                      Stmts &into);
  bool namedOtherwise(const clang::VarDecl &declaration, Stmts &into);
  void arrayVariable(const clang::VarDecl &declaration, ir::VarKind kind, Stmts &into);
  std::vector<ir::ExprPtr> dimensionsOf(const clang::VarDecl &declaration, ir::VarKind kind);
  void tunable(const clang::VarDecl &declaration, Stmts &into);
  ir::TunableDomain domain(const clang::VarDecl &declaration, ir::Scalar type);
  bool checkDomain(const clang::CallExpr &call, const ir::TunableDomain &domain, ir::Scalar type);
  bool claim(const clang::VarDecl &declaration, QualifierKind kind);
  ir::VarPtr define(const clang::VarDecl &declaration, ir::Var var);

  // expressions.cpp
  ir::ExprPtr expression(const clang::Expr *e);
  ir::ExprPtr expressionOfKind(const clang::Expr *e);
  bool isOfRefusedVariable(const clang::Expr *e) const;
  ir::ExprPtr implicitCast(const clang::ImplicitCastExpr &e);
  ir::ExprPtr explicitCast(const clang::ExplicitCastExpr &e);
  ir::ExprPtr reference(const clang::DeclRefExpr &e);
  ir::ExprPtr unary(const clang::UnaryOperator &e);
  ir::ExprPtr binary(const clang::BinaryOperator &e);
  ir::ExprPtr conditional(const clang::ConditionalOperator &e);
  ir::ExprPtr construction(const clang::CXXConstructExpr &e);

  // arrays.cpp
  ir::ExprPtr arrayElement(const clang::Expr &e, const clang::Expr &base, const clang::Expr &index);
  std::optional<ArrayPart> arrayPartOf(const clang::Expr &e);
  std::optional<ArrayPart> namedArray(const clang::DeclRefExpr &e);
  std::optional<ArrayPart> movedBy(const clang::Expr &base, const clang::Expr &by);
  static bool isElement(const clang::Expr *e, const clang::Expr *&base, const clang::Expr *&index);
  static bool isOfTable(const clang::Expr &base);
  bool isConstantTable(const clang::VarDecl &declaration);
  std::optional<ArrayPart> newArray(clang::QualType type, const NewArray &array, Stmts &into);
  std::optional<ArrayPart> tableOf(const clang::StringLiteral &text);
  const clang::StringLiteral *textOf(const clang::VarDecl &pointer) const;
  void collectText(const clang::StringLiteral &text, std::int64_t first,
                   std::map<std::int64_t, ir::ExprPtr> &values);
  void arrayValues(const ir::VarPtr &array, const clang::Expr *init, Stmts &into);
  bool collectValues(const clang::InitListExpr &list, std::int64_t first,
                     std::map<std::int64_t, ir::ExprPtr> &values);
  static void forElements(const ArrayPart &part, const ir::SourceLocation &place, Stmts &into,
                          const std::function<void(const ir::ExprPtr &number, Stmts &body)> &lower);
  static void zeroArray(const ArrayPart &array, const ir::SourceLocation &place, Stmts &into);
  static void zeros(const ir::VarPtr &array, std::int64_t first, const ir::SourceLocation &place,
                    Stmts &into);

  // calls.cpp
  ir::ExprPtr call(const clang::CallExpr &e);
  ir::ExprPtr spectrumCall(const clang::CallExpr &e, const UsedSpectrum &spectrum);
  ir::ExprPtr mathCall(const clang::CallExpr &e, const std::string &name);
  ir::ExprPtr helperCall(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  bool arguments(const clang::CallExpr &e, const clang::FunctionDecl &callee,
                 std::vector<ir::ExprPtr> &into);

  // containers.cpp
  ir::ExprPtr memberCall(const clang::CXXMemberCallExpr &e);
  ir::ExprPtr elementOf(const clang::CXXOperatorCallExpr &e);
  ir::ExprPtr allocation(const clang::CXXConstructExpr &e);
  void containerAssignment(const clang::CXXOperatorCallExpr &e, Stmts &into);
  void exchange(const clang::CallExpr &e, Stmts &into);
  bool checkWritable(const ir::Expr &target);

  // vectors.cpp
  bool isVectorComponent(const clang::MemberExpr &e) const;
  bool isVectorFunction(const clang::FunctionDecl &callee) const;
  ir::ExprPtr component(const clang::MemberExpr &e);
  ir::ExprPtr vectorOperation(const clang::CXXOperatorCallExpr &e);
  void vectorAssignment(const clang::CXXOperatorCallExpr &e, Stmts &into);
  ir::ExprPtr vectorConstruction(const clang::CXXConstructExpr &e);
  ir::ExprPtr vectorCall(const clang::CallExpr &e, const std::string &name);
  ir::ExprPtr vectorConstant(const clang::Expr &e);

  // primitives.cpp
  ir::ExprPtr primitive(const clang::CallExpr &e, const std::string &name);
  ir::ExprPtr lane(const clang::CallExpr &e, const std::string &name);
  ir::ExprPtr sequence(const clang::CallExpr &e);
  ir::ExprPtr all(const clang::CallExpr &e);
  bool primitiveArguments(const clang::CallExpr &e, unsigned from, std::vector<ir::ExprPtr> &into);

  // maps.cpp
  ir::ExprPtr map(const clang::CallExpr &e, const std::string &name);
  std::optional<UsedSpectrum> appliedSpectrum(const clang::CallExpr &e, const std::string &name);
  bool checkMapCount(const std::string &name, const ir::SourceLocation &place, std::size_t given,
                     const UsedSpectrum &spectrum);
  bool checkFold(const clang::CallExpr &e, const ir::Type &result, const UsedSpectrum &spectrum);
  bool checkCarry(const clang::CallExpr &e, const ir::Expr &carry, const ir::Type &result,
                  const UsedSpectrum &spectrum);
  bool checkMapArgument(const std::string &name, const clang::Expr *argument, const ir::Expr &value,
                        const clang::ParmVarDecl &parameter, const UsedSpectrum &spectrum);

  // partitions.cpp
  ir::ExprPtr partition(const clang::CallExpr &e);
  ir::ExprPtr view(const clang::CallExpr &e, const std::string &name);
  ir::ExprPtr blocks(const clang::CallExpr &e, const ir::ExprPtr &container,
                     const std::string &name);
  ir::ExprPtr windows(const clang::CallExpr &e, const std::string &name);
  ir::ExprPtr slice(const clang::CallExpr &e);
  ir::ExprPtr elementsOf(const ir::ExprPtr &container, const ir::SourceLocation &place);
  bool checkDimensions(const std::string &name, const ir::ExprPtr &container, unsigned least,
                       bool exactly);
  bool dimensionOf(const clang::Expr *written, const std::string &name,
                   const ir::ExprPtr &container, unsigned &dimension);
  ir::ExprPtr repeated(const clang::CallExpr &e, const std::string &name);
  ir::ExprPtr partCount(const clang::Expr *written, const std::string &name);
  ir::ExprPtr partSize(const clang::Expr *written, const std::string &name);
  ir::ExprPtr overlapOf(const clang::Expr *written, const std::string &name);
  ir::ExprPtr stepOf(const clang::Expr *written, const std::string &name);
  ir::ExprPtr knownNumber(const clang::Expr *written, std::int64_t least, const std::string &what);
  ir::ExprPtr windowSize(const clang::Expr *written, const std::string &what);
  ir::ExprPtr chosenNumber(const clang::Expr *written, std::int64_t least, const std::string &what);
  bool isChosen(const clang::Expr *e) const;

  // views.cpp
  ir::ExprPtr indexFunction(const clang::CallExpr &e, const std::string &name);
  bool nameView(const clang::VarDecl &name, const ir::ExprPtr &view, const clang::Expr &written,
                const Scope &in);
  ir::ExprPtr stableRow(const ir::ExprPtr &row, const clang::Expr &written, const Scope &in,
                        Stmts &into);
  bool composes();

  // pads.cpp
  ir::ExprPtr pad(const clang::CallExpr &e);
  ir::ExprPtr boundaryValue(const clang::Expr *written, const ir::ExprPtr &container,
                            std::string &boundary);

  // atomics.cpp
  /// The whole value of a statement, initialiser or assignment, which may be an atomic.
  ir::ExprPtr wholeValue(const clang::Expr *e);
  ir::ExprPtr atomic(const clang::CallExpr &e, const std::string &name);

  // requirements.cpp
  void requirement(const clang::CallExpr &e, Stmts &into);
  void requirement(const clang::Expr &whole, const ir::SourceLocation &place, Stmts &into);
  ir::ExprPtr contract(const clang::CallExpr &e, const std::string &name, const Stmts &into);
  bool isOfContract(const ir::Expr &what, const std::string &name);
  void typical(const clang::CallExpr &e);

  bool isCodelet() const {
    return role == FunctionRole::Autonomous || role == FunctionRole::Cooperative;
  }
  /// Reports `unsupported construct: WHAT`.
  std::nullptr_t unsupported(clang::SourceRange where, const std::string &what);
  ir::SourceLocation at(clang::SourceRange range) const { return file.places.range(range); }

  LoweredFile &file;
  const clang::FunctionDecl &function;
  FunctionRole role;
  std::vector<ir::Typical> saidOfSizes;
  /// Number of statements around the current one, the function's body not counted.
  unsigned depth = 0;
  /// The break at the end of the current case, which says nothing.
  const clang::Stmt *impliedBreak = nullptr;
  /// The assignment just made whose value is asked for: y = 3 in `x = y = 3`.
  const clang::BinaryOperator *assigned = nullptr;
  /// Increments that are statements of their own by now: `n++` in `out[n++] = x`.
  std::set<const clang::UnaryOperator *> usedIncrements;
  /// Those of expressions with conditions, of variables that do not occur again under them.
  std::set<const clang::UnaryOperator *> conditionalIncrements;
  std::map<const clang::VarDecl *, ir::VarPtr> variables;
  /// Of arrays of arrays, which become one array: how many elements each dimension has.
  std::map<const clang::VarDecl *, std::vector<ir::ExprPtr>> dimensions;
  std::vector<const clang::VarDecl *> tunables;
  /// What names of references stand for: a variable, an element, a constant.
  std::map<const clang::ValueDecl *, ir::ExprPtr> aliases;
  std::optional<bool> callsSpectrums; ///< once somebody has asked
  /// Arrays handed to a function, and rows of arrays of arrays.
  std::map<const clang::ValueDecl *, ArrayPart> arrayParts;
  std::map<const clang::ValueDecl *, Closure> closures;
  std::map<const clang::ValueDecl *, std::shared_ptr<const Record>> records;
  std::map<const clang::ValueDecl *, std::shared_ptr<const RecordArray>> recordArrays;
  /// Where the name that is being given to a struct is visible, or null.
  const Scope *namedIn = nullptr;
  /// What `this` is in a member function that is being inlined.
  std::shared_ptr<const Record> self;
  /// The innermost braces around the statement at hand, or null.
  const clang::Stmt *braces = nullptr;
  /// Functions that are being inlined, outermost first.
  std::vector<Inlined> inlined;
  /// Where what is done before the expression at hand goes; null: it may be evaluated again, or not at all.
  Stmts *before = nullptr;
  std::map<const clang::StringLiteral *, ArrayPart> texts; ///< tables of their characters
  /// Declarations of the global tables that are used, for the head of the body.
  Stmts tables;
  /// How deep in an expression the one being lowered is.
  unsigned levels = 0;
  bool isTooDeep = false; ///< which has been said
};

} // namespace tangram::frontend
