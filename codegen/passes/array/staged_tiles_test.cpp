// Conflicts of banks of the tiles that plans of the library stage: what the items of a warp write and read together, found
// by working out their subscripts, and whether another pitch had fewer.
#include "codegen/analysis/bank_conflicts.h"
#include "codegen/analysis/copies.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"
#include "composer/machine/machine_expression.h"
#include "composer/plans/planner.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using ir::Expr;
using ir::ExprKind;
using ir::ExprPtr;
using Number = std::int64_t;
using Numbers = std::map<const ir::Var *, Number>;

/// Whole numbers that expressions come to.
class Evaluator {
public:
  explicit Evaluator(const LoweredPlan &plan) : meanings_(meaningsIn(plan.body)) {}

  Numbers known;
  /// Variables whose numbers were asked for.
  mutable std::set<const ir::Var *> asked;

  std::optional<Number> operator()(const ExprPtr &e) const {
    if (const auto literal = ir::literalValue(e))
      return literal;
    if (e->kind == ExprKind::Var)
      return variable(e->var.get());
    if (e->kind == ExprKind::Cast)
      return (*this)(e->args[0]);
    if (e->kind == ExprKind::Select) {
      const auto chosen = (*this)(e->args[0]);
      return chosen ? (*this)(e->args[*chosen != 0 ? 1 : 2]) : std::nullopt;
    }
    if (e->args.size() != 2)
      return std::nullopt;
    const auto a = (*this)(e->args[0]), b = (*this)(e->args[1]);
    return a && b ? combined(*e, *a, *b) : std::nullopt;
  }

private:
  static std::map<const ir::Var *, ExprPtr> meaningsIn(const ir::StmtPtr &body) {
    std::map<const ir::Var *, ExprPtr> meanings;
    forEach(body, [&](const ir::Stmt &s) {
      if (s.kind == ir::StmtKind::Decl && s.value)
        meanings[s.var.get()] = s.value;
    });
    return meanings;
  }

  std::optional<Number> variable(const ir::Var *var) const {
    if (const auto found = known.find(var); found != known.end()) {
      asked.insert(var);
      return found->second;
    }
    const auto meaning = meanings_.find(var);
    return meaning == meanings_.end() ? std::nullopt : (*this)(meaning->second);
  }

  static std::optional<Number> combined(const Expr &e, Number a, Number b) {
    if (e.kind == ExprKind::Call && e.callee == "min")
      return std::min(a, b);
    if (e.kind == ExprKind::Call && e.callee == "max")
      return std::max(a, b);
    if (e.kind != ExprKind::Binary || ((e.op == "/" || e.op == "%") && b == 0))
      return std::nullopt;
    return e.op == "+"    ? a + b
           : e.op == "-"  ? a - b
           : e.op == "*"  ? a * b
           : e.op == "/"  ? a / b
           : e.op == "%"  ? a % b
           : e.op == "<"  ? Number{a < b}
           : e.op == "<=" ? Number{a <= b}
           : e.op == "==" ? std::optional<Number>(a == b)
                          : std::nullopt;
  }

  std::map<const ir::Var *, ExprPtr> meanings_;
};

/// A tile of a group, and the accesses to it.
class Tile {
public:
  Tile(const LoweredPlan &plan, const ir::Stmt &allocation)
      : plan_(plan), array_(*allocation.array), var_(allocation.var), value_(plan),
        banks_(banksOf(plan, array_.owner)),
        bytes_(static_cast<Number>(ir::byteSize(var_->type.scalar))),
        vector_(plan.ofVectors.contains(var_.get()) ? vectorBytes / bytes_ : 1) {
    for (const Tunable &each : plan.tunables)
      value_.known[each.var.get()] =
          static_cast<Number>(composer::plainNumber(each.defaultValue).value_or(each.min));
    for (const ir::VarPtr &extent : plan.extents)
      value_.known[extent.get()] = 1 << 20;
    forEach(plan.body, [&](const ir::Stmt &s) {
      if (s.kind == ir::StmtKind::Parallel && s.var)
        value_.known[s.var.get()] = 0;
      if (const ir::VarPtr counter = s.kind == ir::StmtKind::For ? counterOf(s) : nullptr)
        value_.known[counter.get()] = 0;
      if (s.kind == ir::StmtKind::Decl && s.var->name == var_->name + "_pitch")
        pitch_ = s.var;
    });
    accesses_ = accessesTo(plan.body, var_.get());
    forEach(plan.body, [&](const ir::Stmt &s) {
      if (s.kind == ir::StmtKind::Assign && s.target->kind == ExprKind::Index)
        written_.insert(s.target.get());
    });
  }

  const std::string &name() const { return var_->name; }

  /// Whether it makes a difference.
  bool asksFor(const Tunable &tunable) const { return value_.asked.contains(tunable.var.get()); }
  void set(const Tunable &tunable, Number value) { value_.known[tunable.var.get()] = value; }

  /// From a row to the next one; of rows by vectors, from an item's vector to its next one.
  Number pitch() const { return *value_(pitch_ ? varRef(pitch_) : array_.extents.back()); }

  struct Degrees {
    Number written = 1;
    Number read = 1;
    auto operator<=>(const Degrees &) const = default;
    Number worst() const { return std::max(written, read); }
  };
  Degrees degrees(Number pitch) {
    Degrees all;
    for (const WindowAccess &each : accesses_) {
      Number &most = written_.contains(each.element) ? all.written : all.read;
      most = std::max(most, degree(each, pitch));
    }
    return all;
  }
  /// The least that any pitch has.
  Number least() {
    Number least = degrees(pitch()).worst();
    for (Number each = vector_; each <= banks_.count * vector_; each += vector_)
      least = std::min(least, degrees(each).worst());
    return least;
  }

private:
  /// Elements from the beginning of the tile.
  std::optional<Number> place(const Expr &element, Number pitch) const {
    Number at = 0;
    for (std::size_t d = 1; d < element.args.size(); ++d) {
      const auto subscript = value_(element.args[d]);
      if (!subscript)
        return std::nullopt;
      const bool last = d + 1 == element.args.size();
      at = at * (last ? pitch : d == 1 ? 1 : *value_(array_.extents[d - 1])) + *subscript;
    }
    return at;
  }

  Number degree(const WindowAccess &access, Number pitch) {
    const Numbers before = value_.known;
    if (pitch_)
      value_.known[pitch_.get()] = pitch;
    std::vector<Number> places;
    for (Number t = 0; t < banks_.items; ++t) {
      for (const ir::Stmt *each : access.around) {
        if (each->kind == ir::StmtKind::Parallel && each->var &&
            plan_.role(each->level) == Role::Item)
          value_.known[each->var.get()] = t;
      }
      const auto at = place(*access.element, pitch);
      EXPECT_TRUE(at) << ir::toString(std::make_shared<Expr>(*access.element));
      places.push_back(at.value_or(0) * bytes_);
    }
    const bool vectors = isOfVectors(access, pitch);
    value_.known = before;
    return degreeOfConflict(banks_, places, vectors ? vectorBytes : bytes_);
  }

  /// Whether a loop around a read runs over neighbours from where a vector may begin, so that compilers read these.
  bool isOfVectors(const WindowAccess &access, Number pitch) {
    if (vector_ == 1 || written_.contains(access.element))
      return false;
    return std::ranges::any_of(access.around, [&](const ir::Stmt *each) {
      const ir::VarPtr counter = each->kind == ir::StmtKind::For ? counterOf(*each) : nullptr;
      if (!counter)
        return false;
      const Numbers before = value_.known;
      bool neighbours = *place(*access.element, pitch) % vector_ == 0;
      const Number first = *place(*access.element, pitch);
      for (Number e = 1; e < vector_; ++e) {
        value_.known[counter.get()] = e;
        neighbours &= *place(*access.element, pitch) == first + e;
      }
      value_.known = before;
      return neighbours;
    });
  }

  const LoweredPlan &plan_;
  ir::Array array_;
  ir::VarPtr var_, pitch_;
  Evaluator value_;
  Banks banks_;
  Number bytes_, vector_;
  std::vector<WindowAccess> accesses_;
  std::set<const Expr *> written_;
};

/// What staging makes of the first plan that becomes code; nothing where that stages nothing.
std::optional<LoweredPlan> staged(const std::string &file, const std::string &spectrum,
                                  const composer::Machine &machine) {
  static std::vector<std::unique_ptr<ir::Program>> programs;
  frontend::ParseResult parsed =
      frontend::parseFile(TANGRAM_SOURCE_DIR "/codelets/" + file + ".cpp", {});
  programs.push_back(std::make_unique<ir::Program>(composer::widenIndexVariables(*parsed.program)));
  composer::PlanOptions options;
  options.target = "opencl";
  for (const auto &each : composer::plans(*programs.back(), machine, spectrum, options, 64).plans) {
    auto lowered = lower(*programs.back(), spectrum, each.plan, machine, "opencl");
    if (!std::holds_alternative<LoweredPlan>(lowered))
      continue;
    LoweredPlan plan = forgetPadding(stageHalos(std::get<LoweredPlan>(std::move(lowered))));
    plan = stageWindows(sizeTiles(stripMineSums(interchangeLoops(std::move(plan)))));
    plan.body = withoutCopies(plan, plan.body);
    if (ir::toString(plan.body).find("_tile[") != std::string::npos)
      return plan;
  }
  return std::nullopt;
}

/// Of all that tunables may be together, for how many another pitch has less: their values, or the default and a quarter of it.
struct Count {
  unsigned all = 0, worse = 0;
};
void count(Count &found, Tile &tile, const std::vector<Tunable> &tunables, std::size_t next = 0) {
  while (next < tunables.size() && !tile.asksFor(tunables[next]))
    ++next;
  if (next == tunables.size()) {
    ++found.all;
    found.worse += tile.degrees(tile.pitch()).worst() > tile.least() ? 1 : 0;
    return;
  }
  const Tunable &tunable = tunables[next];
  std::vector<Number> values = tunable.values;
  if (values.empty()) {
    const auto number = static_cast<Number>(*composer::plainNumber(tunable.defaultValue));
    values = {number, std::max<Number>(1, number / 4)};
  }
  for (const Number value : values) {
    tile.set(tunable, value);
    count(found, tile, tunables, next + 1);
  }
}

/// Every tile with the degrees of conflict of what is written to it and read from it; a failure where another pitch had less
/// for a value that a tunable may have.
std::string table(const std::string &model,
                  const std::vector<std::pair<std::string, std::string>> &spectrums) {
  const composer::Machine machine = projected(model, "opencl");
  std::string text = "\n";
  for (const auto &[file, spectrum] : spectrums) {
    const std::optional<LoweredPlan> plan = staged(file, spectrum, machine);
    if (!plan) {
      text += spectrum + ": none\n";
      continue;
    }
    forEach(plan->body, [&](const ir::Stmt &s) {
      if (s.kind != ir::StmtKind::Allocate || !s.var->name.ends_with("_tile") ||
          plan->role(s.array->owner) != Role::Group)
        return;
      Tile tile(*plan, s);
      const Tile::Degrees degrees = tile.degrees(tile.pitch());
      text += spectrum + ": " + tile.name() + ", pitch " + std::to_string(tile.pitch()) +
              ", written " + std::to_string(degrees.written) + ", read " +
              std::to_string(degrees.read) + ", least " + std::to_string(tile.least());
      Count values;
      count(values, tile, plan->tunables);
      text += ", more with " + std::to_string(values.worse) + " of " + std::to_string(values.all) +
              " values\n";
    });
  }
  return text;
}

const std::vector<std::pair<std::string, std::string>> staging = {
    {"gemm", "gemm<float>"},  {"gemm", "gemm_nt<float>"},      {"lud", "lud<float>"},
    {"lud", "lud<double>"},   {"gaussian", "gaussian<float>"}, {"hotspot", "hotspot<float>"},
    {"nine", "sobel<float>"}, {"srad", "srad<float>"}};

// Tiles whose columns are written lie so that vectors may begin where items read them, which no pitch does without
// conflicts.
TEST(StagedTiles, OnAnH200) {
  EXPECT_EQ(table("h200", staging), R"(
gemm<float>: a_tile, pitch 132, written 2, read 1, least 2, more with 0 of 32 values
gemm<float>: b_tile, pitch 80, written 1, read 1, least 1, more with 0 of 4 values
gemm_nt<float>: a_tile, pitch 132, written 2, read 1, least 2, more with 0 of 32 values
gemm_nt<float>: b_tile, pitch 80, written 1, read 1, least 1, more with 0 of 4 values
lud<float>: a_tile, pitch 132, written 4, read 1, least 4, more with 0 of 32 values
lud<float>: b_tile, pitch 80, written 1, read 1, least 1, more with 0 of 8 values
lud<double>: a_tile, pitch 130, written 2, read 1, least 2, more with 0 of 32 values
lud<double>: b_tile, pitch 36, written 1, read 1, least 1, more with 0 of 8 values
gaussian<float>: in_tile, pitch 261, written 1, read 1, least 1, more with 0 of 32 values
hotspot<float>: in_tile, pitch 259, written 1, read 1, least 1, more with 0 of 32 values
sobel<float>: in_tile, pitch 259, written 1, read 1, least 1, more with 0 of 32 values
srad<float>: conductions_tile, pitch 257, written 1, read 1, least 1, more with 0 of 32 values
srad<float>: in_tile, pitch 259, written 1, read 1, least 1, more with 0 of 32 values
)");
}

TEST(StagedTiles, OnAGpu) {
  EXPECT_EQ(table("gpu", staging), R"(
gemm<float>: a_tile, pitch 68, written 4, read 1, least 4, more with 0 of 32 values
gemm<float>: b_tile, pitch 96, written 1, read 1, least 1, more with 0 of 4 values
gemm_nt<float>: a_tile, pitch 68, written 4, read 1, least 4, more with 0 of 32 values
gemm_nt<float>: b_tile, pitch 96, written 1, read 1, least 1, more with 0 of 4 values
lud<float>: a_tile, pitch 68, written 4, read 1, least 4, more with 0 of 32 values
lud<float>: b_tile, pitch 96, written 1, read 1, least 1, more with 0 of 8 values
lud<double>: a_tile, pitch 34, written 2, read 1, least 2, more with 0 of 32 values
lud<double>: b_tile, pitch 48, written 1, read 1, least 1, more with 0 of 8 values
gaussian<float>: in_tile, pitch 261, written 1, read 1, least 1, more with 0 of 32 values
hotspot<float>: in_tile, pitch 259, written 1, read 1, least 1, more with 0 of 32 values
sobel<float>: in_tile, pitch 259, written 1, read 1, least 1, more with 0 of 32 values
srad<float>: conductions_tile, pitch 257, written 1, read 1, least 1, more with 0 of 32 values
srad<float>: in_tile, pitch 259, written 1, read 1, least 1, more with 0 of 32 values
)");
}

} // namespace
} // namespace tangram::codegen
