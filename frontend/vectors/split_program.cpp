#include "frontend/lowering/constants.h"
#include "frontend/vectors/split_body.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tangram::frontend {

namespace {

bool hasVectors(const std::vector<ir::VarPtr> &params, const ir::StmtPtr &body) {
  bool found = std::ranges::any_of(params, [](const auto &param) { return param->type.lanes > 1; });
  ir::forEach(body, [&](const ir::Stmt &s) { found |= s.var && s.var->type.lanes > 1; });
  ir::forEachExpr(body, [&](const ir::Expr &e) { found |= e.type.lanes > 1; });
  return found;
}

bool hasVectors(const ir::Program &program) {
  for (const ir::Spectrum &spectrum : program.spectrums) {
    if (spectrum.result.lanes > 1 || hasVectors(spectrum.params, nullptr))
      return true;
    for (const ir::Codelet &codelet : spectrum.codelets) {
      if (hasVectors(codelet.params, codelet.body))
        return true;
    }
  }
  return std::ranges::any_of(program.functions, [](const ir::Function &f) {
    return f.result.lanes > 1 || hasVectors(f.params, f.body);
  });
}

/// The container that `spectrum`, of this result and these parameters, returns its vector in.
ir::VarPtr resultContainer(const std::string &spectrum, const ir::Type &result,
                           const std::vector<ir::VarPtr> &params, const ir::SourceLocation &place) {
  ir::Var var;
  var.name = spectrum.substr(0, spectrum.find('<')) + "_result";
  while (std::ranges::any_of(params, [&](const ir::VarPtr &p) { return p->name == var.name; }))
    var.name += "_";
  var.kind = ir::VarKind::Param;
  var.location = place;
  var.type = ir::scalarType(result.scalar);
  var.type.rank = 1;
  return std::make_shared<const ir::Var>(std::move(var));
}

/// `body` after `result` is said to have as many elements as the vector has components.
ir::StmtPtr withResult(const ir::StmtPtr &body, const ir::VarPtr &result, unsigned lanes) {
  const ir::SourceLocation &place = result->location;
  const ir::ExprPtr size = ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index),
                                    {ir::varRef(result, place)}, place);
  std::vector<ir::StmtPtr> statements{ir::require(
      ir::binary("==", size, integerAt(lanes, ir::Scalar::Index, place), place), place)};
  statements.insert(statements.end(), body->children.begin(), body->children.end());
  return ir::withChildren(body, std::move(statements));
}

void splitCodelet(const VectorProgram &program, const ir::Type &returned, ir::Codelet &codelet,
                  ir::Diagnostics &diagnostics) {
  BodySplitter splitter(program, diagnostics);
  codelet.params = splitter.parameters(codelet.params);
  const ir::VarPtr result = returned.lanes > 1 ? resultContainer(codelet.spectrum, returned,
                                                                 codelet.params, codelet.location)
                                               : nullptr;
  codelet.body = splitter.codelet(codelet.body, codelet.cooperative, result);
  for (ir::Typical &said : codelet.typical)
    said = splitter.typical(said);
  if (!result)
    return;
  codelet.params.push_back(result);
  codelet.body = withResult(codelet.body, result, returned.lanes);
}

void splitSpectrum(const VectorProgram &program, ir::Spectrum &spectrum,
                   ir::Diagnostics &diagnostics) {
  for (ir::Codelet &codelet : spectrum.codelets)
    splitCodelet(program, spectrum.result, codelet, diagnostics);
  spectrum.params = BodySplitter(program, diagnostics).parameters(spectrum.params);
  if (spectrum.result.lanes == 1)
    return;
  spectrum.params.push_back(
      resultContainer(spectrum.name, spectrum.result, spectrum.params, spectrum.location));
  spectrum.result = ir::scalarType(ir::Scalar::Void);
}

/// The names of the functions that give the components of what `f` gives: "f_x", ...
std::vector<std::string> namesOfComponents(const ir::Program &program, const ir::Function &f) {
  std::vector<std::string> names;
  for (unsigned k = 0; k < f.result.lanes; ++k) {
    std::string name = f.name + "_" + componentName(k);
    auto isTaken = [&](const std::string &wanted) {
      return program.spectrum(wanted) != nullptr ||
             std::ranges::any_of(program.functions,
                                 [&](const ir::Function &other) { return other.name == wanted; });
    };
    while (isTaken(name))
      name += "_";
    names.push_back(std::move(name));
  }
  return names;
}

/// Notes which spectrums are given vectors, or containers of vectors.
void tellSpectrums(const ir::Program &program, WrittenSource &source) {
  for (const ir::Spectrum &spectrum : program.spectrums) {
    if (isVector(spectrum.result) ||
        std::ranges::any_of(spectrum.params, [](const auto &p) { return isVector(p->type); }))
      source.ofVectors.insert(spectrum.name);
    else if (hasVectors(spectrum.params, nullptr))
      std::ranges::transform(spectrum.params, std::back_inserter(source.components[spectrum.name]),
                             [](const ir::VarPtr &p) { return p->type.lanes; });
  }
}

void splitFunction(const VectorProgram &program, const ir::Function &f,
                   ir::Diagnostics &diagnostics, WrittenSource &source,
                   std::vector<ir::Function> &into) {
  VectorFunction told{f.name, {}, f.result, 0};
  for (const ir::VarPtr &param : f.params)
    told.params.push_back(param->type);
  for (unsigned k = 0; k < f.result.lanes; ++k) {
    BodySplitter splitter(program, diagnostics);
    ir::Function made = f;
    if (f.result.lanes > 1)
      made.name = program.componentFunctions.at(f.name)[k];
    if (f.result.lanes > 1 || hasVectors(f.params, nullptr)) {
      told.component = k;
      source.vectorFunctions[made.name] = told;
    }
    made.result = ir::scalarType(f.result.scalar);
    made.params = splitter.parameters(f.params);
    made.body = splitter.function(f.body, k);
    into.push_back(std::move(made));
  }
}

} // namespace

ir::Program splitVectors(ir::Program program, ir::Diagnostics &diagnostics, WrittenSource &source) {
  if (!hasVectors(program))
    return program;
  tellSpectrums(program, source);
  const ir::Program original = program;
  VectorProgram vectors{original, {}};
  for (const ir::Function &f : original.functions) {
    if (f.result.lanes > 1)
      vectors.componentFunctions[f.name] = namesOfComponents(original, f);
  }
  program.functions.clear();
  for (const ir::Function &f : original.functions)
    splitFunction(vectors, f, diagnostics, source, program.functions);
  for (ir::Spectrum &spectrum : program.spectrums)
    splitSpectrum(vectors, spectrum, diagnostics);
  return program;
}

} // namespace tangram::frontend
