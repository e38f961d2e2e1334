// Scans by the lanes of a cooperative codelet.
//
// All lanes go through the rounds together, several neighbours a lane at a time. Each lane finds what a round adds, of
// rounds that lie side by side for the lanes, so that they read neighbours; then of rounds that follow each other it adds up its own, a
// tree finds what the lanes before it come to, and it goes through its own once more from there. What each
// round starts from is in shared memory then, and the rounds are done as the loop does them.
#pragma once

#include "composer/derive/lane_tree.h"
#include "composer/derive/scan.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tangram::composer {

/// Writes scans for one codelet, which share arrays.
class LaneScan {
public:
  LaneScan(const algebra::Nest &nest, LaneTree &tree,
           std::function<std::string(const std::string &)> fresh)
      : nest_(nest), tree_(tree), fresh_(std::move(fresh)) {}

  /// The statements that take the place of a loop, behind which its variables are what it makes them.
  std::string text(int loop, const Scan &scan, unsigned indent);

  std::string declarations() const;

private:
  std::vector<std::string> arraysOf(const Scan &scan);
  std::string round(int loop, const ir::StmtPtr &body, const std::vector<std::string> &variables,
                    const Scan &scan, unsigned indent);
  std::string fromNeighbours(const Update &update, const std::string &array, unsigned indent);

  const algebra::Nest &nest_;
  LaneTree &tree_;
  std::function<std::string(const std::string &)> fresh_;
  std::string from_, turn_, round_, place_, all_;
  std::map<ir::Scalar, std::vector<std::string>> arrays_;
};

} // namespace tangram::composer
