#include "driver/choosing/why_slow.h"

#include "driver/choosing/plan_account.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

namespace tangram::driver {

namespace {

using codegen::AlongLoop;
using codegen::PredictedAccess;
using codegen::PredictedLaunch;
using codegen::PredictedWork;

constexpr std::size_t mostLaunches = 3;
constexpr std::size_t mostAccesses = 4;
constexpr double leastShare = 0.05; ///< of the whole, below which nothing is said
constexpr double manyTimes =
    4; ///< as often as an element is used again, or as transactions are needed
constexpr double nearlyOnce = 1.5;

std::string percent(double part) { return figures(std::round(100 * part)) + " %"; }

std::string times(double count) {
  const double rounded = count < 10 ? std::round(10 * count) / 10 : std::round(count);
  return figures(rounded) + " times";
}

std::string placeText(const ir::SourceLocation &at) {
  return at.valid() ? std::filesystem::path(at.file).filename().string() + ":" +
                          std::to_string(at.line) + ":" + std::to_string(at.column)
                    : "code that the generator adds";
}

/// "memory": what a part of a launch's time means.
std::string meaningOf(const std::string &limit, bool isProcessor) {
  if (limit == "memory")
    return "bytes that come from memory and go to it";
  if (limit == "cache")
    return "bytes that units get from the cache that all of them share";
  if (limit == "accesses")
    return "transactions of the units, cached or not";
  if (limit == "operations")
    return isProcessor ? "instructions of the cores" : "operations of all workers";
  if (limit == "waiting")
    return isProcessor ? "cores wait for what is far away"
                       : "one worker's way through its work: loads and operations that follow each "
                         "other";
  if (limit == "atomics")
    return "operations on the same places, one after the other";
  return "starting it";
}

double PredictedAccess::*partOf(const std::string &limit) {
  return limit == "memory"     ? &PredictedAccess::memory
         : limit == "cache"    ? &PredictedAccess::cache
         : limit == "accesses" ? &PredictedAccess::accesses
         : limit == "waiting"  ? &PredictedAccess::waiting
                               : nullptr;
}

class Reasons {
public:
  Reasons(const composer::Planner &planner, const composer::RankedPlan &plan,
          const PredictedSize &size)
      : planner_(planner), plan_(plan), size_(size) {}

  std::vector<std::string> run() {
    std::vector<const PredictedLaunch *> launches;
    for (const PredictedLaunch &launch : size_.prediction.launches)
      launches.push_back(&launch);
    std::ranges::stable_sort(launches, std::greater{}, &PredictedLaunch::seconds);
    const double all = size_.prediction.seconds();
    lines_.push_back("What limits it at " + extentsText(size_) + ", " + milliseconds(all));
    for (std::size_t i = 0; i < std::min(mostLaunches, launches.size()); ++i) {
      if (launches[i]->seconds() >= leastShare * all)
        launch(*launches[i], launches[i]->seconds() / all);
    }
    if (launches.size() > mostLaunches)
      lines_.push_back("  " + std::to_string(launches.size()) + " launches in all.");
    adviseBlocks();
    lines_.emplace_back("What would change it");
    if (advice_.empty())
      advise("nothing that is seen here: it uses what limits it as well as the model knows.");
    for (const std::string &each : advice_)
      lines_.push_back("  - " + each);
    return std::move(lines_);
  }

private:
  void launch(const PredictedLaunch &launch, double share) {
    const bool isProcessor = launch.oneByOne;
    const std::string limit = launch.limit();
    const bool several = launch.times != 1;
    lines_.push_back("  " + (several ? figures(launch.times) + " launches of " : std::string()) +
                     figures(launch.groups) + " groups of " + figures(launch.items) + ", " +
                     percent(share) + " of the time: " + limit + " (" +
                     meaningOf(limit, isProcessor) + ").");
    std::string others;
    for (const CostPart &part : costParts()) {
      const double seconds = launch.*part.seconds;
      others +=
          (others.empty() ? "    " : ", ") + std::string(part.name) + " " + milliseconds(seconds);
    }
    lines_.push_back(others + (several ? " each" : ""));
    accesses(launch, limit);
    work(launch, limit);
    units(launch);
    if (limit == "start")
      advise("it is so little work that starting it is most of the time: several calls at once, or "
             "larger sizes.");
    if (limit == "memory")
      fromMemory(launch);
  }

  void accesses(const PredictedLaunch &launch, const std::string &limit) {
    // A way through work waits for loads: as many as there are transactions.
    double PredictedAccess::*part = partOf(limit);
    if (!part)
      return;
    if (limit == "waiting" && !launch.oneByOne)
      part = &PredictedAccess::accesses;
    std::vector<const PredictedAccess *> sorted;
    double all = 0;
    for (const PredictedAccess &each : launch.accountOfAccesses) {
      sorted.push_back(&each);
      all += each.*part;
    }
    std::ranges::stable_sort(sorted, std::greater{}, [&](const auto *each) { return each->*part; });
    for (std::size_t i = 0; all > 0 && i < std::min(mostAccesses, sorted.size()); ++i) {
      if (sorted[i]->*part >= leastShare * all)
        access(*sorted[i], sorted[i]->*part / all);
    }
  }

  void access(const PredictedAccess &access, double share) {
    const std::string what = access.source.array + " at " + placeText(access.source.location);
    std::string line = "    " + percent(share) + " " + (access.writes ? "writes " : "reads ") +
                       what + ": " + figures(access.accessed / access.element) + " accesses";
    const double again = access.arrayBytes > 0 ? access.accessed / access.arrayBytes : 1;
    if (again >= nearlyOnce)
      line += ", each element " + times(again);
    line += ", " + figures(access.bytes / 1e6) + " MB of memory";
    lines_.push_back(line + ".");
    reuse(access, again);
    apart(access);
  }

  void reuse(const PredictedAccess &access, double again) {
    std::string loops;
    for (const AlongLoop &each : access.source.again) {
      if (each.count < 2)
        continue;
      const std::string counter = each.counter.empty() ? "a loop" : each.counter;
      loops += (loops.empty() ? "" : ", ") + counter + " (" + figures(each.count) +
               (each.isLoop ? " rounds)" : " workers)");
    }
    if (loops.empty() || again < manyTimes || access.writes)
      return;
    lines_.push_back("      the same element again along " + loops);
    if (!usesSteps())
      again_[times(again)].insert(access.source.array);
  }

  /// Items that follow each other should find neighbours in memory.
  void apart(const PredictedAccess &access) {
    const double needed =
        std::max(1.0, access.together * access.element / planner_.machine().costs.transactionBytes);
    if (access.together < 2 || access.pieces < nearlyOnce * needed)
      return;
    lines_.push_back("      " + figures(access.together) + " items side by side make " +
                     figures(access.pieces) + " transactions where " + figures(needed) +
                     " would do: their elements are no neighbours");
    advise(
        "items that follow each other access elements of " + access.source.array +
        " that lie apart: lanes along its last dimension, or a container that is stored the other "
        "way round, would make them neighbours.");
  }

  void work(const PredictedLaunch &launch, const std::string &limit) {
    if (limit != "operations" && limit != "waiting")
      return;
    const double all = std::accumulate(
        launch.accountOfWork.begin(), launch.accountOfWork.end(), 0.0,
        [](double sum, const PredictedWork &each) { return sum + each.operations; });
    std::vector<PredictedWork> sorted = launch.accountOfWork;
    std::ranges::stable_sort(sorted, std::greater{}, &PredictedWork::operations);
    for (std::size_t i = 0; all > 0 && i < std::min<std::size_t>(2, sorted.size()); ++i) {
      if (sorted[i].operations >= leastShare * all)
        lines_.push_back("    " + percent(sorted[i].operations / all) + " of " + figures(all) +
                         " operations at " + placeText(sorted[i].location));
    }
  }

  void units(const PredictedLaunch &launch) {
    const double units = planner_.machine().groupUnits();
    if (launch.groups >= units || launch.limit() == "start")
      return;
    lines_.push_back("    " + figures(launch.groups) + " groups leave " +
                     figures(units - launch.groups) + " of " + figures(units) + " units idle");
    advise("more groups: a codelet that maps over parts of what is one group's work now, or "
           "`--for-size` with sizes at which there are more.");
  }

  void fromMemory(const PredictedLaunch &launch) {
    std::set<std::string> arrays;
    double once = 0;
    for (const PredictedAccess &each : launch.accountOfAccesses) {
      if (arrays.insert(each.source.array).second)
        once += each.arrayBytes;
    }
    if (once <= 0)
      return;
    if (launch.bytes <= nearlyOnce * once)
      advise("its containers come from memory about once (" + figures(launch.bytes / 1e6) +
             " MB): only fewer bytes, as of smaller types or of steps that are fused, take less.");
    else
      lines_.push_back("    memory moves " + times(launch.bytes / once) +
                       " what its containers hold");
  }

  bool usesSteps() const {
    return std::ranges::any_of(plan_.steps, [](const std::string &step) {
      return step.find("derived_step_") != std::string::npos;
    });
  }

  /// Codelets of the program that cut like this, where it has both kinds.
  std::string codeletsThat(const std::string &tile, const std::string &step) const {
    std::set<std::string> tiles, steps;
    for (const ir::Spectrum &spectrum : planner_.program().spectrums) {
      for (const ir::Codelet &codelet : spectrum.codelets) {
        if (codelet.tag.starts_with(tile))
          tiles.insert(codelet.tag);
        if (codelet.tag.starts_with(step))
          steps.insert(codelet.tag);
      }
    }
    return tiles.empty() || steps.empty() ? "" : *tiles.begin() + " and " + *steps.begin();
  }

  /// Of containers whose elements are read again and again, one advice for all that are so as often.
  void adviseBlocks() {
    const std::string blocks = codeletsThat("derived_tile_", "derived_step_");
    for (const auto &[count, arrays] : again_) {
      std::string names;
      for (const std::string &each : arrays)
        names += (names.empty() ? "" : " and ") + each;
      advise(
          "elements of " + names + " are read " + count +
          ": blocks that a group keeps near to it, or that an item keeps in registers, read them "
          "less often. " +
          (blocks.empty() ? "No codelet cuts blocks and goes through a sum in steps: `tangram "
                            "derive FILE --spectrum S` says why none follows from the loop."
                          : "This plan does not go through sums in steps; " + blocks +
                                " do: name them in a sketch (`--plan`), or say `typical` sizes."));
    }
  }

  void advise(const std::string &what) {
    if (std::ranges::find(advice_, what) == advice_.end())
      advice_.push_back(what);
  }

  const composer::Planner &planner_;
  const composer::RankedPlan &plan_;
  const PredictedSize &size_;
  std::vector<std::string> lines_;
  std::vector<std::string> advice_;
  std::map<std::string, std::set<std::string>>
      again_; ///< containers by how often their elements are read
};

} // namespace

std::vector<std::string> whySlow(const composer::Planner &planner, const composer::RankedPlan &plan,
                                 const Predictor &predictor) {
  const auto explained = predictor.explain(plan.plan);
  const auto *sizes = std::get_if<std::vector<PredictedSize>>(&explained);
  if (sizes == nullptr)
    return {};
  const auto served = std::ranges::find(*sizes, "", &PredictedSize::refusal);
  if (served == sizes->end())
    return {};
  std::vector<std::string> lines = Reasons(planner, plan, *served).run();
  if (!predictor.hasSizes())
    lines.emplace_back("  - nobody named sizes: plans are compared at usual ones; `--for-size` or "
                       "`typical` says what they are.");
  return lines;
}

std::string whySlowText(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

} // namespace tangram::driver
