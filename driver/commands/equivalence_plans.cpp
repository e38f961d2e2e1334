#include "driver/commands/equivalence_plans.h"

#include "composer/analysis/called_spectrums.h"
#include "composer/analysis/sites.h"
#include "composer/plans/planner.h"
#include "driver/commands/synth_command.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <sstream>

namespace tangram::driver {

namespace {

using composer::CodeletKey;
using composer::Planner;
using composer::RankedPlan;

constexpr std::size_t looked = 2000; ///< plans of one search, best first
constexpr unsigned tried = 16;       ///< that the target may be unable to express

/// The program with fewer codelets.
struct Reduced {
  const ir::Program *whole = nullptr; ///< the program with all codelets
  ir::Program program;
  std::vector<std::string> without; ///< names of what is not there; none is also one of what is
  unsigned codelet = 0;             ///< the codelet's index in its spectrum
  bool isForOthers = false;         ///< one of them is for other targets than OpenMP
};

/// The codelets that stay besides the wanted one and the references.
enum class Company {
  OnTheWay,   ///< those through which the spectrum calls the wanted one's
  OfSpectrum, ///< all of the spectrum that is checked
  All,
};

/// The codelets of a shortest chain of calls from `spectrum` to a spectrum that it calls, none of `wrong`.
std::vector<CodeletKey> wayTo(const ir::Program &program, const std::string &spectrum,
                              const std::string &called, const std::vector<CodeletKey> &wrong) {
  std::map<std::string, CodeletKey> caller;
  std::deque<std::string> open{spectrum};
  for (; !open.empty() && !caller.contains(called); open.pop_front()) {
    const ir::Spectrum *each = program.spectrum(open.front());
    if (!each)
      continue;
    for (unsigned i = 0; i < each->codelets.size(); ++i) {
      if (std::ranges::count(wrong, CodeletKey{each->name, i}) != 0)
        continue;
      ir::forEachExpr(each->codelets[i].body, [&](const ir::Expr &e) {
        if (ir::callsSpectrum(e) && e.callee != spectrum &&
            caller.emplace(e.callee, CodeletKey{each->name, i}).second)
          open.push_back(e.callee);
      });
    }
  }
  std::vector<CodeletKey> way;
  for (std::string at = called; caller.contains(at); at = way.back().spectrum)
    way.push_back(caller.at(at));
  return way;
}

bool isForOpenMP(const ir::Codelet &codelet) {
  return codelet.targets.empty() || std::ranges::count(codelet.targets, "openmp") != 0;
}

/// The wanted codelet, the references, and its company. Those that are chosen by name are there whatever their targets are,
/// since their meaning is the same on all.
Reduced reduce(const ir::Program &program, const std::string &spectrum, const CodeletKey &wanted,
               const std::vector<CodeletKey> &wrong, Company company) {
  Reduced reduced{&program, program, {}, 0};
  std::vector<CodeletKey> chosen{wanted};
  if (company == Company::OnTheWay && wanted.spectrum != spectrum) {
    const std::vector<CodeletKey> way = wayTo(program, spectrum, wanted.spectrum, wrong);
    chosen.insert(chosen.end(), way.begin(), way.end());
  }
  std::vector<std::string> kept;
  for (ir::Spectrum &each : reduced.program.spectrums) {
    const std::optional<unsigned> reference = composer::meaningOf(each);
    const bool isChecked = each.name == spectrum && wanted.spectrum != spectrum;
    const bool all =
        isChecked ? company != Company::OnTheWay : company == Company::All && each.name != spectrum;
    std::vector<ir::Codelet> codelets;
    for (unsigned i = 0; i < each.codelets.size(); ++i) {
      ir::Codelet &codelet = each.codelets[i];
      const bool isChosen = std::ranges::count(chosen, CodeletKey{each.name, i}) != 0;
      if (each.name == wanted.spectrum && i == wanted.codelet)
        reduced.codelet = static_cast<unsigned>(codelets.size());
      if (isChosen && !isForOpenMP(codelet)) {
        codelet.targets.clear();
        reduced.isForOthers = true;
      }
      const bool isWrong = std::ranges::count(wrong, CodeletKey{each.name, i}) != 0;
      if (isChosen || (all && !isWrong) || !reference || i == *reference) {
        kept.push_back(codelet.name());
        codelets.push_back(codelet);
      } else {
        reduced.without.push_back(codelet.name());
      }
    }
    each.codelets = std::move(codelets);
  }
  auto &without = reduced.without;
  std::sort(without.begin(), without.end());
  without.erase(std::unique(without.begin(), without.end()), without.end());
  std::erase_if(without, [&](const std::string &name) {
    return std::find(kept.begin(), kept.end(), name) != kept.end();
  });
  return reduced;
}

bool isCodelet(const ir::PlanNode &node, const std::string &spectrum, unsigned codelet) {
  return (node.kind == ir::PlanNode::Kind::Compute || node.kind == ir::PlanNode::Kind::Codelet) &&
         node.spectrum == spectrum && node.codelet == static_cast<int>(codelet);
}

bool startsWith(const ir::PlanPtr &plan, const std::string &spectrum, unsigned codelet) {
  const ir::PlanNode *node = plan.get();
  while (node->kind == ir::PlanNode::Kind::Devolve)
    node = node->children[0].get();
  return isCodelet(*node, spectrum, codelet);
}

bool contains(const ir::PlanPtr &plan, const std::string &spectrum, unsigned codelet) {
  return isCodelet(*plan, spectrum, codelet) ||
         std::any_of(plan->children.begin(), plan->children.end(),
                     [&](const ir::PlanPtr &child) { return contains(child, spectrum, codelet); });
}

/// Plans with the codelet, those that start with it first. Writes why there is none to `why`.
std::vector<RankedPlan> search(const Planner &planner, const std::string &spectrum,
                               unsigned codelet, std::string &why) {
  std::vector<RankedPlan> atTop, elsewhere;
  std::size_t seen = 0;
  ir::Diagnostics errors = planner.forEach([&](const RankedPlan &plan) {
    if (startsWith(plan.plan, spectrum, codelet))
      atTop.push_back(plan);
    else if (elsewhere.size() < tried && contains(plan.plan, spectrum, codelet))
      elsewhere.push_back(plan);
    return ++seen < looked && atTop.size() < tried;
  });
  if (!errors.empty())
    why = errors.front().message;
  else
    why = "no plan of " + planner.machine().name + " uses it" +
          (seen < looked ? "" : " among the first " + std::to_string(looked));
  atTop.insert(atTop.end(), elsewhere.begin(), elsewhere.end());
  return atTop;
}

std::vector<std::string> planningOf(const Planner &planner, const Reduced &reduced,
                                    const std::string &id) {
  std::vector<std::string> options{"--strategy", "all", "--iterations",
                                   std::to_string(planner.iterations())};
  std::string without;
  for (const std::string &name : reduced.without)
    without += (without.empty() ? "" : ",") + name;
  if (!without.empty())
    options.insert(options.end(), {"--without", without});
  options.insert(options.end(), {"--plan", id});
  return options;
}

/// `spectrum`: the codelet's. The first of the plans that OpenMP can express; otherwise `why` tells why none.
std::optional<CodeletPlan> synthesizeFirst(const Planner &planner, const Reduced &reduced,
                                           const std::string &spectrum,
                                           const std::filesystem::path &folder, std::string &why) {

  for (const RankedPlan &plan : search(planner, spectrum, reduced.codelet, why)) {
    SynthResult made = synthesizePlan(planner, plan, "openmp", folder, reduced.whole);
    if (made.plans.empty()) {
      why = "its bundle could not be written";
      return std::nullopt;
    }
    if (made.plans[0].refusal.empty())
      return CodeletPlan{folder, planner.machine().name,
                         reduced.isForOthers ? std::vector<std::string>{}
                                             : planningOf(planner, reduced, plan.id)};
    why = "openmp cannot express its plans: " + made.plans[0].refusal;
  }
  return std::nullopt;
}

} // namespace

CodeletPlans plansWith(const ir::Program &program, const std::string &spectrum,
                       const CodeletKey &codelet, const std::vector<CodeletKey> &wrong,
                       const std::vector<composer::Machine> &machines,
                       const std::filesystem::path &folder) {
  CodeletPlans found;
  composer::PlanOptions options;
  options.strategy = composer::PlanStrategy::All;
  options.target = "openmp";
  for (const composer::Machine &machine : machines) {
    for (const Company company : {Company::OnTheWay, Company::OfSpectrum, Company::All}) {
      if (company == Company::OfSpectrum && codelet.spectrum == spectrum)
        continue; // nothing else than before
      const Reduced reduced = reduce(program, spectrum, codelet, wrong, company);
      auto made = Planner::make(reduced.program, machine, spectrum, options);
      if (auto *errors = std::get_if<ir::Diagnostics>(&made)) {
        found.whyNone = errors->front().message;
        continue;
      }
      if (auto plan = synthesizeFirst(std::get<Planner>(made), reduced, codelet.spectrum,
                                      folder / machine.name, found.whyNone)) {
        found.plans.push_back(*plan);
        break;
      }
    }
  }
  if (found.plans.empty() && !wrong.empty())
    found.whyNone += ", without the codelets that differ";
  return found;
}

} // namespace tangram::driver
