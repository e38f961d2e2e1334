// OpenCL C 1.2: groups are work-groups, items work-items, meeting at barriers.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/atomics.h"
#include "codegen/form/building.h"
#include "codegen/form/identifier.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/printing/c_printer.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/source.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/opencl/atomic_functions.h"
#include "codegen/targets/opencl/builtin_functions.h"
#include "codegen/targets/opencl/place_offsets.h"
#include "codegen/targets/opencl/pocl/barriers.h"
#include "codegen/targets/opencl/pocl/macros.h"
#include "codegen/targets/opencl/vector_arrays.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

const char *const uncontracted =
    "// What is decided by sums of products is decided as the codelets do.\n"
    "#pragma OPENCL FP_CONTRACT OFF\n\n";

/// Loads and stores of neighbours in global memory. They begin at a multiple of as many elements
/// (codegen/passes/array/scalar_replacement_of_parts.cpp), and the memory itself at one of 512 bytes where NVIDIA's driver
/// allocates it; others may use the memory of the application, which can begin anywhere.
std::string vectorAccesses(const LoweredPlan &plan) {
  std::set<std::pair<std::string, unsigned>> loads;
  std::set<std::pair<std::string, unsigned>> stores;
  auto isGlobal = [&](const ExprPtr &e) {
    const Buffer *buffer = e->kind == ExprKind::Index ? plan.bufferOf(e->args[0]->var) : nullptr;
    return buffer && buffer->space == Space::Global;
  };
  forEach(plan.body, [&](const Stmt &loop) {
    if (loop.kind != StmtKind::For || loop.lanes < 2)
      return;
    forEach(loop.children[2], [&](const Stmt &s) {
      if (s.target && isGlobal(s.target))
        stores.emplace(openclName(s.target->type.scalar), loop.lanes);
      if (!s.value)
        return;
      forEach(s.value, [&](const Expr &e) {
        if (const ExprPtr each = std::make_shared<Expr>(e); isGlobal(each))
          loads.emplace(openclName(e.type.scalar), loop.lanes);
      });
    });
  });
  std::string text;
  for (const auto &[type, lanes] : loads) {
    const std::string vector = type + std::to_string(lanes);
    text += "static inline " + vector + " load_" + vector + "(const __global " + type +
            " *from) {\n#if defined(__NV_CL_C_VERSION)\n  return *(const __global " + vector +
            " *)from;\n#else\n  return vload" + std::to_string(lanes) + "(0, from);\n#endif\n}\n\n";
  }
  for (const auto &[type, lanes] : stores) {
    const std::string vector = type + std::to_string(lanes);
    text += "static inline void store_" + vector + "(" + vector + " value, __global " + type +
            " *to) {\n#if defined(__NV_CL_C_VERSION)\n  *(__global " + vector +
            " *)to = value;\n#else\n  vstore" + std::to_string(lanes) +
            "(value, 0, to);\n#endif\n}\n\n";
  }
  return text;
}

const char *const indexType = "index_t";
const char *const indexDefinition =
    R"(// Indexes take 32 bits where the sizes of a call allow it, says the host.
#ifdef NARROW_INDEXES
typedef uint index_t;
#else
typedef ulong index_t;
#endif

)";

class KernelPrinter : public CPrinter {
public:
  KernelPrinter(const LoweredPlan &plan, const Launch &launch, std::string name)
      : plan_(plan), launch_(launch) {
    kernel_.name = std::move(name);
    kernel_.groups = launch.gridX;
    kernel_.groupsY = launch.gridY;
    kernel_.groupSize = launch.groupX;
    kernel_.groupSizeY = launch.groupY;
    kernel_.arguments = launch.arguments;
    const StmtPtr &body = launch.groups->children[0];
    hasBarriers_ = hasBarrier(body);
    if (plan.mostIndex)
      places_.emplace(plan, body);
  }

  /// A helper function of the kernels.
  std::string helper(Function function, bool exact) {
    function.body = withWrapAround(withBuiltinFunctions(function.body, exact), Dialect::OpenCL);
    return functionText(function, "") + "\n";
  }

  std::set<NumberFunction> takeNumberFunctions() { return std::move(numberFunctions_); }

  std::string run(Kernel &kernel) {
    rowItems();
    if (hasBarriers_)
      apart_.emplace(plan_, *launch_.groups->children[0],
                     [this](const Stmt &each) { return hasBraces(each); });
    chooseNames();
    print();
    kernel = kernel_;
    return take();
  }

protected:
  std::string typeName(Scalar type) const override {
    return type == Scalar::Index && plan_.mostIndex ? indexType : openclName(type);
  }

  std::string indexName() const { return typeName(Scalar::Index); }

  /// Of a number that a kernel is handed, which may be no bool.
  std::string argumentType(Scalar type) const {
    return typeName(type == Scalar::Bool ? Scalar::U8 : type);
  }

  std::string literal(const Expr &e) const override {
    return e.type.scalar == Scalar::Index ? std::to_string(e.integer) : CPrinter::literal(e);
  }

  /// `text` of `e`, as a cast takes it.
  static std::string operand(const Expr &e, const std::string &text) {
    const bool loose = e.kind == ExprKind::Binary || e.kind == ExprKind::Select;
    return loose ? "(" + text + ")" : text;
  }

  /// Whether the text of `e` has its type in C as well: literals and macros are ints.
  bool hasItsType(const Expr &e) const {
    auto has = [&](std::size_t i) { return hasItsType(*e.args[i]); };
    switch (e.kind) {
    case ExprKind::Literal:
      return false;
    case ExprKind::Var: {
      const Tunable *tunable = plan_.tunableOf(e.var);
      return !(tunable && tunable->kind == Tunable::Kind::Compile);
    }
    case ExprKind::Unary:
      return has(0);
    case ExprKind::Binary:
      return !e.op.isComparison() && (has(0) || (has(1) && e.op != "<<" && e.op != ">>"));
    case ExprKind::Select: // of two shorts it is an int
      return byteSize(e.type.scalar) >= 4 && (has(1) || has(2));
    default:
      return true;
    }
  }

  std::string callText(const Expr &call, const std::vector<std::string> &args) const override {
    // Absolute values are unsigned.
    if (call.callee == "abs" && isSigned(call.type.scalar))
      return "(" + typeName(call.type.scalar) + ")" + CPrinter::callText(call, args);
    if (call.callee == "sincos")
      return CPrinter::callText(call, {args[0], "&" + args[1]});
    const bool chooses = call.callee == "min" || call.callee == "max";
    if (isFloating(call.type.scalar) && (chooses || call.callee == "fmin" || call.callee == "fmax"))
      return numberFunction(call.callee, call, args);
    if (!chooses)
      return CPrinter::callText(call, args);
    // The built-in functions are overloaded: both arguments must have the very type.
    std::vector<std::string> typed = args;
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (call.args[i]->type.scalar != call.type.scalar || !hasItsType(*call.args[i]))
        typed[i] = "(" + typeName(call.type.scalar) + ")" + operand(*call.args[i], args[i]);
    }
    return CPrinter::callText(call, typed);
  }

  std::string elementText(const Expr &element) const override {
    const auto parts = places_ ? places_->of(element) : std::nullopt;
    if (!parts)
      return CPrinter::elementText(element);
    const std::string place = expression(parts->place);
    return "(" + nameOf(element.args[0]->var.get()) + " + " +
           (parts->place->op == "+" ? "(" + place + ")" : place) + ")[" +
           expression(parts->offset) + "]";
  }

  std::string saturated(const Expr &cast, const std::string &operand) const override {
    const Scalar type = cast.type.scalar;
    const std::string converted = "convert_" + openclName(type) + "_sat(" + operand + ")";
    return typeName(type) == openclName(type) ? converted : "(" + typeName(type) + ")" + converted;
  }

  std::string vectorConversion(Scalar type, unsigned lanes,
                               const std::string &operand) const override {
    return "as_" + vectorName(type, lanes) + "(" + operand + ")";
  }

  std::string atomicName(const Expr &atomic) const override {
    const Buffer *buffer = plan_.bufferOf(atomic.args[0]->args[0]->var);
    return openclAtomicName(atomicUse(atomic, buffer));
  }

  std::string unrollHint(unsigned times) const override {
    const std::string count = std::to_string(times);
    return hasBarriers_ ? unrollMacro + ("(" + count + ")") : "#pragma unroll " + count;
  }

  std::string vectorLoad(const Var &array, const std::string &first,
                         unsigned lanes) const override {
    return isGlobal(array) ? "load_" + vectorName(array.type.scalar, lanes) + "(&" + first + ")"
                           : "vload" + std::to_string(lanes) + "(0, &" + first + ")";
  }

  std::string vectorStore(const Var &array, const std::string &first, unsigned lanes, Operator,
                          const std::string &value) const override {
    return isGlobal(array)
               ? "store_" + vectorName(array.type.scalar, lanes) + "(" + value + ", &" + first + ")"
               : "vstore" + std::to_string(lanes) + "(" + value + ", 0, &" + first + ")";
  }

  bool hasBraces(const Stmt &s) const override {
    if (plan_.role(s.level) == Role::Group)
      return s.span == Span::Turns;
    if (s.span == Span::One)
      return plan_.role(s.level) == Role::Item && !isLiteral(kernel_.groupSize, 1);
    bool item = plan_.role(s.level) == Role::Item;
    if (item && isRowOfItems(plan_, s))
      return s.span == Span::Turns;
    bool alone = kernel_.groupSizeY && !rowItems_.contains(&s);
    return alone || !item || s.span == Span::Turns;
  }

  void barrier(const Stmt &) override {
    ++kernel_.barriers;
    line(launch_.globalBetweenItems ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                                    : "barrier(CLK_LOCAL_MEM_FENCE);");
    keep();
  }

  /// Where two statements are to stay apart on PoCL.
  void keep() {
    if (apart_ && apart_->nests())
      line(std::string(poclKeepMacro) + "();");
  }

  void poclBarrier() {
    line(std::string(poclBarrierMacro) + "();");
    keep();
  }

  static bool asksApart(const Stmt &loop) {
    const bool isOfMemory =
        contains(loop.value, [](const Expr &e) { return e.kind == ExprKind::Index; });
    return isOfMemory && hasBarrier(loop.children.back());
  }

  std::string question(const Stmt &loop) const override {
    const std::string asked = CPrinter::question(loop);
    return asksApart(loop) ? poclAskMacro + ("(" + asked + ")") : asked;
  }

  std::string whileHead(const Stmt &loop) const override {
    return asksApart(loop) ? poclWhileMacro + ("(" + CPrinter::question(loop) + ")")
                           : CPrinter::whileHead(loop);
  }

  void endOfLoop(const StmtPtr &body) override {
    if (hasLoopWithBarrier(body) ||
        (hasBarrier(body) && (endsInLoop(body) || endsInBranchOfLoops(body))))
      poclBarrier();
  }

  void beforeBranch() override { keep(); }

  void behindBraces() override { keep(); }

  /// Where the last loop of a branch with barriers is unrolled, PoCL 3.1 makes of it what writes anywhere.
  void endOfBranch(const StmtPtr &body) override {
    if (hasBarrier(body) && endsInLoop(body))
      poclBarrier();
  }

  void otherwise(const Stmt &s) override {
    if (!apart_ || !apart_->isWithin(s)) {
      if (apart_ && apart_->isAtEndOfBranch(s))
        poclBarrier();
      CPrinter::otherwise(s);
      return;
    }
    close();
    poclBarrier();
    open("if (" + expression(negated(s.value)) + ")");
  }

  /// Whether items go round, and different ways to loops then.
  bool branchesToLoops(const Stmt &s) const {
    return (isLoop(s) || (s.kind == StmtKind::Parallel && s.span == Span::Turns)) &&
           hasBranchOfLoops(s);
  }

  static bool hasBranchOfLoops(const Stmt &s) {
    return std::ranges::any_of(s.children, [](const StmtPtr &child) {
      return child && (child->kind == StmtKind::If ? hasLoop(child) : hasBranchOfLoops(*child));
    });
  }

  /// Between a branch that ends in another one and a branch behind it PoCL 3.1 makes of barriers in the
  /// first what never ends.
  void between(const StmtPtr &done, const StmtPtr &next) override {
    const Stmt *before = printed(*done, false);
    const Stmt *behind = printed(*next, true);
    const bool branches = before && behind && before->kind == StmtKind::If && isBranch(*behind) &&
                          hasBarrier(before->children[0]) && endsInBranch(before->children[0]);
    const bool loops = before && behind &&
                       (before->kind == StmtKind::If || branchesToLoops(*before)) &&
                       isLoop(*behind) && hasBarrier(behind->children.back());
    if (branches || loops || (behind && apart_ && apart_->isBefore(*behind)))
      poclBarrier();
  }

  void parallel(const Stmt &s) override {
    Role role = plan_.role(s.level);
    if (role == Role::Group) {
      groups(s, 0);
      return;
    }
    if (role == Role::Unroll) {
      if (s.span == Span::One && !s.var) {
        body(s.children[0]);
        return;
      }
      line("#pragma unroll");
      loop(s, "0", "++" + nameOf(s.var.get()));
      return;
    }
    if (s.span == Span::One) {
      if (isLiteral(kernel_.groupSize, 1)) {
        body(s.children[0]);
        return;
      }
      keep();
      open("if (" + item_ + " == 0" + (kernel_.groupSizeY ? " && " + row_ + " == 0)" : ")"));
      body(s.children[0]);
      close();
      keep();
      return;
    }
    if (isRowOfItems(plan_, s)) {
      if (s.span == Span::All)
        body(s.children[0]);
      else
        loop(s, row_, nameOf(s.var.get()) + " += " + expression(kernel_.groupSizeY));
      return;
    }
    if (kernel_.groupSizeY && !rowItems_.contains(&s)) {
      keep();
      open("if (" + row_ + " == 0)"); // items in one dimension: those of the first row
      items(s);
      close();
      keep();
      return;
    }
    items(s);
  }

private:
  bool isGlobal(const Var &array) const {
    return std::ranges::any_of(plan_.buffers, [&](const Buffer &each) {
      return each.var.get() == &array && each.space == Space::Global;
    });
  }

  void items(const Stmt &s) {
    if (s.span == Span::All) {
      body(s.children[0]);
      return;
    }
    if (s.unroll > 1)
      line(unrollHint(s.unroll));
    loop(s, item_, nameOf(s.var.get()) + " += " + expression(kernel_.groupSize));
  }

  /// The groups of one dimension, which take turns where there may be more of them than started.
  void groups(const Stmt &s, unsigned dimension) {
    const std::string d = "(" + std::to_string(dimension) + ")";
    if (s.span == Span::Turns) {
      const std::string name = nameOf(s.var.get());
      open("for (" + indexName() + " " + name + " = get_group_id" + d + "; " +
           below(name, s.value) + "; " + name + " += get_num_groups" + d + ")");
      body(s.children[0]);
      endOfLoop(s.children[0]);
      close();
      return;
    }
    if (s.var && mentions(s.children[0], s.var.get()))
      line("const " + indexName() + " " + nameOf(s.var.get()) + " = get_group_id" + d + ";");
    body(s.children[0]);
  }

  void loop(const Stmt &s, const std::string &from, const std::string &step) {
    std::string name = nameOf(s.var.get());
    open("for (" + indexName() + " " + name + " = " + from + "; " + below(name, s.value) + "; " +
         step + ")");
    body(s.children[0]);
    endOfLoop(s.children[0]);
    close();
    keep();
  }

  /// Whether the last statement that is printed is a loop.
  bool endsInLoop(const StmtPtr &s) const {
    if (isLoop(*s))
      return true;
    if (s->kind == StmtKind::Parallel)
      return !isLiteral(s->value, 1) && (hasBraces(*s) || endsInLoop(s->children[0]));
    return s->kind == StmtKind::Block && !s->children.empty() && endsInLoop(s->children.back());
  }

  /// Whether the last statement that is printed is a branch that ends in a loop.
  bool endsInBranchOfLoops(const StmtPtr &s) const {
    const Stmt *last = printed(*s, false);
    return last && last->kind == StmtKind::If &&
           std::ranges::any_of(last->children,
                               [&](const StmtPtr &each) { return each && endsInLoop(each); });
  }

  /// The statement that is printed of `s` first, or last; null: none.
  const Stmt *printed(const Stmt &s, bool first) const {
    const bool around =
        s.kind == StmtKind::Block || (s.kind == StmtKind::Parallel && !hasBraces(s));
    if (!around)
      return &s;
    const Stmt *found = nullptr;
    for (const StmtPtr &child : s.children) {
      if (child->kind != StmtKind::Comment && !(first && found))
        found = printed(*child, first);
    }
    return found;
  }

  bool isBranch(const Stmt &s) const {
    return s.kind == StmtKind::If ||
           (s.kind == StmtKind::Parallel && isLiteral(s.value, 1) && hasBraces(s));
  }

  /// Whether the last statement that is printed is a branch.
  bool endsInBranch(const StmtPtr &s) const {
    const Stmt *last = printed(*s, false);
    return last && isBranch(*last);
  }

  /// Which Parallels of items stand in rows of them.
  void rowItems() {
    forEach(launch_.groups->children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Parallel || !isRowOfItems(plan_, s))
        return;
      forEach(s.children[0], [&](const Stmt &inner) {
        if (inner.kind == StmtKind::Parallel && plan_.role(inner.level) == Role::Item)
          rowItems_.insert(&inner);
      });
    });
  }

  std::string titleOf(int level) const {
    return identifier(plan_.machine->levels[static_cast<std::size_t>(level)].title);
  }

  void chooseNames() {
    std::vector<StmtPtr> all = launch_.constants;
    all.push_back(launch_.groups);
    given_ = calleesOf(block(all));
    for (const Tunable &t : plan_.tunables) {
      setName(t.var.get(), t.var->name);
      if (t.kind == Tunable::Kind::Compile)
        given_.insert(t.var->name);
    }
    for (const KernelArgument &a : kernel_.arguments)
      unique(a.var.get());
    if (launch_.groups->span == Span::All)
      unique(launch_.groups->value->var.get());
    for (const VarPtr &local : launch_.locals) {
      unique(local.get());
      kernel_.locals.push_back(
          {nameOf(local.get()), local->type.scalar, plan_.bufferOf(local)->count});
    }
    if (launch_.itemLevel >= 0) {
      reserve("again_"); // of POCL_ASK and POCL_WHILE
      reserve("go_");
      item_ = freeName(titleOf(launch_.itemLevel));
      reserve(item_);
      if (kernel_.groupSizeY) {
        row_ = freeName(titleOf(launch_.rowLevel));
        reserve(row_);
      }
    }
    forEach(launch_.groups->children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Parallel || plan_.role(s.level) != Role::Item || !s.var)
        return;
      if (s.span != Span::Turns)
        setName(s.var.get(), isRowOfItems(plan_, s) ? row_ : item_);
    });
    nameVariables(block(all));
  }

  void unique(const Var *var) { setName(var, claimName(var->name, given_)); }

  void print() {
    if (!isLiteral(kernel_.groupSize, 1) || kernel_.groupSizeY)
      line("__attribute__((reqd_work_group_size(" + expression(kernel_.groupSize) + ", " +
           (kernel_.groupSizeY ? expression(kernel_.groupSizeY) : "1") + ", 1)))");
    std::string head = "__kernel void " + kernel_.name + "(";
    std::string pad(head.size(), ' ');
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
      const KernelArgument &a = kernel_.arguments[i];
      std::string text;
      if (a.kind == KernelArgument::Kind::Buffer)
        text = std::string("__global ") + (launch_.written.contains(a.var.get()) ? "" : "const ") +
               openclName(a.var->type.scalar) + pointerTo(a.var.get()) + nameOf(a.var.get());
      else
        text = argumentType(a.var->type.scalar) + " " + nameOf(a.var.get());
      bool last = i + 1 == kernel_.arguments.size();
      line((i == 0 ? head : pad) + text + (last ? ") {" : ","));
    }
    if (kernel_.arguments.empty())
      line(head + ") {");
    ++indent_;
    for (const VarPtr &local : launch_.locals) {
      const Buffer &buffer = *plan_.bufferOf(local);
      const bool ofVectors = buffer.ofVectors || isReadByFours(launch_.groups->children[0], *local);
      line(std::string("__local ") + (ofVectors ? "__attribute__((aligned(16))) " : "") +
           openclName(local->type.scalar) + " " + nameOf(local.get()) + "[" + extent(buffer.count) +
           "];");
    }
    if (!item_.empty() && (launch_.indexesItems || !isLiteral(kernel_.groupSize, 1)))
      line("const " + indexName() + " " + item_ + " = get_local_id(0);");
    if (kernel_.groupSizeY)
      line("const " + indexName() + " " + row_ + " = get_local_id(1);");
    for (const std::string &text : launch_.comments)
      statement(comment(text));
    if (launch_.count)
      line("const " + indexName() + " " + nameOf(launch_.count.get()) + " = get_num_groups(" +
           (launch_.gridY ? "1" : "0") + ");");
    for (const StmtPtr &constant : launch_.constants)
      statement(constant);
    groups(*launch_.groups, launch_.gridY ? 1 : 0);
    --indent_;
    line("}");
  }

  /// What other groups may write while this one runs is not this one's alone.
  const char *pointerTo(const Var *buffer) const {
    const bool others = handsOver(launch_.groups) || hasLastGroup(plan_, launch_.groups);
    return launch_.written.contains(buffer) && others ? " *" : " *restrict ";
  }

  const LoweredPlan &plan_;
  const Launch &launch_;
  Kernel kernel_;
  bool hasBarriers_ = false;
  std::set<std::string> given_;
  std::string item_;
  std::string row_;                    ///< the item's row, in a launch of two dimensions
  std::optional<PoclBarriers> apart_;  ///< of kernels with barriers
  std::optional<PlaceOffsets> places_; ///< where indexes may take 32 bits
  std::set<const Stmt *> rowItems_;    ///< Parallels of the items of a row
};

} // namespace

std::variant<OpenclSource, Refusal> printOpencl(const LoweredPlan &lowered,
                                                const std::vector<std::string> &steps,
                                                Contraction contraction) {
  LoweredPlan plan = lowered;
  const bool exact = contraction == Contraction::Refused;
  plan.body = withWrapAround(withBuiltinFunctions(plan.body, exact), Dialect::OpenCL);
  auto launches = splitKernels(plan);
  if (auto *refusal = std::get_if<Refusal>(&launches))
    return *refusal;
  auto &list = std::get<std::vector<Launch>>(launches);
  OpenclSource source;
  std::string helpers;
  std::set<NumberFunction> numberFunctions;
  for (const Function *function : plan.functions) {
    KernelPrinter printer(plan, list.front(), "");
    helpers += printer.helper(*function, exact);
    numberFunctions.merge(printer.takeNumberFunctions());
  }
  std::string kernels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Kernel kernel;
    std::string name = plan.spectrum + (list.size() > 1 ? "_" + std::to_string(i + 1) : "_kernel");
    KernelPrinter printer(plan, list[i], name);
    kernels += (i > 0 ? "\n" : "") + printer.run(kernel);
    numberFunctions.merge(printer.takeNumberFunctions());
    source.kernels.push_back(kernel);
  }
  bool closes = kernels.find(poclBarrierMacro) != std::string::npos;
  bool asks = kernels.find(poclAskMacro) != std::string::npos ||
              kernels.find(poclWhileMacro) != std::string::npos;
  bool keeps = kernels.find(poclKeepMacro) != std::string::npos;
  bool unrolls = kernels.find(unrollMacro) != std::string::npos;
  source.text = fileComment("OpenCL kernels", plan.spectrum, plan.machine->name, steps) + "\n" +
                (exact ? uncontracted : "") + tunableMacros(plan) +
                (plan.mostIndex ? indexDefinition : "") +
                openclAtomics(atomicUses(plan, plan.body)) + vectorAccesses(plan) +
                (closes ? poclBarrierDefinition : "") + (keeps ? poclKeepDefinition : "") +
                (asks ? poclAskDefinition : "") + (unrolls ? unrollDefinition : "") +
                definitionsOf(numberFunctions, openclName) + helpers + kernels;
  return source;
}

} // namespace tangram::codegen
