#include "codegen/printing/example.h"

#include "codegen/printing/c_types.h"
#include "codegen/printing/example_sizes.h"
#include "codegen/printing/source.h"

#include "ir/reserved_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string printfFormat(Scalar type) {
  if (isFloating(type))
    return "%g";
  return isSigned(type) ? "%ld" : "%lu";
}

std::string printfType(Scalar type) {
  if (isFloating(type))
    return "double";
  return isSigned(type) ? "long" : "unsigned long";
}

} // namespace

std::uint64_t exampleSize(const Spectrum &spectrum) {
  const bool many = std::any_of(spectrum.params.begin(), spectrum.params.end(),
                                [](const VarPtr &p) { return p->type.rank > 1; });
  return many ? 40 : 1000;
}

ExampleShapes::ExampleShapes(const LoweredPlan &plan, const Spectrum &spectrum)
    : plan_(plan), spectrum_(spectrum) {
  VariableMap<std::uint64_t> typical;
  for (const Codelet &codelet : spectrum.codelets) {
    for (const Typical &said : codelet.typical)
      takeTypical(codelet, said, typical);
  }
  const std::uint64_t usual = exampleSize(spectrum);
  for (const auto &[extent, size] : exampleSizes(plan, usual, typical, 1))
    texts_[extent.get()] = size == usual ? "SIZE" : std::to_string(size);
  for (const VarPtr &p : spectrum.params) {
    if (p->type.rank == 0)
      texts_[p.get()] = "1";
  }
  for (const ShapeContract &c : contractsInOrder(plan))
    texts_[c.extent.get()] = text(c.equals);
}

std::string ExampleShapes::count(std::size_t i, unsigned rank) const {
  if (rank == 1)
    return extent(i, 0);
  std::string product;
  for (unsigned d = 0; d < rank; ++d)
    product += (d == 0 ? "" : " * ") + factor(extent(i, d));
  return product;
}

std::string ExampleShapes::scalar(std::size_t parameter) const {
  for (const DataContract &c : plan_.data) {
    if (c.container == plan_.parameters[parameter] && (c.low->real > 1 || c.high->real <= 1))
      return toString(realLiteral(c.low->real + (c.high->real - c.low->real) / 2));
  }
  return "1";
}

std::string ExampleShapes::element(std::size_t parameter) const {
  for (const DataContract &c : plan_.data) {
    if (c.container != plan_.parameters[parameter])
      continue;
    if (isFloating(c.low->type.scalar))
      return toString(c.low) + " + i % 7 * " +
             toString(realLiteral((c.high->real - c.low->real) / 7));
    std::string low = text(c.low);
    std::string start = low == "0" ? "" : factor(low) + " + ";
    std::string room = factor(text(c.high)) + (low == "0" ? "" : " - " + factor(low));
    room = factor(room);
    if (c.kind == "ascending")
      return start + "i * " + room + " / " + factor(oneLess(count(parameter, 1)));
    return start + "i % " + room;
  }
  return "i % 7";
}

const VarPtr &ExampleShapes::extentOf(std::size_t i, unsigned d) const {
  std::size_t at = d;
  for (std::size_t before = 0; before < i; ++before)
    at += spectrum_.params[before]->type.rank;
  return plan_.extents[at];
}

void ExampleShapes::takeTypical(const Codelet &codelet, const Typical &said,
                                VariableMap<std::uint64_t> &typical) const {
  if (said.what->kind != ExprKind::Size || said.value >= exampleSize(spectrum_))
    return;
  const auto of = std::find(codelet.params.begin(), codelet.params.end(), said.what->args[0]->var);
  if (of == codelet.params.end())
    return;
  const auto i = static_cast<std::size_t>(of - codelet.params.begin());
  const VarPtr &extent = extentOf(i, static_cast<unsigned>(said.what->integer));
  if (!typical.emplace(extent, said.value).second)
    return; // the first counts
  for (const ShapeContract &c : plan_.shape) {
    if (c.extent == extent && c.equals->kind == ExprKind::Var)
      typical[c.equals->var] = said.value;
  }
}

std::string ExampleShapes::factor(const std::string &text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

std::string ExampleShapes::oneLess(const std::string &count) {
  return count.ends_with(" + 1") ? count.substr(0, count.size() - 4) : count + " - 1";
}

std::string ExampleShapes::text(const ExprPtr &e) const {
  const ExprPtr known = rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
    auto text = each->kind == ExprKind::Var ? texts_.find(each->var.get()) : texts_.end();
    if (text == texts_.end())
      return each;
    Var named = *each->var;
    named.name = factor(text->second);
    return varRef(std::make_shared<Var>(named));
  });
  return replaced(toString(known), "(index)", "(size_t)");
}

ExampleNames::ExampleNames(const LoweredPlan &plan, const Spectrum &spectrum) {
  taken_ = {"i", "SIZE", "main", "printf", "fprintf"};
  for (const std::string &end : interfaceEnds())
    taken_.insert(plan.spectrum + end);
  for (const VarPtr &p : spectrum.params)
    names_.push_back(claimName(p->name, taken_));
}

std::string ExampleNames::own(const std::string &wanted) {
  const auto known = own_.find(wanted);
  return known != own_.end() ? known->second
                             : own_.emplace(wanted, claimName(wanted, taken_)).first->second;
}

std::string named(const std::string &text, ExampleNames &names) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    result += names.own(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return result;
}

std::string hostArrays(const ExampleShapes &shapes, const Spectrum &spectrum,
                       const ExampleNames &names) {
  std::string text;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    if (p->type.rank == 0) {
      text +=
          "  const " + cName(p->type.scalar) + " " + names.of(i) + " = " + shapes.scalar(i) + ";\n";
      continue;
    }
    std::string type = cName(p->type.scalar);
    std::string count = shapes.count(i, p->type.rank);
    text += "  static " + type + " " + names.of(i) + "[" + count + "];\n";
    text += "  for (size_t i = 0; i < " + count + "; ++i)\n    " + names.of(i) + "[i] = (" + type +
            ")(" + shapes.element(i) + ");\n";
  }
  return text;
}

std::string showResult(const LoweredPlan &plan, const Spectrum &spectrum,
                       const ExampleNames &names) {
  if (plan.result)
    return "  printf(\"" + plan.spectrum + " = " + printfFormat(plan.result->type.scalar) +
           "\\n\", (" + printfType(plan.result->type.scalar) + ")$result);\n";
  std::string text;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    if (p->type.rank > 0 && !p->type.isConst)
      text += "  printf(\"" + p->name + "[0] = " + printfFormat(p->type.scalar) + "\\n\", (" +
              printfType(p->type.scalar) + ")" + names.of(i) + "[0]);\n";
  }
  return text;
}

std::string checkedCall(const LoweredPlan &plan, const std::string &args) {
  return "  int $status = " + plan.spectrum + "(" + args +
         ");\n  if ($status != 0) {\n    fprintf(stderr, \"" + plan.spectrum + ": %s\\n\", " +
         plan.spectrum + "_message($status));\n    return 1;\n  }\n";
}

std::string buildComment(const std::string &command, const std::vector<std::string> &sources,
                         const std::string &rest) {
  std::string text;
  std::string line = command;
  for (std::size_t i = 0; i <= sources.size(); ++i) {
    const std::string word = " " + (i < sources.size() ? sources[i] : rest);
    if (line.size() + word.size() > 94) {
      text += line + " \\\n";
      line = "      ";
    }
    line += word;
  }
  return text.empty() ? "// " + line + "\n" : "/* " + text + line + " */\n";
}

} // namespace tangram::codegen
