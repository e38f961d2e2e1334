// What a worker of a target does with what a walk comes to: a thread of a processor, which runs the items of a group as a
// loop that a compiler makes vectors of (processor_costs.cpp), or an item of a device (device_costs.cpp). The walk calls
// these functions at each loop, branch and access; they add cycles and operations to its state.
#pragma once

#include "codegen/timing/walk_state.h"

#include <memory>

namespace tangram::codegen {

/// An access that is made now.
struct WalkedAccess {
  const ir::Expr &element;
  const Buffer &buffer;
  const Samples &position;
  const std::vector<Walk> &walks;
  double bytes; ///< of an element
  bool writes;
  double again; ///< readings of one element, all but the first from a register
};

class WorkerCosts {
public:
  /// Neighbours that are no neighbours in memory: in the rounds of the innermost loop, or of the one around it.
  struct Uneven {
    bool inner = false;
    bool outer = false;
  };
  /// What had been counted before a loop.
  struct Before {
    WalkState::OfGroups waiting, scalar;
    Uneven uneven;
  };
  /// A loop that ends.
  struct Ended {
    const ir::Stmt &loop;
    double rounds;
    bool isShort;
    bool holdsLanes; ///< a loop in it is over elements that go side by side in lanes
  };

  virtual ~WorkerCosts() = default;
  WorkerCosts(const WorkerCosts &) = delete;
  WorkerCosts &operator=(const WorkerCosts &) = delete;

  /// Counts operations of the workers that are active.
  void work(double count);

  // Statements

  /// A variable gets its first value.
  virtual void declare(const ir::Var *var, const ir::ExprPtr &value) = 0;
  /// An If is come to.
  virtual void branch(const ir::Stmt & /*s*/) {}
  /// How often the first branch of `s` is taken, whose condition holds in `spread`.
  virtual Spread seldom(const ir::Stmt & /*s*/, Spread spread) const { return spread; }

  // Loops

  /// How many times as long as on average a worker goes on that waits for others, while `condition` holds for them.
  virtual double longest(const ir::ExprPtr & /*condition*/) const { return 1; }
  /// Whether a compiler writes the rounds one after the other.
  virtual bool isUnrolled(const ir::Stmt & /*loop*/) const { return false; }
  /// A loop is entered; `jammed`: all its rounds stand one after the other.
  virtual void enter(const ir::Stmt & /*loop*/, bool /*jammed*/) {}
  Before begin();
  /// A round of the loop is over, before what was loaded in it has arrived.
  virtual void endRound(const ir::Stmt & /*loop*/) {}
  void end(const Ended &ended, const Before &before);
  /// The items of a group begin a piece of code, where those of the piece before it have to be through with it.
  virtual void beginItems() {}
  /// Workers whose loops, if they are loops, are in `body` are through with it.
  void endWorkers(const ir::StmtPtr &body, bool areItems, bool unrolled, const Before &before);

  // Accesses

  /// An element of a worker's own array.
  virtual void accessOwn(const ir::Expr & /*element*/, bool /*writes*/) {}
  /// An element of a buffer. `chain`: loads one after the other that say where it is; returns those after it.
  virtual unsigned access(const WalkedAccess &access, unsigned chain) = 0;
  /// Whether a variable's value has been loaded and may not be there yet.
  virtual bool isLoaded(const ir::Var * /*var*/) const { return false; }
  /// Neighbours that a worker accesses at once, of elements of so many bytes; `walks` are then those of vectors.
  virtual unsigned joinVectors(std::vector<Walk> & /*walks*/, double /*bytes*/) const { return 1; }
  /// What has been loaded since the last time is there.
  virtual void arrive() {}
  /// Atomic operations `atomic` on `distinct` elements of a buffer, which stand in `lines`, by all workers so many times.
  virtual void update(const ir::Expr &atomic, const Buffer &buffer, double times, double distinct,
                      double lines) = 0;

protected:
  explicit WorkerCosts(WalkState &state) : state_(state) {}

  /// Cycles of a worker in so many operations.
  virtual double cyclesOf(double operations) const = 0;
  /// What a compiler makes of a loop that no pass made vectors of.
  virtual void compile(const Ended & /*ended*/, const Before & /*before*/) {}
  /// Whether a compiler makes vectors of items with this body.
  virtual bool areVectors(const ir::StmtPtr & /*body*/) const { return false; }

  /// Lets what has been done since `before` be done for as many elements at a time as a vector has lanes.
  void asVectors(const Before &before);
  /// The same for vectors of `rounds` rounds: the rest of them is done one by one. `done`: cycles of single rounds.
  void asVectors(double rounds, const Before &before, const WalkState::OfGroups &done);
  /// The same for elements that each take long, side by side in lanes.
  void asElementsInLanes(double rounds, const Before &before);

  /// Atomic operations on so many lines of memory, which all units share.
  void updateMemory(double times, double lines);

  WalkState &state_;
  Uneven uneven_;

private:
  void seeFrom(const Uneven &others, bool unrolled);
};

/// `body`: of the kernel.
std::unique_ptr<WorkerCosts> processorCosts(WalkState &state, const ir::StmtPtr &body);
std::unique_ptr<WorkerCosts> deviceCosts(WalkState &state);

/// Whether a loop in `s` is over elements that go side by side in lanes: rounds of a marked loop around it are taken
/// together.
bool hasElementsInLanes(const ir::StmtPtr &s);

} // namespace tangram::codegen
