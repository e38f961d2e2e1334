// Statements and expressions as C: what OpenCL C, C with OpenMP, and the plain C
// of the reference have in common. A target derives from it and says how it spells
// types, parallel pieces and barriers.
#pragma once

#include "codegen/printing/number_functions.h"
#include "codegen/printing/variable_names.h"
#include "ir/program.h"

#include <set>
#include <string>

namespace tangram::codegen {

class CPrinter {
public:
  virtual ~CPrinter() = default;
  CPrinter(const CPrinter &) = delete;
  CPrinter &operator=(const CPrinter &) = delete;

protected:
  CPrinter() : names_([this](const ir::Stmt &s) { return hasBraces(s); }) {}

  // Names of variables (codegen/printing/variable_names.h)
  void nameVariables(const ir::StmtPtr &body) { names_.nameAll(body); }
  void reserve(const std::string &name) { names_.reserve({name}); }
  std::string freeName(const std::string &wanted) const { return names_.freeName(wanted); }
  void setName(const ir::Var *var, const std::string &name) { names_.setName(var, name); }
  std::string nameOf(const ir::Var *var) const { return names_.nameOf(var); }

  /// A helper function as a definition; the printer must not have printed anything else.
  std::string functionText(const ir::Function &function, const std::string &qualifiers);

  std::string expression(const ir::ExprPtr &e) const { return expression(e, 0); }
  /// `name < e`, with the parentheses that `e` needs there.
  std::string below(const std::string &name, const ir::ExprPtr &e) const;
  /// The extent of an array, which is a constant to the compiler: it calls no function.
  std::string extent(const ir::ExprPtr &e) const;
  void statement(const ir::StmtPtr &s);

  virtual std::string typeName(ir::Scalar type) const = 0;
  /// A call of a math function, min or max, or helper; arguments printed already.
  virtual std::string callText(const ir::Expr &call, const std::vector<std::string> &args) const;
  /// A call of a function that the code defines (codegen/printing/number_functions.h).
  std::string numberFunction(const std::string &function, const ir::Expr &call,
                             const std::vector<std::string> &args) const;
  /// The function that does an operation of two numbers; empty: the operator itself.
  virtual std::string operatorFunction(const ir::Expr &) const { return ""; }
  /// The integer that a floating-point number becomes, whatever it is.
  virtual std::string saturated(const ir::Expr &cast, const std::string &operand) const;
  /// Vectors of so many integers whose bits are taken for those of another type, of the same width.
  virtual std::string vectorConversion(ir::Scalar type, unsigned lanes,
                                       const std::string &operand) const;
  /// Name of the function that does an atomic operation on the element it gets a pointer to.
  virtual std::string atomicName(const ir::Expr &atomic) const;
  virtual std::string literal(const ir::Expr &e) const;
  virtual void parallel(const ir::Stmt &s) = 0;
  /// Whether `parallel` prints the body of `s` in braces of its own.
  virtual bool hasBraces(const ir::Stmt &s) const = 0;
  virtual void barrier(const ir::Stmt &s) = 0;
  /// What a loop asks before each round, or behind it.
  virtual std::string question(const ir::Stmt &loop) const { return expression(loop.value); }
  /// How a loop begins that goes on while what it asks holds.
  virtual std::string whileHead(const ir::Stmt &loop) const {
    return "while (" + question(loop) + ")";
  }
  /// Called where the body of a loop has been printed.
  virtual void endOfLoop(const ir::StmtPtr &) {}
  /// The same of the first branch of two.
  virtual void endOfBranch(const ir::StmtPtr &) {}
  /// Prints what stands between the two branches of an if.
  virtual void otherwise(const ir::Stmt &s);
  /// Called before a branch, and behind one or a loop.
  virtual void beforeBranch() {}
  virtual void behindBraces() {}
  /// Called between two statements of a block.
  virtual void between(const ir::StmtPtr &, const ir::StmtPtr &) {}
  virtual std::string unrollHint(unsigned times) const = 0;
  /// Preprocessor condition under which `loop`, nested in `around`, gets its unroll hint; null: it always does.
  virtual ir::ExprPtr conditionToUnroll(const std::vector<const ir::Stmt *> &around,
                                        const ir::Stmt &loop) const {
    (void)around;
    (void)loop;
    return nullptr;
  }
  /// That rounds of the loop that follows do not see what others do; empty: nobody asks.
  virtual std::string sideBySideHint() const { return ""; }
  /// An element of an array, "a[i]".
  virtual std::string elementText(const ir::Expr &element) const;
  /// The type of so many elements side by side, at any address.
  virtual std::string vectorName(ir::Scalar type, unsigned lanes) const;
  /// So many elements from `first` on, the text of one of an array, side by side.
  virtual std::string vectorLoad(const ir::Var &array, const std::string &first,
                                 unsigned lanes) const;
  /// What assigns `value` to them, without its semicolon.
  virtual std::string vectorStore(const ir::Var &array, const std::string &first, unsigned lanes,
                                  ir::Operator op, const std::string &value) const;

  /// The function that makes rows of the columns of so many vectors, of as many elements each.
  virtual std::string turning(ir::Scalar type, unsigned lanes) const;
  /// What takes elements of one vector or another by a mask, of so many elements.
  virtual std::string selecting(ir::Scalar type, unsigned lanes) const;

  // Output.
  void line(const std::string &text);
  void blank();
  void open(const std::string &head);
  void close(const std::string &tail = "");
  void body(const ir::StmtPtr &s);
  std::string take();

  unsigned indent_ = 0;
  /// Those that the text calls.
  mutable std::set<NumberFunction> numberFunctions_;

private:
  /// The text of an expression, and the precedence of its outermost operator.
  struct Text {
    std::string text;
    int level;
  };
  std::string expression(const ir::ExprPtr &e, int context) const;
  Text textOf(const ir::ExprPtr &e) const;
  Text binaryText(const ir::Expr &e) const;
  Text selectText(const ir::Expr &e) const;
  Text castText(const ir::Expr &e) const;
  std::string atomicText(const ir::Expr &e) const;
  /// A call of any kind.
  std::string otherText(const ir::Expr &e) const;
  std::string roundingText(const ir::Expr &call, const std::vector<std::string> &args) const;
  std::string declaration(const ir::Stmt &s) const;
  std::string head(const ir::StmtPtr &s) const;
  void loop(const ir::Stmt &s);
  void askToUnroll(const ir::Stmt &s);
  void rounds(const ir::Stmt &s);
  void vectorLoop(const ir::Stmt &s);
  void turnedBlock(const ir::Stmt &rows, const ir::Stmt &columns);
  /// Whether it is a vector, in a loop whose rounds are done several at a time: an element or what is made of some.
  bool isVector(const ir::Expr &e) const;
  std::string vectorText(const ir::ExprPtr &e) const;
  std::string firstOfVector(const ir::ExprPtr &e) const;
  static bool isOneVector(const ir::Stmt &s);
  void branch(const ir::Stmt &s);
  void exchange(const ir::Stmt &swap);

  std::string text_;
  std::vector<const ir::Stmt *> unrolled_; ///< loops around the place that is printed
  VariableNames names_;
  unsigned lanes_ = 0;       ///< rounds of the loop at hand that are done at a time, if several
  ir::VarPtr lane_;          ///< its counter
  bool isOneVector_ = false; ///< the loop at hand has one round, and is not printed
  bool afterHead_ = true;    ///< the last line opened a block or was a comment
};

/// The C library's name of the absolute value of a signed integer.
std::string absoluteName(ir::Scalar type);

} // namespace tangram::codegen
