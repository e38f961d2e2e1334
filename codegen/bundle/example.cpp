// A main() that shows how the library is called.
#include "codegen/bundle/example_sizes.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/source.h"

#include "ir/reserved_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Of each extent: small where arrays have several, since temporaries of all workers may, too.
std::uint64_t exampleSize(const Spectrum &spectrum) {
  const bool many = std::any_of(spectrum.params.begin(), spectrum.params.end(),
                                [](const VarPtr &p) { return p->type.rank > 1; });
  return many ? 40 : 1000;
}

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

/// Sizes and first elements that a spectrum's contracts allow.
class Shapes {
public:
  Shapes(const LoweredPlan &plan, const Spectrum &spectrum) : plan_(plan), spectrum_(spectrum) {
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

  /// Of dimension d of the i-th parameter, in C.
  std::string extent(std::size_t i, unsigned d) const { return texts_.at(extentOf(i, d).get()); }

  std::string count(std::size_t i, unsigned rank) const {
    if (rank == 1)
      return extent(i, 0);
    std::string product;
    for (unsigned d = 0; d < rank; ++d)
      product += (d == 0 ? "" : " * ") + factor(extent(i, d));
    return product;
  }

  /// The parameter, a number, in C: 1, or what its contract allows.
  std::string scalar(std::size_t parameter) const {
    for (const DataContract &c : plan_.data) {
      if (c.container == plan_.parameters[parameter] && (c.low->real > 1 || c.high->real <= 1))
        return toString(realLiteral(c.low->real + (c.high->real - c.low->real) / 2));
    }
    return "1";
  }

  /// Element i of the parameter, in C.
  std::string element(std::size_t parameter) const {
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

private:
  const VarPtr &extentOf(std::size_t i, unsigned d) const {
    std::size_t at = d;
    for (std::size_t before = 0; before < i; ++before)
      at += spectrum_.params[before]->type.rank;
    return plan_.extents[at];
  }

  /// What a size mostly is, where that is less than the others: plans may be made for few.
  void takeTypical(const Codelet &codelet, const Typical &said,
                   VariableMap<std::uint64_t> &typical) const {
    if (said.what->kind != ExprKind::Size || said.value >= exampleSize(spectrum_))
      return;
    const auto of =
        std::find(codelet.params.begin(), codelet.params.end(), said.what->args[0]->var);
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

  /// As an operand of * / %.
  static std::string factor(const std::string &text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }

  static std::string oneLess(const std::string &count) {
    return count.ends_with(" + 1") ? count.substr(0, count.size() - 4) : count + " - 1";
  }

  std::string text(const ExprPtr &e) const {
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

  const LoweredPlan &plan_;
  const Spectrum &spectrum_;
  std::map<const Var *, std::string> texts_; ///< of extents and scalar parameters
};

/// Names of the example's variables: a parameter keeps its own unless the library or the example defines or calls it;
/// the example's own variables then get names that are still free.
class Names {
public:
  Names(const LoweredPlan &plan, const Spectrum &spectrum) {
    taken_ = {"i", "SIZE", "main", "printf", "fprintf"};
    for (const std::string &end : interfaceEnds())
      taken_.insert(plan.spectrum + end);
    for (const VarPtr &p : spectrum.params)
      names_.push_back(claimName(p->name, taken_));
  }

  const std::string &of(std::size_t parameter) const { return names_[parameter]; }

  /// The name of a variable that the example declares once; the same for each call.
  std::string own(const std::string &wanted) {
    const auto known = own_.find(wanted);
    return known != own_.end() ? known->second
                               : own_.emplace(wanted, claimName(wanted, taken_)).first->second;
  }

private:
  std::set<std::string> taken_;
  std::vector<std::string> names_;
  std::map<std::string, std::string> own_;
};

/// `text` with the names of the example's own variables in the place of $words.
std::string named(const std::string &text, Names &names) {
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

std::string hostArrays(const Shapes &shapes, const Spectrum &spectrum, const Names &names) {
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

std::string showResult(const LoweredPlan &plan, const Spectrum &spectrum, const Names &names) {
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

/// The call, and what is said where it fails.
std::string checkedCall(const LoweredPlan &plan, const std::string &args) {
  return "  int $status = " + plan.spectrum + "(" + args +
         ");\n  if ($status != 0) {\n    fprintf(stderr, \"" + plan.spectrum + ": %s\\n\", " +
         plan.spectrum + "_message($status));\n    return 1;\n  }\n";
}

/// How the example is built, in a comment: of one line where that is not long.
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

std::string openmpExample(const LoweredPlan &plan, const Spectrum &spectrum,
                          const std::vector<std::string> &sources) {
  Shapes shapes(plan, spectrum);
  Names names(plan, spectrum);
  std::string args;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    args += (args.empty() ? "" : ", ") + names.of(i);
    for (unsigned d = 0; d < p->type.rank; ++d)
      args += ", " + shapes.extent(i, d);
  }
  std::string text =
      buildComment("cc -O3 -march=native -fopenmp example.c", sources, "-lm && ./a.out") +
      "#include \"" + plan.spectrum +
      ".h\"\n\n#include <stdio.h>\n\nenum { SIZE = " + std::to_string(exampleSize(spectrum)) +
      " };\n\nint main(void) {\n" + hostArrays(shapes, spectrum, names);
  if (plan.result) {
    text += "  " + cName(plan.result->type.scalar) + " $result = 0;\n";
    args += ", &$result";
  }
  return named(text + checkedCall(plan, args) + showResult(plan, spectrum, names) +
                   "  return 0;\n}\n",
               names);
}

/// What arrays of a spectrum's types need beside <stdio.h>: the interface of OpenCL names no `bool`.
std::string headerOfBool(const Spectrum &spectrum) {
  const bool hasBool = std::ranges::any_of(
      spectrum.params, [](const VarPtr &p) { return p->type.scalar == Scalar::Bool; });
  return hasBool ? "#include <stdbool.h>\n" : "";
}

std::string openclExample(const LoweredPlan &plan, const Spectrum &spectrum,
                          const std::vector<std::string> &sources) {
  Shapes shapes(plan, spectrum);
  Names names(plan, spectrum);
  std::string text =
      buildComment("cc example.c", sources, "-lOpenCL -pthread && ./a.out") + "#include \"" +
      plan.spectrum +
      ".h\"\n\n" + headerOfBool(spectrum) + "#include <stdio.h>\n\nenum { SIZE = " + std::to_string(exampleSize(spectrum)) +
      " };\n\nint main(void) {\n" + hostArrays(shapes, spectrum, names);
  text +=
      "  cl_platform_id $platform;\n  cl_device_id $device;\n"
      "  if (clGetPlatformIDs(1, &$platform, NULL) != CL_SUCCESS ||\n"
      "      clGetDeviceIDs($platform, CL_DEVICE_TYPE_ALL, 1, &$device, NULL) != CL_SUCCESS) {\n"
      "    fprintf(stderr, \"no OpenCL device\\n\");\n    return 1;\n  }\n"
      "  cl_context $context = clCreateContext(NULL, 1, &$device, NULL, NULL, NULL);\n"
      "  cl_command_queue $queue = clCreateCommandQueue($context, $device, 0, NULL);\n";
  std::string args = "$queue";
  std::string after;
  std::string release;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    if (p->type.rank == 0) {
      args += ", " + names.of(i);
      continue;
    }
    const std::string memory = names.own(p->name + "_memory");
    text += "  cl_mem " + memory +
            " = clCreateBuffer($context, CL_MEM_READ_WRITE | "
            "CL_MEM_COPY_HOST_PTR,\n      sizeof " +
            names.of(i) + ", " + names.of(i) + ", NULL);\n";
    args += ", " + memory;
    for (unsigned d = 0; d < p->type.rank; ++d)
      args += ", " + shapes.extent(i, d);
    if (!p->type.isConst)
      after += "  clEnqueueReadBuffer($queue, " + memory + ", CL_TRUE, 0, sizeof " + names.of(i) +
               ", " + names.of(i) + ", 0, NULL, NULL);\n";
    release += "  clReleaseMemObject(" + memory + ");\n";
  }
  if (plan.result) {
    text += "  " + cName(plan.result->type.scalar) +
            " $result = 0;\n"
            "  cl_mem $result_memory = clCreateBuffer($context, CL_MEM_READ_WRITE, sizeof $result, "
            "NULL, NULL);\n";
    args += ", $result_memory";
    after +=
        "  clEnqueueReadBuffer($queue, $result_memory, CL_TRUE, 0, sizeof $result, &$result, 0, "
        "NULL, NULL);\n";
    release += "  clReleaseMemObject($result_memory);\n";
  }
  text += checkedCall(plan, args) + after + showResult(plan, spectrum, names) + release +
          "  clReleaseCommandQueue($queue);\n  clReleaseContext($context);\n  return 0;\n}\n";
  return named(text, names);
}

} // namespace

std::string printExample(const LoweredPlan &plan, const Spectrum &spectrum,
                         const std::vector<std::string> &sources) {
  return plan.target->hostOnlyLaunches ? openclExample(plan, spectrum, sources)
                                       : openmpExample(plan, spectrum, sources);
}

} // namespace tangram::codegen
