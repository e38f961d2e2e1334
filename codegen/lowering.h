// The state lowering works with; see codegen/lower.h for what it does.
#pragma once

#include "codegen/index_function.h"
#include "codegen/lower.h"
#include "codegen/overlap.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <variant>

namespace tangram::codegen {

/// What an expression of a codelet is once lowered.
using Value = std::variant<ir::ExprPtr, View, Parts, Sequence>;

/// Where a composed spectrum's scalar result goes.
struct Destination {
  View place;     ///< one element of memory (no dimensions); buffer null when `var` is used
  ir::VarPtr var; ///< a variable of the worker that asked for the result
  bool none() const { return !place.buffer && !var; }
};

/// One inlined codelet.
struct Instance {
  const ir::Codelet *codelet = nullptr;
  const ir::PlanNode *node = nullptr;
  Destination destination;
  std::map<const ir::Var *, Value> environment;
  std::set<const ir::Var *> assigned;             ///< variables assigned after declaration
  std::map<const ir::Expr *, int> childOf;        ///< site -> child of the plan node
  std::map<int, std::vector<ir::ExprPtr>> counts; ///< map child -> workers along its splits
  ir::ExprPtr lane;                               ///< coopIdx() of a cooperative codelet
  ir::ExprPtr lanes;                              ///< coopDim()
  ir::ExprPtr roundings;                          ///< on the longest path so far
  bool perLane = false;       ///< the code at hand is one lane's, not the whole group's
  bool sizesAsBounds = false; ///< sizes stand for their upper bounds (in a `require`)
};

/// A map on its way down the levels it is spread over.
struct MapWork {
  std::vector<Value> args;
  std::vector<bool> shared; ///< all(c): the same for every element
  const ir::Spectrum *callee = nullptr;
  ir::ExprPtr count;                                             ///< of elements
  std::function<Destination(const ir::ExprPtr &)> destinationOf; ///< of the result of element i
  ir::ExprPtr roundings;                                         ///< of one element
};

/// One element of a distributed chain: what it waits for and what it owes its successor. `carries`
/// and `flags` have an element for what each one starts with, and one for the chain's result.
struct HandOver {
  View carries;
  View flags;
  ir::ExprPtr element;  ///< its number
  int level = 0;        ///< whose workers take the elements
  ir::VarPtr carry;     ///< what the codelet knows the carry as
  bool strict = false;  ///< all of it happens between its predecessor and its successor
  bool awaited = false; ///< the carry has its value
  bool published = false;
};

/// Internal to lowering, turned into a Refusal at its boundary.
struct RefusedPlan {
  Refusal refusal;
};

/// A level's title as part of a C name: "work-item" -> "work_item".
std::string identifier(const std::string &title);

/// Whether a `require` is about the shape of arguments: the size of one is some value.
bool isShape(const ir::ExprPtr &condition);

/// Adds the variables that `body` assigns to those of the instance.
void noteAssigned(Instance &in, const ir::StmtPtr &body);

class Lowering {
public:
  Lowering(const ir::Program &program, const composer::Machine &machine, std::vector<Role> roles,
           std::string target);

  LoweredPlan run(const ir::Spectrum &spectrum, const ir::PlanPtr &plan);

private:
  // Calls (lower_call.cpp). Each returns the roundings on its longest path, or null.
  ir::ExprPtr lowerCall(const ir::PlanPtr &node, const std::vector<Value> &args,
                        const Destination &destination);
  ir::ExprPtr lowerDevolve(const ir::PlanNode &node, const std::vector<Value> &args,
                           const Destination &destination);
  ir::ExprPtr lowerUniform(const ir::PlanNode &node, const std::vector<Value> &args,
                           const Destination &destination);
  void ownParameters(Instance &in,
                     const std::function<void(const ir::VarPtr &, ir::StmtPtr)> &declareVariable);
  Instance instantiate(const ir::PlanNode &node, const std::vector<Value> &args,
                       const Destination &destination);
  ir::ExprPtr roundingsOf(const ir::Codelet &codelet, const std::vector<Value> &args) const;

  // Maps (lower_map.cpp).
  void lowerMapRange(MapWork &work, const ir::PlanNode &node, std::vector<ir::ExprPtr> counts,
                     const ir::ExprPtr &count,
                     const std::function<ir::ExprPtr(ir::ExprPtr)> &position);
  std::vector<Value> elementArgs(const MapWork &work, const ir::ExprPtr &i);
  /// Made of literals and compile-time tunables alone.
  bool isCompileTime(const ir::ExprPtr &count) const;
  View resultOfMap(const ir::PlanNode &node, const ir::ExprPtr &count, ir::Scalar element);
  /// A map whose results go to `result`; null: to memory of their own, which is returned.
  Value lowerMap(Instance &in, const ir::ExprPtr &map, const View *result);
  ir::ExprPtr lowerChain(Instance &in, const ir::ExprPtr &chain);

  // Chains whose elements are distributed (lower_chain.cpp).
  ir::ExprPtr lowerDistributedChain(Instance &in, const ir::ExprPtr &chain);
  ir::ExprPtr takeTicket(int group, const View &ticket);
  void emitForOneOf(int group, const std::vector<ir::StmtPtr> &statements);
  void prepareHandOver(const HandOver &over, const View &ticket, const ir::ExprPtr &count,
                       const ir::ExprPtr &first);
  void await(HandOver &over);
  void publish(HandOver &over, const ir::ExprPtr &value);
  void lowerHandedOver(Instance &in, const ir::StmtPtr &body, HandOver &over);
  MapWork workOf(Instance &in, const ir::Expr &map);
  View partOf(const Parts &parts, const ir::ExprPtr &i, const std::string &name);
  ir::ExprPtr elementsOf(const MapWork &work);
  /// New memory for `elements` of every worker that runs the code at hand.
  View temporary(int index, const std::string &name, ir::Scalar element,
                 const std::vector<ir::ExprPtr> &extents, const ir::SourceLocation &at);
  void bindTunables(Instance &in);
  std::vector<ir::ExprPtr> workerCounts(const Instance &in, const ir::PlanNode &map,
                                        const ir::Var &tunable);
  static int workersOf(const ir::PlanNode &map);
  ir::ExprPtr workersOf(int level, const std::string &name, const ir::TunableDomain &domain);
  ir::ExprPtr freeTunable(const Instance &in, const ir::Var &tunable, const std::string &what);

  // Side effects of elements that run side by side (lower_outputs.cpp).
  void requireDisjointOutputs(const MapWork &work, const ir::PlanNode &node,
                              const ir::SourceLocation &at) const;
  /// Why two elements of the map may write the same memory; empty when they do not.
  std::string whyOverlap(const MapWork &work, const ir::PlanNode &node) const;
  /// That no element of the map may see a result of another one.
  void requireNotRead(const MapWork &work, const View &result, const ir::SourceLocation &at) const;
  static bool sharesOutput(const MapWork &work);
  /// Whether the plan of a call touches its parameter number `param` by atomic operations alone.
  bool isAtomicOnly(const ir::PlanNode &node, std::size_t param) const;
  /// `work`: the map that is called, null for a call.
  void requireNoAliasing(const ir::Spectrum &callee, const std::vector<Value> &args,
                         const ir::PlanNode &node, const ir::SourceLocation &at,
                         const MapWork *work = nullptr) const;
  bool mayMeet(const std::vector<Value> &args, std::size_t a, std::size_t b,
               const ir::PlanNode &node, const MapWork *work) const;
  bool runsSideBySide(const ir::PlanNode &node) const;

  // What is different memory (lower_disjoint.cpp): true where it is proved.
  struct ElementNumber;
  class Footprints;
  /// The parts along one of the cuts.
  bool partsAreDisjoint(const Parts &parts, std::size_t cut) const;
  /// Two arguments of a call.
  bool valuesAreDisjoint(const Value &a, const Value &b) const;
  /// Arguments a and b of each element of the map.
  bool sameElementIsDisjoint(const MapWork &work, std::size_t a, std::size_t b) const;
  /// Argument a of one element of the map and argument b of every other one.
  bool argumentsAreDisjoint(const MapWork &work, std::size_t a, std::size_t b) const;
  /// The same for argument a and the others' places in `result`.
  bool resultsAreDisjoint(const MapWork &work, const View &result, std::size_t a) const;
  bool otherElementsAreDisjoint(
      const MapWork &work, std::size_t a,
      const std::function<std::vector<Lmad>(Footprints &, const ElementNumber &)> &other) const;
  ElementNumber elementNumber(const MapWork &work, std::size_t k, const std::string &name) const;
  void assumeElement(Footprints &footprints, const MapWork &work, std::size_t k,
                     const ElementNumber &i) const;
  /// `e` with all names of values that stay as they are written out.
  ir::ExprPtr meaningOf(const ir::ExprPtr &e) const;

  // Statements and expressions (lower_body.cpp).
  void lowerStatement(Instance &in, const ir::StmtPtr &s);
  void lowerDeclaration(Instance &in, const ir::Stmt &s);
  bool readsChangingMemory(const ir::ExprPtr &e) const;
  void lowerAssignment(Instance &in, const ir::Stmt &s);
  void lowerLoop(Instance &in, const ir::StmtPtr &s);
  void lowerReturn(Instance &in, const ir::Stmt &s);
  void lowerRequire(Instance &in, const ir::Stmt &s);
  Value evaluate(Instance &in, const ir::ExprPtr &e);
  ir::ExprPtr evaluateScalar(Instance &in, const ir::ExprPtr &e);
  View allocate(Instance &in, const ir::Var &container, const ir::Expr &extents);
  ir::ExprPtr evaluateAtomic(Instance &in, const ir::ExprPtr &e);
  Value settled(const std::string &name, Value container);
  Value argument(const Instance &in, const std::string &name, Value value);
  ir::ExprPtr atomicOperation(Instance &in, const ir::ExprPtr &e);
  bool manyExecute(const Instance &in) const;
  void emitForOne(const Instance &in, ir::StmtPtr s);
  Parts evaluatePartition(Instance &in, const ir::ExprPtr &e);
  Sequence evaluateSequence(Instance &in, const ir::ExprPtr &e);
  ir::ExprPtr valueOfCall(Instance &in, const ir::ExprPtr &e, const ir::VarPtr &var);
  ir::ExprPtr lowerSpectrumCall(Instance &in, const ir::ExprPtr &e, const Destination &to);
  void store(int level, const Destination &to, const ir::ExprPtr &value);
  void storeElement(int level, const ir::ExprPtr &target, const std::string &op,
                    const ir::ExprPtr &value);

  // Cooperative codelets (lower_cooperative.cpp).
  ir::ExprPtr lowerCooperative(const ir::PlanNode &node, const std::vector<Value> &args,
                               const Destination &destination);
  struct Lockstep;
  void lowerLockstep(Lockstep &state, const ir::StmtPtr &s);
  void lockstepDeclaration(Lockstep &state, const ir::Stmt &s);
  void lockstepAssignment(Lockstep &state, const ir::Stmt &s);
  void lockstepIf(Lockstep &state, const ir::StmtPtr &s);
  void lockstepLoop(Lockstep &state, const ir::StmtPtr &s);
  void emitLanes(Lockstep &state, ir::StmtPtr s);
  ir::StmtPtr perLane(Lockstep &state, const ir::StmtPtr &s);

  // What the caller guarantees (lower_contracts.cpp).
  void recordContracts(const ir::Spectrum &spectrum);
  void recordContract(const ir::Stmt &s, const std::function<ir::ExprPtr(ir::ExprPtr)> &onHost,
                      const ir::Spectrum &spectrum);

  // Bounds that can be checked before launch (lower_bounds.cpp).
  /// Upper bound of `e` that mentions no worker index and no variable below host
  /// level; null when none is known.
  ir::ExprPtr upperBound(const ir::ExprPtr &e) const;
  /// `e` with every host variable replaced by its definition.
  ir::ExprPtr closed(const ir::ExprPtr &e) const;
  void remember(const ir::VarPtr &var, const ir::ExprPtr &definition);
  void boundWorker(const ir::VarPtr &worker, const ir::ExprPtr &count);
  View withBound(View view);

  // Emission.
  void emit(ir::StmtPtr s) { out_->push_back(std::move(s)); }
  ir::StmtPtr collect(const std::function<void()> &body);
  void emitComment(const std::string &text);
  /// A constant named after the source; trivial values are returned as they are.
  ir::ExprPtr named(const std::string &name, ir::ExprPtr value);
  bool isFixed(const ir::ExprPtr &value) const;
  ir::VarPtr variable(const std::string &name, ir::Scalar type,
                      ir::VarKind kind = ir::VarKind::Local) const;
  /// Whether code at `level` runs on a host that can do nothing but launch kernels.
  bool onlyLaunches(int level) const { return role(level) == Role::Host && target_ == "opencl"; }
  /// Refusals of what such a host cannot do: loops, and variables that change.
  void requireLoops(int level, const ir::SourceLocation &where) const;
  void requireVariables(int level, const ir::Var &variable, const ir::SourceLocation &where) const;
  Role role(int level) const { return roles_[static_cast<std::size_t>(level)]; }
  const composer::Level &level(int index) const {
    return machine_.levels[static_cast<std::size_t>(index)];
  }
  const ir::Codelet &codeletOf(const ir::PlanNode &node) const;
  [[noreturn]] static void refuse(std::string reason, ir::SourceLocation at = {});

  const ir::Program &program_;
  const composer::Machine &machine_;
  std::vector<Role> roles_;
  std::string target_;
  LoweredPlan plan_;
  std::vector<ir::StmtPtr> *out_ = nullptr;
  std::string lastComment_;      ///< the newest one emitted
  HandOver *handOver_ = nullptr; ///< of the call that is lowered next
  /// A Parallel around the code at hand whose workers may need memory of their own.
  struct Enclosing {
    int level;
    ir::VarPtr worker;
    ir::ExprPtr count;
  };
  std::vector<Enclosing> enclosing_;                      ///< outermost first
  std::vector<std::pair<ir::ExprPtr, ir::VarPtr>> names_; ///< of values, while they are visible
  std::map<const ir::Var *, ir::ExprPtr> definitions_;    ///< constants: what they stand for
  mutable std::map<const ir::Var *, ir::ExprPtr> closedDefinitions_; ///< those asked for so far
  std::map<const ir::Var *, ir::ExprPtr>
      largest_; ///< of workers' indexes and named extents: the largest value
};

} // namespace tangram::codegen
