#include "composer/derive/residue_loops.h"

#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestLoop;
using algebra::Polynomial;
using ir::ExprPtr;
using ir::VarPtr;

/// The x below `modulus` with a * x = 1, where the two have no factor in common.
std::int64_t inverse(std::int64_t a, std::int64_t modulus) {
  for (std::int64_t x = 1; x < modulus; ++x) {
    if (((a * x) % modulus + modulus) % modulus == 1 % modulus)
      return x;
  }
  return 0;
}

class LoopsOverResidues {
public:
  LoopsOverResidues(const Nest &nest, const std::vector<Residue> &residues,
                    const SizeParameters &sizes)
      : nest_(nest), residues_(residues), sizes_(sizes) {}

  std::string loops(const MadeSpectrum &made) const {
    std::set<const ir::Var *> opened;
    std::string text;
    unsigned indent = 1;
    for (const Residue &each : residues_) {
      if (!opened.insert(each.residue.get()).second)
        continue;
      const std::string &r = each.residue->name;
      text += indentation(indent++) + "for (unsigned long " + r + " = 0; " + r + " < " +
              divisor(each) + "; ++" + r + ") {\n";
    }
    std::map<const ir::Var *, std::string> arguments;
    for (const Residue &each : residues_) {
      if (each.of.inner >= 0)
        arguments[each.first.get()] = first(each);
      arguments[each.at.get()] = quotientText(each, "(" + value(each) + inFirst(each) + ")");
    }
    for (const auto &[param, size] : sizes_)
      arguments[param.get()] = sourceOf(size);
    std::string call;
    for (const VarPtr &param : made.codelet.params) {
      const auto found = arguments.find(param.get());
      call += (call.empty() ? "" : ", ") + (found != arguments.end()    ? found->second
                                            : param->type.isContainer() ? everyOf(param)
                                                                        : param->name);
    }
    text += indentation(indent) + made.spectrum.name + "(" + call + ");\n";
    while (indent > 1)
      text += indentation(--indent) + "}\n";
    return text;
  }

private:
  const NestLoop &at(int loop) const { return nest_.loops[static_cast<std::size_t>(loop)]; }

  std::string divisor(const Residue &residue) const {
    return sourceOf(nest_.facts.expression(residue.of.divisor));
  }

  std::string signedDivisor(const Residue &residue) const {
    return residue.of.divisor.literal() ? divisor(residue) : "(long)(" + divisor(residue) + ")";
  }

  /// The value in round `residue` of the loop that is cut, and the first one of the loop inside.
  std::string value(const Residue &residue) const {
    const std::string factor = residue.of.a == 1 ? "" : std::to_string(residue.of.a) + " * ";
    const Polynomial more = restOf(residue);
    const std::string r = factor + "(long)" + residue.residue->name;
    return more.isZero() ? r : r + " + " + sourceOf(signedOf(nest_, more));
  }

  Polynomial restOf(const Residue &residue) const {
    return residue.of.inner < 0 ? residue.of.rest
                                : residue.of.rest + at(residue.of.inner).first * residue.of.d;
  }

  /// " - 2 * (long)(first)": what the first round of the loop inside adds to the value.
  std::string inFirst(const Residue &residue) const {
    if (residue.of.inner < 0)
      return "";
    const std::int64_t size = std::abs(residue.of.d);
    return std::string(residue.of.d < 0 ? " - " : " + ") +
           (size == 1 ? "" : std::to_string(size) + " * ") + "(long)(" + first(residue) + ")";
  }

  std::string quotientText(const Residue &residue, const std::string &dividend) const {
    return dividend + " / " + signedDivisor(residue);
  }

  /// The first round p of the loop inside with d * p = -value, modulo the divisor; where there is
  /// none, its number of rounds.
  std::string first(const Residue &residue) const {
    const auto modulus = residue.of.divisor.literal();
    const std::int64_t common =
        modulus ? std::gcd(std::abs(residue.of.d), *modulus) : std::int64_t{1};
    const std::string step = sourceOf(nest_.facts.expression(residue.step));
    const std::string signedStep = residue.step.literal() ? step : "(long)(" + step + ")";
    std::int64_t factor = residue.of.d < 0 ? 1 : -1;
    if (modulus && *modulus / common > 1)
      factor *= inverse(std::abs(residue.of.d) / common, *modulus / common);
    std::string number = "(" + value(residue) + ")";
    if (common > 1)
      number = "(" + number + " / " + std::to_string(common) + ")";
    if (factor != 1)
      number = "(" + std::to_string(factor) + " * " + number + ")";
    const bool isNatural = factor > 0 && residue.of.a > 0 && restOf(residue).hasNoNegativeTerm();
    const std::string round =
        isNatural ? number + " % " + signedStep
                  : "(" + number + " % " + signedStep + " + " + signedStep + ") % " + signedStep;
    if (common == 1)
      return round;
    const NestLoop &inner = at(residue.of.inner);
    return "(" + value(residue) + ") % " + std::to_string(common) + " == 0 ? " + round + " : " +
           "(long)(" + sourceOf(nest_.facts.expression(inner.end - inner.first)) + ")";
  }

  /// Every element of a residue of what is written: "slice(y, r, y.size(0), 0, 2)"; others as they
  /// are.
  std::string everyOf(const VarPtr &container) const {
    std::string text = container->name;
    std::set<const ir::Var *> done;
    for (const Residue &each : residues_) {
      const LoopWindow *window = each.of.loop.windowOf(container.get());
      if (window == nullptr || !done.insert(each.residue.get()).second)
        continue;
      text = "slice(" + text + ", " + each.residue->name + ", " +
             sourceOf(composer::sizeOf(container, window->dimension)) + ", " +
             std::to_string(window->dimension) + ", " + divisor(each) + ")";
    }
    return text;
  }

  const Nest &nest_;
  const std::vector<Residue> &residues_;
  const SizeParameters &sizes_;
};

} // namespace

/// A difference of numbers that are not negative, as one that may be.
ExprPtr signedOf(const Nest &nest, const Polynomial &p) {
  Polynomial added, taken;
  for (const auto &[monomial, coefficient] : p.terms())
    (coefficient > 0 ? added : taken)
        .addTerm(monomial, coefficient > 0 ? coefficient : -coefficient);
  const ExprPtr above = ir::cast(ir::Scalar::I64, nest.facts.expression(added));
  return taken.isZero()
             ? above
             : ir::binary("-", above, ir::cast(ir::Scalar::I64, nest.facts.expression(taken)));
}

std::string loopsOverResidues(const Nest &nest, const std::vector<Residue> &residues,
                              const SizeParameters &sizes, const MadeSpectrum &made) {
  return LoopsOverResidues(nest, residues, sizes).loops(made);
}

} // namespace tangram::composer
