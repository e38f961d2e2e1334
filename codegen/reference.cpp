// The reference: the spectrum's first autonomous codelet as plain C, the container
// a pointer and its sizes, floating point wider than the source says. It shares no
// code with lowering, so that the two can disagree.
#include "codegen/c_printer.h"
#include "codegen/c_types.h"
#include "codegen/index_function.h"
#include "codegen/simplify.h"
#include "codegen/source.h"

#include "composer/sites.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

class ReferencePrinter : public CPrinter {
public:
  ReferencePrinter(const Spectrum &spectrum, const Codelet &codelet, bool magnitude)
      : spectrum_(spectrum), codelet_(codelet), magnitude_(magnitude) {}

  std::string function(const std::string &name) {
    StmtPtr body = mapExprs(codelet_.body, [&](const ExprPtr &e) { return onMemory(e); });
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < codelet_.params.size(); ++i) {
      const Var &param = *codelet_.params[i];
      setName(&param, param.name);
      if (param.type.rank == 0) {
        parameters.push_back(typeName(param.type.scalar) + " " + param.name);
        continue;
      }
      std::string type = param.type.isConst ? "const " + cName(param.type.scalar)
                                            : typeName(param.type.scalar);
      parameters.push_back(type + " *" + param.name);
      for (unsigned d = 0; d < param.type.rank; ++d) {
        const VarPtr &extent = extentOf(codelet_.params[i], d);
        setName(extent.get(), extent->name);
        parameters.push_back("size_t " + extent->name);
      }
    }
    nameVariables(body);
    std::string text = "static " + typeName(spectrum_.result.scalar) + " " + name + "(";
    for (std::size_t i = 0; i < parameters.size(); ++i)
      text += (i == 0 ? "" : ", ") + parameters[i];
    line(text + ") {");
    ++indent_;
    this->body(body);
    --indent_;
    line("}");
    return take();
  }

  std::string helper(const Function &function) {
    return functionText(function, "static ") + "\n";
  }

  /// int NAME(void *const *a): unpacks the arguments (docs/bundle.md).
  std::string entry(const std::string &name, const std::string &function) {
    std::vector<std::string> args;
    auto next = [&](const std::string &type) {
      args.push_back("*(" + type + " const *)a[" + std::to_string(args.size()) + "]");
    };
    for (const VarPtr &param : spectrum_.params) {
      if (param->type.rank == 0) {
        next(cName(param->type.scalar));
        continue;
      }
      next((param->type.isConst ? "const " + cName(param->type.scalar)
                                : typeName(param->type.scalar)) + " *");
      for (unsigned d = 0; d < param->type.rank; ++d)
        next("size_t");
    }
    std::string call = function + "(";
    for (std::size_t i = 0; i < args.size(); ++i)
      call += (i == 0 ? "" : ",\n      ") + args[i];
    call += ");\n";
    std::string text = "int " + name + "(void *const *a) {\n  ";
    if (spectrum_.result.scalar != Scalar::Void)
      text += "**(" + typeName(spectrum_.result.scalar) + " *const *)a[" +
              std::to_string(args.size()) + "] = ";
    return text + call + "  return 0;\n}\n";
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
      return "(" + args[1] + (call.callee == "min" ? " < " : " > ") + args[0] + " ? " + args[1] +
             " : " + args[0] + ")";
    if (call.type.scalar == Scalar::F64)
      renamed.callee += "l";
    return CPrinter::callText(renamed, args);
  }

  void parallel(const Stmt &) override {}
  void barrier(const Stmt &) override {}
  bool hasBraces(const Stmt &) const override { return true; }
  std::string unrollHint(unsigned) const override { return ""; }

private:
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
      ExprPtr load = index(each->args[0], {position}, each->location);
      bool absolute = magnitude_ && container->type.isConst && isFloating(container->type.scalar);
      return absolute ? call("fabs", scalarType(container->type.scalar), {load}) : load;
    });
  }

  const Spectrum &spectrum_;
  const Codelet &codelet_;
  bool magnitude_;
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
  auto found = std::find_if(spectrum.codelets.begin(), spectrum.codelets.end(),
                            [](const Codelet &c) {
                              return !c.cooperative && !composer::isCompound(c);
                            });
  if (found == spectrum.codelets.end())
    return Refusal{"spectrum " + spectrum.name +
                       " has no autonomous codelet to verify the others against",
                   spectrum.location};
  std::string text = "// What " + spectrum.name + " means: codelet " + found->name() + " of " +
                     program.file + " on one thread,\n// floating point in wider precision.\n"
                     "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n\n";
  for (const Function *function : calledFunctions(program, found->body))
    text += ReferencePrinter(spectrum, *found, false).helper(*function);
  text += ReferencePrinter(spectrum, *found, false).function("reference") + "\n";
  ReferencePrinter entries(spectrum, *found, false);
  text += entries.entry("tangram_reference", "reference");
  if (hasFloatingPoint(spectrum)) {
    text += "\n// The same on absolute values: what rounding errors are relative to.\n";
    text += ReferencePrinter(spectrum, *found, true).function("magnitude") + "\n";
    text += entries.entry("tangram_magnitude", "magnitude");
  }
  return text;
}

} // namespace tangram::codegen
