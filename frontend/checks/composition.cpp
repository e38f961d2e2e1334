#include "frontend/checks/composition.h"

#include "frontend/places.h"
#include "ir/swap.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::frontend {

namespace {

/// Place of a codelet's first qualifier of this kind.
ir::SourceLocation placeOf(QualifierKind kind, const ir::Codelet &codelet,
                           const CodeletDeclarations &declarations, const Places &places) {
  for (const CodeletDeclaration &declaration : declarations.all) {
    if (places.token(declaration.nameLocation) != codelet.location)
      continue;
    for (const Qualifier &qualifier : declaration.qualifiers) {
      if (qualifier.kind == kind)
        return places.range(qualifier.range);
    }
  }
  return codelet.location;
}

/// The first spectrum call, map or partition of a codelet, or null.
const ir::Expr *composes(const ir::Codelet &codelet) {
  const ir::Expr *found = nullptr;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    bool isSite = e.kind == ir::ExprKind::SpectrumCall || e.kind == ir::ExprKind::Map ||
                  e.kind == ir::ExprKind::Partition;
    if (isSite && found == nullptr)
      found = &e;
  });
  return found;
}

std::string described(const ir::Expr &site) {
  if (site.kind == ir::ExprKind::Partition)
    return "it partitions a container here";
  return std::string("it ") + (site.kind == ir::ExprKind::Map ? "maps" : "calls") + " spectrum '" +
         site.callee + "' here";
}

/// Local containers are made between steps of a composition, or at the beginning of a codelet that runs on one worker. In a
/// loop of such a one an array does, among lanes a `__shared` one.
void checkLocalContainers(const ir::Codelet &codelet, ir::Diagnostics &diagnostics) {
  if (composes(codelet) != nullptr)
    return;
  std::set<const ir::Stmt *> allowed;
  for (const ir::StmtPtr &s : codelet.body->children) {
    if (!codelet.cooperative)
      allowed.insert(s.get());
  }
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind != ir::StmtKind::Decl || !s.value || s.value->kind != ir::ExprKind::Allocate ||
        allowed.contains(&s))
      return;
    diagnostics.push_back(ir::errorAt(
        s.location,
        "local container '" + s.var->name + "' in " +
            (codelet.cooperative ? "a cooperative codelet"
                                 : "a loop or branch of a codelet that calls no spectrum")));
    diagnostics.back().notes = {ir::noteAt({}, codelet.cooperative
                                                   ? "lanes share memory in '__shared' arrays"
                                                   : "declare it before, with a dimension for each "
                                                     "round, or use an array of constant size")};
  });
}

/// Views that are no windows of memory are seen through by subscripts; spectrums take those that are.
void checkViews(const ir::Codelet &codelet, ir::Diagnostics &diagnostics) {
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    const bool isView = e.kind == ir::ExprKind::Call && e.type.isContainer();
    if (!isView || ((e.callee == "reverse" || e.callee == "broadcast") && e.type.lanes == 1))
      return;
    diagnostics.push_back(ir::errorAt(e.location, "'" + e.callee + "' handed to a spectrum"));
    diagnostics.back().notes = {ir::noteAt(
        {}, "subscripts see through it, in loops and functions that are no spectrums: hand "
            "over the container itself, or copy the elements into a local container")};
  });
}

/// Padded containers and slices are for spectrums: what a worker computes with has elements alone.
void checkPads(const ir::Codelet &codelet, ir::Diagnostics &diagnostics) {
  bool calls = false;
  const ir::Expr *pad = nullptr;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    calls |= e.kind == ir::ExprKind::SpectrumCall || e.kind == ir::ExprKind::Map;
    const bool isSlice = e.kind == ir::ExprKind::Partition && e.callee == "slice";
    if ((e.kind == ir::ExprKind::Pad || isSlice) && pad == nullptr)
      pad = &e;
  });
  if (calls || pad == nullptr)
    return;
  const bool isPad = pad->kind == ir::ExprKind::Pad;
  diagnostics.push_back(ir::errorAt(pad->location, std::string(isPad ? "'pad'" : "'slice'") +
                                                       " in a codelet that calls no spectrum"));
  diagnostics.back().notes = {ir::noteAt(
      {},
      isPad ? "give the padded container to a spectrum, or say by conditions what is past the ends"
            : "give the slice to a spectrum, or count from where it begins")};
}

/// Whether what a container is declared with is memory of its own: it is made here, or the results
/// of a map are.
bool ownsMemory(const ir::Stmt &declaration) {
  return declaration.value &&
         (declaration.value->kind == ir::ExprKind::Allocate ||
          (declaration.value->kind == ir::ExprKind::Map && declaration.value->type.nest == 0));
}

/// Containers that are swapped are the codelet's own, and nothing else names what they name: a view
/// would go on being of the memory that the other one has by then.
void checkSwaps(const ir::Codelet &codelet, ir::Diagnostics &diagnostics) {
  std::set<const ir::Var *> own;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Decl && s.var->type.isContainer() && ownsMemory(s))
      own.insert(s.var.get());
  });
  std::set<const ir::Var *> swapped;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (!ir::isSwap(s))
      return;
    for (const ir::ExprPtr &each : s.value->args) {
      swapped.insert(each->var.get());
      if (!own.contains(each->var.get())) {
        diagnostics.push_back(ir::errorAt(each->location, "'" + each->var->name +
                                                              "' is no local container: only "
                                                              "those are swapped"));
        diagnostics.back().notes = {
            ir::noteAt({}, "the memory of parameters and views is somebody else's; copy it")};
      }
    }
  });
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind != ir::StmtKind::Decl || !s.value || !s.var->type.isContainer() || ownsMemory(s))
      return;
    const ir::Expr *of = s.value.get();
    while (of->kind != ir::ExprKind::Var && !of->args.empty())
      of = of->args[0].get();
    if (of->kind == ir::ExprKind::Var && swapped.contains(of->var.get()))
      diagnostics.push_back(ir::errorAt(s.location, "'" + s.var->name + "' is a view of '" +
                                                        of->var->name +
                                                        "', which is swapped: use the view "
                                                        "without a name"));
  });
}

} // namespace

void checkComposition(const ir::Program &program, const CodeletDeclarations &declarations,
                      const Places &places, ir::Diagnostics &diagnostics) {
  for (const ir::Spectrum &spectrum : program.spectrums) {
    std::map<std::string, ir::SourceLocation> tags;
    for (const ir::Codelet &codelet : spectrum.codelets) {
      if (!codelet.tag.empty()) {
        ir::SourceLocation place = placeOf(QualifierKind::Tag, codelet, declarations, places);
        auto [first, isNew] = tags.emplace(codelet.tag, place);
        if (!isNew) {
          diagnostics.push_back(ir::errorAt(place, "tag '" + codelet.tag +
                                                       "' is used twice in spectrum '" +
                                                       spectrum.name + "'"));
          diagnostics.back().notes = {ir::noteAt(first->second, "it is first used here")};
        }
      }
      checkLocalContainers(codelet, diagnostics);
      checkPads(codelet, diagnostics);
      checkViews(codelet, diagnostics);
      checkSwaps(codelet, diagnostics);
      const ir::Expr *site = codelet.cooperative ? composes(codelet) : nullptr;
      if (site != nullptr) {
        ir::SourceLocation place = placeOf(QualifierKind::Coop, codelet, declarations, places);
        diagnostics.push_back(
            ir::errorAt(place, "'__coop' codelet of '" + spectrum.name +
                                   "' is compound: a cooperative codelet calls no spectrum"));
        diagnostics.back().notes = {ir::noteAt(site->location, described(*site))};
      }
    }
  }
}

} // namespace tangram::frontend
