// C with OpenMP: groups are threads, items are SIMD lanes written as loops.
#include "codegen/c/c_printer.h"
#include "codegen/c/c_types.h"
#include "codegen/c/call_arguments.h"
#include "codegen/c/launch_defaults.h"
#include "codegen/c/source.h"
#include "codegen/kernel/accesses.h"
#include "codegen/kernel/atomics.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

class OpenmpPrinter : public CPrinter {
public:
  explicit OpenmpPrinter(const LoweredPlan &plan) : plan_(plan) {}

  std::string function(const std::string &name, const std::vector<std::string> &parameters) {
    chooseNames();
    ++indent_;
    for (const Constraint &c : plan_.constraints) {
      if (!isAboutSizes(plan_, c))
        continue;
      line("// " + c.reason);
      line("if (!(" + expression(c.require) + "))");
      line("  return 1;");
    }
    const HostSpelling spelling{[&](const ExprPtr &e) { return expression(e); },
                                [&](const Var &v) { return nameOf(&v); }, cName, processFacts()};
    const LaunchDefaults defaults = launchDefaults(plan_, spelling);
    const std::string checks = take() + defaults.statements;
    if (!checks.empty())
      blank();
    std::vector<const Buffer *> temporaries;
    for (const Buffer &b : plan_.buffers) {
      if (b.space == Space::Global && b.access.empty())
        temporaries.push_back(&b);
    }
    for (const Buffer *b : temporaries)
      allocate(*b);
    if (temporaries.size() > 1)
      checkAll(temporaries);
    body(plan_.body);
    for (const Buffer *b : temporaries)
      line("free(" + nameOf(b->var.get()) + ");");
    line("return 0;");
    --indent_;
    std::string inside = checks + take();
    return defaults.functions + "int " + name + "(" + commaSeparated(parameters) + ") {\n" +
           inside + "}\n";
  }

  void addHelpersOf(const OpenmpPrinter &other) {
    helpers_.insert(other.helpers_.begin(), other.helpers_.end());
  }

  std::string helper(const Function &function) {
    return functionText(function, "static inline ") + "\n";
  }

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

  /// min and max functions the text needs, by name.
  std::string helpers() const {
    std::string text;
    for (const auto &[name, type] : helpers_) {
      bool isMin = name.starts_with("min");
      text += "static inline " + type + " " + name + "(" + type + " a, " + type +
              " b) {\n  return " + (isMin ? "b < a" : "a < b") + " ? b : a;\n}\n\n";
    }
    return text;
  }

protected:
  std::string typeName(Scalar type) const override { return cName(type); }

  std::string vectorName(Scalar type, unsigned lanes) const override {
    vectors_.insert({type, lanes});
    return CPrinter::vectorName(type, lanes);
  }

  std::string callText(const Expr &call, const std::vector<std::string> &args) const override {
    Expr renamed = call;
    if (call.callee == "min" || call.callee == "max") {
      renamed.callee += "_" + ir::shortName(call.type.scalar);
      helpers_[renamed.callee] = cName(call.type.scalar);
    } else if (isFloating(call.type.scalar) && !isHelper(call.callee)) {
      renamed.callee = libraryName(call.callee, call.type.scalar);
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

  std::string unrollHint(unsigned times) const override {
    return "#pragma GCC unroll " + std::to_string(times);
  }

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
      // Who waits must not be whom all others wait for: elements in turns, each thread's ascending.
      if (!inRow)
        line(handsOver(s.children[0]) ? "#pragma omp parallel for schedule(static, 1)"
                                      : "#pragma omp parallel for schedule(static)");
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
                 hasWorkers(plan_, s.children[0], Role::Item) || hasVectors(s.children[0]);
    if (role == Role::Item && !plain)
      line("#pragma omp simd");
    else if (role == Role::Unroll)
      line(unrollHint(mostChains(s.level)));
    head(s);
    body(s.children[0]);
    close();
  }

private:
  /// GCC takes 65534 at most.
  unsigned mostChains(int level) const {
    const auto &workers = plan_.machine->levels[static_cast<std::size_t>(level)].workers;
    return static_cast<unsigned>(std::min<std::uint64_t>(workers.max, 65534));
  }

  void chooseNames() {
    std::set<std::string> given;
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
    nameVariables(plan_.body);
  }

  void allocate(const Buffer &b) {
    std::string name = nameOf(b.var.get());
    std::string type = cName(b.var->type.scalar);
    std::string count = expression(b.count);
    // malloc(0) may return NULL; a number of workers is never 0.
    if (!isTunable(plan_, b.count) && !isLiteral(b.count, 1))
      count = "(" + count + " + 1)";
    line(type + " *" + name + " = malloc(" + count + " * sizeof *" + name + ");");
    ++allocations_;
    if (allocations_ == 1 && onlyTemporary()) {
      line("if (!" + name + ")");
      line("  return 2;");
    }
  }

  bool onlyTemporary() const {
    return std::count_if(plan_.buffers.begin(), plan_.buffers.end(), [](const Buffer &b) {
             return b.space == Space::Global && b.access.empty();
           }) == 1;
  }

  void checkAll(const std::vector<const Buffer *> &buffers) {
    std::string missing;
    for (const Buffer *b : buffers)
      missing += (missing.empty() ? "!" : " || !") + nameOf(b->var.get());
    open("if (" + missing + ")");
    for (const Buffer *b : buffers)
      line("free(" + nameOf(b->var.get()) + ");");
    line("return 2;");
    close();
  }

  /// Whether lanes are filled inside.
  static bool hasVectors(const StmtPtr &s) {
    bool found = false;
    forEach(s, [&](const Stmt &each) { found |= each.lanes > 1; });
    return found;
  }

  bool hasLocal(const Stmt &s) const {
    return std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [&](const Buffer &b) {
      return b.space == Space::Local && mentions(s.children[0], b.var.get());
    });
  }

  void head(const Stmt &s) {
    std::string name = nameOf(s.var.get());
    open("for (size_t " + name + " = 0; " + name + " < " + expression(s.value) + "; ++" + name +
         ")");
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
    body(s.children[0]);
    if (scope)
      close();
  }

  const LoweredPlan &plan_;
  int allocations_ = 0;
  bool inGroup_ = false;
  mutable std::map<std::string, std::string> helpers_;
  mutable std::set<std::pair<Scalar, unsigned>> vectors_;
};

std::string tunedName(const LoweredPlan &plan) {
  return plan.spectrum + (launchTunables(plan).empty() ? "" : "_tuned");
}

} // namespace

CFunction openmpFunction(const LoweredPlan &plan, const Spectrum &spectrum) {
  CFunction function;
  auto add = [&](const std::string &type, const std::string &name) {
    function.parameters.push_back(type + name);
    function.arguments.push_back(name);
  };
  std::size_t extent = 0;
  for (const VarPtr &param : spectrum.params) {
    if (param->type.rank == 0) {
      add(cName(param->type.scalar) + " ", param->name);
      continue;
    }
    add((param->type.isConst ? "const " : "") + cName(param->type.scalar) + " *", param->name);
    for (unsigned d = 0; d < param->type.rank; ++d)
      add("size_t ", plan.extents[extent++]->name);
  }
  if (plan.result)
    add(cName(plan.result->type.scalar) + " *", "result");
  return function;
}

CSource printOpenmp(const LoweredPlan &plan, const Spectrum &spectrum,
                    const std::vector<std::string> &steps) {
  const CFunction signature = openmpFunction(plan, spectrum);
  std::vector<std::string> tunedParameters = signature.parameters;
  std::vector<std::string> defaults = signature.arguments;
  std::string meanings;
  OpenmpPrinter printer(plan);
  std::set<std::string> given(signature.arguments.begin(), signature.arguments.end());
  for (const Tunable *t : launchTunables(plan)) {
    const std::string name = claimName(t->var->name, given);
    tunedParameters.push_back("size_t " + name);
    defaults.emplace_back("0");
    meanings += "/// " + name + ": " + t->meaning + ", or 0 for what suits the size.\n";
  }
  std::string functions;
  for (const Function *each : plan.functions) {
    OpenmpPrinter own(plan);
    functions += own.helper(*each);
    printer.addHelpersOf(own);
  }
  std::string function = printer.function(tunedName(plan), tunedParameters);
  CSource source;
  bool allocates = function.find("malloc(") != std::string::npos;
  source.text = fileComment("C with OpenMP", plan.spectrum, plan.machine->name, steps);
  source.text += "#include \"" + plan.spectrum + ".h\"\n\n";
  source.text += "#include <omp.h>\n";
  source.text += "#include <math.h>\n#include <stdbool.h>\n";
  if (handsOver(plan.body))
    source.text += "#include <sched.h>\n";
  source.text += allocates ? "#include <stdlib.h>\n\n" : "\n";
  source.text += tunableMacros(plan) + printer.vectorTypes() + printer.helpers() +
                 cAtomics(atomicUses(plan, plan.body)) + functions + function;
  if (!meanings.empty())
    source.text += "\nint " + plan.spectrum + "(" + commaSeparated(signature.parameters) + ") {\n" +
                   "  return " + tunedName(plan) + "(" + commaSeparated(defaults) + ");\n}\n";
  std::string declarations =
      "/// Returns 0, 1 when this plan cannot serve the size, 2 when memory ran out.\n"
      "int " +
      plan.spectrum + "(" + commaSeparated(signature.parameters) + ");\n";
  if (!meanings.empty())
    declarations += "\n/// The same with the number of workers chosen by the caller.\n" + meanings +
                    "int " + tunedName(plan) + "(" + commaSeparated(tunedParameters) + ");\n";
  source.header = headerText(plan.spectrum, includesOf(*plan.target), declarations);
  return source;
}

std::string printOpenmpEntry(const LoweredPlan &plan, const Spectrum &spectrum) {
  std::string text = "// The library's function behind one uniform call, for tangram-run.\n"
                     "#include \"" +
                     plan.spectrum +
                     ".h\"\n\n"
                     "int tangram_call(void *const *a) {\n  return " +
                     tunedName(plan) + "(";
  CallArguments arguments(spectrum, [](const Var &v) {
    return (v.type.rank > 0 && v.type.isConst ? "const " : "") + cName(v.type.scalar);
  });
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
