// The state lowering works with; see codegen/lowering/lower.h for what it does.
#pragma once

#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/form/identifier.h"
#include "codegen/lowering/contracts.h"
#include "codegen/lowering/findings.h"
#include "codegen/lowering/results_in_place.h"
#include "codegen/lowering/scope.h"
#include "codegen/lowering/side_effects.h"
#include "codegen/lowering/value.h"
#include "codegen/lowering/worker_counts.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <variant>

namespace tangram::codegen {

/// One inlined codelet.
struct Instance {
  const ir::Codelet *codelet = nullptr;
  const ir::PlanNode *node = nullptr;
  Destination destination;
  std::map<const ir::Var *, Value> environment;
  std::set<const ir::Var *> assigned;             ///< variables assigned after declaration
  std::map<const ir::Expr *, int> childOf;        ///< site -> child of the plan node
  std::map<const ir::Var *, View> cells;          ///< variables that are kept in memory
  std::map<int, std::vector<ir::ExprPtr>> counts; ///< map child -> workers along its splits
  /// Whose workers the lanes of a cooperative codelet are: of warps, and of the items in each.
  struct Row {
    int level;
    ir::VarPtr worker;
    ir::ExprPtr count;
  };
  std::vector<Row> rows;
  ir::ExprPtr lane;                  ///< coopIdx() of a cooperative codelet
  ir::ExprPtr lanes;                 ///< coopDim()
  FlattenedMap *flattened = nullptr; ///< the codelet's only map is flattened with the one around it
  ir::ExprPtr roundings;             ///< on the longest path so far
  bool perLane = false;              ///< the code at hand is one lane's, not the whole group's
  bool sizesAsBounds = false;        ///< sizes stand for their upper bounds (in a `require`)
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

/// Adds the variables that `body` assigns to those of the instance.
void noteAssigned(Instance &in, const ir::StmtPtr &body);

/// A number of roundings that is not known.
ir::ExprPtr unknownRoundings();

/// Inlines the codelets of a plan: what it gives is the array form of a program.
class Instantiation {
public:
  Instantiation(const ir::Program &program, const composer::Machine &machine,
                std::vector<Role> roles, const TargetTraits &target,
                std::shared_ptr<Findings> findings);

  LoweredPlan run(const ir::Spectrum &spectrum, const ir::PlanPtr &plan);

  /// Every local container gets memory of its own (instantiate_in_place.cpp).
  void copyAllResults() { inPlace_ = false; }
  /// Whether a container has been built where it is copied to.
  bool hasPlacedResults() const { return placed_; }

private:
  // Calls (instantiate_calls.cpp). Each returns the roundings on its longest path, or null.
  ir::ExprPtr lowerCall(const ir::PlanPtr &node, const std::vector<Value> &args,
                        const Destination &destination);
  ir::ExprPtr lowerDevolve(const ir::PlanNode &node, const std::vector<Value> &args,
                           const Destination &destination);
  ir::ExprPtr lowerUniform(const ir::PlanNode &node, const std::vector<Value> &args,
                           const Destination &destination);
  void ownParameters(Instance &in);
  std::vector<Value> withPaddedArrays(const ir::PlanNode &node, std::vector<Value> args);
  std::optional<std::vector<Dimension>> boundedDims(const View &view) const;
  std::vector<std::pair<ir::VarPtr, ir::Window>> windowsOf(const ir::PlanNode &node,
                                                           const std::vector<Value> &args) const;
  void inWindows(const ir::PlanNode &node,
                 const std::vector<std::pair<ir::VarPtr, ir::Window>> &windows,
                 const std::function<void()> &body);
  Instance instantiate(const ir::PlanNode &node, const std::vector<Value> &args,
                       const Destination &destination);
  ir::ExprPtr roundingsOf(const ir::Codelet &codelet, const std::vector<Value> &args) const;

  // Maps (instantiate_maps.cpp).
  void lowerMapRange(MapWork &work, const ir::PlanNode &node, std::vector<ir::ExprPtr> counts,
                     const ir::ExprPtr &count,
                     const std::function<ir::ExprPtr(ir::ExprPtr)> &position);
  void withElement(MapWork &work, const ir::ExprPtr &at, const TakeElement &take);
  ir::ExprPtr numberOf(const Sequence &sequence, const ir::ExprPtr &i, const ir::Var &param);
  std::vector<Value> elementArgs(const MapWork &work, const ir::ExprPtr &i);
  View resultOfMap(const ir::PlanNode &node, const ir::ExprPtr &count, ir::Scalar element);
  /// A map whose results go to `result`; null: to memory of their own, which is returned.
  Value lowerMap(Instance &in, const ir::ExprPtr &map, const View *result);
  ir::ExprPtr lowerChain(Instance &in, const ir::ExprPtr &chain);

  // Nested maps that are flattened (instantiate_flattened.cpp).
  bool isFlat(int index) const { return level(index).flat; }
  void lowerFlattened(MapWork &work, const ir::PlanNode &node, const ir::ExprPtr &count,
                      const std::function<ir::ExprPtr(ir::ExprPtr)> &position);
  void inFlattened(MapWork &work, const ir::PlanPtr &inner, const ir::ExprPtr &at,
                   FlattenedMap &map);
  void takeFlattened(Instance &in, MapWork &work);

  // Chains whose elements are distributed (instantiate_chains.cpp).
  ir::ExprPtr lowerDistributedChain(Instance &in, const ir::ExprPtr &chain);
  std::set<std::size_t> appendedBy(const MapWork &work, const ir::PlanNode &element) const;
  ir::ExprPtr takeTicket(int group, const View &ticket);
  void emitForOneOf(int group, const std::vector<ir::StmtPtr> &statements);
  void prepareHandOver(const HandOver &over, const View &ticket, const ir::ExprPtr &count,
                       const ir::ExprPtr &first);
  void await(HandOver &over);
  void publish(HandOver &over, const ir::ExprPtr &value);
  void lowerHandedOver(Instance &in, const ir::StmtPtr &body, HandOver &over);
  MapWork workOf(Instance &in, const ir::Expr &map, const View *result = nullptr);
  View partOf(const Parts &parts, const ir::ExprPtr &i, const std::string &name);
  ir::ExprPtr elementsOf(const MapWork &work);
  ir::ExprPtr numbersOf(Instance &in, const ir::ExprPtr &sequence);
  void requireAsMany(Instance &in, const ir::Expr &map, const ir::ExprPtr &first,
                     const ir::ExprPtr &other);
  void requirePositive(const Instance &in, const ir::ExprPtr &increment,
                       const ir::SourceLocation &at);
  View layOut(View view);
  /// New memory for `elements` of every worker that runs the code at hand.
  View temporary(int index, const std::string &name, ir::Scalar element,
                 const std::vector<ir::ExprPtr> &extents, const ir::SourceLocation &at);
  /// New memory, one for each worker of level `owner`.
  View newArray(const std::string &name, ir::Scalar element, int owner,
                const std::vector<ir::ExprPtr> &extents, const std::vector<ir::ExprPtr> &bounds);
  /// The same for one element.
  View newCell(const std::string &name, ir::Scalar element, int owner);
  void enclose(int below, const ir::VarPtr &worker, const ir::ExprPtr &count);
  void bindTunables(Instance &in);

  // Statements and expressions (instantiate_statements.cpp).
  void lowerStatement(Instance &in, const ir::StmtPtr &s);
  void lowerDeclaration(Instance &in, const ir::Stmt &s);
  void lowerConditional(Instance &in, const ir::Stmt &s);
  ir::ExprPtr kept(const std::string &name, const ir::ExprPtr &value, int at);
  ir::ExprPtr now(const Instance &in, const std::string &name, const ir::ExprPtr &value);
  bool readsChangingMemory(const ir::ExprPtr &e) const;
  void lowerAssignment(Instance &in, const ir::Stmt &s);
  void lowerLoop(Instance &in, const ir::StmtPtr &s);
  void lowerReturn(Instance &in, const ir::Stmt &s);
  void noteTypical(const ir::PlanNode &node, const std::vector<Value> &args);
  void relyOn(Instance &in, const ir::Expr &condition);
  void lowerRequire(Instance &in, const ir::Stmt &s);
  bool holdsOfWholeNumbers(const Instance &in, const ir::ExprPtr &condition, const ir::Stmt &s);
  Value evaluate(Instance &in, const ir::ExprPtr &e);
  ir::ExprPtr evaluateScalar(Instance &in, const ir::ExprPtr &e);
  View allocate(Instance &in, const ir::Var &container, const ir::Expr &extents);
  std::vector<ir::ExprPtr> extentsOf(Instance &in, const ir::Var &container,
                                     const ir::Expr &extents);
  ir::ExprPtr evaluateAtomic(Instance &in, const ir::ExprPtr &e);
  Value settled(const Instance &in, const std::string &name, Value container);
  void settleNumbers(const Instance &in, const ir::Spectrum &callee, std::vector<Value> &args,
                     const View *result);
  Value argument(const Instance &in, const std::string &name, Value value);
  ir::ExprPtr atomicOperation(Instance &in, const ir::ExprPtr &e);
  bool isGroupOfItems(int index) const;
  bool manyExecute(const Instance &in) const;
  ir::StmtPtr byFirstItem(int group, std::vector<ir::StmtPtr> statements) const;
  void emitForOne(const Instance &in, ir::StmtPtr s);
  Value evaluateElement(Instance &in, const ir::ExprPtr &e);
  ir::ExprPtr evaluateOperation(Instance &in, const ir::ExprPtr &e);
  View evaluateView(Instance &in, const ir::ExprPtr &e);
  View evaluatePad(Instance &in, const ir::ExprPtr &e);
  Parts evaluatePartition(Instance &in, const ir::ExprPtr &e);
  Sequence evaluateSequence(Instance &in, const ir::ExprPtr &e);
  ir::ExprPtr valueOfCall(Instance &in, const ir::ExprPtr &e, const ir::VarPtr &var);
  ir::ExprPtr lowerSpectrumCall(Instance &in, const ir::ExprPtr &e, const Destination &to);
  void store(int level, const Destination &to, const ir::ExprPtr &value);
  void storeElement(int level, const ir::ExprPtr &target, ir::Operator op,
                    const ir::ExprPtr &value);
  void byOne(int index, const std::function<void(int)> &body);

  // Containers that are built where they are copied to (instantiate_in_place.cpp).
  void lowerBlock(Instance &in, const std::vector<ir::StmtPtr> &statements);
  struct OpenContainers;
  void allocateOpen(Instance &in, const std::vector<ir::StmtPtr> &statements, OpenContainers &open,
                    std::size_t i);
  void placeOpen(Instance &in, const std::vector<ir::StmtPtr> &statements, OpenContainers &open,
                 std::size_t i);
  std::optional<View> windowFor(Instance &in, const ir::Var &container,
                                const std::vector<ir::ExprPtr> &extents,
                                const ir::ExprPtr &destination, std::span<const ir::StmtPtr> uses);
  ir::ExprPtr parityOf(Instance &in, const std::vector<ir::StmtPtr> &rounds,
                       std::span<const ir::StmtPtr> before);
  bool placeExchanged(Instance &in, const ExchangedResult &result,
                      const std::vector<ir::StmtPtr> &statements, const ir::Var &container,
                      const std::vector<ir::ExprPtr> &extents,
                      const std::vector<ir::ExprPtr> &extentsOfOther);
  bool areEqual(const ir::ExprPtr &a, const ir::ExprPtr &b) const;
  bool areKeptClose(int level, const std::vector<ir::ExprPtr> &extents) const;
  bool leavesAlone(Instance &in, const ir::ExprPtr &e, const View &window,
                   const Substitution &views);
  std::optional<View> partNamedBy(Instance &in, const ir::ExprPtr &e);
  bool isApart(const Value &value, const View &window) const;

  // Rounds of hosts that only launch, and swaps (instantiate_rounds.cpp).
  void keepVariable(Instance &in, const ir::VarPtr &variable, const ir::ExprPtr &value);
  void assignKept(Instance &in, const ir::Stmt &s);
  ir::ExprPtr isEntered(Instance &in, const ir::Stmt &s);
  void goRound(Instance &in, const ir::StmtPtr &s);
  bool neverFalls(const ir::ExprPtr &by) const;
  void keepCounter(Instance &in, const ir::Stmt &s);
  bool goRoundCounting(Instance &in, const ir::Stmt &s);
  void goRoundAsking(Instance &in, const ir::Stmt &s);
  static bool isSerial(const ir::Stmt &s);
  void lowerForOne(Instance &in, const ir::Stmt &s);
  void chooseRounds(Instance &in, const ir::Stmt &s);
  ir::ExprPtr roundsOf(const ir::Stmt &loop) const;
  /// What `e` is for the host: over sizes, scalars, tunables and counters; null when kernels know it.
  ir::ExprPtr hostNumber(const ir::ExprPtr &e) const;
  void lowerSwap(Instance &in, const ir::Stmt &s);
  /// Lowers the body of a loop, whose roundings follow each other: as often as `counted`, its head, says
  /// that it goes round, or (null, or it does not say) as the reference does.
  ir::StmtPtr roundOf(Instance &in, const ir::StmtPtr &counted, const std::function<void()> &body);

  // Conditions of launches (instantiate_conditions.cpp).
  void where(const ir::ExprPtr &condition, const std::function<void()> &body);
  void constrain(ir::ExprPtr condition, const std::string &reason);
  ir::ExprPtr withoutWrapping(const ir::ExprPtr &e, const std::string &name);
  ir::ExprPtr elementsOf(const ir::ExprPtr &most, const std::string &name);

  // Cooperative codelets (instantiate_cooperative.cpp).
  const std::vector<composer::Requirement> &needsOf(const ir::Codelet &codelet);
  ir::ExprPtr lowerCooperative(const ir::PlanNode &node, const std::vector<Value> &args,
                               const Destination &destination);
  void findLanes(Instance &in);
  void lowerPiece(Instance &in, const ir::Stmt &piece);
  void declareShared(Instance &in, const ir::Stmt &s);

  /// Whether code at `level` runs on a host that can do nothing but launch kernels.
  bool onlyLaunches(int level) const {
    return role(level) == Role::Host && target_.hostOnlyLaunches;
  }
  /// Refuses a loop over elements where a host can only launch.
  void requireLoops(int level, const ir::SourceLocation &where) const;
  /// With what was proved of other plans.
  ir::ExprPtr simplified(const ir::ExprPtr &e) const {
    return algebra::simplify(e, {.proofs = plan_.proofs});
  }
  Role role(int level) const { return roles_[static_cast<std::size_t>(level)]; }
  const composer::Level &level(int index) const {
    return machine_.levels[static_cast<std::size_t>(index)];
  }
  const ir::Codelet &codeletOf(const ir::PlanNode &node) const {
    return codegen::codeletOf(program_, node);
  }

  const ir::Program &program_;
  const composer::Machine &machine_;
  std::vector<Role> roles_;
  const TargetTraits &target_;
  std::shared_ptr<Findings> findings_;
  LoweredPlan plan_;
  Scope scope_{plan_};
  SideEffects effects_{program_, plan_, scope_};
  WorkerCounts counts_{plan_};
  HandOver *handOver_ = nullptr;      ///< of the call that is lowered next
  FlattenedMap *flattened_ = nullptr; ///< the map of the codelet that is lowered next
  bool inPlace_ = true;               ///< local containers may be built where they are copied to
  bool placed_ = false;               ///< one was
  /// Known before a launch, and true wherever the code at hand runs.
  std::vector<ir::ExprPtr> given_;
  std::set<const ir::Var *> counters_; ///< of rounds around the code at hand, which the host counts
  /// A Parallel around the code at hand whose workers may need memory of their own.
  struct Enclosing {
    int level;
    ir::VarPtr worker;
  };
  std::vector<Enclosing> enclosing_; ///< outermost first
};

} // namespace tangram::codegen
