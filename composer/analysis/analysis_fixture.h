// Programs for tests of the analyser, built by hand as the frontend lowers them:
// sizes are Index, locals have the types of the source, conversions are explicit.
#pragma once

#include "ir/program.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tangram::composer::fixture {

using ir::ExprPtr;
using ir::Scalar;
using ir::StmtPtr;
using ir::VarPtr;

inline ir::SourceLocation place(unsigned line, unsigned column = 3) {
  return {"test.cpp", line, column, 1};
}

inline VarPtr variable(std::string name, ir::Type type, ir::VarKind kind,
                       ExprPtr extent = nullptr) {
  auto var = std::make_shared<ir::Var>();
  var->name = std::move(name);
  var->type = type;
  var->kind = kind;
  var->extent = std::move(extent);
  return var;
}
inline VarPtr input(std::string name, Scalar element = Scalar::I32) {
  return variable(std::move(name), {element, 1, 0, true}, ir::VarKind::Param);
}
inline VarPtr output(std::string name, Scalar element = Scalar::I32) {
  return variable(std::move(name), {element, 1, 0, false}, ir::VarKind::Param);
}
inline VarPtr scalarParam(std::string name, Scalar type) {
  return variable(std::move(name), ir::scalarType(type), ir::VarKind::Param);
}
inline VarPtr local(std::string name, Scalar type = Scalar::U32) {
  return variable(std::move(name), ir::scalarType(type), ir::VarKind::Local);
}
inline VarPtr tunable(std::string name, ir::TunableDomain domain = {}) {
  auto var = std::make_shared<ir::Var>();
  var->name = std::move(name);
  var->type = ir::scalarType(Scalar::U32);
  var->kind = ir::VarKind::Tunable;
  var->domain = std::move(domain);
  return var;
}
inline VarPtr sharedArray(std::string name, ExprPtr extent) {
  return variable(std::move(name), ir::scalarType(Scalar::I32), ir::VarKind::Shared,
                  std::move(extent));
}

/// Operand of the operators below: a variable, an int literal, or an expression.
struct Operand {
  ExprPtr expr;
  Operand(ExprPtr e) : expr(std::move(e)) {}
  Operand(const VarPtr &v) : expr(ir::varRef(v)) {}
  Operand(int value) : expr(ir::intLiteral(value, Scalar::I32)) {}
};

inline ExprPtr op(const Operand &a, ir::Operator op, const Operand &b) {
  return ir::binary(op, a.expr, b.expr);
}
inline ExprPtr lane() { return ir::node(ir::ExprKind::CoopIdx, ir::scalarType(Scalar::U32), {}); }
inline ExprPtr lanes() { return ir::node(ir::ExprKind::CoopDim, ir::scalarType(Scalar::U32), {}); }
inline ExprPtr sizeOf(const Operand &container, int dimension = 0) {
  return ir::node(ir::ExprKind::Size, ir::scalarType(Scalar::Index), {container.expr}, {}, {},
                  dimension);
}
/// in.size() as an `unsigned`, or another type.
inline ExprPtr sizeAs(const VarPtr &container, Scalar type = Scalar::U32) {
  return ir::cast(type, sizeOf(container));
}
inline ExprPtr at(const VarPtr &array, const Operand &index, ir::SourceLocation where = {}) {
  return ir::index(ir::varRef(array), {index.expr}, std::move(where));
}
inline ExprPtr sequence(std::initializer_list<Operand> args) {
  std::vector<ExprPtr> operands;
  for (const Operand &arg : args)
    operands.push_back(arg.expr);
  return ir::node(ir::ExprKind::Sequence, {}, std::move(operands));
}
inline ExprPtr partition(const VarPtr &container, const Operand &parts, ExprPtr start,
                         ExprPtr increment, ExprPtr end, ir::SourceLocation where = {}) {
  ir::Type type = container->type;
  type.nest = 1;
  return ir::node(
      ir::ExprKind::Partition, type,
      {ir::varRef(container), parts.expr, std::move(start), std::move(increment), std::move(end)},
      std::move(where));
}
inline ExprPtr map(std::string spectrum, std::vector<ExprPtr> args, Scalar element = Scalar::I32) {
  return ir::node(ir::ExprKind::Map, {element, 1, 0, false}, std::move(args), {},
                  std::move(spectrum));
}
inline ExprPtr all(const VarPtr &container) {
  return ir::node(ir::ExprKind::All, container->type, {ir::varRef(container)});
}
inline ExprPtr spectrumCall(std::string spectrum, std::vector<ExprPtr> args,
                            Scalar result = Scalar::I32) {
  return ir::node(ir::ExprKind::SpectrumCall, ir::scalarType(result), std::move(args), {},
                  std::move(spectrum));
}

inline StmtPtr let(const VarPtr &var, const Operand &value) { return ir::declare(var, value.expr); }
inline StmtPtr set(const Operand &target, ir::Operator op, const Operand &value) {
  return ir::assign(target.expr, op, value.expr);
}
/// for (var = from; condition; increment) body
inline StmtPtr loop(const VarPtr &var, const Operand &from, ExprPtr condition, StmtPtr increment,
                    std::vector<StmtPtr> body) {
  return ir::forLoop(let(var, from), std::move(condition), std::move(increment),
                     ir::block(std::move(body)));
}
/// for (unsigned var = 0; var < end; var += 1) body
inline StmtPtr upTo(const VarPtr &var, const Operand &end, std::vector<StmtPtr> body) {
  return loop(var, 0, op(var, "<", end), set(var, "+=", 1), std::move(body));
}

inline ir::Codelet codelet(std::string tag, std::vector<VarPtr> params, std::vector<StmtPtr> body,
                           bool cooperative = false) {
  ir::Codelet result;
  result.spectrum = "f";
  result.tag = std::move(tag);
  result.ordinal = 1;
  result.params = std::move(params);
  result.body = ir::block(std::move(body));
  result.cooperative = cooperative;
  return result;
}
/// A spectrum with the signature of its first codelet.
inline ir::Spectrum spectrum(std::string name, std::vector<ir::Codelet> codelets,
                             Scalar result = Scalar::I32) {
  ir::Spectrum s;
  s.name = std::move(name);
  s.result = ir::scalarType(result);
  s.params = codelets.front().params;
  s.codelets = std::move(codelets);
  for (unsigned i = 0; i < s.codelets.size(); ++i) {
    s.codelets[i].spectrum = s.name;
    s.codelets[i].ordinal = i + 1;
  }
  return s;
}
inline ir::Program program(std::vector<ir::Spectrum> spectrums) {
  ir::Program p;
  p.file = "test.cpp";
  p.spectrums = std::move(spectrums);
  return p;
}

/// sum#1 of codelets/sum.cpp.
inline ir::Codelet sequentialSum() {
  VarPtr in = input("in"), len = local("len"), i = local("i");
  VarPtr accum = local("accum", Scalar::I32);
  return codelet("", {in},
                 {let(len, sizeAs(in)), let(accum, 0),
                  upTo(i, len, {set(accum, "+=", at(in, i, place(11, 14)))}),
                  ir::returns(ir::varRef(accum))});
}

/// kog of codelets/sum.cpp, with or without its require.
inline ir::Codelet koggeStoneSum(bool stated = true) {
  VarPtr in = input("in"), tmp = sharedArray("tmp", lanes()), len = local("len");
  VarPtr id = local("id"), s = local("s");
  std::vector<StmtPtr> body;
  if (stated)
    body.push_back(ir::require(op(sizeOf(in), "<=", lanes()), place(19)));
  body.insert(body.end(),
              {ir::declare(tmp, nullptr), let(len, sizeAs(in)), let(id, lane()),
               set(at(tmp, id, place(23)), "=",
                   ir::select(op(id, "<", len), at(in, id, place(23, 26)), Operand(0).expr)),
               loop(s, 1, op(s, "<", lanes()), set(s, "*=", 2),
                    {ir::ifThen(op(id, ">=", s), set(at(tmp, id, place(26, 7)), "+=",
                                                     at(tmp, op(id, "-", s), place(26, 18))))}),
               ir::returns(at(tmp, op(lanes(), "-", 1), place(28, 10)))});
  return codelet("kog", {in}, std::move(body), true);
}

/// asso_tiled of codelets/sum.cpp.
inline ir::Codelet tiledSum() {
  VarPtr in = input("in"), p = tunable("p"), len = local("len"), tile = local("tile");
  return codelet("asso_tiled", {in},
                 {ir::declare(p, nullptr), let(len, sizeAs(in)),
                  let(tile, op(op(op(len, "+", p), "-", 1), "/", p)),
                  ir::returns(spectrumCall(
                      "sum", {map("sum", {partition(in, p, sequence({0, tile, len}), sequence({1}),
                                                    sequence({tile, tile, op(len, "+", 1)}),
                                                    place(36, 23))})}))});
}

/// stride_tiled of codelets/sum.cpp; `printed`: with the end of the dissertation's figure 4.3(d).
inline ir::Codelet strideTiledSum(bool printed = false) {
  VarPtr in = input("in"), p = tunable("p"), len = local("len"), tile = local("tile");
  std::vector<StmtPtr> body{ir::declare(p, nullptr), let(len, sizeAs(in))};
  ExprPtr end = sequence({len});
  if (printed) {
    body.push_back(let(tile, op(op(op(len, "+", p), "-", 1), "/", p)));
    end = sequence({op(op(p, "-", 1), "*", tile), 1, op(len, "+", 1)});
  }
  ExprPtr parts = partition(in, p, sequence({0, 1, p}), sequence({p}), end, place(45, 23));
  body.push_back(ir::returns(spectrumCall("sum", {map("sum", {parts})})));
  return codelet("stride_tiled", {in}, std::move(body));
}

/// codelets/sum.cpp.
inline ir::Program sumProgram() {
  ir::Program p =
      program({spectrum("sum", {sequentialSum(), koggeStoneSum(), tiledSum(), strideTiledSum()})});
  const unsigned lines[] = {7, 18, 33, 43};
  for (std::size_t i = 0; i < 4; ++i)
    p.spectrums[0].codelets[i].location = place(lines[i], 5);
  return p;
}

} // namespace tangram::composer::fixture
