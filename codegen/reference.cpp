// The reference: the spectrum's first autonomous codelet as plain C, the container
// a pointer and its sizes, floating point wider than the source says. It shares no
// code with lowering, so that the two can disagree.
//
// For floating point there is a second function, of the magnitudes that rounding
// errors are relative to (codegen/magnitude.h). What it reads back from a container
// it writes has both a value and a magnitude: the values are kept in a copy.
#include "codegen/atomics.h"
#include "codegen/c_printer.h"
#include "codegen/c_types.h"
#include "codegen/index_function.h"
#include "codegen/magnitude.h"
#include "codegen/simplify.h"
#include "codegen/source.h"

#include "composer/sites.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// A container of floating-point values that the codelet writes.
bool isWritten(const Var &param) {
  return param.type.rank > 0 && !param.type.isConst && isFloating(param.type.scalar);
}

class ReferencePrinter : public CPrinter {
public:
  /// `functions`: the names of the helper functions.
  ReferencePrinter(const Spectrum &spectrum, const Codelet &codelet,
                   std::set<std::string> functions)
      : spectrum_(spectrum), codelet_(codelet), body_(withoutAtomics(codelet.body)),
        functions_(std::move(functions)) {}

  std::string value(const std::string &name) {
    StmtPtr body = mapExprs(body_, [&](const ExprPtr &e) { return onMemory(e); });
    return function(name, parameters({}), body);
  }

  /// The magnitudes: each container that is written is followed by that of its magnitudes.
  std::string magnitude(const std::string &name) {
    Magnitudes magnitudes(functions_);
    std::map<const Var *, VarPtr> twins;
    for (const VarPtr &param : codelet_.params) {
      if (!isWritten(*param))
        continue;
      twins[param.get()] = Magnitudes::twinOf(param);
      magnitudes.pair(param, twins[param.get()]);
    }
    std::vector<std::string> all = parameters(twins);
    StmtPtr body = mapExprs(body_, [&](const ExprPtr &e) { return onMemory(e); });
    return function(name, all, magnitudes.body(body, codelet_.params, spectrum_.result.scalar));
  }

  std::string helper(const Function &function) { return functionText(function, "static ") + "\n"; }

  std::string magnitudeHelper(const Function &function) {
    Magnitudes magnitudes(functions_);
    Function twin = function;
    twin.name = Magnitudes::nameOf(function.name);
    for (const VarPtr &param : function.params) {
      if (!isFloating(param->type.scalar))
        continue;
      twin.params.push_back(Magnitudes::twinOf(param));
      magnitudes.pair(param, twin.params.back());
    }
    twin.body = magnitudes.body(function.body, function.params, function.result.scalar);
    return helper(twin);
  }

  /// int NAME(void *const *a): unpacks the arguments (docs/bundle.md).
  std::string entry(const std::string &name, const std::string &function, bool magnitude) const {
    std::vector<std::string> args;
    std::string before;
    std::string after;
    std::size_t position = 0;
    auto argument = [&](const std::string &type) {
      return "*(" + type + " const *)a[" + std::to_string(position++) + "]";
    };
    for (const VarPtr &param : spectrum_.params) {
      if (param->type.rank == 0) {
        args.push_back(argument(cName(param->type.scalar)));
        continue;
      }
      const std::string element =
          param->type.isConst ? "const " + cName(param->type.scalar) : typeName(param->type.scalar);
      const std::string copy = "values_" + std::to_string(position);
      const std::string cells = argument(element + " *");
      std::vector<std::string> extents;
      for (unsigned d = 0; d < param->type.rank; ++d)
        extents.push_back(argument("size_t"));
      if (magnitude && isWritten(*param)) {
        before += copyOf(copy, element, cells, extents, after);
        after += "  free(" + copy + ");\n";
        args.push_back(copy);
      }
      args.push_back(cells);
      args.insert(args.end(), extents.begin(), extents.end());
    }
    std::string call = function + "(";
    for (std::size_t i = 0; i < args.size(); ++i)
      call += (i == 0 ? "" : ",\n      ") + args[i];
    std::string text = "int " + name + "(void *const *a) {\n" + before + "  ";
    if (spectrum_.result.scalar != Scalar::Void)
      text += "**(" + typeName(spectrum_.result.scalar) + " *const *)a[" +
              std::to_string(position) + "] = ";
    return text + call + ");\n" + after + "  return 0;\n}\n";
  }

protected:
  std::string typeName(Scalar type) const override {
    if (type == Scalar::F32)
      return "double";
    return type == Scalar::F64 ? "long double" : cName(type);
  }

  std::string literal(const Expr &e) const override {
    if (!isFloating(e.type.scalar))
      return CPrinter::literal(e);
    Expr wide = e;
    wide.type.scalar = Scalar::F64;
    return CPrinter::literal(wide);
  }

  std::string callText(const Expr &call, const std::vector<std::string> &args) const override {
    Expr renamed = call;
    if (call.callee == "min" || call.callee == "max")
      return "((" + args[1] + (call.callee == "min" ? ") < (" : ") > (") + args[0] + ") ? (" +
             args[1] + ") : (" + args[0] + "))";
    if (call.type.scalar == Scalar::F64 && !isHelper(call.callee))
      renamed.callee += "l";
    return CPrinter::callText(renamed, args);
  }

  void parallel(const Stmt &) override {}
  void barrier(const Stmt &) override {}
  bool hasBraces(const Stmt &) const override { return true; }
  std::string unrollHint(unsigned) const override { return ""; }

private:
  bool isHelper(const std::string &name) const {
    return std::any_of(functions_.begin(), functions_.end(), [&](const std::string &each) {
      return name == each || name == Magnitudes::nameOf(each);
    });
  }

  /// The parameters as written in the head of the function; each container with a twin comes
  /// twice. All have their names from then on.
  std::vector<std::string> parameters(const std::map<const Var *, VarPtr> &twins) {
    std::vector<std::string> written;
    std::set<std::string> names;
    auto named = [&](const Var *var, const std::string &name) {
      names.insert(name);
      setName(var, name);
    };
    for (const VarPtr &param : codelet_.params) {
      named(param.get(), param->name);
      for (unsigned d = 0; d < param->type.rank; ++d)
        named(extentOf(param, d).get(), extentOf(param, d)->name);
    }
    for (const VarPtr &param : codelet_.params) {
      if (param->type.rank == 0) {
        written.push_back(typeName(param->type.scalar) + " " + param->name);
        continue;
      }
      const std::string type =
          param->type.isConst ? "const " + cName(param->type.scalar) : typeName(param->type.scalar);
      written.push_back(type + " *" + param->name);
      if (auto twin = twins.find(param.get()); twin != twins.end()) {
        std::string name = twin->second->name;
        while (names.contains(name))
          name += "_";
        named(twin->second.get(), name);
        written.push_back(type + " *" + name);
      }
      for (unsigned d = 0; d < param->type.rank; ++d)
        written.push_back("size_t " + extentOf(param, d)->name);
    }
    return written;
  }

  std::string function(const std::string &name, const std::vector<std::string> &parameters,
                       const StmtPtr &body) {
    nameVariables(body);
    std::string head = "static " + typeName(spectrum_.result.scalar) + " " + name + "(";
    for (std::size_t i = 0; i < parameters.size(); ++i)
      head += (i == 0 ? "" : ", ") + parameters[i];
    line(head + ") {");
    ++indent_;
    this->body(body);
    --indent_;
    line("}");
    return take();
  }

  /// Statements that keep the values of `cells` in `copy` and leave their magnitudes. `release`:
  /// what frees the copies made before.
  static std::string copyOf(const std::string &copy, const std::string &element,
                            const std::string &cells, const std::vector<std::string> &extents,
                            const std::string &release) {
    const std::string count = "count_of_" + copy;
    std::string text = "  const size_t " + count + " = ";
    for (std::size_t d = 0; d < extents.size(); ++d)
      text += (d == 0 ? "" : " * ") + extents[d];
    text += ";\n  " + element + " *const " + copy + " = malloc(" + count + " * sizeof(" + element +
            ") + 1);\n";
    text += "  if (!" + copy + ") {\n" + release + "    return 2;\n  }\n";
    text += "  for (size_t i = 0; i < " + count + "; ++i) {\n    " + copy + "[i] = (" + cells +
            ")[i];\n    (" + cells + ")[i] = fabsl(" + copy + "[i]);\n  }\n";
    return text;
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
      if (!element)
        return each;
      const VarPtr &container = each->args[0]->var;
      ExprPtr position = cast(Scalar::Index, each->args[1]);
      for (unsigned d = 1; d < container->type.rank; ++d)
        position = add(mul(position, varRef(extentOf(container, d))),
                       cast(Scalar::Index, each->args[d + 1]));
      return index(each->args[0], {position}, each->location);
    });
  }

  const Spectrum &spectrum_;
  const Codelet &codelet_;
  StmtPtr body_;
  std::set<std::string> functions_;
  std::map<std::pair<const Var *, unsigned>, VarPtr> extents_;
};

bool hasFloatingPoint(const Spectrum &spectrum) {
  return isFloating(spectrum.result.scalar) ||
         std::any_of(spectrum.params.begin(), spectrum.params.end(),
                     [](const VarPtr &p) { return isFloating(p->type.scalar); });
}

} // namespace

std::variant<std::string, Refusal> printReference(const Program &program,
                                                  const Spectrum &spectrum) {
  const std::optional<unsigned> meaning = composer::meaningOf(spectrum);
  if (!meaning)
    return Refusal{"spectrum " + spectrum.name +
                       " has no autonomous codelet to verify the others against",
                   spectrum.location};
  const Codelet *found = &spectrum.codelets[*meaning];
  const bool magnitudes = hasFloatingPoint(spectrum);
  const std::vector<const Function *> functions = calledFunctions(program, found->body);
  std::set<std::string> names;
  for (const Function *function : functions)
    names.insert(function->name);
  auto printer = [&] { return ReferencePrinter(spectrum, *found, names); };
  std::string text = "// What " + spectrum.name + " means: codelet " + found->name() + " of " +
                     program.file +
                     " on one thread,\n// floating point in wider precision.\n"
                     "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n" +
                     (magnitudes ? "#include <stdlib.h>\n\n" : "\n");
  for (const Function *function : functions)
    text += printer().helper(*function);
  text += printer().value("reference") + "\n";
  text += printer().entry("tangram_reference", "reference", false);
  if (!magnitudes)
    return text;
  text += "\n// What rounding errors are relative to: a bound of the absolute value of everything "
          "that\n// is computed, beside the values.\n";
  for (const Function *function : functions) {
    if (isFloating(function->result.scalar))
      text += printer().magnitudeHelper(*function);
  }
  text += printer().magnitude("magnitude") + "\n";
  text += printer().entry("tangram_magnitude", "magnitude", true);
  return text;
}

} // namespace tangram::codegen
