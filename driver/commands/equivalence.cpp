#include "driver/commands/equivalence.h"

#include "composer/analysis/called_spectrums.h"
#include "composer/analysis/sites.h"
#include "driver/choosing/asked_sizes.h"
#include "driver/commands/child_process.h"
#include "driver/commands/equivalence_plans.h"
#include "driver/text/progress_line.h"
#include "escape/escape.h"
#include "ir/temporary_folder.h"
#include "runtime/data/command_values.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iomanip>
#include <unistd.h>

namespace tangram::driver {

namespace {

using Json = nlohmann::ordered_json;

struct Verdict {
  std::string codelet;
  std::string status; ///< "agrees", "differs", "not comparable" or "could not be run"
  std::size_t plans = 0, runs = 0, shapes = 0;
  std::size_t leftOut = 0; ///< runs, for lack of time
  CounterExample example;  ///< of "differs"
  std::string message;     ///< of the other two
  std::string command;     ///< of "differs": does it again
  std::string reference;   ///< where the reference itself fails: those shapes do not count
  std::size_t ordinary = 0,
              notComparable = 0; ///< runs of ordinary data, and those without a word about them
  std::string unjudged;          ///< of the first of those, and why
  std::string inaccurate;        ///< where, and how much; empty: nowhere
  std::optional<runtime::Verification> found; ///< how well the runs agree
};

std::string countOf(std::size_t n, const std::string &thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

/// The least time for the runs of a codelet: `leastSeconds`, or `leastPart` of a smaller budget. A codelet that follows from a loop
/// has `partOfDerived` of that, as it is right by construction and there may be many of them.
constexpr double leastSeconds = 2, leastPart = 1.0 / 15, partOfDerived = 1.0 / 4;

/// Seconds since it was made.
class Clock {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class Equivalence {
public:
  Equivalence(const EquivalenceOptions &options, const ir::Program &program,
              const std::vector<composer::Machine> &machines, std::ostream &out, std::ostream &err)
      : options_(options), program_(program), machines_(machines), out_(out), err_(err),
        constants_(sizesNamedIn(program)) {}

  int run() {
    if (!options_.spectrum.empty() && program_.spectrum(options_.spectrum) == nullptr) {
      err_ << "error: no spectrum is called '" << options_.spectrum << "'\n";
      return 1;
    }
    if (temporary_.path().empty()) {
      err_ << "error: cannot make a temporary folder: " << std::strerror(errno) << "\n";
      return 1;
    }
    std::vector<const ir::Spectrum *> spectrums;
    for (const ir::Spectrum &spectrum : program_.spectrums) {
      if (options_.spectrum.empty() ? spectrum.location.file == program_.file
                                    : program_.spectrum(options_.spectrum) == &spectrum)
        spectrums.push_back(&spectrum);
    }
    if (const std::string problem = problemOfGivenSizes(spectrums); !problem.empty()) {
      err_ << "error: " << problem << "\n";
      return 2;
    }
    for (const ir::Spectrum *spectrum : spectrums)
      check(*spectrum);
    end();
    return differ_ + unjudged_ == 0 ? 0 : 3;
  }

private:
  /// Empty: --size is right for all of them.
  std::string problemOfGivenSizes(const std::vector<const ir::Spectrum *> &spectrums) const {
    const auto sizes = runtime::parseSizes(options_.runs.sizes);
    if (!sizes)
      return sizes.error().message;
    for (const ir::Spectrum *spectrum : spectrums) {
      if (std::string problem = problemOfSizes(*spectrum, *sizes); !problem.empty())
        return problem;
    }
    return "";
  }

  void check(const ir::Spectrum &spectrum) {
    const std::optional<unsigned> reference = composer::meaningOf(spectrum);
    const std::string meaning = reference ? spectrum.codelets[*reference].name() : "";
    json_.push_back({{"spectrum", spectrum.name},
                     {"reference", reference ? Json(meaning) : Json(nullptr)},
                     {"codelets", Json::array()}});
    if (text())
      out_ << spectrum.name << ": "
           << (!reference                      ? "no autonomous codelet says what it means"
               : spectrum.codelets.size() == 1 ? meaning + " is its only codelet"
                                               : "against " + meaning)
           << std::endl;
    if (!reference)
      return;
    const std::vector<composer::CodeletKey> all = codeletsToJudge(spectrum);
    wrong_.clear();
    tooLong_.clear();
    const double least = std::min(leastSeconds, options_.runs.budget * leastPart);
    const Clock clock;
    for (std::size_t i = 0; i < all.size(); ++i) {
      // Time that one codelet leaves over is divided among the ones after it.
      const double left =
          (options_.runs.budget - clock.seconds()) / static_cast<double>(all.size() - i);
      const double ownLeast = isDerived(all[i]) ? least * partOfDerived : least;
      const Verdict verdict = judge(spectrum, all[i], std::max(left, ownLeast));
      if (verdict.status == "differs")
        wrong_.push_back(all[i]);
      const bool own = all[i].spectrum == spectrum.name;
      if (own || verdict.plans > 0)
        tell(spectrum, verdict);
    }
  }

  /// Those of the spectrum, and those of the spectrums that it calls which nobody checks by themselves.
  std::vector<composer::CodeletKey> codeletsToJudge(const ir::Spectrum &spectrum) const {
    std::vector<const ir::Spectrum *> spectrums{&spectrum};
    for (const ir::Spectrum *called : composer::calledBy(program_, spectrum.name)) {
      if (!options_.spectrum.empty() || called->location.file != program_.file)
        spectrums.push_back(called);
    }
    std::vector<composer::CodeletKey> all;
    for (const ir::Spectrum *each : spectrums) {
      const std::optional<unsigned> reference = composer::meaningOf(*each);
      for (unsigned i = 0; i < each->codelets.size(); ++i) {
        if (i != reference)
          all.push_back({each->name, i});
      }
    }
    return all;
  }

  bool isDerived(const composer::CodeletKey &key) const {
    return program_.spectrum(key.spectrum)->codelets[key.codelet].tag.starts_with("derived_");
  }

  /// How the codelet is called; `product:tile` of another spectrum.
  std::string nameOf(const ir::Spectrum &spectrum, const composer::CodeletKey &codelet) const {
    const std::string name = program_.spectrum(codelet.spectrum)->codelets[codelet.codelet].name();
    return codelet.spectrum == spectrum.name ? name : codelet.spectrum + ":" + name;
  }

  Verdict judge(const ir::Spectrum &spectrum, const composer::CodeletKey &codelet, double budget) {
    Verdict verdict;
    verdict.codelet = nameOf(spectrum, codelet);
    verdict.status = "could not be run";
    progress_.show(spectrum.name + " " + verdict.codelet);
    const auto folder = temporary_.path() / std::to_string(++folders_);
    CodeletPlans found = plansWith(program_, spectrum.name, codelet, wrong_, machines_, folder);
    verdict.message = found.whyNone;
    std::set<std::map<std::string, std::uint64_t>> shapes;
    RunChoice choice = options_.runs;
    choice.constants = constants_;
    choice.tooLong = tooLong_;
    choice.budget = budget / static_cast<double>(std::max<std::size_t>(found.plans.size(), 1));
    const auto shares = static_cast<unsigned>(found.plans.size());
    for (const CodeletPlan &plan : found.plans) {
      const BundleShare share{static_cast<unsigned>(verdict.plans++), shares};
      RunsOfBundle runs = runBundle(plan.bundle, choice, share, temporary_.path());
      verdict.runs += runs.verified;
      verdict.leftOut += runs.leftOut;
      shapes.merge(runs.shapes);
      addFindings(runs, verdict);
      tooLong_.insert(tooLong_.end(), runs.tooLong.begin(), runs.tooLong.end());
      if (runs.referenceFails)
        verdict.reference = "the reference itself fails at " + runs.referenceFails->text() + ": " +
                            runs.referenceFails->message;
      if (runs.wrong) {
        verdict.status = "differs";
        verdict.example = *runs.wrong;
        verdict.message = runs.wrong->message;
        verdict.command = commandFor(spectrum, plan, runs);
        break;
      }
      const bool isJudged = 2 * verdict.notComparable <= verdict.ordinary;
      if (!isJudged) {
        verdict.status = "not comparable";
        verdict.message = verdict.unjudged;
      } else if (verdict.runs > 0)
        verdict.status = "agrees";
      else if (!runs.problem.empty())
        verdict.message = runs.problem;
      else if (runs.refusal.empty())
        verdict.message = verdict.reference;
      else
        verdict.message = "every run is refused: " + runs.refusal;
    }
    verdict.shapes = shapes.size();
    progress_.clear();
    return verdict;
  }

  static void addFindings(const RunsOfBundle &runs, Verdict &verdict) {
    verdict.ordinary += runs.ordinary;
    verdict.notComparable += runs.notComparable;
    if (runs.unjudged && verdict.unjudged.empty())
      verdict.unjudged = "at " + runs.unjudged->text() + ": " + runs.unjudged->message;
    if (runs.inaccurate && verdict.inaccurate.empty())
      verdict.inaccurate =
          "inaccurate at " + runs.inaccurate->text() + ": " + runs.inaccurate->message;
    if (runs.found && verdict.found)
      verdict.found->include(*runs.found);
    else if (runs.found)
      verdict.found = runs.found;
  }

  /// The text after the number of runs of a codelet that agrees: "; " and the findings, or nothing.
  static std::string findingsOf(const Verdict &verdict) {
    std::string all;
    if (verdict.found)
      all = runtime::text(*verdict.found);
    for (const std::string &more : {verdict.inaccurate, verdict.reference})
      all += (all.empty() || more.empty() ? "" : "; ") + firstLine(more);
    if (!verdict.unjudged.empty())
      all += (all.empty() ? "" : "; ") + ("not comparable " + firstLine(verdict.unjudged));
    return all.empty() ? "" : "; " + all;
  }

  std::string commandFor(const ir::Spectrum &spectrum, const CodeletPlan &plan,
                         const RunsOfBundle &runs) const {
    // What `tangram run` does not take for OpenMP is checked once more, at that shape alone.
    const bool canRun = !plan.planning.empty();
    std::vector<std::string> words{"tangram", canRun ? "run" : "check", program_.file};
    auto add = [&](const std::vector<std::string> &more) {
      words.insert(words.end(), more.begin(), more.end());
    };
    add(options_.sourceOptions);
    if (canRun) {
      add({"--spectrum", spectrum.name, "--hw", plan.model, "--target", "openmp"});
      add(plan.planning);
      add(runs.wrong->options(runs.freeExtents));
    } else {
      CounterExample shape = *runs.wrong;
      shape.tunables.clear();
      add({"--equiv", "--spectrum", spectrum.name});
      add(shape.options(runs.freeExtents));
    }
    std::string command;
    for (const std::string &word : words)
      command += (command.empty() ? "" : " ") + escape::shell(word);
    return command;
  }

  void tell(const ir::Spectrum &spectrum, const Verdict &verdict) {
    ++codelets_;
    agree_ += verdict.status == "agrees" ? 1 : 0;
    differ_ += verdict.status == "differs" ? 1 : 0;
    unjudged_ += verdict.status == "not comparable" ? 1 : 0;
    Json json = {{"codelet", verdict.codelet},  {"status", verdict.status},
                 {"plans", verdict.plans},      {"runs", verdict.runs},
                 {"left_out", verdict.leftOut}, {"shapes", verdict.shapes}};
    if (verdict.status != "agrees")
      json["message"] = verdict.message;
    if (verdict.status == "differs") {
      json["extents"] = verdict.example.extents;
      json["tunables"] = verdict.example.tunables;
      json["seed"] = verdict.example.seed;
      json["data"] = verdict.example.data;
      json["command"] = verdict.command;
    }
    if (!verdict.reference.empty())
      json["reference_fails"] = verdict.reference;
    addFindings(verdict, json);
    json_.back()["codelets"].push_back(json);
    if (!text())
      return;
    std::size_t width = 0;
    for (const ir::Codelet &each : spectrum.codelets)
      width = std::max(width, each.name().size());
    out_ << "  " << std::left << std::setw(static_cast<int>(width)) << verdict.codelet << "  ";
    if (verdict.status == "agrees")
      out_ << "agrees (" << countOf(verdict.shapes, "shape") << ", " << countOf(verdict.runs, "run")
           << (verdict.leftOut > 0 ? ", " + std::to_string(verdict.leftOut) + " left out" : "")
           << findingsOf(verdict) << ")";
    else if (verdict.status == "differs")
      out_ << "differs at " << verdict.example.text() << ": " << firstLine(verdict.message)
           << "\n    " << verdict.command;
    else
      out_ << verdict.status << ": " << firstLine(verdict.message);
    out_ << std::endl;
  }

  static void addFindings(const Verdict &verdict, Json &json) {
    if (verdict.found && verdict.found->results > 0) {
      Json found = {{"bit_for_bit", verdict.found->bitForBit}};
      if (verdict.found->sameFunctionWithin)
        found["same_function_within"] = *verdict.found->sameFunctionWithin;
      if (verdict.found->roundingAtMost)
        found["rounding_at_most"] = *verdict.found->roundingAtMost;
      found["not_finite"] = verdict.found->nan + verdict.found->infinite;
      found["decided_differently"] = verdict.found->decidedDifferently;
      json["verification"] = found;
    }
    if (!verdict.inaccurate.empty())
      json["inaccurate"] = verdict.inaccurate;
    if (!verdict.unjudged.empty())
      json["not_comparable"] = verdict.unjudged;
  }

  void end() {
    const std::size_t not_run = codelets_ - agree_ - differ_ - unjudged_;
    if (text()) {
      out_ << countOf(codelets_, "codelet") << ": " << agree_ << " agree, " << differ_ << " differ";
      if (unjudged_ > 0)
        out_ << ", " << unjudged_ << " not comparable";
      if (not_run > 0)
        out_ << ", " << not_run << " could not be run";
      out_ << "\n";
      return;
    }
    const Json all{{"file", program_.file},
                   {"spectrums", json_},
                   {"summary",
                    {{"agree", agree_},
                     {"differ", differ_},
                     {"not_comparable", unjudged_},
                     {"not_run", not_run}}}};
    out_ << json::dumped(all, 2) << "\n";
  }

  bool text() const { return options_.format == "text"; }

  const EquivalenceOptions &options_;
  const ir::Program &program_;
  const std::vector<composer::Machine> &machines_;
  std::ostream &out_;
  std::ostream &err_;
  std::vector<std::uint64_t> constants_;    ///< of the source
  std::vector<composer::CodeletKey> wrong_; ///< codelets of the spectrum at hand that differ
  std::vector<std::map<std::string, std::uint64_t>>
      tooLong_; ///< shapes that took the spectrum's reference too long
  ir::TemporaryFolder temporary_;
  ProgressLine progress_;
  unsigned folders_ = 0;
  Json json_ = Json::array();
  std::size_t codelets_ = 0, agree_ = 0, differ_ = 0, unjudged_ = 0;
};

} // namespace

int checkEquivalence(const EquivalenceOptions &options, const ir::Program &program,
                     const std::vector<composer::Machine> &machines, std::ostream &out,
                     std::ostream &err) {
  return Equivalence(options, program, machines, out, err).run();
}

} // namespace tangram::driver
