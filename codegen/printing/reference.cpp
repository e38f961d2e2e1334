// The reference: the spectrum's first autonomous codelet as plain C, the container
// a pointer and its sizes. It shares no code with lowering, so that the two can disagree.
#include "algebra/simplify.h"
#include "codegen/analysis/atomics.h"
#include "codegen/analysis/called_functions.h"
#include "codegen/form/index_function.h"
#include "codegen/lockstep/resolve_views.h"
#include "codegen/printing/c_printer.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/call_arguments.h"
#include "codegen/printing/float128.h"
#include "codegen/printing/rounding_functions.h"
#include "codegen/printing/source.h"
#include "codegen/printing/wrap_around.h"

#include "composer/analysis/sites.h"
#include "escape/escape.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// C compares a signed and an unsigned number as unsigned ones. Written so, compilers have nothing to say.
ExprPtr withEqualSigns(const ExprPtr &e) {
  if (e->kind != ExprKind::Binary || !e->op.isComparison())
    return e;
  const Scalar a = e->args[0]->type.scalar, b = e->args[1]->type.scalar;
  const Scalar common = commonScalar(a, b);
  if (!isInteger(a) || !isInteger(b) || isSigned(a) == isSigned(b) || isSigned(common))
    return e;
  return withArgs(e, {cast(common, e->args[0]), cast(common, e->args[1])});
}

/// Without the variables that nothing reads or writes, as components of a vector may be.
StmtPtr withoutUnused(const StmtPtr &body) {
  std::set<const Var *> used;
  forEachExpr(body, [&](const Expr &e) { used.insert(e.var.get()); });
  bool any = false;
  StmtPtr rest = rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
    const bool unused = s->kind == StmtKind::Decl && !used.contains(s->var.get());
    any |= unused;
    return unused ? nullptr : s;
  });
  return any ? withoutUnused(rest) : rest;
}

class ReferencePrinter : public CPrinter {
public:
  /// `functions`: the names of the helper functions.
  ReferencePrinter(const Spectrum &spectrum, const Codelet &codelet,
                   std::set<std::string> functions)
      : spectrum_(spectrum), codelet_(codelet), functions_(std::move(functions)) {}

  std::string function() {
    std::vector<std::string> parameters = this->parameters();
    StmtPtr body = prepared(codelet_.body);
    nameVariables(body);
    std::string head = "static " + typeName(spectrum_.result.scalar) + " reference(";
    for (std::size_t i = 0; i < parameters.size(); ++i)
      head += (i == 0 ? "" : ", ") + parameters[i];
    ++indent_;
    this->body(body);
    --indent_;
    const std::string inside = take();
    line(head + ") {");
    return take() + voidOfUnused(inside, parameterNames()) + inside + "}\n";
  }

  std::set<NumberFunction> takeNumberFunctions() { return std::move(numberFunctions_); }

  std::string helper(const Function &function) {
    Function own = function;
    own.body = prepared(function.body);
    return functionText(own, "static ") + "\n";
  }

  /// int tangram_reference(void *const *a): unpacks the arguments (docs/bundle.md).
  std::string plainEntry() const {
    CallArguments arguments(spectrum_, [&](const Var &v) { return element(v); });
    std::string call = callOf(arguments);
    if (spectrum_.result.scalar != Scalar::Void)
      call = "**(" + typeName(spectrum_.result.scalar) + " *const *)" + arguments.cell() + " = " +
             call;
    return "int tangram_reference(void *const *a) {\n  " + call + ";\n  return 0;\n}\n";
  }

protected:
  std::string typeName(Scalar type) const override { return cName(type); }

  std::string callText(const Expr &call, const std::vector<std::string> &args) const override {
    Expr renamed = call;
    if (call.callee == "malloc")
      return "malloc((" + args[0] + ") * sizeof *" + args[1] + ")";
    if (call.callee == "free")
      return CPrinter::callText(call, args);
    if (call.callee == "min" || call.callee == "max")
      return "((" + args[1] + (call.callee == "min" ? ") < (" : ") > (") + args[0] + ") ? (" +
             args[1] + ") : (" + args[0] + "))";
    if (functions_.contains(call.callee))
      return CPrinter::callText(call, args);
    if (call.callee == "fmin" || call.callee == "fmax")
      return numberFunction(call.callee, call, args);
    if (isFloating(call.type.scalar))
      renamed.callee = libraryName(call.callee, call.type.scalar);
    else if (call.callee == "abs")
      renamed.callee = absoluteName(call.type.scalar);
    return CPrinter::callText(renamed, args);
  }

  void parallel(const Stmt &) override {}
  void barrier(const Stmt &) override {}
  bool hasBraces(const Stmt &) const override { return true; }
  std::string unrollHint(unsigned) const override { return ""; }

private:
  /// As the caller has it: inputs are numbers of C.
  std::string element(const Var &v) const {
    return (v.type.rank > 0 && v.type.isConst ? "const " : "") + cName(v.type.scalar);
  }

  static std::string callOf(const CallArguments &arguments) {
    std::string call = "reference(";
    for (const CallArguments::Parameter &p : arguments.parameters) {
      call += (&p == arguments.parameters.data() ? "" : ",\n      ") + p.value;
      for (const std::string &extent : p.extents)
        call += ",\n      " + extent;
    }
    return call + ")";
  }

  std::vector<std::string> parameterNames() {
    std::vector<std::string> names;
    for (const VarPtr &param : codelet_.params) {
      names.push_back(param->name);
      for (unsigned d = 0; d < param->type.rank; ++d)
        names.push_back(extentOf(param, d)->name);
    }
    return names;
  }

  /// The parameters as written in the head of the function. All have their names from then on.
  std::vector<std::string> parameters() {
    std::vector<std::string> written;
    for (const VarPtr &param : codelet_.params) {
      setName(param.get(), param->name);
      for (unsigned d = 0; d < param->type.rank; ++d)
        setName(extentOf(param, d).get(), extentOf(param, d)->name);
    }
    for (const VarPtr &param : codelet_.params) {
      if (param->type.rank == 0) {
        written.push_back(typeName(param->type.scalar) + " " + param->name);
        continue;
      }
      written.push_back((param->type.isConst ? element(*param) : typeName(param->type.scalar)) +
                        " *" + param->name);
      for (unsigned d = 0; d < param->type.rank; ++d)
        written.push_back("size_t " + extentOf(param, d)->name);
    }
    return written;
  }

  /// A body on flat memory, for one thread.
  StmtPtr prepared(const StmtPtr &body) {
    const StmtPtr flat = mapExprs(withMemory(withoutAtomics(resolveViews(body))),
                                  [&](const ExprPtr &e) { return onMemory(e); });
    return withWrapAround(withoutUnused(flat), Dialect::C);
  }

  /// Local containers, which stand in the outermost block, as memory that is freed where the function returns.
  StmtPtr withMemory(const StmtPtr &body) {
    std::vector<StmtPtr> all, freed;
    for (const StmtPtr &s : body->children) {
      const bool isMade =
          s->kind == StmtKind::Decl && s->value && s->value->kind == ExprKind::Allocate;
      if (!isMade) {
        all.push_back(freed.empty() ? s : rewrite(s, [&](const StmtPtr &each) {
          return each->kind == StmtKind::Return ? returning(*each, freed) : each;
        }));
        continue;
      }
      ExprPtr count = intLiteral(1);
      for (unsigned d = 0; d < s->var->type.rank; ++d) {
        all.push_back(declare(extentOf(s->var, d), cast(Scalar::Index, s->value->args[d])));
        count = mul(count, varRef(extentOf(s->var, d)));
      }
      all.push_back(
          declare(s->var, call("malloc", s->var->type, {count, varRef(s->var)}), s->location));
      freed.push_back(eval(call("free", scalarType(Scalar::Void), {varRef(s->var)})));
    }
    if (freed.empty())
      return body;
    if (spectrum_.result.scalar == Scalar::Void)
      all.insert(all.end(), freed.begin(), freed.end());
    return block(all, body->location);
  }

  StmtPtr returning(const Stmt &s, const std::vector<StmtPtr> &freed) const {
    std::vector<StmtPtr> all;
    ExprPtr value = s.value;
    if (value) {
      auto result = std::make_shared<Var>();
      result->name = "result";
      result->type = scalarType(spectrum_.result.scalar);
      all.push_back(declare(result, cast(spectrum_.result.scalar, value)));
      value = varRef(result);
    }
    all.insert(all.end(), freed.begin(), freed.end());
    all.push_back(returns(value, s.location));
    return block(all);
  }

  const VarPtr &extentOf(const VarPtr &param, unsigned d) {
    auto &known = extents_[{param.get(), d}];
    if (!known) {
      auto v = std::make_shared<Var>();
      v->name = param->name + "_size" + (param->type.rank == 1 ? "" : std::to_string(d));
      v->type = scalarType(Scalar::Index);
      v->kind = VarKind::Param;
      known = v;
    }
    return known;
  }

  ExprPtr onMemory(const ExprPtr &e) {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind == ExprKind::Size)
        return varRef(extentOf(each->args[0]->var, static_cast<unsigned>(each->integer)));
      bool element = each->kind == ExprKind::Index && each->args[0]->kind == ExprKind::Var &&
                     each->args[0]->var->type.rank > 0;
      return element ? elementOf(each) : withEqualSigns(each);
    });
  }

  ExprPtr elementOf(const ExprPtr &e) {
    const VarPtr &container = e->args[0]->var;
    ExprPtr position = cast(Scalar::Index, e->args[1]);
    for (unsigned d = 1; d < container->type.rank; ++d)
      position =
          add(mul(position, varRef(extentOf(container, d))), cast(Scalar::Index, e->args[d + 1]));
    return index(e->args[0], {position}, e->location);
  }

  const Spectrum &spectrum_;
  const Codelet &codelet_;
  std::set<std::string> functions_;
  std::map<std::pair<const Var *, unsigned>, VarPtr> extents_;
};

/// Functions of the C library that floating-point numbers are given to, in a codelet or helper.
void addCalled(const StmtPtr &body, const std::set<std::string> &helpers, MathFunctions &called) {
  forEachExpr(withoutAtomics(body), [&](const Expr &e) {
    if (e.kind == ExprKind::Call && isFloating(e.type.scalar) && !helpers.contains(e.callee) &&
        !isRounding(e.callee))
      called.emplace(e.callee, e.type.scalar);
  });
}

/// Parts of a reference: its codelet, and the functions that the codelet calls.
struct Meaning {
  const Codelet *codelet = nullptr;
  std::vector<const Function *> functions;
  std::set<std::string> names; ///< of the functions
  MathFunctions called;
};

std::variant<Meaning, Refusal> meaningIn(const Program &program, const Spectrum &spectrum) {
  const std::optional<unsigned> first = composer::meaningOf(spectrum);
  if (!first)
    return Refusal{"spectrum " + spectrum.name +
                       " has no autonomous codelet to verify the others against",
                   spectrum.location};
  Meaning meaning;
  meaning.codelet = &spectrum.codelets[*first];
  meaning.functions = calledFunctions(program, meaning.codelet->body);
  for (const Function *function : meaning.functions)
    meaning.names.insert(function->name);
  addCalled(meaning.codelet->body, meaning.names, meaning.called);
  for (const Function *function : meaning.functions)
    addCalled(function->body, meaning.names, meaning.called);
  return meaning;
}

/// The helper functions and the reference, behind the functions that their numbers need.
template <class Printer> std::string functionsText(const Meaning &meaning, const Printer &printer) {
  std::string text;
  std::set<NumberFunction> numberFunctions;
  const auto print = [&](auto what) {
    ReferencePrinter own = printer();
    text += what(own);
    numberFunctions.merge(own.takeNumberFunctions());
  };
  for (const Function *function : meaning.functions)
    print([&](ReferencePrinter &own) { return own.helper(*function); });
  print([](ReferencePrinter &own) { return own.function() + "\n"; });
  return definitionsOf(numberFunctions, cName) + text;
}

std::string commentOf(const Program &program, const Spectrum &spectrum, const Meaning &meaning) {
  return "// What " + escape::comment(spectrum.name) + " means: codelet " +
         escape::comment(meaning.codelet->name() + " of " +
                         std::filesystem::path(program.file).filename().string()) +
         " on one thread";
}

} // namespace

std::variant<ReferenceSource, Refusal> printReference(const Program &program,
                                                      const Spectrum &spectrum) {
  auto found = meaningIn(program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&found))
    return *refusal;
  const Meaning &meaning = std::get<Meaning>(found);
  auto printer = [&] { return ReferencePrinter(spectrum, *meaning.codelet, meaning.names); };
  const std::string text = functionsText(meaning, printer);
  ReferenceSource source;
  source.file = "reference.c";
  source.text = commentOf(program, spectrum, meaning) +
                ".\n#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n";
  const bool usesLibrary =
      text.find("abs(") != std::string::npos || text.find("malloc(") != std::string::npos;
  source.text += usesLibrary ? "#include <stdlib.h>\n\n" : "\n";
  source.text += float128Declarations(meaning.called) + text + printer().plainEntry();
  return source;
}

} // namespace tangram::codegen
