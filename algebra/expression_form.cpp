#include "algebra/expression_form.h"

#include <bit>
#include <string_view>

namespace tangram::algebra {

using namespace ir;

namespace {

std::uint64_t mixed(std::uint64_t hash) { // the end of MurmurHash3
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
  return hash ^ (hash >> 33);
}

/// What words begin with that say what follows.
constexpr std::uint64_t ofNode = 1, ofVariable = 2, ofNewVariable = 3, ofDefinition = 4;

std::uint64_t wordOf(const Type &type) {
  return static_cast<std::uint64_t>(type.scalar) | std::uint64_t{type.rank & 0xff} << 8 |
         std::uint64_t{type.nest & 0xf} << 16 | std::uint64_t{type.lanes & 0xff} << 20 |
         std::uint64_t{type.isConst} << 28;
}

} // namespace

void FormDigest::add(std::uint64_t word, std::uint64_t more) {
  first = std::rotl(first ^ mixed(word + 0x9e3779b97f4a7c15), 27) * 0x87c37b91114253d5 + second;
  second = (std::rotl(second, 31) + mixed(more + word)) * 0x4cf5ad432745937f + 0x38495ab5;
  second ^= first >> 29;
}

void ExpressionForm::backTo(const Mark &mark) {
  digest_ = mark.digest;
  numbered_.resize(mark.variables);
  inOrder_.resize(mark.inOrder);
  nodes_ = mark.nodes;
}

void ExpressionForm::add(const VarPtr &var) {
  for (std::size_t i = numbered_.size(); i-- > 0;) {
    if (numbered_[i].var == var) {
      add(ofVariable | i << 8);
      return;
    }
  }
  const std::size_t number = numbered_.size();
  const auto definition = known_.definitions.find(var.get());
  const bool isName = definition != known_.definitions.end();
  numbered_.push_back({var, isName ? definition->second : nullptr});
  bool wraps = var->wraps;
  if (known_.wrapping) {
    const auto found = known_.wrapping->find(var.get());
    wraps = found != known_.wrapping->end() ? found->second : wraps;
  }
  add((isName ? ofDefinition : ofNewVariable) | static_cast<std::uint64_t>(var->kind) << 8 |
      std::uint64_t{wraps} << 16 | std::uint64_t{known_.positive.contains(var.get())} << 17 |
      wordOf(var->type) << 24);
  if (isName)
    add(definition->second);
  inOrder_.push_back(number);
}

void ExpressionForm::add(const ExprPtr &e) {
  if (++nodes_ > mostNodes)
    return;
  if (e->kind == ExprKind::Var) {
    add(e->var);
    return;
  }
  const bool hasNumbers = e->kind == ExprKind::Literal || e->integer != 0;
  digest_.add(ofNode | static_cast<std::uint64_t>(e->kind) << 8 |
                  static_cast<std::uint64_t>(e->op.code()) << 16 | wordOf(e->type) << 24 |
                  std::uint64_t{hasNumbers} << 61 | std::uint64_t{!e->callee.empty()} << 62 |
                  std::uint64_t{e->var != nullptr} << 63,
              std::uint64_t{e->location.line} << 32 |
                  std::uint64_t{e->location.column & 0xfffff} << 12 | e->args.size());
  if (hasNumbers)
    digest_.add(static_cast<std::uint64_t>(e->integer), std::bit_cast<std::uint64_t>(e->real));
  if (!e->callee.empty())
    add(std::hash<std::string_view>()(e->callee));
  if (e->var)
    add(e->var);
  for (const ExprPtr &arg : e->args)
    add(arg);
}

} // namespace tangram::algebra
