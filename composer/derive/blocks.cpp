#include "composer/derive/blocks.h"

#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <functional>

namespace tangram::composer {

namespace {

using ir::StmtKind;
using ir::StmtPtr;

/// The map of the form's spectrum over blocks of a loop.
std::string mapOver(const LoopForm &form, const LoopForm::Loop &loop, bool byCount,
                    const std::string &number) {
  const std::string rounds = sourceOf(roundsOf(loop.blocked.written));
  std::string text = (loop.blocked.isSum ? "fold(" : "map(") + form.spectrum;
  for (const ir::VarPtr &param : form.params) {
    text += ", ";
    if (const LoopWindow *window = loop.blocked.windowOf(param.get()); window != nullptr)
      text += blocksOf(*window, param->name, byCount, number);
    else if (param == loop.origin && byCount)
      text += "sequence(" + param->name + ", (" + rounds + " + " + number + " - 1) / " + number +
              ", " + param->name + " + " + rounds + " + " + number + ")";
    else if (param == loop.origin)
      text += "sequence(" + param->name + ", " + number + ", " + param->name + " + " + rounds + ")";
    else
      text += param->type.isContainer() ? "all(" + param->name + ")" : param->name;
  }
  return text + ")";
}

std::string freshName(const LoopForm &form, const std::string &wanted) {
  return ir::uniqueName(wanted, [&](const std::string &name) {
    bool taken = std::ranges::any_of(form.params, [&](const auto &p) { return p->name == name; });
    ir::forEach(form.body, [&](const ir::Stmt &s) { taken |= s.var && s.var->name == name; });
    return taken;
  });
}

algebra::NestReason apartReason(const LoopForm::Loop &loop, const ir::SourceLocation &location) {
  if (loop.blocked.shared)
    return {"the rounds of loop " + loop.name + " update elements of '" +
                loop.blocked.shared->name + "', in whatever order",
            location};
  return {"the rounds of loop " + loop.name + " touch different elements of '" +
              loop.blocked.written.array->name + "'",
          location};
}

ir::SourceLocation placeOf(const LoopForm &form, const LoopForm::Loop &loop) {
  ir::SourceLocation place;
  ir::forEach(form.body, [&](const ir::Stmt &s) {
    if (s.kind == StmtKind::For && s.children[0] && s.children[0]->var == loop.counter)
      place = s.location;
  });
  return place;
}

/// The loop that is all of `s`; null where there is more.
const ir::Stmt *onlyLoop(const StmtPtr &s) {
  const ir::Stmt *at = onlyStatement(s);
  return at->kind == StmtKind::For ? at : nullptr;
}

} // namespace

std::string blocksOf(const LoopWindow &window, const std::string &array, bool byCount,
                     const std::string &number) {
  const bool isColumns = window.dimension == 1 && window.step == 1;
  std::string name =
      byCount ? (isColumns ? "cols" : "rows") : (isColumns ? "col_chunks" : "chunks");
  std::string text = name + "(" + array + ", " + number;
  const bool asIs = isColumns || (window.dimension == 0 && window.step == 1);
  if (window.halo != 0 || !asIs)
    text += ", " + std::to_string(window.halo);
  if (!asIs)
    text += ", " + std::to_string(window.dimension);
  if (window.step != 1)
    text += ", " + std::to_string(window.step);
  return text + ")";
}

std::string signatureOf(const LoopForm &form) {
  return ir::spelling(form.result) + " " + form.spectrum + "(" + parametersOf(form.params) + ")";
}

std::string requirementsOf(const ir::Codelet &codelet) {
  std::string text;
  for (const StmtPtr &s : codelet.body->children) {
    if (s->kind == StmtKind::Require)
      text += "  require(" + sourceOf(s->value) + ");\n";
  }
  return text;
}

DerivedCodelet loopOf(const LoopForm &form, const ir::Codelet &codelet,
                      const algebra::NestReason &why) {
  FreshNames fresh(form.params, form.body);
  return {form.spectrum, "derived_loop",
          "__codelet __tag(derived_loop)\n" + signatureOf(form) + " {\n" + requirementsOf(codelet) +
              sourceOf(withoutBranches(form.body, std::ref(fresh)), 1) + "}\n",
          why};
}

std::vector<DerivedCodelet> roundsOf(const ir::Spectrum &spectrum, const LoopForm &form) {
  if (form.arguments.empty())
    return {};
  const algebra::NestReason why =
      form.loops.empty() ? algebra::NestReason{"each round of loop " + form.single->name, {}}
                         : algebra::NestReason{"loop " + form.loops.front().name + " in blocks",
                                               placeOf(form, form.loops.front())};
  std::string text = "__codelet __tag(derived_loop)\n" + signatureOf(form) + " {\n";
  for (const ir::ExprPtr &condition : form.requirements)
    text += "  require(" + sourceOf(condition) + ");\n";
  text += sourceOf(form.body, 1) + "}\n";
  const std::string tag = form.single ? "derived_each_" + form.single->name : "derived_rounds";
  std::string call = "__codelet __tag(" + tag + ")\n" + ir::spelling(spectrum.result) + " " +
                     spectrum.name + "(" + parametersOf(spectrum.params) + ") {\n  " +
                     (form.result.scalar == ir::Scalar::Void ? "" : "return ") +
                     (form.single ? "map(" + form.spectrum + ", " : form.spectrum + "(");
  for (std::size_t i = 0; i < form.arguments.size(); ++i)
    call += (i == 0 ? "" : ", ") + form.arguments[i];
  return {{form.spectrum, "derived_loop", text, why}, {spectrum.name, tag, call + ");\n}\n", why}};
}

namespace {

constexpr const char *smallBlocks = " = choice(1, 2, 4, 8, 16, 32)";

/// The sizes that a tile may have, where tiles of one round are as good as larger ones: nothing that is read is the same
/// for neighbours, or only a halo of it, and they do not lie side by side.
std::string domainOf(const LoopForm &form, const LoopForm::Loop &loop) {
  const LoopWindow &written = loop.blocked.written;
  const bool isInnermost = written.dimension + 1 == sourceRank(written.array->type);
  bool reuses = false, hasHalo = false;
  for (const ir::VarPtr &param : form.params) {
    const LoopWindow *window = loop.blocked.windowOf(param.get());
    reuses |= param->type.isContainer() && window == nullptr;
    hasHalo |= window != nullptr && window->halo > 0;
  }
  return isInnermost || (reuses && !hasHalo) ? "" : smallBlocks;
}

/// Whether rounds of the loop are of different lengths: how many rounds a loop in it has depends on the counter.
bool isUneven(const LoopForm &form, const LoopForm::Loop &loop) {
  const auto names = [&](const ir::ExprPtr &e) {
    return e && ir::contains(e, [&](const ir::Expr &each) {
             return each.kind == ir::ExprKind::Var && each.var == loop.counter;
           });
  };
  bool found = false;
  ir::forEach(form.body, [&](const ir::Stmt &s) {
    if (s.kind == StmtKind::For && s.children[0] && s.children[0]->var != loop.counter)
      found |= names(s.value) || names(s.children[0]->value);
  });
  return found;
}

/// The codelets that map over blocks of a loop, so many and so large ones; `around` puts the map into a statement.
void addBlocks(const LoopForm &form, const LoopForm::Loop &loop, const algebra::NestReason &why,
               const std::function<std::string(const std::string &)> &around,
               std::vector<DerivedCodelet> &made) {
  const bool uneven = isUneven(form, loop);
  for (const bool byCount : {true, false}) {
    if (byCount && uneven)
      continue; // workers take small blocks in turns
    const std::string number = freshName(form, byCount ? "p" : "t");
    const std::string domain = byCount  ? ""
                               : uneven ? std::string(smallBlocks)
                                        : domainOf(form, loop);
    const std::string tag = (byCount ? "derived_split_" : "derived_tile_") + loop.name;
    made.push_back({form.spectrum, tag,
                    "__codelet __tag(" + tag + ")\n" + signatureOf(form) +
                        " {\n  __tunable unsigned " + number + domain + ";\n  " +
                        around(mapOver(form, loop, byCount, number)) + ";\n}\n",
                    why});
  }
}

/// The fold over blocks of a sum.
void addStep(const LoopForm &form, const LoopForm::Loop &loop, std::vector<DerivedCodelet> &made) {
  const std::string number = freshName(form, "t");
  const std::string tag = "derived_step_" + loop.name;
  made.push_back({form.spectrum,
                  tag,
                  "__codelet __tag(" + tag + ")\n" + signatureOf(form) +
                      " {\n  __tunable unsigned " + number + ";\n  " +
                      mapOver(form, loop, false, number) + ";\n}\n",
                  {"loop " + loop.name + " only adds to results", placeOf(form, loop)}});
}

} // namespace

std::vector<DerivedCodelet> blocksOf(const LoopForm &form) {
  std::vector<DerivedCodelet> made;
  for (const LoopForm::Loop &loop : form.loops) {
    if (loop.blocked.isSum)
      addStep(form, loop, made);
    else
      addBlocks(form, loop, apartReason(loop, placeOf(form, loop)), std::identity{}, made);
  }
  return made;
}

std::vector<DerivedCodelet> partsOf(const LoopForm &form, const std::string &combine,
                                    const algebra::NestReason &why) {
  std::vector<DerivedCodelet> made;
  for (const LoopForm::Loop &loop : form.loops)
    addBlocks(
        form, loop, why,
        [&](const std::string &map) { return "return " + combine + "(" + map + ")"; }, made);
  return made;
}

std::string digitsOf(const std::string &number, const std::vector<std::string> &counters,
                     const std::vector<std::string> &rounds, unsigned indent) {
  std::string text;
  for (std::size_t i = 0; i < counters.size() && counters.size() > 1; ++i) {
    std::string digit = number;
    for (std::size_t j = counters.size() - 1; j > i; --j)
      digit += " / " + rounds[j];
    text += indentation(indent) + "unsigned " + counters[i] + " = " + digit +
            (i > 0 ? " % " + rounds[i] : "") + ";\n";
  }
  return text;
}

std::vector<DerivedCodelet> lanesOf(const LoopForm &form) {
  // The loops from the outermost one down that have nothing beside the next one.
  std::vector<StmtPtr> before;
  const ir::Stmt *nest = nullptr;
  for (const StmtPtr &s : form.body->children) {
    if (s->kind == StmtKind::For)
      nest = nest == nullptr ? s.get() : nest;
    else if (s->kind != StmtKind::Require)
      before.push_back(s);
  }
  std::vector<const LoopForm::Loop *> dealt;
  StmtPtr body;
  while (nest != nullptr) {
    const auto found = std::ranges::find_if(form.loops, [&](const LoopForm::Loop &loop) {
      return !loop.blocked.isSum && nest->children[0] && nest->children[0]->var == loop.counter;
    });
    if (found == form.loops.end())
      break;
    dealt.push_back(&*found);
    body = nest->children[2];
    nest = onlyLoop(body);
  }
  if (dealt.empty())
    return {};
  std::vector<std::string> counters, rounds;
  std::string tag = "derived_lanes";
  std::string all;
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    counters.push_back(dealt[i]->name);
    const std::string text = sourceOf(roundsOf(dealt[i]->blocked.written));
    rounds.push_back(dealt.size() > 1 ? asFactor(text) : text);
    tag += "_" + counters[i];
    all += (i == 0 ? "" : " * ") + rounds[i];
  }
  const std::string e = dealt.size() == 1 ? dealt[0]->name : freshName(form, "e");
  std::string text = "__codelet __coop __tag(" + tag + ")\n" + signatureOf(form) + " {\n";
  text += sourceOf(ir::block(before), 1);
  text +=
      "  for (unsigned " + e + " = coopIdx(); " + e + " < " + all + "; " + e + " += coopDim()) {\n";
  text += digitsOf(e, counters, rounds, 2);
  FreshNames fresh(form.params, form.body);
  text += sourceOf(withoutBranches(body, std::ref(fresh)), 2) + "  }\n}\n";
  return {{form.spectrum, tag, text, apartReason(*dealt[0], placeOf(form, *dealt[0]))}};
}

} // namespace tangram::composer
