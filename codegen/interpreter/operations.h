// What single operations do, as handlers of the machine.
#pragma once

#include "codegen/interpreter/machine.h"

#include <string>

namespace tangram::codegen::interpreting {

// Null where there is no such operation on the type. `type` is that of the operands; `to`, `a` and
// `b` of the instruction are registers.
Handler binaryOperation(ir::Operator op, ir::Scalar type);
Handler unaryOperation(ir::Operator op, ir::Scalar type);
Handler conversion(ir::Scalar from, ir::Scalar to);
/// A library function of one or two arguments; fma has its third in register `extra`.
Handler function(const std::string &name, ir::Scalar type);

// Array `extra`, element in register `a`.
Handler load(ir::Scalar element);
Handler store(ir::Scalar element); ///< of register `b`
/// Operand in register `b`, of "cas" the new value in the register behind it. `to` gets the value before.
Handler atomic(ir::Operator op, ir::Scalar element);
/// "add" to a counter of groups (Buffer::countsGroups).
Handler countingOfGroups();

// Control.
void move(Machine &machine, Activity &a, const Instruction &in);
void jump(Machine &machine, Activity &a, const Instruction &in);        ///< to `extra`
void jumpIfFalse(Machine &machine, Activity &a, const Instruction &in); ///< unless register `a`
void jumpIfTrue(Machine &machine, Activity &a, const Instruction &in);
void unset(Machine &machine, Activity &a, const Instruction &in);    ///< register `to`
void markSet(Machine &machine, Activity &a, const Instruction &in);  ///< register `to`
void checkSet(Machine &machine, Activity &a, const Instruction &in); ///< register `a`
void allocate(Machine &machine, Activity &a,
              const Instruction &in); ///< array `extra` of register `a`
void exchangeArrays(Machine &machine, Activity &a, const Instruction &in); ///< arrays `a` and `b`
void end(Machine &machine, Activity &a, const Instruction &in);

// Workers.
void launch(Machine &machine, Activity &a, const Instruction &in);      ///< number `extra`
void countGroups(Machine &machine, Activity &a, const Instruction &in); ///< of a row: register `a`
void groupIndex(Machine &machine, Activity &a, const Instruction &in);  ///< along dimension `extra`
void groupStep(Machine &machine, Activity &a, const Instruction &in);
void itemIndex(Machine &machine, Activity &a, const Instruction &in); ///< at depth `extra`
void meet(Machine &machine, Activity &a, const Instruction &in);      ///< scope `extra`
void enterItem(Machine &machine, Activity &a,
               const Instruction &in); ///< depth `extra`, number in `a`
void leaveItems(Machine &machine, Activity &a, const Instruction &in);

} // namespace tangram::codegen::interpreting
