#include "codegen/interpreter/meaning.h"

#include "codegen/interpreter/meaning_numbers.h"
#include "codegen/interpreter/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace tangram::codegen {

using namespace ir;
using namespace interpreting;

namespace {

/// Ends the execution, after a report.
struct Stop {};

struct View {
  MeaningContainer *container = nullptr;
  std::uint64_t first = 0;
  std::vector<std::uint64_t> shape;
};

enum class Flow { On, Break, Continue, Return };

class Execution {
public:
  Execution(const Program &program, std::uint64_t steps)
      : program_(program), steps_(steps), given_(steps) {}

  std::vector<Report> reports;

  void bind(const VarPtr &param, MeaningContainer &argument) {
    if (param->type.rank == 0)
      frame().numbers[param.get()] = argument.cells[0];
    else
      frame().views[param.get()] = {&argument, 0, argument.shape};
  }

  std::optional<MeaningNumber> run(const StmtPtr &body, Scalar result) {
    returned_.reset();
    execute(body);
    if (returned_)
      return convert(*returned_, result);
    return std::nullopt;
  }

private:
  struct Frame {
    std::unordered_map<const Var *, MeaningNumber> numbers;
    std::unordered_map<const Var *, View> views;
    std::deque<MeaningContainer> arrays;
  };

  Frame &frame() { return frames_.back(); }

  void report(Report::Kind kind, const std::string &message) {
    const auto known = std::find_if(reports.begin(), reports.end(), [&](const Report &r) {
      return r.kind == kind && r.location.line == at_.line && r.location.column == at_.column &&
             r.message == message;
    });
    if (known != reports.end())
      ++known->times;
    else
      reports.push_back({kind, at_, "", message, 1});
  }

  MeaningNumber combined(Operator op, const MeaningNumber &a, const MeaningNumber &b) {
    Scalar type = commonScalar(a.type, op.isShift() ? a.type : b.type);
    std::string problem;
    MeaningNumber result =
        combine(op, convert(a, type), op.isShift() ? b : convert(b, type), type, problem);
    if (!problem.empty())
      report(Report::Kind::Division, problem);
    return result;
  }

  MeaningNumber read(const MeaningNumber &place, const std::string &name) {
    if (!place.written)
      report(Report::Kind::Unwritten, name + " is read, and nothing has written it");
    return place;
  }

  std::optional<View> viewOf(const ExprPtr &e) {
    if (e->kind == ExprKind::Cast)
      return viewOf(e->args[0]);
    if (e->kind == ExprKind::Var) {
      auto known = frame().views.find(e->var.get());
      return known == frame().views.end() ? std::nullopt : std::optional(known->second);
    }
    if (e->kind != ExprKind::Index)
      return std::nullopt;
    std::optional<View> base = viewOf(e->args[0]);
    if (!base)
      return std::nullopt;
    for (std::size_t i = 1; i < e->args.size(); ++i) {
      const std::int64_t index = value(e->args[i]).integer;
      const std::uint64_t extent = base->shape.empty() ? 0 : base->shape.front();
      if (static_cast<std::uint64_t>(index) >= extent) {
        report(Report::Kind::Bounds, "element " + std::to_string(index) + " of " +
                                         toString(e->args[0]) + ", which has " +
                                         std::to_string(extent));
        throw Stop{};
      }
      base->shape.erase(base->shape.begin());
      std::uint64_t stride = 1;
      for (std::uint64_t each : base->shape)
        stride *= each;
      base->first += static_cast<std::uint64_t>(index) * stride;
    }
    return base;
  }

  /// The cell that `e` names.
  MeaningNumber &place(const ExprPtr &e) {
    if (e->kind == ExprKind::Var && !frame().views.contains(e->var.get()))
      return frame().numbers[e->var.get()];
    std::optional<View> view = viewOf(e);
    if (!view || !view->shape.empty())
      unknown(e);
    return view->container->cells[view->first];
  }

  [[noreturn]] void unknown(const ExprPtr &e) {
    report(Report::Kind::Unsupported, "the expression " + toString(e));
    throw Stop{};
  }

  static bool comparesFloatingPoint(const ExprPtr &condition) {
    return contains(condition, [](const Expr &e) {
      return e.kind == ExprKind::Binary && e.op.isComparison() &&
             (isFloating(e.args[0]->type.scalar) || isFloating(e.args[1]->type.scalar));
    });
  }

  /// As in codegen/kernel/magnitude.cpp: it may be evaluated whichever way the condition went.
  static bool isSafe(const ExprPtr &e, const ExprPtr &condition) {
    return !contains(e, [&](const Expr &part) {
      if (part.kind == ExprKind::Index)
        return !contains(condition, [&](const Expr &known) {
          return sameExpr(std::make_shared<const Expr>(known), std::make_shared<const Expr>(part));
        });
      return part.kind == ExprKind::Call ||
             (part.kind == ExprKind::Binary && (part.op == "/" || part.op == "%"));
    });
  }

  MeaningNumber select(const Expr &e) {
    const Scalar type = e.args[1]->type.scalar == e.args[2]->type.scalar
                            ? e.args[1]->type.scalar
                            : commonScalar(e.args[1]->type.scalar, e.args[2]->type.scalar);
    const bool first = isTrue(value(e.args[0]));
    MeaningNumber chosen = convert(value(e.args[first ? 1 : 2]), type);
    if (isFloating(type) && comparesFloatingPoint(e.args[0]) && isSafe(e.args[1], e.args[0]) &&
        isSafe(e.args[2], e.args[0])) {
      const MeaningNumber other = convert(value(e.args[first ? 2 : 1]), type);
      if (std::isinf(other.wide)) // which no rounding chooses
        return chosen;
      chosen.magnitude = std::max(chosen.magnitude, other.magnitude);
      chosen.depth = std::max(chosen.depth, other.depth);
    }
    return chosen;
  }

  MeaningNumber call(const ExprPtr &e) {
    for (const Function &f : program_.functions) {
      if (f.name != e->callee)
        continue;
      Frame inner;
      for (std::size_t i = 0; i < e->args.size(); ++i)
        inner.numbers[f.params[i].get()] = convert(value(e->args[i]), f.params[i]->type.scalar);
      frames_.push_back(std::move(inner));
      const SourceLocation at = at_;
      std::optional<MeaningNumber> result = run(f.body, f.result.scalar);
      at_ = at;
      frames_.pop_back();
      returned_.reset();
      return result.value_or(MeaningNumber{});
    }
    std::vector<MeaningNumber> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(convert(value(arg), e->type.scalar));
    std::optional<MeaningNumber> result = apply(e->callee, args, e->type.scalar);
    if (!result)
      unknown(e);
    return *result;
  }

  MeaningNumber atomic(const ExprPtr &e) {
    const MeaningNumber operand = value(e->args[1]);
    const MeaningNumber third = e->args.size() > 2 ? value(e->args[2]) : MeaningNumber{};
    MeaningNumber &cell = place(e->args[0]);
    const MeaningNumber before = read(cell, toString(e->args[0]));
    const Scalar type = cell.type;
    if (e->op == "add")
      cell = convert(combined("+", before, operand), type);
    else if (e->op == "min" || e->op == "max")
      cell = *apply(e->op.text(), {before, convert(operand, type)}, type);
    else if (e->op == "exchange")
      cell = convert(operand, type);
    else if (e->op == "cas") {
      if (isTrue(combined("==", before, convert(operand, type))))
        cell = convert(third, type);
    } else {
      unknown(e);
    }
    return before;
  }

  std::string stillRunning() const {
    return "the codelet is still running after " + std::to_string(given_) +
           " operations; smaller sizes take fewer";
  }

  MeaningNumber value(const ExprPtr &e) {
    if (e->location.valid())
      at_ = e->location;
    if (steps_-- == 0) {
      report(Report::Kind::Endless, stillRunning());
      throw Stop{};
    }
    switch (e->kind) {
    case ExprKind::Literal:
      return isFloating(e->type.scalar) ? floatingNumber(e->real, e->type.scalar)
                                        : integerNumber(e->integer, e->type.scalar);
    case ExprKind::Var:
    case ExprKind::Index:
      return read(place(e), toString(e));
    case ExprKind::Size: {
      std::optional<View> view = viewOf(e->args[0]);
      if (!view || static_cast<std::size_t>(e->integer) >= view->shape.size())
        unknown(e);
      return integerNumber(
          static_cast<std::int64_t>(view->shape[static_cast<std::size_t>(e->integer)]),
          e->type.scalar);
    }
    case ExprKind::Unary:
      return unary(e);
    case ExprKind::Binary: {
      const MeaningNumber a = value(e->args[0]);
      if (e->op == "&&" || e->op == "||") {
        const bool decided = isTrue(a) == (e->op == "||");
        return integerNumber((decided ? isTrue(a) : isTrue(value(e->args[1]))) ? 1 : 0,
                             Scalar::Bool);
      }
      return combined(e->op, a, value(e->args[1]));
    }
    case ExprKind::Select:
      return select(*e);
    case ExprKind::Cast:
      return convert(value(e->args[0]), e->type.scalar);
    case ExprKind::Call:
      return call(e);
    case ExprKind::Atomic:
      return atomic(e);
    default:
      unknown(e);
    }
  }

  MeaningNumber unary(const ExprPtr &e) {
    MeaningNumber x = value(e->args[0]);
    if (e->op == "!")
      return integerNumber(isTrue(x) ? 0 : 1, Scalar::Bool);
    x = convert(x, commonScalar(x.type, x.type));
    if (e->op == "+")
      return x;
    if (e->op == "~")
      return integerNumber(~x.integer, x.type);
    return negated(x);
  }

  /// Memory of the codelet's own, of which nothing is written.
  void allocate(const Var &var, std::vector<std::uint64_t> shape) {
    MeaningContainer &array = frame().arrays.emplace_back();
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) {
      if (__builtin_mul_overflow(count, extent, &count) || count > steps_) {
        report(Report::Kind::Unsupported, "so many elements of '" + var.name + "'");
        throw Stop{};
      }
    }
    array.shape = std::move(shape);
    MeaningNumber cell;
    cell.type = var.type.scalar;
    array.cells.assign(count, cell);
    frame().views[&var] = {&array, 0, array.shape};
  }

  void allocate(const Stmt &s) {
    std::vector<std::uint64_t> shape;
    for (const ExprPtr &extent : s.value->args)
      shape.push_back(static_cast<std::uint64_t>(value(extent).integer));
    allocate(*s.var, std::move(shape));
  }

  void declare(const Stmt &s) {
    const Var *var = s.var.get();
    if (var->type.isContainer() && s.value && s.value->kind == ExprKind::Allocate)
      return allocate(s);
    if (var->type.isContainer()) {
      std::optional<View> view = s.value ? viewOf(s.value) : std::nullopt;
      if (!view)
        unknown(s.value ? s.value : varRef(s.var));
      frame().views[var] = *view;
      return;
    }
    if (var->extent)
      return allocate(*var, {static_cast<std::uint64_t>(value(var->extent).integer)});
    MeaningNumber number;
    number.type = var->type.scalar;
    if (s.value)
      number = convert(value(s.value), var->type.scalar);
    frame().numbers[var] = number;
  }

  void assign(const Stmt &s) {
    const Operator op = s.op.withoutAssignment();
    MeaningNumber result = value(s.value);
    MeaningNumber &cell = place(s.target);
    const Scalar type = s.target->kind == ExprKind::Var ? s.target->var->type.scalar : cell.type;
    if (!op.empty())
      result = combined(op, read(cell, toString(s.target)), result);
    cell = convert(result, type);
  }

  Flow loop(const Stmt &s) {
    const bool isFor = s.kind == StmtKind::For;
    if (isFor)
      execute(s.children[0]);
    while (s.kind == StmtKind::DoWhile || !s.value || isTrue(value(s.value))) {
      if (steps_-- == 0) {
        report(Report::Kind::Endless, stillRunning());
        throw Stop{};
      }
      const Flow flow = execute(s.children[isFor ? 2 : 0]);
      if (flow == Flow::Break)
        break;
      if (flow == Flow::Return)
        return flow;
      if (isFor)
        execute(s.children[1]);
      if (s.kind == StmtKind::DoWhile && !isTrue(value(s.value)))
        break;
    }
    return Flow::On;
  }

  Flow execute(const StmtPtr &s) {
    if (!s)
      return Flow::On;
    if (s->location.valid())
      at_ = s->location;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children) {
        if (Flow flow = execute(child); flow != Flow::On)
          return flow;
      }
      return Flow::On;
    case StmtKind::Decl:
      declare(*s);
      return Flow::On;
    case StmtKind::Assign:
      assign(*s);
      return Flow::On;
    case StmtKind::If:
      if (isTrue(value(s->value)))
        return execute(s->children[0]);
      return s->children.size() > 1 ? execute(s->children[1]) : Flow::On;
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
      return loop(*s);
    case StmtKind::Break:
      return Flow::Break;
    case StmtKind::Continue:
      return Flow::Continue;
    case StmtKind::Return:
      if (s->value)
        returned_ = value(s->value);
      return Flow::Return;
    case StmtKind::Eval:
      value(s->value);
      return Flow::On;
    default:
      return Flow::On;
    }
  }

  const Program &program_;
  std::uint64_t steps_; ///< that are left
  std::uint64_t given_;
  std::deque<Frame> frames_{1}; ///< views of a frame point into it
  std::optional<MeaningNumber> returned_;
  SourceLocation at_;
};

} // namespace

std::vector<MeaningNumber> numbersIn(const std::vector<std::byte> &bytes, Scalar type) {
  std::vector<MeaningNumber> numbers;
  withType(type, [&]<class T>(T) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
      if constexpr (std::is_floating_point_v<T>) {
        T x;
        std::memcpy(&x, bytes.data() + at, sizeof x);
        numbers.push_back(floatingNumber(x, type));
      } else if constexpr (std::is_same_v<T, bool>) {
        numbers.push_back(integerNumber(bytes[at] != std::byte{0} ? 1 : 0, type));
      } else {
        T x;
        std::memcpy(&x, bytes.data() + at, sizeof x);
        numbers.push_back(integerNumber(static_cast<std::int64_t>(x), type));
      }
    }
  });
  return numbers;
}

Meaning meaningOf(const Program &program, const Spectrum &spectrum, const Codelet &codelet,
                  std::vector<MeaningContainer> arguments, std::uint64_t steps) {
  Meaning meaning;
  meaning.containers = std::move(arguments);
  Execution execution(program, steps);
  for (std::size_t i = 0; i < codelet.params.size(); ++i)
    execution.bind(codelet.params[i], meaning.containers[i]);
  try {
    meaning.result = execution.run(codelet.body, spectrum.result.scalar);
  } catch (const Stop &) {
    meaning.result.reset();
  }
  meaning.reports = std::move(execution.reports);
  return meaning;
}

} // namespace tangram::codegen
