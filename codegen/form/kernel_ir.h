// The kernel IR: what a plan becomes before anything is printed.
//
// A LoweredPlan is one statement tree (ir/stmt.h) seen from the top level of the
// machine. Distribution and devolution are Parallel statements tagged with the
// level whose workers run them; there is no barrier in it yet and no thread index:
// which workers must meet, and how a level spells its index, is decided by passes
// and printers. Memory is Buffers tagged with a space; every access is an Index
// of a buffer at one affine expression (see codegen/form/index_function.h).
#pragma once

#include "codegen/form/edges.h"
#include "codegen/form/target_traits.h"
#include "composer/machine/machine.h"
#include "ir/program.h"
#include "ir/variable_map.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tangram::algebra {
class Proofs;
}

namespace tangram::codegen {

/// Memory a buffer lives in, named by who can see it.
enum class Space {
  Global, ///< every group
  Local,  ///< the items of one group
  Warp,   ///< the items of one warp
};

struct Buffer {
  ir::VarPtr var; ///< VarKind::Buffer; its type is the element's
  Space space = Space::Global;
  ir::ExprPtr count; ///< elements; Local: over compile-time tunables only
  /// "in", "out", "inout": a container parameter of the spectrum; empty: a temporary.
  std::string access;
  /// Elements are read several at a time: it begins where a vector may.
  bool ofVectors = false;
  /// Of one number, by which groups count those of a launch that have done their part: 0 before the
  /// launch and after it. What a group did before it adds to it, who adds later sees.
  bool countsGroups = false;
};

/// A number the caller or the tuner chooses.
struct Tunable {
  enum class Kind {
    Launch, ///< a run-time argument: how many groups take part
    Compile ///< a macro: items of a group, parts of a serialized map, length of an unrolled loop
  };
  ir::VarPtr var;
  Kind kind = Kind::Compile;
  std::string defaultValue; ///< manifest expression over device facts
  std::uint64_t min = 1;
  std::uint64_t max = UINT64_MAX;
  std::vector<std::int64_t> values; ///< when not every value in [min, max] will do
  std::string meaning;              ///< one line for people
  /// Launch: the default instead, over sizes, compile tunables and device facts; null: it is
  /// `defaultValue` (codegen/analysis/default_groups.h).
  ir::ExprPtr sizedDefault = nullptr;
};

/// What must hold before launch; checked by the host, never by a kernel.
struct Constraint {
  ir::ExprPtr require;
  std::string reason;
};

/// What the caller guarantees of the sizes it passes: `extent` is `equals`.
struct ShapeContract {
  ir::VarPtr extent;
  ir::ExprPtr equals;
};

/// A range that the caller guarantees for the numbers of a parameter; bounds of floating-point ones, also of a scalar, are literals.
struct DataContract {
  ir::VarPtr container; ///< the buffer of the parameter
  std::string kind;     ///< "within": low <= each < high; "ascending": from low up to high
  ir::ExprPtr low;
  ir::ExprPtr high;
};

struct LoweredPlan {
  std::string spectrum;
  const composer::Machine *machine = nullptr;
  const TargetTraits *target = nullptr;
  std::vector<Role> roles; ///< by level index

  /// Item and unroll levels that are distributed to: how many workers each of them has.
  std::map<int, ir::ExprPtr> workers;

  std::vector<ir::VarPtr> extents;    ///< run-time sizes, in signature order: "in_size"
  std::vector<Buffer> buffers;        ///< parameters first, then the result, then temporaries
  std::vector<ir::VarPtr> scalars;    ///< scalar parameters
  std::vector<ir::VarPtr> parameters; ///< of the spectrum, in order: buffers and scalars
  ir::VarPtr result;                  ///< buffer of one element, or null
  std::vector<Tunable> tunables;
  std::vector<Constraint> constraints;
  std::vector<ShapeContract> shape;
  std::vector<DataContract> data;
  /// What authors of codelets say that an extent mostly is (ir::Typical), where it is one of a container of the caller's.
  ir::VariableMap<std::uint64_t> typical;
  std::vector<DataContract> relied;            ///< what codelets require of arrays of their own
  std::vector<const ir::Function *> functions; ///< helpers the code calls, callees first
  ir::StmtPtr body;
  /// Array form: upper bounds, over sizes and tunables, of how many workers a Parallel has, by its
  /// variable; none where none is known.
  ir::VariableMap<ir::ExprPtr> mostWorkers;
  /// Array form: the distance in memory of neighbours along each dimension of an array, where it
  /// has several. Accesses have as many subscripts.
  ir::VariableMap<std::vector<ir::ExprPtr>> strides;
  /// Array form: arrays that are others continued past their ends.
  PaddedArrays padded;
  /// Array form: arrays that begin where a vector may.
  ir::VariableSet ofVectors;
  /// No less, over what the host knows, than any index of a kernel that is compared, divided or
  /// converted, and than any position: below 2^31 indexes may take 32 bits. Null: they take 64.
  ir::ExprPtr mostIndex;
  /// What was proved of it, and of plans that it is compared with; null: nobody asked yet.
  std::shared_ptr<algebra::Proofs> proofs;
  /// Longest chain of dependent floating-point roundings; null when nothing rounds.
  ir::ExprPtr roundings;

  /// Position in memory of an element of an array, an Index.
  ir::ExprPtr positionIn(const ir::Expr &element) const;
  const Buffer *bufferOf(const ir::VarPtr &var) const;
  const Tunable *tunableOf(const ir::VarPtr &var) const;
  /// `base`, or with a number behind it that no tunable has.
  std::string unusedTunableName(const std::string &base) const;
  Role role(int level) const { return roles[static_cast<std::size_t>(level)]; }
};

/// Whether a loop with a barrier in it is `s`, or stands in it.
bool hasLoopWithBarrier(const ir::StmtPtr &s);

/// Whether `e` is an atomic operation that changes nothing: it looks at what others have left.
bool isLook(const ir::Expr &e);

/// Whether groups that run `s` count themselves, so that the last one goes on
/// (codegen/passes/kernel/finish_in_last_group.cpp).
bool hasLastGroup(const LoweredPlan &plan, const ir::StmtPtr &s);

/// Whether groups that run `s` wait for each other (codegen/lowering/instantiate_chains.cpp,
/// codegen/passes/array/decoupled_look_back.cpp).
bool handsOver(const ir::StmtPtr &s);

bool isTunable(const LoweredPlan &plan, const ir::ExprPtr &e);
/// Whether it is known when a kernel is compiled: made of numbers and compile tunables.
bool isCompileTime(const LoweredPlan &plan, const ir::ExprPtr &e);

/// Whether there are `count` workers of `level`: of groups as many are started as any tunable says.
bool isWorkerCount(const LoweredPlan &plan, int level, const ir::ExprPtr &count);

/// Whether `s` is, or has in it, a Parallel of workers with this role.
bool hasWorkers(const LoweredPlan &plan, const ir::StmtPtr &s, Role role);

} // namespace tangram::codegen
