// Questions about a codelet's maps: which containers they go over, and which calls get their results.
#pragma once

#include "ir/program.h"

#include <map>
#include <set>

namespace tangram::composer {

/// Whether a map goes over tiles: the elements of one of its containers are parts of which all
/// sizes are chosen, of two or more.
bool isOverTiles(const ir::Expr &map);

/// Whether it goes over parts of one dimension, as many elements as one worker is to have.
bool isOverParts(const ir::Expr &map);

/// Whether it is a chain over such parts, each of which stays with its workers.
bool isChainOverParts(const ir::Expr &map);

/// Whether it is a fold over parts of chosen sizes.
bool isFoldOverChunks(const ir::Expr &map);

/// For each child of a codelet's plan node that is a call: the maps over partitions whose results
/// it is given, directly or through local variables.
class Feeders {
public:
  explicit Feeders(const ir::Codelet &codelet);

  const std::set<int> &of(int child) { return feeding[child]; }

private:
  void noteCalls(const ir::ExprPtr &root);
  void mapsIn(const ir::ExprPtr &e, std::set<int> &found);
  bool isPartition(const ir::Expr &e) const;

  std::map<const ir::Expr *, int> childOf;
  std::set<const ir::Var *> partitions;
  std::map<const ir::Var *, std::set<int>> held;
  std::map<int, std::set<int>> feeding;
};

} // namespace tangram::composer
