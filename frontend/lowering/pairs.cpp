// std::pair: a struct of two members, made by its constructors, std::make_pair and std::minmax, compared by its members in
// order, also by std::min and std::max.
//
// before: auto [low, high] = std::minmax(in[i], in[j]);
// after:  float low = min(in[i], in[j]); float high = max(in[j], in[i]);
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <algorithm>
#include <iterator>

namespace tangram::frontend {

namespace {

bool isStandard(const clang::FunctionDecl *callee, llvm::StringRef name) {
  return callee != nullptr && callee->isInStdNamespace() && callee->getDeclName().isIdentifier() &&
         callee->getName() == name;
}

/// The arguments of a constructor or call that makes a pair; empty for `std::pair<int, int>()` and for what makes none.
std::vector<const clang::Expr *> argumentsOf(const clang::Expr &e) {
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(&e);
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&e);
  if (made != nullptr)
    return {made->arg_begin(), made->arg_end()};
  return call != nullptr ? std::vector<const clang::Expr *>{call->arg_begin(), call->arg_end()}
                         : std::vector<const clang::Expr *>{};
}

bool isMinmax(const clang::Expr &e) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&e);
  if (call == nullptr || !isStandard(call->getDirectCallee(), "minmax"))
    return false;
  return call->getNumArgs() == 1 ||
         (call->getNumArgs() == 2 && listIn(call->getArg(0)) == nullptr); // no order of its own
}

bool isOfPair(const Record &record) {
  return isPair(clang::QualType(record.type->getTypeForDecl(), 0));
}

/// `first` and `second` of a pair.
const clang::FieldDecl &memberNumber(const clang::RecordDecl &pair, unsigned i) {
  return **std::next(pair.field_begin(), i);
}

} // namespace

bool isExtreme(const clang::Expr &e) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&e);
  return call != nullptr && call->getNumArgs() == 2 &&
         (isStandard(call->getDirectCallee(), "max") || isStandard(call->getDirectCallee(), "min"));
}

bool makesPair(const clang::Expr &e) {
  if (!isPair(e.getType()) || isMinmax(e) || isExtreme(e))
    return isPair(e.getType());
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&e);
  const bool isMade =
      call != nullptr ? isStandard(call->getDirectCallee(), "make_pair") && call->getNumArgs() == 2
                      : llvm::isa<clang::CXXConstructExpr>(e);
  return isMade && argumentsOf(e).size() <= 2;
}

/// Null after an error.
std::shared_ptr<const Record> FunctionLowering::pairOf(const clang::Expr &e) {
  const std::vector<const clang::Expr *> arguments = argumentsOf(e);
  const clang::RecordDecl &type = *e.getType()->getAsRecordDecl();
  if (isMinmax(e))
    return leastAndMost(llvm::cast<clang::CallExpr>(e), type);
  if (isExtreme(e))
    return extremePair(llvm::cast<clang::CallExpr>(e), type);
  if (arguments.empty())
    return zeroPair(type, at(e.getSourceRange()));
  if (arguments.size() == 1)
    return convertedPair(*arguments[0], type);
  auto pair = std::make_shared<Record>();
  pair->type = &type;
  std::vector<const clang::Expr *> numbers;
  for (unsigned i : {0U, 1U}) {
    const clang::FieldDecl &member = memberNumber(type, i);
    if (!isRecord(member.getType())) {
      numbers.push_back(arguments[i]);
      continue;
    }
    pair->records[&member] = recordOf(arguments[i]);
    if (!pair->records[&member])
      return nullptr;
  }
  auto value = hoistedInOrder(numbers);
  for (unsigned i = 0, next = 0; i < 2; ++i) {
    const clang::FieldDecl &member = memberNumber(type, i);
    if (!isRecord(member.getType()) && !giveMember(*pair, member, value[next++], e))
      return nullptr;
  }
  return pair;
}

/// Sets a member that is a number. False, after an error, if it has another type.
bool FunctionLowering::giveMember(Record &pair, const clang::FieldDecl &member,
                                  const ir::ExprPtr &value, const clang::Expr &e) {
  const auto wanted = typeOf(file.ast, member.getType().getNonReferenceType());
  if (!wanted || wanted->isContainer())
    unsupportedMember(member, at(e.getSourceRange()));
  if (!value || !wanted || wanted->isContainer())
    return false;
  pair.numbers[&member] = convert(value, wanted->scalar);
  return true;
}

/// `std::pair<int, float>()`: all members are 0.
std::shared_ptr<const Record> FunctionLowering::zeroPair(const clang::RecordDecl &type,
                                                         const ir::SourceLocation &place) {
  if (before == nullptr) {
    file.error(place, "unsupported construct: pair without values here");
    return nullptr;
  }
  const auto pair = newRecord(type, "pair", place, *before);
  if (pair)
    zeroRecord(*pair, place, *before);
  return pair;
}

/// The pair `e`, converted to a pair `type` with other member types.
std::shared_ptr<const Record> FunctionLowering::convertedPair(const clang::Expr &e,
                                                              const clang::RecordDecl &type) {
  if (!isPair(e.getType())) {
    unsupported(e.getSourceRange(), "pair of type '" + spelling(file.ast, e.getType()) + "'");
    return nullptr;
  }
  const auto of = recordOf(&e);
  if (!of)
    return nullptr;
  auto pair = std::make_shared<Record>();
  pair->type = &type;
  for (unsigned i : {0U, 1U}) {
    const clang::FieldDecl &member = memberNumber(type, i);
    const clang::FieldDecl &own = memberNumber(*of->type, i);
    if (const auto inner = of->records.find(&own); inner != of->records.end())
      pair->records[&member] = inner->second;
    else if (const auto number = of->numbers.find(&own);
             number == of->numbers.end() || !giveMember(*pair, member, number->second, e))
      return nullptr;
  }
  return pair;
}

/// `std::minmax(a, b)`, of which C++ gives references, and `std::minmax({a, b, c})`. Of equal numbers the first is the least and the
/// last the most, as in C++.
std::shared_ptr<const Record> FunctionLowering::leastAndMost(const clang::CallExpr &e,
                                                             const clang::RecordDecl &type) {
  const clang::InitListExpr *list = listIn(e.getArg(0));
  std::vector<const clang::Expr *> written(e.arg_begin(), e.arg_end());
  if (list != nullptr)
    written.assign(list->inits().begin(), list->inits().end());
  const std::vector<ir::ExprPtr> values = hoistedInOrder(written);
  if (std::ranges::count(values, nullptr) != 0)
    return nullptr;
  const auto wanted = typeOf(file.ast, memberNumber(type, 0).getType().getNonReferenceType());
  if (values.empty() || !wanted || wanted->isContainer() || wanted->lanes > 1 ||
      before == nullptr) {
    unsupported(e.getSourceRange(), "'minmax' here");
    return nullptr;
  }
  const ir::SourceLocation place = at(e.getSourceRange());
  ir::ExprPtr least = values[0], most = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    least = ir::call("min", *wanted, {least, values[i]}, place);
    most = ir::call("max", *wanted, {values[i], most}, place);
  }
  auto pair = std::make_shared<Record>();
  pair->type = &type;
  const auto give = [&](unsigned i, const ir::ExprPtr &value, const std::string &name) {
    const clang::FieldDecl &member = memberNumber(type, i);
    const ir::ExprPtr one = member.getType()->isReferenceType()
                                ? settled(value, e, {braces, nullptr, nullptr}, *before)
                                : value;
    if (one)
      pair->numbers[&member] = one == value ? named(value, name, *before) : one;
    return one != nullptr;
  };
  return give(0, least, "least") && give(1, most, "most") ? pair : nullptr;
}

bool isPairComparison(const clang::CXXOperatorCallExpr &e) {
  const auto op = clang::BinaryOperator::getOverloadedOpcode(e.getOperator());
  return e.getNumArgs() == 2 && clang::BinaryOperator::isComparisonOp(op) && op != clang::BO_Cmp &&
         isPair(e.getArg(0)->getType()) && isPair(e.getArg(1)->getType());
}

/// `p == q`, `p < q` and their like.
ir::ExprPtr FunctionLowering::comparedPairs(const clang::CXXOperatorCallExpr &e) {
  const auto left = recordOf(e.getArg(0));
  const auto right = left ? recordOf(e.getArg(1)) : nullptr;
  if (!right)
    return nullptr;
  const ir::SourceLocation place = at(e.getSourceRange());
  const auto no = [&](const ir::ExprPtr &value) {
    return value ? ir::unary("!", value, place) : nullptr;
  };
  switch (e.getOperator()) {
  case clang::OO_EqualEqual:
    return areEqual(*left, *right, e);
  case clang::OO_ExclaimEqual:
    return no(areEqual(*left, *right, e));
  case clang::OO_Less:
    return isBefore(*left, *right, e);
  case clang::OO_Greater:
    return isBefore(*right, *left, e);
  case clang::OO_LessEqual:
    return no(isBefore(*right, *left, e));
  default:
    return no(isBefore(*left, *right, e));
  }
}

/// A number of a pair under a name of its own, since comparisons name it twice.
ir::ExprPtr FunctionLowering::comparedNumber(const Record &pair, unsigned i) {
  const auto known = pair.numbers.find(&memberNumber(*pair.type, i));
  if (known == pair.numbers.end())
    return nullptr;
  const bool isShort = known->second->kind == ir::ExprKind::Var ||
                       known->second->kind == ir::ExprKind::Literal || before == nullptr;
  return isShort ? known->second : named(known->second, "member", *before);
}

ir::ExprPtr FunctionLowering::areEqual(const Record &a, const Record &b, const clang::Expr &e) {
  return comparedInOrder(a, b, e, "&&", "==");
}

/// Lexicographically: `a.first < b.first || (!(b.first < a.first) && a.second < b.second)`.
ir::ExprPtr FunctionLowering::isBefore(const Record &a, const Record &b, const clang::Expr &e) {
  return comparedInOrder(a, b, e, "||", "<");
}

/// The members are compared by `compares`, and what that gives is joined by `joins`. Null after an error.
ir::ExprPtr FunctionLowering::comparedInOrder(const Record &a, const Record &b,
                                              const clang::Expr &e, ir::Operator joins,
                                              ir::Operator compares) {
  const ir::SourceLocation place = at(e.getSourceRange());
  ir::ExprPtr members[2], swapped;
  for (unsigned i : {0U, 1U}) {
    const ir::ExprPtr x = comparedNumber(a, i), y = comparedNumber(b, i);
    if (x && y) {
      const auto compare = [&](const ir::ExprPtr &left, const ir::ExprPtr &right) {
        return ir::binary(compares, left, right, place);
      };
      members[i] = compare(x, y);
      swapped = i == 0 ? compare(y, x) : swapped;
      continue;
    }
    const auto inA = a.records.find(&memberNumber(*a.type, i));
    const auto inB = b.records.find(&memberNumber(*b.type, i));
    if (inA == a.records.end() || inB == b.records.end() || !isOfPair(*inA->second) ||
        !isOfPair(*inB->second))
      return unsupported(e.getSourceRange(), "comparison of pairs with these members");
    members[i] = comparedInOrder(*inA->second, *inB->second, e, joins, compares);
    if (i == 0)
      swapped = comparedInOrder(*inB->second, *inA->second, e, joins, compares);
  }
  if (!members[0] || !members[1] || !swapped)
    return nullptr;
  if (compares == "<")
    members[1] = ir::binary("&&", ir::unary("!", swapped, place), members[1], place);
  return ir::binary(joins, members[0], members[1], place);
}

/// `std::max(p, q)`, which is p of equal pairs, and `std::min(p, q)`.
std::shared_ptr<const Record> FunctionLowering::extremePair(const clang::CallExpr &e,
                                                            const clang::RecordDecl &type) {
  const auto first = recordOf(e.getArg(0));
  const auto second = first ? recordOf(e.getArg(1)) : nullptr;
  if (!second)
    return nullptr;
  if (before == nullptr) {
    unsupported(e.getSourceRange(), "least or greatest pair here");
    return nullptr;
  }
  const ir::SourceLocation place = at(e.getSourceRange());
  const ir::ExprPtr takesSecond = isStandard(e.getDirectCallee(), "max")
                                      ? isBefore(*first, *second, e)
                                      : isBefore(*second, *first, e);
  const auto result = takesSecond ? newRecord(type, "extreme", place, *before) : nullptr;
  if (!result)
    return nullptr;
  Stmts branches[2];
  recordAssignment(*result, *second, place, branches[0]);
  recordAssignment(*result, *first, place, branches[1]);
  before->push_back(ir::ifThen(takesSecond, ir::block(std::move(branches[0]), place),
                               ir::block(std::move(branches[1]), place), place));
  return result;
}

/// The member of a pair that a structured binding or `std::get` names.
ir::ExprPtr FunctionLowering::pairMember(const clang::BindingDecl &binding) {
  const auto *whole = llvm::dyn_cast<clang::DecompositionDecl>(binding.getDecomposedDecl());
  const auto known = records.find(whole);
  if (whole == nullptr || known == records.end() || !isPair(whole->getType()))
    return unsupported(binding.getSourceRange(), "structured binding of this type");
  const auto bindings = whole->bindings();
  const auto number = std::ranges::find(bindings, &binding) - bindings.begin();
  const auto member = known->second->numbers.find(
      &memberNumber(*known->second->type, static_cast<unsigned>(number)));
  return member != known->second->numbers.end()
             ? member->second
             : unsupported(binding.getSourceRange(), "structured binding of a struct in a pair");
}

} // namespace tangram::frontend
