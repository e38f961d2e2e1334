// What the planner's tests plan: figure 4.3's sum, and machines, built by hand so that
// the tests need neither the frontend nor the model loader.
#pragma once

#include "composer/machine/machine.h"
#include "ir/program.h"
#include "ir/stmt.h"

namespace tangram::composer::plan_fixture {

using ir::ExprKind;
using ir::ExprPtr;
using ir::Scalar;

inline ir::SourceLocation at(unsigned line, unsigned column) {
  return {"sum.cpp", line, column, 3};
}

inline const ir::Type intArray{Scalar::I32, 1, 0, true};

inline ir::VarPtr variable(std::string name, ir::Type type, ir::VarKind kind, unsigned line) {
  return std::make_shared<ir::Var>(ir::Var{std::move(name), type, kind, at(line, 3), nullptr, {}});
}

inline ExprPtr sequence(std::vector<ExprPtr> args) {
  return ir::node(ExprKind::Sequence, ir::scalarType(Scalar::Index), std::move(args));
}

inline ir::Codelet codelet(std::string tag, unsigned ordinal, unsigned line, ir::VarPtr in) {
  ir::Codelet c;
  c.spectrum = "sum";
  c.tag = std::move(tag);
  c.ordinal = ordinal;
  c.params = {std::move(in)};
  c.location = at(line, 5);
  return c;
}

inline ir::Codelet atomic(std::string tag, unsigned ordinal, unsigned line, bool cooperative) {
  ir::VarPtr in = variable("in", intArray, ir::VarKind::Param, line);
  ir::Codelet c = codelet(std::move(tag), ordinal, line, in);
  c.cooperative = cooperative;
  c.body = ir::block({ir::returns(ir::index(ir::varRef(in), {ir::intLiteral(0)}))});
  return c;
}

/// return sum(map(sum, partition(in, p, ...))) with `strided` or adjacent parts.
inline ir::Codelet tiled(std::string tag, unsigned ordinal, unsigned line, bool strided) {
  ir::VarPtr in = variable("in", intArray, ir::VarKind::Param, line);
  ir::VarPtr p = variable("p", ir::scalarType(Scalar::U32), ir::VarKind::Tunable, line + 1);
  ir::VarPtr len = variable("len", ir::scalarType(Scalar::U32), ir::VarKind::Local, line + 2);
  ExprPtr tile = ir::binary("/", ir::varRef(len), ir::varRef(p));
  ExprPtr one = ir::intLiteral(1, Scalar::I32);
  ExprPtr zero = ir::intLiteral(0, Scalar::I32);
  std::vector<ExprPtr> parts{ir::varRef(in), ir::varRef(p)};
  if (strided) {
    parts.push_back(sequence({zero, one, ir::varRef(p)}));
    parts.push_back(sequence({ir::varRef(p)}));
    parts.push_back(sequence({ir::varRef(len)}));
  } else {
    parts.push_back(sequence({zero, tile, ir::varRef(len)}));
    parts.push_back(sequence({one}));
    parts.push_back(sequence({tile, tile, ir::varRef(len)}));
  }
  ExprPtr partition =
      ir::node(ExprKind::Partition, {Scalar::I32, 1, 1, true}, std::move(parts), at(line + 3, 24));
  ExprPtr map = ir::node(ExprKind::Map, intArray, {partition}, at(line + 3, 14), "sum");
  ExprPtr outer =
      ir::node(ExprKind::SpectrumCall, ir::scalarType(Scalar::I32), {map}, at(line + 3, 10), "sum");
  ir::Codelet c = codelet(std::move(tag), ordinal, line, in);
  c.body = ir::block(
      {ir::declare(p, nullptr),
       ir::declare(len, ir::node(ExprKind::Size, ir::scalarType(Scalar::Index), {ir::varRef(in)})),
       ir::returns(outer)});
  return c;
}

inline Level level(std::string name, std::string title, Capability compute, int subordinate,
                   Sync sync, Tiling prefers, std::vector<MapRule> offers) {
  Level made;
  made.name = std::move(name);
  made.title = std::move(title);
  made.compute = compute;
  made.subordinate = subordinate;
  made.sync = sync;
  made.prefers = prefers;
  made.mapRules = std::move(offers);
  return made;
}

/// The four codelets of figure 4.3: sum#1, kog, asso_tiled, stride_tiled.
inline ir::Program sumProgram() {
  ir::Spectrum sum;
  sum.name = "sum";
  sum.result = ir::scalarType(Scalar::I32);
  sum.params = {variable("in", intArray, ir::VarKind::Param, 7)};
  sum.codelets = {atomic("", 1, 7, false), atomic("kog", 2, 18, true),
                  tiled("asso_tiled", 3, 34, false), tiled("stride_tiled", 4, 44, true)};
  sum.location = at(7, 5);
  ir::Program program;
  program.file = "sum.cpp";
  program.contentHash = "0123456789abcdef";
  program.spectrums = {sum};
  return program;
}

/// Figure 5.2(a): process and thread; maps are distributed.
inline Machine simpleCpu() {
  Machine machine;
  machine.name = "simple-cpu";
  machine.levels = {level("P", "process", Capability::None, 1, Sync::Join, Tiling::Adjacent,
                          {MapRule::Distribute}),
                    level("T", "thread", Capability::Scalar, -1, Sync::None, Tiling::None, {})};
  return machine;
}

/// Figure 5.2(b): grid, block and thread; maps are distributed.
inline Machine simpleGpu() {
  Machine machine;
  machine.name = "simple-gpu";
  machine.levels = {level("G", "grid", Capability::None, 1, Sync::Launch, Tiling::Adjacent,
                          {MapRule::Distribute}),
                    level("B", "block", Capability::Vector, 2, Sync::Barrier, Tiling::Strided,
                          {MapRule::Distribute}),
                    level("T", "thread", Capability::Scalar, -1, Sync::None, Tiling::None, {})};
  return machine;
}

/// Grid, block, warp, thread, ILP; every level offers all its capability allows.
inline Machine fiveLevelGpu() {
  const std::vector<MapRule> all{MapRule::Distribute, MapRule::Serialize, MapRule::Split};
  const std::vector<MapRule> noCompute{MapRule::Distribute, MapRule::Split};
  Machine machine;
  machine.name = "gpu";
  machine.levels = {
      level("G", "grid", Capability::None, 1, Sync::Launch, Tiling::Adjacent, noCompute),
      level("B", "block", Capability::Vector, 2, Sync::Barrier, Tiling::Strided, all),
      level("W", "warp", Capability::Vector, 3, Sync::Warp, Tiling::Strided, all),
      level("T", "thread", Capability::Scalar, 4, Sync::Loop, Tiling::Strided, all),
      level("I", "ilp", Capability::Scalar, -1, Sync::None, Tiling::None, {MapRule::Serialize})};
  return machine;
}

} // namespace tangram::composer::plan_fixture
