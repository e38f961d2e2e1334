// C with OpenMP: groups are threads, items are SIMD lanes written as loops.
#include "codegen/targets/openmp/openmp.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/atomics.h"
#include "codegen/analysis/dealt_parts.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/printing/atomic_functions.h"
#include "codegen/printing/c_printer.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/call_arguments.h"
#include "codegen/printing/data_checks.h"
#include "codegen/printing/float128.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/limited_workers.h"
#include "codegen/printing/unroll_budget.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/openmp/allocation.h"
#include "codegen/targets/openmp/library_functions.h"
#include "codegen/targets/openmp/vector_functions.h"
#include "codegen/targets/openmp/worker_parts.h"
#include "escape/escape.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

bool hasThreads(const TargetTraits &target) {
  return std::ranges::count(target.roles, Role::Group) != 0;
}

namespace {

class OpenmpPrinter : public CPrinter {
public:
  explicit OpenmpPrinter(const LoweredPlan &plan)
      : plan_(plan), hasThreads_(hasThreads(*plan.target)) {}

  using Parts = PlanParts;

  /// `interface`: what the functions around the plan call what is theirs; `elements`: see PlanParts.
  Parts parts(const CFunction &signature, const OpenmpInterface &interface,
              const std::string &elements) {
    Parts parts;
    parts.elements = elements;
    chooseNames(interface);
    for (const Buffer &b : plan_.buffers) {
      if (b.space == Space::Global && b.access.empty())
        temporaries_.push_back(&b);
    }
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

  void addHelpersOf(const OpenmpPrinter &other) {
    numberFunctions_.insert(other.numberFunctions_.begin(), other.numberFunctions_.end());
    called_.insert(other.called_.begin(), other.called_.end());
    takesAbsolutes_ |= other.takesAbsolutes_;
  }

  std::string helper(Function function) {
    function.body = withWrapAround(function.body, Dialect::C);
    return functionText(function, "static inline ") + "\n";
  }

  /// Whether the text takes absolute values of integers, which <stdlib.h> declares.
  bool takesAbsolutes() const { return takesAbsolutes_; }

  /// The functions of <math.h> that the text calls.
  const MathFunctions &called() const { return called_; }

  /// The types of vectors that the text needs.
  std::string vectorTypes() const {
    std::string text;
    for (const auto &[type, lanes] : vectors_)
      text += "// " + std::to_string(lanes) + " side by side, at any address\ntypedef " +
              cName(type) + " " + vectorName(type, lanes) + " __attribute__((vector_size(" +
              std::to_string(lanes * byteSize(type)) + "), aligned(" +
              std::to_string(byteSize(type)) + "), may_alias));\n\n";
    return text;
  }

  /// Functions that turn blocks of these, in as many steps as it takes to double a vector of one to all lanes.
  std::string turningFunctions() const {
    std::string text;
    for (const auto &[type, lanes] : turned_)
      text += turningFunction(CPrinter::turning(type, lanes), vectorName(type, lanes), lanes);
    return text;
  }

  std::string selectingMacros() const {
    std::string text;
    for (const auto &[type, lanes] : selected_)
      text += selectingMacro(CPrinter::selecting(type, lanes), vectorName(type, lanes),
                             vectorName(maskOf(type), lanes));
    return text;
  }

  std::string numberFunctions() const { return definitionsOf(numberFunctions_, cName); }

protected:
  std::string typeName(Scalar type) const override { return cName(type); }

  std::string vectorName(Scalar type, unsigned lanes) const override {
    vectors_.insert({type, lanes});
    return CPrinter::vectorName(type, lanes);
  }

  std::string turning(Scalar type, unsigned lanes) const override {
    turned_.insert({type, lanes});
    return CPrinter::turning(type, lanes);
  }

  std::string selecting(Scalar type, unsigned lanes) const override {
    selected_.insert({type, lanes});
    vectorName(maskOf(type), lanes);
    return CPrinter::selecting(type, lanes);
  }

  /// What comparing elements gives, each as wide as they are.
  static Scalar maskOf(Scalar type) {
    switch (byteSize(type)) {
    case 1:
      return Scalar::I8;
    case 2:
      return Scalar::I16;
    case 4:
      return Scalar::I32;
    default:
      return Scalar::I64;
    }
  }

  std::string callText(const Expr &call, const std::vector<std::string> &args) const override {
    Expr renamed = call;
    const bool chooses =
        call.callee == "min" || call.callee == "max" ||
        ((call.callee == "fmin" || call.callee == "fmax") && !isHelper(call.callee));
    if (chooses) {
      return numberFunction(call.callee, call, args);
    } else if (isFloating(call.type.scalar) && !isHelper(call.callee)) {
      renamed.callee = libraryName(call.callee, call.type.scalar);
      called_.emplace(call.callee, call.type.scalar);
    } else if (call.callee == "abs" && !isHelper("abs")) {
      renamed.callee = absoluteName(call.type.scalar);
      takesAbsolutes_ = true;
    }
    return CPrinter::callText(renamed, args);
  }

  bool isHelper(const std::string &function) const {
    return std::any_of(plan_.functions.begin(), plan_.functions.end(),
                       [&](const Function *each) { return each->name == function; });
  }

  std::string atomicName(const Expr &atomic) const override {
    return cAtomicName({atomic.op, atomic.args[0]->type.scalar, Space::Global});
  }

  ExprPtr conditionToUnroll(const std::vector<const Stmt *> &around,
                            const Stmt &loop) const override {
    return unrollCondition(plan_, around, loop);
  }

  std::string unrollHint(unsigned times) const override {
    return hasThreads_ ? "#pragma GCC unroll " + std::to_string(times) : "";
  }

  std::string sideBySideHint() const override { return "#pragma omp simd"; }

  void barrier(const Stmt &) override {}

  bool hasBraces(const Stmt &s) const override {
    return s.span != Span::One || (plan_.role(s.level) == Role::Group && hasLocal(s));
  }

  void parallel(const Stmt &s) override {
    Role role = plan_.role(s.level);
    bool one = s.span == Span::One;
    if (role == Role::Group) {
      if (one) {
        groupBody(s, true);
        return;
      }
      bool inRow = inGroup_; // the rows share the threads already
      if (!inRow)
        line("#pragma omp parallel for schedule(" + schedule(s) + ")");
      head(s);
      inGroup_ = true;
      groupBody(s, false);
      inGroup_ = inRow;
      close();
      return;
    }
    if (one) {
      body(s.children[0]);
      return;
    }
    bool plain = !atomicUses(plan_, s.children[0]).empty() ||
                 hasWorkers(plan_, s.children[0], Role::Item) || hasVectors(s.children[0]) ||
                 hasLargeArrays(s.children[0]);
    if (hasThreads_ && role == Role::Item && !plain)
      line("#pragma omp simd");
    else if (hasThreads_ && role == Role::Unroll)
      line(unrollHint(mostChains(s.level)));
    head(s);
    body(s.children[0]);
    close();
  }

private:
  /// Which thread does which elements. Tiles, and parts that are gone over once, are for who has time: threads that
  /// wake up late or share a core are not waited for. Where several loops go over the same parts, each thread finds
  /// its own in its cache.
  std::string schedule(const Stmt &s) const {
    // Who waits must not be whom all others wait for: elements in turns, each thread's ascending.
    if (handsOver(s.children[0]))
      return "static, 1";
    const bool isTiles = contains(withConstants(s.value), [&](const Expr &e) {
      const Tunable *tunable = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
      return tunable && tunable->kind == Tunable::Kind::Compile;
    });
    if (isTiles)
      return "dynamic";
    return dealtParts(plan_, s) ? "dynamic" : "static";
  }

  /// `e` with what the constants in it are made of in their places: tiles of several dimensions are counted in a row.
  ExprPtr withConstants(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      const auto value =
          each->kind == ExprKind::Var ? constants_.find(each->var.get()) : constants_.end();
      return value == constants_.end() ? each : withConstants(value->second);
    });
  }

  /// GCC takes 65534 at most.
  unsigned mostChains(int level) const {
    const auto &workers = plan_.machine->levels[static_cast<std::size_t>(level)].workers;
    return static_cast<unsigned>(std::min<std::uint64_t>(workers.max, 65534));
  }

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

  /// Whether lanes are filled inside.
  static bool hasVectors(const StmtPtr &s) {
    bool found = false;
    forEach(s, [&](const Stmt &each) { found |= each.lanes > 1 || each.sideBySide; });
    return found;
  }

  /// Whether compilers, which give each lane its own copy of an array in there, would need much memory for that.
  bool hasLargeArrays(const StmtPtr &s) const {
    constexpr std::int64_t few = 256;
    bool found = false;
    forEach(s, [&](const Stmt &each) {
      if (each.kind != StmtKind::Decl || !each.var->extent)
        return;
      found |= valueAtMost(plan_, each.var->extent, few).value_or(few + 1) > few;
    });
    return found;
  }

  bool hasLocal(const Stmt &s) const {
    return std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [&](const Buffer &b) {
      return b.space == Space::Local && mentions(s.children[0], b.var.get());
    });
  }

  void head(const Stmt &s) {
    std::string name = nameOf(s.var.get());
    open("for (size_t " + name + " = 0; " + below(name, s.value) + "; ++" + name + ")");
  }

  /// A thread's code: its local buffers first, in a scope of their own.
  void groupBody(const Stmt &s, bool scope) {
    std::vector<const Buffer *> local;
    const bool rows = hasWorkers(plan_, s.children[0], Role::Group); // whose threads have them
    for (const Buffer &b : plan_.buffers) {
      if (!rows && b.space == Space::Local && mentions(s.children[0], b.var.get()))
        local.push_back(&b);
    }
    scope = scope && !local.empty();
    if (scope)
      open("");
    for (const Buffer *b : local)
      line(cName(b->var->type.scalar) + " " + nameOf(b->var.get()) + "[" + extent(b->count) + "];");
    const std::map<const Var *, Slice> before = slices_;
    if (!rows && s.span != Span::One)
      beginSlices(s);
    body(s.children[0]);
    slices_ = before;
    if (scope)
      close();
  }

  /// A worker's part of an array of the call.
  struct Slice {
    std::string name;
    ExprPtr begin;
  };

  /// Parts of the memory of the call have names of their own. Compilers that are told of a part as a sum in each
  /// subscript add it up for each element.
  void beginSlices(const Stmt &s) {
    for (const Buffer *b : temporaries_) {
      const ExprPtr begin = beginOfPart(s, *b->var);
      if (!begin)
        continue;
      const std::string name = freeName(nameOf(b->var.get()) + "_of_" + nameOf(s.var.get()));
      reserve(name);
      line(cName(b->var->type.scalar) + " *" + name + " = " + nameOf(b->var.get()) + " + " +
           expression(begin) + ";");
      slices_[b->var.get()] = {name, begin};
    }
  }

  std::string elementText(const Expr &element) const override {
    const auto slice = slices_.find(element.args[0]->var.get());
    const ExprPtr rest =
        slice == slices_.end() ? nullptr : difference(element.args[1], slice->second.begin);
    return rest ? slice->second.name + "[" + expression(rest) + "]"
                : CPrinter::elementText(element);
  }

  const LoweredPlan &plan_;
  std::map<const Var *, ExprPtr> constants_{constantsOf(plan_.body)};
  const bool hasThreads_;                   ///< and with them OpenMP; otherwise it is C99
  std::map<const Var *, Slice> slices_;     ///< of the worker at hand
  std::vector<const Buffer *> temporaries_; ///< memory of the call
  std::string workspace_;                   ///< what that is called
  bool inGroup_ = false;
  mutable std::set<std::pair<Scalar, unsigned>> vectors_;
  mutable std::set<std::pair<Scalar, unsigned>> turned_; ///< of blocks that are turned
  mutable std::set<std::pair<Scalar, unsigned>> selected_;
  mutable bool takesAbsolutes_ = false;
  mutable MathFunctions called_;
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
  OpenmpPrinter printer(plan);
  std::string functions;
  for (const Function *each : plan.functions) {
    OpenmpPrinter own(plan);
    functions += own.helper(*each);
    printer.addHelpersOf(own);
  }
  const std::vector<Container> containers = containersOf(plan, spectrum);
  OpenmpPrinter::Parts parts = printer.parts(
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
  source.text += vectorMathDeclarations(printer.called()) + float128Declarations(printer.called()) +
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
