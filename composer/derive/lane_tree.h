// The tree that combines what the lanes of a cooperative codelet have found, each of a part of the rounds.
#pragma once

#include "composer/derive/updates.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tangram::composer {

/// Writes trees for one codelet. They share arrays of one element a lane, one for each type and number in a tree.
class LaneTree {
public:
  /// `fresh` gives names that nothing else in the codelet has.
  explicit LaneTree(std::function<std::string(const std::string &)> fresh)
      : fresh_(std::move(fresh)), id_(fresh_("id")) {}

  /// The number of the lane.
  const std::string &id() const { return id_; }

  /// What a lane has found: a name for each of Update::variables(), and where there are places the number of the round
  /// that they are of, by which equal elements keep the order of the loop; `noRound` before there is one.
  struct Found {
    std::vector<std::string> names;
    std::string round;
  };
  /// A round that any other takes the place of.
  static std::string noRound(const Update &update);

  /// Statements that combine what the lanes have found with what stands in `into`, which each lane then has.
  std::string text(const Update &update, const Found &found, const std::vector<std::string> &into,
                   unsigned indent);
  /// The tree alone, whose result `result()` is.
  std::string tree(const Update &update, const Found &found, unsigned indent);
  /// What all lanes have found together of the first variable, behind a tree of the update.
  std::string result(const Update &update);
  /// The same of the lanes up to and with `lane`.
  std::string resultOf(const Update &update, const std::string &lane);

  /// "__shared float parts[coopDim()];" of all trees so far.
  std::string declarations() const;

private:
  /// The names of the arrays that hold the variables, and last that of the rounds, where there are places.
  std::vector<std::string> arraysOf(const Update &update);

  std::function<std::string(const std::string &)> fresh_;
  std::string id_, step_;
  std::map<ir::Scalar, std::vector<std::string>> arrays_;
};

} // namespace tangram::composer
