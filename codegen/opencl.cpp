// OpenCL C 1.2: groups are work-groups, items work-items, meeting at barriers.
#include "codegen/atomics.h"
#include "codegen/c_printer.h"
#include "codegen/c_types.h"
#include "codegen/lowering.h"
#include "codegen/simplify.h"
#include "codegen/source.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// One Parallel of groups with what it needs of the code around it.
struct Launch {
  StmtPtr groups;                 ///< the Parallel
  std::vector<StmtPtr> constants; ///< declarations of the grid level it uses, in order
  std::vector<std::string> comments;
};

std::set<const Var *> mentioned(const StmtPtr &s) {
  std::set<const Var *> vars;
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind == ExprKind::Var)
      vars.insert(e.var.get());
  });
  return vars;
}

std::vector<StmtPtr> neededBy(const StmtPtr &groups, const std::vector<StmtPtr> &declarations) {
  std::set<const Var *> wanted = mentioned(groups);
  std::vector<StmtPtr> needed;
  for (std::size_t i = declarations.size(); i-- > 0;) {
    if (!wanted.contains(declarations[i]->var.get()))
      continue;
    needed.insert(needed.begin(), declarations[i]);
    std::set<const Var *> more = mentioned(declarations[i]);
    wanted.insert(more.begin(), more.end());
  }
  return needed;
}

bool hasBarrier(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) { found |= each.kind == StmtKind::Barrier; });
  return found;
}

bool hasLoopWithBarrier(const StmtPtr &s) {
  bool loop = isLoop(*s) && hasBarrier(s);
  return loop || std::any_of(s->children.begin(), s->children.end(), [](const StmtPtr &child) {
           return child && hasLoopWithBarrier(child);
         });
}

/// PoCL 3.1 (its "workitem loops") computes wrong values where the body of a loop holds another
/// loop with barriers and does not end with a barrier itself; other implementations have no use
/// for that barrier.
const char *const endOfLoopMacro = "END_OF_LOOP";
const char *const endOfLoopDefinition =
    R"(// PoCL needs a barrier at the end of loops around loops with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define END_OF_LOOP() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define END_OF_LOOP()
#endif

)";

class KernelPrinter : public CPrinter {
public:
  KernelPrinter(const LoweredPlan &plan, const Launch &launch, std::string name)
      : plan_(plan), launch_(launch) {
    kernel_.name = std::move(name);
  }

  /// A helper function of the kernels.
  std::string helper(const Function &function) { return functionText(function, "") + "\n"; }

  std::string run(Kernel &kernel) {
    configure();
    chooseNames();
    print();
    kernel = kernel_;
    return take();
  }

protected:
  std::string typeName(Scalar type) const override { return openclName(type); }

  std::string literal(const Expr &e) const override {
    return e.type.scalar == Scalar::Index ? std::to_string(e.integer) : CPrinter::literal(e);
  }

  std::string callText(const Expr &call, const std::vector<std::string> &args) const override {
    if (call.callee != "min" && call.callee != "max")
      return CPrinter::callText(call, args);
    // The built-in functions are overloaded: both arguments must have the very type.
    std::vector<std::string> typed = args;
    for (std::size_t i = 0; i < args.size(); ++i) {
      bool typedByVariable = contains(call.args[i], [&](const Expr &e) {
        const Tunable *t = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
        return e.kind == ExprKind::Var && !(t && t->kind == Tunable::Kind::Compile);
      });
      if (call.args[i]->type.scalar != call.type.scalar || !typedByVariable)
        typed[i] = "(" + typeName(call.type.scalar) + ")" + args[i];
    }
    return CPrinter::callText(call, typed);
  }

  std::string atomicName(const Expr &atomic) const override {
    const Buffer *buffer = plan_.bufferOf(atomic.args[0]->args[0]->var);
    return openclAtomicName(
        {atomic.op, atomic.args[0]->type.scalar, buffer ? buffer->space : Space::Global});
  }

  std::string unrollHint(unsigned times) const override {
    return "#pragma unroll " + std::to_string(times);
  }

  bool hasBraces(const Stmt &s) const override {
    if (plan_.role(s.level) == Role::Group)
      return takeTurns(s);
    if (isLiteral(s.value, 1))
      return plan_.role(s.level) == Role::Item && !isLiteral(kernel_.groupSize, 1);
    bool item = plan_.role(s.level) == Role::Item;
    if (item && isRow(s))
      return !sameExpr(s.value, kernel_.groupSizeY);
    bool alone = kernel_.groupSizeY && !rowItems_.contains(&s);
    return alone || !(item && sameExpr(s.value, kernel_.groupSize));
  }

  void barrier(const Stmt &) override {
    ++kernel_.barriers;
    line(usesGlobalBetweenItems_ ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                                 : "barrier(CLK_LOCAL_MEM_FENCE);");
  }

  void endOfLoop(const StmtPtr &body) override {
    if (hasLoopWithBarrier(body))
      line(std::string(endOfLoopMacro) + "();");
  }

  void parallel(const Stmt &s) override {
    Role role = plan_.role(s.level);
    if (role == Role::Group) {
      groups(s, 0);
      return;
    }
    if (role == Role::Unroll) {
      if (isLiteral(s.value, 1) && !s.var) {
        body(s.children[0]);
        return;
      }
      line("#pragma unroll");
      loop(s, "0", "++" + nameOf(s.var.get()));
      return;
    }
    if (isLiteral(s.value, 1)) {
      if (isLiteral(kernel_.groupSize, 1)) {
        body(s.children[0]);
        return;
      }
      open("if (" + item_ + " == 0" + (kernel_.groupSizeY ? " && " + row_ + " == 0)" : ")"));
      body(s.children[0]);
      close();
      return;
    }
    if (isRow(s)) {
      if (sameExpr(s.value, kernel_.groupSizeY))
        body(s.children[0]);
      else
        loop(s, row_, nameOf(s.var.get()) + " += " + expression(kernel_.groupSizeY));
      return;
    }
    if (kernel_.groupSizeY && !rowItems_.contains(&s)) {
      open("if (" + row_ + " == 0)"); // items in one dimension: those of the first row
      items(s);
      close();
      return;
    }
    items(s);
  }

private:
  void items(const Stmt &s) {
    if (sameExpr(s.value, kernel_.groupSize)) {
      body(s.children[0]);
      return;
    }
    loop(s, item_, nameOf(s.var.get()) + " += " + expression(kernel_.groupSize));
  }

  /// Whether the workers of `s` are rows of items.
  bool isRow(const Stmt &s) const {
    return plan_.role(s.level) == Role::Item &&
           plan_.machine->levels[static_cast<std::size_t>(s.level)].dimension > 0;
  }

  /// The groups of one dimension, which take turns where there may be more of them than started.
  void groups(const Stmt &s, unsigned dimension) {
    const std::string d = "(" + std::to_string(dimension) + ")";
    if (takeTurns(s)) {
      const std::string name = nameOf(s.var.get());
      open("for (ulong " + name + " = get_group_id" + d + "; " + name + " < " +
           expression(s.value) + "; " + name + " += get_num_groups" + d + ")");
      body(s.children[0]);
      endOfLoop(s.children[0]);
      close();
      return;
    }
    if (s.var && mentioned(s.children[0]).contains(s.var.get()))
      line("const ulong " + nameOf(s.var.get()) + " = get_group_id" + d + ";");
    body(s.children[0]);
  }

  bool takeTurns(const Stmt &s) const {
    return !isLiteral(s.value, 1) && !isTunable(plan_, s.value);
  }

  /// How many groups to start for `s`, in terms of what the host knows.
  ExprPtr started(const Stmt &s) const {
    return takeTurns(s) ? minOf(maxOf(writtenOut(s.value), intLiteral(1)), intLiteral(65535))
                        : s.value;
  }

  void loop(const Stmt &s, const std::string &from, const std::string &step) {
    std::string name = nameOf(s.var.get());
    open("for (ulong " + name + " = " + from + "; " + name + " < " + expression(s.value) + "; " +
         step + ")");
    body(s.children[0]);
    endOfLoop(s.children[0]);
    close();
  }

  /// Launch sizes, and what the kernel has to be given.
  void configure() {
    const Stmt &groups = *launch_.groups;
    const bool counted = !takeTurns(groups);
    kernel_.groups = started(groups);
    if (const Stmt *row = rowOf(groups)) {
      kernel_.groupsY = kernel_.groups;
      kernel_.groups = started(*row);
      inRow_ = true;
    }
    kernel_.groupSize = intLiteral(1);
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Parallel || plan_.role(s.level) != Role::Item)
        return;
      if (isRow(s)) {
        kernel_.groupSizeY = plan_.workers.at(s.level);
        row_ = identifier(plan_.machine->levels[static_cast<std::size_t>(s.level)].title);
        forEach(s.children[0], [&](const Stmt &inner) {
          if (inner.kind == StmtKind::Parallel && plan_.role(inner.level) == Role::Item)
            rowItems_.insert(&inner);
        });
        return;
      }
      if (isTunable(plan_, s.value))
        kernel_.groupSize = s.value;
      usesItems_ |= s.var != nullptr || !isLiteral(s.value, 1);
      if (s.level > itemLevel_)
        itemLevel_ = s.level;
    });
    forEachExpr(groups.children[0], [&](const Expr &e) {
      const Tunable *t = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
      if (t && t->kind == Tunable::Kind::Compile && e.var->name.starts_with("NUM_") &&
          isItemCount(e.var))
        kernel_.groupSize = varRef(e.var);
    });
    std::set<const Var *> wanted = mentioned(launch_.groups);
    for (const StmtPtr &constant : launch_.constants) {
      std::set<const Var *> more = mentioned(constant);
      wanted.insert(more.begin(), more.end());
    }
    if (groups.value->kind == ExprKind::Var && counted)
      ownCount_ = groups.value->var;
    countIsUsed_ = ownCount_ && usesCount();
    for (const Buffer &b : plan_.buffers) {
      if (!wanted.contains(b.var.get()))
        continue;
      if (b.space == Space::Global)
        kernel_.arguments.push_back({KernelArgument::Kind::Buffer, b.var});
      else
        local_.push_back(&b);
    }
    for (const VarPtr &extent : plan_.extents) {
      if (wanted.contains(extent.get()))
        kernel_.arguments.push_back({KernelArgument::Kind::Size, extent});
    }
    for (const Tunable &t : plan_.tunables) {
      if (t.kind == Tunable::Kind::Launch && wanted.contains(t.var.get()) && t.var != ownCount_)
        kernel_.arguments.push_back({KernelArgument::Kind::Size, t.var});
    }
    for (const VarPtr &scalar : plan_.scalars) {
      if (wanted.contains(scalar.get()))
        kernel_.arguments.push_back({KernelArgument::Kind::Scalar, scalar});
    }
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
        written_.insert(s.target->args[0]->var.get());
    });
    forEachExpr(groups.children[0], [&](const Expr &e) {
      if (e.kind == ExprKind::Atomic)
        written_.insert(e.args[0]->args[0]->var.get());
    });
    for (const Buffer &b : plan_.buffers)
      usesGlobalBetweenItems_ |=
          b.space == Space::Global && written_.contains(b.var.get()) && readsBack(b.var.get());
  }

  /// The groups that one row of groups consists of; null when `groups` are no rows.
  const Stmt *rowOf(const Stmt &groups) const {
    const Stmt *row = nullptr;
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Group)
        row = &s;
    });
    return row;
  }

  /// Launch sizes are the host's, which has no names but extents and tunables.
  ExprPtr writtenOut(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      for (const StmtPtr &constant : launch_.constants) {
        if (each->kind == ExprKind::Var && constant->var == each->var)
          return writtenOut(constant->value);
      }
      ExprPtr inRow;
      for (const StmtPtr &s : launch_.groups->children[0]->children) {
        if (each->kind == ExprKind::Var && s->kind == StmtKind::Decl && s->var == each->var)
          inRow = s->value;
      }
      return inRow ? writtenOut(inRow) : each;
    });
  }

  bool isItemCount(const VarPtr &var) const {
    bool found = false;
    forEach(plan_.body, [&](const Stmt &s) {
      found |=
          s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Item && s.value->var == var;
    });
    return found;
  }

  bool usesCount() const {
    bool used = mentioned(launch_.groups->children[0]).contains(ownCount_.get());
    for (const StmtPtr &constant : launch_.constants)
      used |= mentioned(constant).contains(ownCount_.get());
    return used;
  }

  bool readsBack(const Var *buffer) const {
    bool reads = false;
    forEach(launch_.groups->children[0], [&](const Stmt &s) {
      if (s.value)
        reads |= contains(s.value, [&](const Expr &e) { return e.var.get() == buffer; });
    });
    return reads;
  }

  void chooseNames() {
    for (const Tunable &t : plan_.tunables) {
      setName(t.var.get(), t.var->name);
      if (t.kind == Tunable::Kind::Compile)
        given_.insert(t.var->name);
    }
    for (const KernelArgument &a : kernel_.arguments)
      unique(a.var.get());
    if (ownCount_)
      unique(ownCount_.get());
    for (const Buffer *b : local_) {
      unique(b->var.get());
      kernel_.locals.push_back({nameOf(b->var.get()), b->var->type.scalar, b->count});
    }
    if (itemLevel_ >= 0) {
      item_ =
          freeName(identifier(plan_.machine->levels[static_cast<std::size_t>(itemLevel_)].title));
      reserve(item_);
      if (kernel_.groupSizeY) {
        row_ = freeName(row_);
        reserve(row_);
      }
    }
    forEach(launch_.groups->children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Parallel || plan_.role(s.level) != Role::Item || !s.var)
        return;
      if (isRow(s) ? sameExpr(s.value, kernel_.groupSizeY) : sameExpr(s.value, kernel_.groupSize))
        setName(s.var.get(), isRow(s) ? row_ : item_);
    });
    std::vector<StmtPtr> all = launch_.constants;
    all.push_back(launch_.groups);
    nameVariables(block(all));
  }

  void unique(const Var *var) {
    std::string name = var->name;
    for (int i = 2; given_.contains(name); ++i)
      name = var->name + "_" + std::to_string(i);
    given_.insert(name);
    setName(var, name);
  }

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
        text = std::string("__global ") + (written_.contains(a.var.get()) ? "" : "const ") +
               typeName(a.var->type.scalar) + pointerTo(a.var.get()) + nameOf(a.var.get());
      else
        text = typeName(a.var->type.scalar) + " " + nameOf(a.var.get());
      bool last = i + 1 == kernel_.arguments.size();
      line((i == 0 ? head : pad) + text + (last ? ") {" : ","));
    }
    if (kernel_.arguments.empty())
      line(head + ") {");
    ++indent_;
    for (const Buffer *b : local_)
      line("__local " + typeName(b->var->type.scalar) + " " + nameOf(b->var.get()) + "[" +
           expression(b->count) + "];");
    if (!item_.empty() && usesItems_ | !isLiteral(kernel_.groupSize, 1))
      line("const ulong " + item_ + " = get_local_id(0);");
    if (kernel_.groupSizeY)
      line("const ulong " + row_ + " = get_local_id(1);");
    for (const std::string &text : launch_.comments)
      statement(comment(text));
    if (countIsUsed_)
      line("const ulong " + nameOf(ownCount_.get()) + " = get_num_groups(" + (inRow_ ? "1" : "0") +
           ");");
    for (const StmtPtr &constant : launch_.constants)
      statement(constant);
    groups(*launch_.groups, inRow_ ? 1 : 0);
    --indent_;
    line("}");
  }

  /// What other groups may write while this one runs is not this one's alone.
  const char *pointerTo(const Var *buffer) const {
    return written_.contains(buffer) && handsOver(launch_.groups) ? " *" : " *restrict ";
  }

  const LoweredPlan &plan_;
  const Launch &launch_;
  Kernel kernel_;
  std::vector<const Buffer *> local_;
  std::set<const Var *> written_;
  std::set<std::string> given_;
  std::string item_;
  std::string row_;                 ///< the item's row, in a launch of two dimensions
  std::set<const Stmt *> rowItems_; ///< Parallels of the items of a row
  int itemLevel_ = -1;
  bool usesItems_ = false;
  bool inRow_ = false; ///< the launch has two dimensions, and its Parallel is of rows of groups
  bool usesGlobalBetweenItems_ = false;
  bool countIsUsed_ = false;
  VarPtr ownCount_;
};

std::variant<std::vector<Launch>, Refusal> cutIntoLaunches(const LoweredPlan &plan) {
  std::vector<Launch> launches;
  std::vector<StmtPtr> declarations;
  std::vector<std::string> comments;
  for (const StmtPtr &s : plan.body->children) {
    if (s->kind == StmtKind::Comment)
      comments.push_back(s->text);
    else if (s->kind == StmtKind::Decl)
      declarations.push_back(s);
    else if (s->kind == StmtKind::Parallel && plan.role(s->level) == Role::Group) {
      launches.push_back({s, neededBy(s, declarations), comments});
      comments.clear();
    } else
      return Refusal{"target opencl cannot run this statement at level " +
                         plan.machine->top().name + ", which only launches kernels",
                     s->location};
  }
  return launches;
}

} // namespace

std::variant<OpenclSource, Refusal> printOpencl(const LoweredPlan &plan,
                                                const std::vector<std::string> &steps) {
  auto launches = cutIntoLaunches(plan);
  if (auto *refusal = std::get_if<Refusal>(&launches))
    return *refusal;
  auto &list = std::get<std::vector<Launch>>(launches);
  if (list.empty())
    return Refusal{"this plan computes nothing, so there is no kernel to launch", {}};
  OpenclSource source;
  std::string helpers;
  for (const Function *function : plan.functions)
    helpers += KernelPrinter(plan, list.front(), "").helper(*function);
  std::string kernels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Kernel kernel;
    std::string name = plan.spectrum + (list.size() > 1 ? "_" + std::to_string(i + 1) : "_kernel");
    kernels += (i > 0 ? "\n" : "") + KernelPrinter(plan, list[i], name).run(kernel);
    bool differs = contains(kernel.groups, [](const Expr &e) {
      return e.kind == ExprKind::Index ||
             (e.kind == ExprKind::Var && e.var->kind != VarKind::Param);
    });
    if (differs)
      return Refusal{"the rows of groups of this plan have different numbers of groups, which "
                     "target opencl cannot launch",
                     list[i].groups->location};
    source.kernels.push_back(kernel);
  }
  bool closes = kernels.find(endOfLoopMacro) != std::string::npos;
  source.text = fileComment("OpenCL kernels", plan.spectrum, plan.machine->name, steps) + "\n" +
                tunableMacros(plan) + openclAtomics(atomicUses(plan, plan.body)) +
                (closes ? endOfLoopDefinition : "") + helpers + kernels;
  return source;
}

} // namespace tangram::codegen
