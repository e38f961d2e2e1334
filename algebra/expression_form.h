// What an expression is but for which variables it is made of: two that have the same form are simplified,
// and proved, alike.
//
// A form is told by a digest of 128 bits, of all of an expression's nodes in order. Of a variable it has its
// number, in the order in which variables are met; and where it is met first also what is known of it: its type,
// whether it may have wrapped around, that it is at least 1, and the form of what it is a name of.
#pragma once

#include "algebra/wrapping.h"
#include "ir/expr.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tangram::algebra {

/// Forms with the same one are the same.
struct FormDigest {
  std::uint64_t first = 0x243f6a8885a308d3;
  std::uint64_t second = 0x13198a2e03707344;

  /// Two words.
  void add(std::uint64_t word, std::uint64_t more = 0);
  bool operator==(const FormDigest &) const = default;
};

struct FormHash {
  std::size_t operator()(const FormDigest &digest) const { return digest.first; }
};

/// What is known of single variables.
struct KnownVariables {
  std::unordered_map<const ir::Var *, ir::ExprPtr> definitions = {}; ///< that they are names of
  std::unordered_set<const ir::Var *> positive = {};                 ///< at least 1
  /// Whether they are given what may have wrapped around; others say so themselves.
  std::shared_ptr<const WrappingVariables> wrapping = nullptr;
};

/// Expressions and variables one after the other, whose variables are numbered together.
class ExpressionForm {
public:
  /// `known` has to live as long, and may change between what is added.
  explicit ExpressionForm(const KnownVariables &known) : known_(known) {}

  void add(std::uint64_t word) { digest_.add(word); }
  void add(const ir::VarPtr &var);
  void add(const ir::ExprPtr &e);

  /// False: something was too large, and the digest says nothing.
  bool isComplete() const { return nodes_ <= mostNodes; }
  const FormDigest &digest() const { return digest_; }

  struct Numbered {
    ir::VarPtr var;
    ir::ExprPtr definition; ///< null: it is no name
  };
  /// Variables by number.
  const std::vector<Numbered> &numbered() const { return numbered_; }
  /// The same, in an order in which definitions come after the variables that they are made of.
  const std::vector<std::size_t> &inOrder() const { return inOrder_; }

  /// A place to come back to.
  struct Mark {
    FormDigest digest;
    std::size_t variables = 0, inOrder = 0, nodes = 0;
  };
  Mark mark() const { return {digest_, numbered_.size(), inOrder_.size(), nodes_}; }
  void backTo(const Mark &mark);

private:
  static constexpr std::size_t mostNodes = 20000;

  const KnownVariables &known_;
  FormDigest digest_;
  std::vector<Numbered> numbered_;
  std::vector<std::size_t> inOrder_;
  std::size_t nodes_ = 0;
};

} // namespace tangram::algebra
