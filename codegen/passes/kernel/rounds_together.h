// Rounds of loops that are taken together: of one loop side by side, as lanes of vectors, of another one behind each other,
// unrolled (unroll-and-jam), so that they share what they read and each has its numbers in registers. No round sees what
// another one does.
#pragma once

#include "codegen/form/building.h"
#include "codegen/form/kernel_ir.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

struct SharedOperands;

/// Rounds of a loop, rows, that are taken together at most.
inline constexpr std::int64_t mostRowsTogether = 8;

/// The number of rounds of a loop that are taken at a time.
struct TogetherAxis {
  ir::VarPtr counter;  ///< of the loop
  ir::ExprPtr first;   ///< the number of the first of them
  ir::ExprPtr count;   ///< known when the kernel is compiled
  std::string name;    ///< of what counts them
  bool isLane = false; ///< side by side
};

/// The expressions that differ between the rounds of loops with these counters; `body` is theirs.
class Varying {
public:
  Varying(const ir::StmtPtr &body, std::set<const ir::Var *> counters);

  bool contains(const ir::Var *variable) const { return variables_.contains(variable); }
  bool isUniform(const ir::ExprPtr &e) const;

private:
  void walk(const ir::StmtPtr &s, bool apart);

  std::set<const ir::Var *> variables_;
  std::set<const ir::Var *> changed_; ///< arrays
};

/// The number of rounds of a loop with this counter that are taken together.
struct RoundsOfLoop {
  const ir::Var *counter;
  double count;
};

/// The loads of a round's sums in their loops, for one round: where such are taken together, what is the same in several of them
/// is loaded once. `weight`, where it is given: of an element at a position.
double loadsOfSums(const ir::StmtPtr &body, const std::vector<RoundsOfLoop> &together,
                   const std::function<double(const ir::ExprPtr &)> &weight = nullptr);

/// A round cut where loops begin and end: the pieces in between are done of all rounds, one piece after the other, and
/// what a round keeps from one piece to the next has a place for each of them.
class RoundsTogether {
public:
  RoundsTogether(ir::StmtPtr body, std::vector<TogetherAxis> axes);

  /// Null: loops in the rounds do not go equally far, or something stands between them.
  ir::StmtPtr run();

  /// Bytes of what a round keeps from one piece to the next, arrays of its own among it; none where it is not known, or
  /// above `most`.
  std::optional<std::int64_t> bytes(const LoweredPlan &plan, std::int64_t most) const;
  /// Whether some of that is an array.
  bool keepsArrays() const;

private:
  static constexpr int between = -1; ///< in the head of a loop or branch

  ir::VarPtr expandedOf(const ir::Var &variable) const;
  bool isAround(const ir::Stmt &s) const;
  bool isOutside(const ir::Stmt &s) const;
  void mention(const ir::ExprPtr &e, int piece);
  void number(const ir::StmtPtr &s);
  std::vector<ir::StmtPtr> of(const ir::StmtPtr &body);
  ir::StmtPtr around(const ir::StmtPtr &s);
  SharedOperands sharedIn(const std::vector<ir::StmtPtr> &statements, const ir::VarPtr &lane) const;
  void fill(const SharedOperands &shared, const std::vector<ir::VarPtr> &numbers,
            std::vector<ir::StmtPtr> &before) const;
  ir::StmtPtr ofAll(const std::vector<ir::StmtPtr> &statements, std::vector<ir::StmtPtr> &before);
  ir::StmtPtr ofOne(const ir::StmtPtr &s, const std::vector<ir::VarPtr> &numbers) const;
  ir::ExprPtr ofOne(const ir::ExprPtr &e, const std::vector<ir::VarPtr> &numbers) const;

  ir::StmtPtr body_;
  std::vector<TogetherAxis> axes_;
  Varying varying_;
  ir::ExprPtr all_; ///< how many rounds are taken together
  bool fits_ = true;
  int piece_ = 0;
  std::set<const ir::Var *> declared_;              ///< in a round
  std::map<const ir::Var *, std::set<int>> pieces_; ///< that mention them
  std::set<const ir::Var *> outside_;               ///< the same for all rounds
  std::map<const ir::Var *, ir::VarPtr> expanded_;  ///< arrays with an element for each round
};

} // namespace tangram::codegen
