// Plans become instructions: registers, arrays, expressions. Statements and workers are in
// statements.cpp.
#pragma once

#include "codegen/interpreter/operations.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen::interpreting {

/// A construct that the interpreter does not know.
struct Unknown {
  std::string what;
  ir::SourceLocation location;
};

struct Operand {
  std::uint32_t at = 0; ///< register
  ir::Scalar type = ir::Scalar::I32;
};

/// Registers and instructions in the order they are asked for.
class CodeBuilder {
public:
  CodeBuilder(const LoweredPlan &plan, Machine::Code &code);

  // Registers.
  std::uint32_t newRegister();
  std::uint32_t registerOf(const ir::Var *var);
  std::optional<std::uint32_t> knownRegister(const ir::Var *var) const;
  Operand constant(std::uint64_t value, ir::Scalar type = ir::Scalar::Index);
  /// Temporaries live until the statement ends.
  std::uint32_t temporary();
  void endOfStatement() { temporariesInUse_ = 0; }

  // Instructions.
  std::size_t here() const { return code_.instructions.size(); }
  std::size_t emit(Handler run, std::uint32_t to = 0, std::uint32_t a = 0, std::uint32_t b = 0,
                   std::uint32_t extra = 0);
  std::size_t emitJump(Handler run, std::uint32_t condition = 0) { return emit(run, 0, condition); }
  /// The jump at `jump` goes to what is emitted next.
  void land(std::size_t jump);
  /// A jump will come back to what is emitted next.
  void markLanding() { landed_ = here(); }
  void jumpTo(std::size_t place) { emit(jump, 0, 0, 0, static_cast<std::uint32_t>(place)); }
  /// What is emitted next belongs to this statement.
  void enter(const ir::Stmt &s);
  void leaveSite() { site_ = 0; }

  // Expressions.
  Operand value(const ir::ExprPtr &e);
  Operand converted(const Operand &from, ir::Scalar to);
  Operand condition(const ir::ExprPtr &e);
  /// Register `to` gets the value of `e` in type `type`.
  void into(std::uint32_t to, ir::Scalar type, const ir::ExprPtr &e);
  void moveInto(std::uint32_t to, const Operand &from);

  struct Element {
    std::uint32_t array = 0;
    std::uint32_t index = 0; ///< register
    ir::Scalar type = ir::Scalar::I32;
  };
  /// What an access means: the one place that knows. Here arrays have one subscript.
  Element element(const ir::Expr &access);
  Operand combined(ir::Operator op, Operand a, Operand b);

  std::uint32_t arrayOf(const ir::Var *var);
  /// Variables that may be read before anything is written to them: those are followed.
  bool isFollowed(const ir::Var *var) const { return followed_.contains(var); }
  Machine::Code &code() { return code_; }

protected:
  /// Body of a helper function: its statements with `returns` for Return.
  virtual void function(const ir::Function &function) = 0;
  virtual ~CodeBuilder() = default;

  struct Returns {
    std::uint32_t to = 0;
    ir::Scalar type = ir::Scalar::Void;
    std::vector<std::size_t> jumps;
  };
  std::vector<Returns> returns_; ///< of the functions that are being inlined

  const LoweredPlan &plan_;

private:
  Operand literal(const ir::Expr &e);
  Operand variable(const ir::Expr &e);
  Operand logic(const ir::Expr &e);
  Operand select(const ir::Expr &e);
  Operand call(const ir::Expr &e);
  Operand inlined(const ir::Function &function, const ir::Expr &e);
  Operand atomicOperation(const ir::Expr &e);
  void follow(const ir::StmtPtr &body, std::set<const ir::Var *> &initialized);

  Machine::Code &code_;
  std::map<const ir::Var *, std::uint32_t> registers_;
  std::map<const ir::Var *, std::uint32_t> arrays_;
  std::map<std::pair<std::uint64_t, ir::Scalar>, std::uint32_t> constants_;
  std::vector<std::uint32_t> temporaries_;
  std::size_t temporariesInUse_ = 0;
  std::set<const ir::Var *> followed_;
  std::uint32_t site_ = 0;
  std::size_t landed_ = 0; ///< the last place that a jump goes to
};

/// Registers of the sizes, tunables and scalars.
std::map<const ir::Var *, std::uint32_t>
compile(const LoweredPlan &plan, const InterpreterOptions &options, Machine::Code &code);

} // namespace tangram::codegen::interpreting
