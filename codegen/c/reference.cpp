// The reference: the spectrum's first autonomous codelet as plain C, the container
// a pointer and its sizes. It shares no code with lowering, so that the two can disagree.
//
// With tracked numbers it is C++, whose numbers know more than their value
// (codegen/c/tracked_numbers.h): one function, and an entry for each thing that is asked of it.
#include "algebra/simplify.h"
#include "codegen/c/c_printer.h"
#include "codegen/c/c_types.h"
#include "codegen/c/call_arguments.h"
#include "codegen/c/float128.h"
#include "codegen/c/source.h"
#include "codegen/c/tracked_numbers.h"
#include "codegen/c/wrap_around.h"
#include "codegen/kernel/atomics.h"
#include "codegen/kernel/index_function.h"
#include "codegen/lockstep/resolve_views.h"

#include "composer/analysis/sites.h"
#include "escape/escape.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// A container of floating-point values that the codelet writes.
bool isWritten(const Var &param) {
  return param.type.rank > 0 && !param.type.isConst && isFloating(param.type.scalar);
}

bool comparesFloatingPoint(const ExprPtr &condition) {
  return contains(condition, [](const Expr &e) {
    return e.kind == ExprKind::Binary && e.type.scalar == Scalar::Bool &&
           (isFloating(e.args[0]->type.scalar) || isFloating(e.args[1]->type.scalar));
  });
}

/// Whether `e` can be evaluated where `condition` was, whichever way it went: it reads no other
/// elements, and divides by nothing.
bool isSafe(const ExprPtr &e, const ExprPtr &condition) {
  return !contains(e, [&](const Expr &part) {
    if (part.kind == ExprKind::Index)
      return !contains(condition, [&](const Expr &read) {
        return sameExpr(std::make_shared<const Expr>(read), std::make_shared<const Expr>(part));
      });
    return part.kind == ExprKind::Call ||
           (part.kind == ExprKind::Binary && (part.op == "/" || part.op == "%"));
  });
}

/// C++ does not mix a number of ours with others as C does: operands get the type they are
/// computed in.
ExprPtr withConversions(const ExprPtr &e) {
  auto all = [&](Scalar type, std::size_t from) {
    std::vector<ExprPtr> args = e->args;
    for (std::size_t i = from; i < args.size(); ++i)
      args[i] = cast(type, args[i]);
    return withArgs(e, std::move(args));
  };
  if (e->kind == ExprKind::Binary && e->op.isComparison()) {
    Scalar type = commonScalar(e->args[0]->type.scalar, e->args[1]->type.scalar);
    return isFloating(type) ? all(type, 0) : e;
  }
  if (!isFloating(e->type.scalar))
    return e;
  if (e->kind == ExprKind::Select)
    return all(e->type.scalar, 1);
  return e->kind == ExprKind::Binary || e->kind == ExprKind::Call ? all(e->type.scalar, 0) : e;
}

class ReferencePrinter : public CPrinter {
public:
  /// `functions`: the names of the helper functions.
  ReferencePrinter(const Spectrum &spectrum, const Codelet &codelet,
                   std::set<std::string> functions, bool tracked)
      : spectrum_(spectrum), codelet_(codelet), functions_(std::move(functions)),
        tracked_(tracked) {}

  std::string function() {
    std::vector<std::string> parameters = this->parameters();
    StmtPtr body = prepared(codelet_.body, spectrum_.result.scalar);
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
    own.body = prepared(function.body, function.result.scalar);
    return functionText(own, "static ") + "\n";
  }

  /// int tangram_reference(void *const *a): unpacks the arguments (docs/bundle.md).
  std::string plainEntry() const {
    CallArguments arguments(spectrum_, [&](const Var &v) { return element(v); });
    std::string call = callOf(arguments, {});
    if (spectrum_.result.scalar != Scalar::Void)
      call = "**(" + typeName(spectrum_.result.scalar) + " *const *)" + arguments.cell() + " = " +
             call;
    return "int tangram_reference(void *const *a) {\n  " + call + ";\n  return 0;\n}\n";
  }

  /// The same of what knows more than its value: `part` is chosen by the caller.
  std::string trackedEntries() const {
    CallArguments arguments(spectrum_, [&](const Var &v) {
      return isWritten(v) ? wideName(v.type.scalar) : element(v);
    });
    std::map<const Var *, std::string> copies;
    std::string before, after, release;
    for (const CallArguments::Parameter &p : arguments.parameters) {
      if (!isWritten(*p.variable))
        continue;
      const std::string name = "numbers_" + std::to_string(copies.size());
      const std::string type = typeName(p.variable->type.scalar);
      copies[p.variable.get()] = name;
      before += "  const size_t count_of_" + name + " = ";
      for (std::size_t d = 0; d < p.extents.size(); ++d)
        before += (d == 0 ? "" : " * ") + p.extents[d];
      before += ";\n  " + type + " *const " + name + " = (" + type + " *)malloc(count_of_" + name +
                " * sizeof(" + type + ") + 1);\n  if (!" + name + ") {\n" + release +
                "    return 2;\n  }\n  for (size_t i = 0; i < count_of_" + name + "; ++i)\n    " +
                name + "[i] = " + type + "((" + p.value + ")[i]);\n";
      after += "  for (size_t i = 0; i < count_of_" + name + "; ++i)\n    (" + p.value +
               ")[i] = tangram_part(" + name + "[i], part);\n  free(" + name + ");\n";
      release += "    free(" + name + ");\n";
    }
    std::string call = callOf(arguments, copies);
    const Scalar result = spectrum_.result.scalar;
    if (isFloating(result))
      call = "**(" + wideName(result) + " *const *)" + arguments.cell() + " = tangram_part(" +
             call + ", part)";
    else if (result != Scalar::Void)
      call = "**(" + typeName(result) + " *const *)" + arguments.cell() + " = " + call;
    std::string text =
        "enum tangram_parts { tangram_values, tangram_magnitudes, tangram_depths };\n\n"
        "template <class Number> static auto tangram_part(const Number &x, tangram_parts part) {\n"
        "  return part == tangram_values       ? x.wide\n"
        "         : part == tangram_magnitudes ? x.magnitude\n"
        "                                      : (decltype(x.wide))x.roundings;\n}\n\n"
        "static int tangram_compute(void *const *a, tangram_parts part) {\n" +
        before + "  " + call + ";\n" + after + "  return 0;\n}\n\n";
    for (auto [entry, part] :
         {std::pair("reference", "values"), {"magnitude", "magnitudes"}, {"roundings", "depths"}})
      text += std::string("extern \"C\" int tangram_") + entry +
              "(void *const *a) { return tangram_compute(a, tangram_" + part + "); }\n";
    return text;
  }

protected:
  std::string typeName(Scalar type) const override {
    if (!tracked_)
      return cName(type);
    if (type == Scalar::F32)
      return "tangram_float";
    return type == Scalar::F64 ? "tangram_double" : cName(type);
  }

  std::string literal(const Expr &e) const override {
    if (!tracked_ || !isFloating(e.type.scalar))
      return CPrinter::literal(e);
    // Without <math.h>, whose names are those of functions that may be here.
    const std::string number = std::isnan(e.real) ? "__builtin_nan(\"\")"
                               : std::isinf(e.real)
                                   ? (e.real > 0 ? "__builtin_inf()" : "-__builtin_inf()")
                                   : CPrinter::literal(e);
    return typeName(e.type.scalar) + "(" + number + ")";
  }

  std::string callText(const Expr &call, const std::vector<std::string> &args) const override {
    Expr renamed = call;
    if (tracked_ && isFloating(call.type.scalar)) {
      if (!functions_.contains(call.callee))
        renamed.callee = trackedFunction(call.callee);
    } else if (call.callee == "min" || call.callee == "max") {
      return "((" + args[1] + (call.callee == "min" ? ") < (" : ") > (") + args[0] + ") ? (" +
             args[1] + ") : (" + args[0] + "))";
    } else if (functions_.contains(call.callee)) {
      return CPrinter::callText(call, args);
    } else if (isFloating(call.type.scalar)) {
      renamed.callee = libraryName(call.callee, call.type.scalar);
    } else if (call.callee == "abs") {
      renamed.callee = absoluteName(call.type.scalar);
    }
    return CPrinter::callText(renamed, args);
  }

  std::string saturated(const Expr &cast, const std::string &operand) const override {
    const Scalar from = cast.args[0]->type.scalar;
    return CPrinter::saturated(cast, tracked_ ? "(" + cName(from) + ")(" + operand + ")" : operand);
  }

  void parallel(const Stmt &) override {}
  void barrier(const Stmt &) override {}
  bool hasBraces(const Stmt &) const override { return true; }
  std::string unrollHint(unsigned) const override { return ""; }

private:
  static std::string wideName(Scalar type) {
    return type == Scalar::F32 ? "double" : "long double";
  }

  /// As the caller has it: inputs are numbers of C.
  std::string element(const Var &v) const {
    return (v.type.rank > 0 && v.type.isConst ? "const " : "") + cName(v.type.scalar);
  }

  static std::string callOf(const CallArguments &arguments,
                            const std::map<const Var *, std::string> &copies) {
    std::string call = "reference(";
    for (const CallArguments::Parameter &p : arguments.parameters) {
      auto copy = copies.find(p.variable.get());
      call += (&p == arguments.parameters.data() ? "" : ",\n      ") +
              (copy == copies.end() ? p.value : copy->second);
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

  /// A body on flat memory, for one thread, in expressions that C++ takes.
  StmtPtr prepared(const StmtPtr &body, Scalar result) {
    StmtPtr flat =
        mapExprs(withoutAtomics(resolveViews(body)), [&](const ExprPtr &e) { return onMemory(e); });
    if (tracked_)
      flat = rewrite(flat, [&](const StmtPtr &s) { return converted(s, result); });
    return withWrapAround(flat, Dialect::C);
  }

  /// Values of what assigns, declares and returns floating-point numbers are such numbers.
  static StmtPtr converted(const StmtPtr &s, Scalar result) {
    if (!s->value)
      return s;
    auto copy = std::make_shared<Stmt>(*s);
    switch (s->kind) {
    case StmtKind::Decl:
      if (isFloating(s->var->type.scalar))
        copy->value = cast(s->var->type.scalar, s->value);
      return copy;
    case StmtKind::Return:
      if (isFloating(result))
        copy->value = cast(result, s->value);
      return copy;
    case StmtKind::Assign: {
      const Scalar target = s->target->type.scalar;
      if (isFloating(s->value->type.scalar) && s->op != "=" && s->value->type.scalar != target) {
        copy->value = withConversions(binary(s->op.withoutAssignment(), s->target, s->value));
        copy->op = "=";
      }
      if (isFloating(target) || isFloating(copy->value->type.scalar))
        copy->value = cast(target, copy->value);
      return copy;
    }
    default:
      return s;
    }
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
      if (element)
        return elementOf(each);
      if (!tracked_)
        return each;
      if (each->kind == ExprKind::Select && isFloating(each->type.scalar) &&
          comparesFloatingPoint(each->args[0]) && isSafe(each->args[1], each->args[0]) &&
          isSafe(each->args[2], each->args[0]))
        return call("choose", each->type,
                    {each->args[0], cast(each->type.scalar, each->args[1]),
                     cast(each->type.scalar, each->args[2])});
      return functions_.contains(each->callee) ? each : withConversions(each);
    });
  }

  ExprPtr elementOf(const ExprPtr &e) {
    const VarPtr &container = e->args[0]->var;
    ExprPtr position = cast(Scalar::Index, e->args[1]);
    for (unsigned d = 1; d < container->type.rank; ++d)
      position =
          add(mul(position, varRef(extentOf(container, d))), cast(Scalar::Index, e->args[d + 1]));
    ExprPtr cell = index(e->args[0], {position}, e->location);
    if (!tracked_ || !container->type.isConst || !isFloating(container->type.scalar))
      return cell;
    // An input is a number of C.
    auto number = std::make_shared<Expr>();
    number->kind = ExprKind::Cast;
    number->type = scalarType(container->type.scalar);
    number->args = {cell};
    number->location = e->location;
    return number;
  }

  const Spectrum &spectrum_;
  const Codelet &codelet_;
  std::set<std::string> functions_;
  bool tracked_;
  std::map<std::pair<const Var *, unsigned>, VarPtr> extents_;
};

/// Of types and calls anywhere in a codelet and its helpers.
struct FloatingPoint {
  bool used = false;
  std::set<std::string> functions; ///< of the library
  MathFunctions called;            ///< the same with their types

  void look(const StmtPtr &body, const std::set<std::string> &helpers) {
    forEach(body, [&](const Stmt &s) { used |= s.var && isFloating(s.var->type.scalar); });
    forEachExpr(withoutAtomics(body), [&](const Expr &e) {
      used |= isFloating(e.type.scalar);
      if (e.kind == ExprKind::Call && isFloating(e.type.scalar) && !helpers.contains(e.callee)) {
        functions.insert(e.callee);
        called.emplace(e.callee, e.type.scalar);
      }
    });
  }
};

/// What a reference is made of.
struct Meaning {
  const Codelet *codelet = nullptr;
  std::vector<const Function *> functions;
  std::set<std::string> names; ///< of the functions
  FloatingPoint floating;
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
  meaning.floating.used = isFloating(spectrum.result.scalar);
  for (const VarPtr &param : spectrum.params)
    meaning.floating.used |= isFloating(param->type.scalar);
  meaning.floating.look(meaning.codelet->body, meaning.names);
  for (const Function *function : meaning.functions)
    meaning.floating.look(function->body, meaning.names);
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
  auto printer = [&] { return ReferencePrinter(spectrum, *meaning.codelet, meaning.names, false); };
  const std::string text = functionsText(meaning, printer);
  ReferenceSource source;
  source.file = "reference.c";
  source.text = commentOf(program, spectrum, meaning) +
                ".\n#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n";
  source.text += text.find("abs(") != std::string::npos ? "#include <stdlib.h>\n\n" : "\n";
  source.text += float128Declarations(meaning.floating.called) + text + printer().plainEntry();
  return source;
}

std::variant<ReferenceSource, Refusal> printTrackedReference(const Program &program,
                                                             const Spectrum &spectrum) {
  auto found = meaningIn(program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&found))
    return *refusal;
  const Meaning &meaning = std::get<Meaning>(found);
  if (!meaning.floating.used)
    return printReference(program, spectrum);
  auto printer = [&] { return ReferencePrinter(spectrum, *meaning.codelet, meaning.names, true); };
  ReferenceSource source;
  source.file = "reference.cpp";
  source.text = commentOf(program, spectrum, meaning) +
                ",\n// floating point in wider precision.\n#include <stddef.h>\n#include "
                "<stdlib.h>\n\n" +
                trackedNumbers(meaning.floating.functions);
  source.text += functionsText(meaning, printer) + printer().trackedEntries();
  return source;
}

} // namespace tangram::codegen
