// The meaning of the kernel form, executed: every worker of every level is an activity of its own
// with its own variables, memory is watched element by element, and what a program may not do is
// reported with its place instead of being undefined.
//
// Two ways to read a LoweredPlan:
//   Joins::Implied   before barriers are placed: a Parallel of items is a step that all workers
//                    below the one that runs it begin together and finish together
//   Joins::Explicit  after placeBarriers: items meet where a Barrier stands, and nowhere else
// Between these, all items of a group run the group's code, each with its own variables (as a
// work-item runs a kernel). Lanes::Loops is the other shape: one activity a group, items loops in
// it (as a thread runs SIMD lanes); what the rounds of such a loop do to each other is still a
// race.
//
// Warps are rows of items: an item's number is the warp's and its own in it, a barrier of their level is
// met by the items of one warp alone and orders nothing between warps, and memory of a warp is one array
// for each of them. That a machine's warps move in lockstep is not relied on.
//
// Two accesses are a race when they are by different workers, touch one element, one of them
// writes, and nothing puts one before the other: not the end of a launch, not a meeting of both,
// not a flag that the one published and the other awaited. Atomic operations of the same kind do
// not disturb each other, nor do items of a group that write one value.
//
// The integers are those of C that wrap around, float rounds to 32 bits.
// One place knows what an access means: Expressions::element (expressions.cpp).
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/interpreter/reports.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::codegen {

struct InterpreterOptions {
  enum class Joins { Implied, Explicit };
  enum class Lanes { Together, Loops };
  Joins joins = Joins::Implied;
  Lanes lanes = Lanes::Together;
  /// The top level launches kernels and does nothing else: the constants a kernel needs are
  /// computed by the kernel, and groups may take turns.
  bool kernels = false;
  /// Groups of a launch that have started and not ended, where they wait for each other; and groups
  /// that are started at all where they take turns.
  std::size_t groupsAtOnce = 3;
  /// Order in which activities run on: in turns for 0, else random by this seed.
  std::uint64_t seed = 0;
  /// Operations after which a run is given up as endless.
  std::uint64_t steps = 400'000'000;
};

/// What one call of the plan is given, and what it leaves.
struct InterpreterCall {
  using Bytes = std::vector<std::byte>;
  std::map<const ir::Var *, std::uint64_t> sizes; ///< extents and tunables
  std::map<const ir::Var *, Bytes> scalars;       ///< parameters, as C keeps them in memory
  /// By buffer, elements as C keeps them: containers and the result. Those that are only written
  /// hold nothing before.
  std::map<const ir::Var *, Bytes> memory;
};

struct Interpretation {
  std::vector<Report> reports;        ///< each statement once for each kind
  std::optional<std::string> refused; ///< the reason of the constraint that does not hold
  std::uint64_t steps = 0;            ///< operations
};

/// A plan made ready to run any number of times. The plan must outlive it.
class Interpreter {
public:
  Interpreter(const LoweredPlan &plan, const InterpreterOptions &options);
  ~Interpreter();
  Interpreter(Interpreter &&) noexcept;

  Interpretation run(InterpreterCall &call) const;

private:
  struct Code;
  std::unique_ptr<const Code> code_;
};

} // namespace tangram::codegen
