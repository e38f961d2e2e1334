#include "codegen/printing/c_types.h"

#include "escape/escape.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <cctype>

namespace tangram::codegen {

using ir::Scalar;

std::string cName(Scalar type) {
  switch (type) {
  case Scalar::Void:
    return "void";
  case Scalar::Bool:
    return "bool";
  case Scalar::I8:
    return "signed char";
  case Scalar::U8:
    return "unsigned char";
  case Scalar::I16:
    return "short";
  case Scalar::U16:
    return "unsigned short";
  case Scalar::I32:
    return "int";
  case Scalar::U32:
    return "unsigned int";
  case Scalar::I64:
    return "long";
  case Scalar::U64:
    return "unsigned long";
  case Scalar::F16:
    return "_Float16";
  case Scalar::F32:
    return "float";
  case Scalar::F64:
    return "double";
  case Scalar::F128:
    return "__float128";
  case Scalar::Index:
    return "size_t";
  }
  return "int";
}

std::string openclName(Scalar type) {
  switch (type) {
  case Scalar::F16:
    return "half";
  case Scalar::I8:
    return "char";
  case Scalar::U8:
    return "uchar";
  case Scalar::U16:
    return "ushort";
  case Scalar::U32:
    return "uint";
  case Scalar::U64:
  case Scalar::Index:
    return "ulong";
  default:
    return cName(type);
  }
}

std::string numericDefault(const Tunable &tunable) {
  const std::string &text = tunable.defaultValue;
  bool number = !text.empty() && std::all_of(text.begin(), text.end(),
                                             [](unsigned char c) { return std::isdigit(c) != 0; });
  return number ? text
                : std::to_string(tunable.values.empty() ? static_cast<std::int64_t>(tunable.min)
                                                        : tunable.values.front());
}

std::string claimName(const std::string &wanted, std::set<std::string> &taken) {
  std::string name =
      ir::uniqueName(wanted, [&](const std::string &each) { return taken.contains(each); });
  taken.insert(name);
  return name;
}

std::string tunableMacros(const LoweredPlan &plan) {
  std::string text;
  for (const Tunable &tunable : plan.tunables) {
    if (tunable.kind != Tunable::Kind::Compile)
      continue;
    const std::string &name = tunable.var->name;
    text += "// " + escape::comment(tunable.meaning) + "\n#ifndef " + name + "\n#define " + name +
            " " + numericDefault(tunable) + "\n#endif\n";
  }
  return text.empty() ? text : text + "\n";
}

std::string fileComment(const std::string &what, const std::string &spectrum,
                        const std::string &model, const std::vector<std::string> &steps) {
  std::string text =
      "// " + escape::comment(what + " of " + spectrum + ", composed for " + model) + ":\n";
  std::string line = "//  ";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::string word = " " + escape::comment(steps[i]) + (i + 1 < steps.size() ? "," : "");
    if (line.size() + word.size() > 96) {
      text += line + "\n";
      line = "//  ";
    }
    line += word;
  }
  return text + line + "\n";
}

} // namespace tangram::codegen
