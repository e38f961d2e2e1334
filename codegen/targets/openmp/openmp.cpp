// The source file of a plan in C with OpenMP: its functions, and what stands around them.
#include "codegen/targets/openmp/openmp.h"
#include "codegen/analysis/atomics.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/printing/atomic_functions.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/call_arguments.h"
#include "codegen/printing/data_checks.h"
#include "codegen/printing/float128.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/limited_workers.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/openmp/allocation.h"
#include "codegen/targets/openmp/library_functions.h"
#include "codegen/targets/openmp/openmp_statements.h"
#include "codegen/targets/openmp/vector_functions.h"
#include "escape/escape.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

bool hasThreads(const TargetTraits &target) {
  return std::ranges::count(target.roles, Role::Group) != 0;
}

namespace {

/// Prints the functions of a plan: the one that runs it, and those that say what it needs.
class PlanPrinter : public OpenmpStatements {
public:
  using OpenmpStatements::OpenmpStatements;

  using Parts = PlanParts;

  /// `interface`: what the functions around the plan call what is theirs; `elements`: see
  /// PlanParts.
  Parts parts(const CFunction &signature, const OpenmpInterface &interface,
              const std::string &elements) {
    Parts parts;
    parts.elements = elements;
    chooseNames(interface);
    for (const Tunable *t : launchTunables(plan_))
      parts.launched.push_back(nameOf(t->var.get()));
    settle(parts, signature, interface.threads);
    measure(parts, signature);
    open("");
    take();
    place();
    body(plan_.body);
    --indent_;
    const std::string inside = take();
    parts.arguments = mentionedIn(inside, signature.arguments);
    const std::vector<std::string> workers = mentionedIn(inside, parts.launched);
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < signature.arguments.size(); ++i) {
      if (mentionsName(inside, signature.arguments[i]))
        parameters.push_back(signature.parameters[i]);
    }
    for (const std::string &each : workers)
      parameters.push_back("size_t " + each);
    if (!temporaries_.empty())
      parameters.push_back("void *" + workspace_);
    parts.arguments.insert(parts.arguments.end(), workers.begin(), workers.end());
    parts.run = "static void " + plan_.spectrum + "_run(" +
                (parameters.empty() ? "void" : commaSeparated(parameters)) + ") {\n" + inside +
                "}\n";
    return parts;
  }

  /// Adds the checks of elements that a call makes.
  void checkData(Parts &parts, const std::vector<Container> &containers) {
    const DataSpelling says{[&](const ExprPtr &e) { return expression(e); }, cName};
    parts.dataFunctions = dataCheckFunctions(plan_, says);
    for (const DataContract &contract : plan_.data) {
      if (isScalar(contract, containers))
        parts.keeps.push_back(keepsContract(contract, "&" + contract.container->name, "1", says));
      for (const Container &each : containers) {
        if (each.name == contract.container->name)
          parts.keeps.push_back(keepsContract(contract, each.name, each.count, says));
      }
    }
  }

private:
  void chooseNames(const OpenmpInterface &interface) {
    std::set<std::string> given{interface.threads, interface.workspace, interface.workspaceBytes,
                                interface.bytes,   interface.before,    interface.status};
    for (const Tunable &t : plan_.tunables) {
      setName(t.var.get(), t.var->name);
      if (t.kind == Tunable::Kind::Compile)
        given.insert(t.var->name);
    }
    for (const VarPtr &v : plan_.extents)
      setName(v.get(), v->name);
    for (const VarPtr &v : plan_.scalars)
      setName(v.get(), v->name);
    for (const Buffer &b : plan_.buffers)
      setName(b.var.get(), claimName(b.var->name, given));
    for (const Tunable *t : launchTunables(plan_))
      setName(t->var.get(), claimName(t->var->name, given));
    workspace_ = freeName("workspace");
    reserve(workspace_);
    nameVariables(plan_.body);
  }

  void settle(Parts &parts, const CFunction &signature, const std::string &threads) {
    ++indent_;
    for (const Constraint &c : plan_.constraints) {
      if (!isAboutSizes(plan_, c))
        continue;
      line("// " + escape::comment(c.reason));
      line("if (!(" + expression(c.require) + "))");
      line("  return 1;");
    }
    --indent_;
    std::map<std::string, std::string> facts;
    for (const auto &[fact, text] : processFacts())
      facts[fact] = hasThreads_ ? text : "1";
    if (hasThreads_)
      facts["threads"] = threads;
    const HostSpelling spelling{[&](const ExprPtr &e) { return expression(e); },
                                [&](const Var &v) { return nameOf(&v); }, cName, facts};
    const LaunchDefaults defaults = launchDefaults(plan_, spelling);
    const LimitedWorkers limited = limitedWorkers(plan_, parts.launched, parts.elements);
    const std::string statements = take() + limited.statements + defaults.statements;
    if (statements.empty())
      return;
    std::vector<std::string> parameters;
    auto pass = [&](const std::string &parameter, const std::string &argument) {
      parameters.push_back(parameter);
      parts.settled.push_back(argument);
    };
    if (mentionsName(statements, threads))
      pass("size_t " + threads, threads);
    for (std::size_t i = 0; i < signature.sizes.size(); ++i) {
      if (mentionsName(statements, signature.sizes[i]))
        pass(signature.sizeParameters[i], signature.sizes[i]);
    }
    std::string before;
    std::string after;
    for (const std::string &each : parts.launched) {
      const std::string settled = freeName(each + "_settled");
      pass("size_t *" + settled, "&" + each);
      before += "  size_t " + each + " = *" + settled + ";\n";
      after += "  *" + settled + " = " + each + ";\n";
    }
    parts.settle = limited.functions + defaults.functions +
                   (parts.launched.empty()
                        ? "/// 1: this plan cannot serve the sizes.\n"
                        : "/// Gives numbers of workers that are 0 what suits the sizes. 1: this "
                          "plan cannot serve them.\n") +
                   "static int tangram_settle(" + commaSeparated(parameters) + ") {\n" + before +
                   statements + after + "  return 0;\n}\n\n";
  }

  std::string countOf(const Buffer &b) const {
    const std::string count = expression(b.count);
    // A workspace of no bytes is none; a number of workers is never 0.
    return isTunable(plan_, b.count) || isLiteral(b.count, 1) ? count : count + " + 1";
  }

  static std::string inFactor(const std::string &e) {
    return e.find(' ') == std::string::npos ? e : "(" + e + ")";
  }

  /// Says SIZE_MAX of what no memory holds, for which products of whole numbers may wrap around.
  void measureInReals(Parts &parts) {
    std::string sum;
    bool varies = false;
    for (const Buffer *b : temporaries_) {
      varies |= contains(b->count, [&](const Expr &e) {
        const Tunable *tunable = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
        return e.kind == ExprKind::Var && (!tunable || tunable->max > UINT32_MAX);
      });
      const ExprPtr count = inReals(b->count);
      if (!count)
        return;
      sum += (sum.empty() ? "" : " + ") +
             expression(binary("*", count, intLiteral(byteSize(b->var->type.scalar))));
    }
    if (!varies)
      return;
    parts.maySaturate = true;
    line("if (" + sum + " > 9e18) // for which the sum of whole numbers may wrap around");
    line("  return SIZE_MAX;");
  }

  /// The bytes of temporaries; each begins a cache line.
  void measure(Parts &parts, const CFunction &signature) {
    if (temporaries_.empty())
      return;
    const bool several = temporaries_.size() > 1;
    std::string sum;
    for (const Buffer *b : temporaries_) {
      parts.grows |= hasThreads_ && b->ofVectors;
      const std::string type = "sizeof(" + cName(b->var->type.scalar) + ")";
      sum += several
                 ? (sum.empty() ? "" : " + ") + ("tangram_bytes(" + countOf(*b)) + ", " + type + ")"
                 : inFactor(countOf(*b)) + " * " + type;
    }
    if (several)
      parts.bytes = "/// The bytes of an array in a workspace, in which each begins a cache line.\n"
                    "static size_t tangram_bytes(size_t count, size_t size) {\n"
                    "  return (count * size + 63) / 64 * 64;\n}\n\n";
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < signature.sizes.size(); ++i) {
      if (mentionsName(sum, signature.sizes[i])) {
        parameters.push_back(signature.sizeParameters[i]);
        parts.measured.push_back(signature.sizes[i]);
        parts.grows = hasThreads_;
      }
    }
    for (const std::string &each : mentionedIn(sum, parts.launched)) {
      parameters.push_back("size_t " + each);
      parts.measured.push_back(each);
    }
    ++indent_;
    measureInReals(parts);
    line("return " + sum + ";");
    --indent_;
    parts.bytes += "static size_t tangram_workspace(" +
                   (parameters.empty() ? "void" : commaSeparated(parameters)) + ") {\n" + take() +
                   "}\n\n";
  }

  /// Where they lie in the workspace.
  void place() {
    const Buffer *before = nullptr;
    for (const Buffer *b : temporaries_) {
      const std::string head = cName(b->var->type.scalar) + " *" + nameOf(b->var.get()) + " = ";
      if (!before)
        line(head + workspace_ + ";");
      else
        line(head + "(void *)((char *)" + nameOf(before->var.get()) + " + tangram_bytes(" +
             countOf(*before) + ", sizeof *" + nameOf(before->var.get()) + "));");
      before = b;
    }
  }

  std::string workspace_; ///< the name of the memory of the call
};

} // namespace

CSource printOpenmp(const LoweredPlan &lowered, const Spectrum &spectrum,
                    const std::vector<std::string> &steps, Contraction contraction, bool checked) {
  LoweredPlan plan = lowered;
  const bool threads = hasThreads(*plan.target);
  if (!threads)
    plan.body = withoutAtomics(plan.body);
  plan.body = withWrapAround(plan.body, Dialect::C);
  const CFunction signature = pointerFunction(plan, spectrum);
  PlanPrinter printer(plan);
  std::string functions;
  for (const Function *each : plan.functions) {
    OpenmpStatements own(plan);
    functions += own.helper(*each);
    printer.addHelpersOf(own);
  }
  const std::vector<Container> containers = containersOf(plan, spectrum);
  PlanPrinter::Parts parts = printer.parts(
      signature, openmpInterface(plan.spectrum, signature, threads), elementsOfAll(containers));
  if (checked)
    printer.checkData(parts, containers);
  const LibraryFunctions library(plan, spectrum, signature, parts.launched, checked);
  CSource source;
  source.text =
      fileComment(threads ? "C with OpenMP" : "C", plan.spectrum, plan.machine->name, steps);
  source.text += contractionPragma(contraction);
  source.text += "#include \"" + plan.spectrum + ".h\"\n\n";
  source.text += threads ? "#include <omp.h>\n" : "";
  source.text += "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n";
  if (handsOver(plan.body))
    source.text += "#include <sched.h>\n";
  source.text += parts.bytes.empty() && !printer.takesAbsolutes() ? "" : "#include <stdlib.h>\n";
  source.text += (parts.grows ? allocatingIncludes() : "") + "\n";
  source.text += (threads ? vectorMathDeclarations(printer.called()) : "") + float128Declarations(printer.called()) +
                 tunableMacros(plan) + printer.vectorTypes() + printer.turningFunctions() +
                 printer.selectingMacros() + printer.numberFunctions() +
                 cAtomics(atomicUses(plan, plan.body)) + functions + parts.settle + parts.bytes +
                 parts.run + "\n" + (parts.grows ? allocatingFunction() : "") + library.text(parts);
  source.header = headerText(plan.spectrum, plainIncludes, library.declarations());
  return source;
}

std::string contractionPragma(Contraction contraction) {
  if (contraction == Contraction::Nothing)
    return "";
  const bool refused = contraction == Contraction::Refused;
  const std::string how = refused ? "off" : "fast";
  return std::string(refused
                         ? "// Each operation is rounded by itself: what floating-point numbers "
                           "decide is decided as the codelets do.\n"
                         : "// A product may be rounded together with the sum that it goes "
                           "into.\n") +
         "#if defined(__clang__)\n#pragma clang fp contract(" + how +
         ")\n#elif defined(__GNUC__)\n#pragma GCC optimize(\"fp-contract=" + how +
         "\")\n#endif\n\n";
}

std::string printOpenmpEntry(const LoweredPlan &plan, const Spectrum &spectrum) {
  std::set<std::string> taken{plan.spectrum};
  const std::string array = claimName("a", taken);
  std::string text = "// The library's function behind one uniform call, for tangram-run.\n"
                     "#include \"" +
                     plan.spectrum +
                     ".h\"\n\n"
                     "int tangram_call(void *const *" +
                     array + ") {\n  return " + tunedName(plan) + "(";
  CallArguments arguments(
      spectrum,
      [](const Var &v) {
        return (v.type.rank > 0 && v.type.isConst ? "const " : "") + cName(v.type.scalar);
      },
      array);
  std::vector<std::string> args;
  for (const CallArguments::Parameter &p : arguments.parameters) {
    args.push_back(p.value);
    args.insert(args.end(), p.extents.begin(), p.extents.end());
  }
  if (plan.result)
    args.push_back(arguments.take(cName(plan.result->type.scalar) + " *"));
  for (std::size_t i = 0; i < launchTunables(plan).size(); ++i)
    args.push_back(arguments.take("size_t"));
  for (std::size_t i = 0; i < args.size(); ++i)
    text += (i == 0 ? "" : ",\n      ") + args[i];
  return text + ");\n}\n";
}

} // namespace tangram::codegen
