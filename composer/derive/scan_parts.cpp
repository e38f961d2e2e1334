#include "composer/derive/scan_parts.h"

#include "composer/derive/blocks.h"
#include "composer/derive/nest_spectrum.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/windows.h"
#include "ir/unique_name.h"

#include <algorithm>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// A codelet taken apart at its only loop.
struct Body {
  StmtPtr start; ///< Decl of the variable
  StmtPtr loop;
  std::vector<StmtPtr> names;
};

/// Nothing where there is more, such as statements behind the loop.
std::optional<Body> bodyOf(const ir::Codelet &codelet, const Nest &nest, const Update &update) {
  Body body;
  for (const StmtPtr &s : codelet.body->children) {
    if (s->kind == StmtKind::Require)
      continue;
    if (s->kind == StmtKind::Decl && s->var == update.variable && s->value && !body.loop)
      body.start = s;
    else if (nest.loopOf(*s) == 0 && !body.loop)
      body.loop = s;
    else if (std::ranges::find(nest.names, s.get()) != nest.names.end())
      body.names.push_back(s);
    else
      return std::nullopt;
  }
  const bool isWhole = body.start && body.loop && !namesElements(body.start);
  return isWhole ? std::optional(body) : std::nullopt;
}

/// The windows of the loop's rounds, each an element further than the one before; of what is written without a halo.
/// Nothing where a container has none.
std::optional<BlockedLoop> windowsOf(const ir::Codelet &codelet, const Nest &nest) {
  Nest counted = nest;
  counted.loops[0].countsDown = false;
  auto found = summedLoop(counted, 0);
  auto *blocked = std::get_if<BlockedLoop>(&found);
  if (blocked == nullptr)
    return std::nullopt;
  for (const algebra::NestAccess &access : nest.accesses) {
    const LoopWindow *window = blocked->windowOf(access.array.get());
    if (window == nullptr || window->step != 1)
      return std::nullopt;
    if (access.writes && window->halo != 0)
      return std::nullopt;
    if (access.writes)
      blocked->written = *window;
  }
  return isItsOwnBlock(nest, *blocked, codelet) ? std::optional(*blocked) : std::nullopt;
}

VarPtr parameter(const std::string &name, const ir::Type &type) {
  auto made = std::make_shared<ir::Var>();
  made->name = name;
  made->type = type;
  made->kind = ir::VarKind::Param;
  return made;
}

MadeSpectrum made(const std::string &name, const ir::Codelet &from, std::vector<VarPtr> params,
                  std::vector<StmtPtr> body) {
  MadeSpectrum all;
  all.spectrum.name = all.codelet.spectrum = name;
  all.spectrum.params = all.codelet.params = std::move(params);
  all.spectrum.result = ir::scalarType(ir::Scalar::Void);
  all.spectrum.location = all.codelet.location = from.location;
  all.codelet.body = ir::block(std::move(body));
  return all;
}

/// The loop from a start that is a parameter.
MadeSpectrum fromStart(const std::string &name, const ir::Codelet &codelet, const Body &body,
                       const Update &update, FreshNames &fresh) {
  const VarPtr start = parameter(fresh("start"), update.variable->type);
  std::vector<StmtPtr> statements;
  for (const StmtPtr &s : codelet.body->children) {
    if (s->kind == StmtKind::Require)
      statements.push_back(s);
  }
  statements.insert(statements.end(), body.names.begin(), body.names.end());
  statements.push_back(ir::declare(update.variable, ir::varRef(start)));
  statements.push_back(body.loop);
  std::vector<VarPtr> params{start};
  params.insert(params.end(), codelet.params.begin(), codelet.params.end());
  return made(name, codelet, std::move(params), std::move(statements));
}

/// for (i) { own = parts[i]; parts[i] = s; s = s + own; }, from the last one where the loop counts down.
MadeSpectrum startsOf(const std::string &name, const ir::Codelet &codelet, const Update &update,
                      bool countsDown) {
  const ir::Type type = update.variable->type;
  const VarPtr start = parameter("start", type);
  const VarPtr parts = parameter("parts", {type.scalar, 1, 0, false, 1});
  const auto local = [](const std::string &of, const ir::Type &as) {
    auto one = std::make_shared<ir::Var>();
    one->name = of;
    one->type = as;
    return one;
  };
  const VarPtr all = local("all", type), own = local("own", type);
  const VarPtr i = local("i", ir::scalarType(countsDown ? ir::Scalar::I64 : ir::Scalar::U32));
  const ir::ExprPtr element = ir::index(ir::varRef(parts), {ir::varRef(i)});
  const ir::ExprPtr size = sizeOf(parts, 0);
  const StmtPtr body =
      ir::block({ir::declare(own, element), ir::assign(element, "=", ir::varRef(all)),
                 combining(update, {ir::varRef(all)}, {ir::varRef(own)})});
  const ir::ExprPtr one = ir::intLiteral(1, i->type.scalar);
  const StmtPtr loop =
      countsDown
          ? ir::forLoop(ir::declare(i, ir::binary("-", ir::cast(ir::Scalar::I64, size), one)),
                        ir::binary(">=", ir::varRef(i), ir::intLiteral(0, ir::Scalar::I64)),
                        ir::assign(ir::varRef(i), "-=", one), body)
          : ir::forLoop(ir::declare(i, ir::intLiteral(0, i->type.scalar)),
                        ir::binary("<", ir::varRef(i), size), ir::assign(ir::varRef(i), "+=", one),
                        body);
  return made(name, codelet, {start, parts}, {ir::declare(all, ir::varRef(start)), loop});
}

} // namespace

std::optional<ScanParts> scanParts(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                   const Nest &nest, const Scan &scan,
                                   const std::function<bool(const std::string &)> &isTaken) {
  if (scan.updates.size() != 1)
    return std::nullopt;
  const Update &update = scan.updates[0];
  const auto body = bodyOf(codelet, nest, update);
  const auto windows = windowsOf(codelet, nest);
  if (!body || !windows)
    return std::nullopt;
  const algebra::NestLoop &loop = nest.loops[0];
  ir::Codelet adding = codelet;
  const StmtPtr adds =
      ir::withChildren(body->loop, {body->loop->children[0], body->loop->children[1], scan.adds});
  adding.body = ir::rewrite(codelet.body, [&](const StmtPtr &s) {
    return s->kind == StmtKind::For && s->children[0]->var == loop.counter ? adds : s;
  });
  const auto read = algebra::nestOf(adding);
  const auto *addingNest = std::get_if<Nest>(&read);
  const auto named = [&](const char *suffix) {
    return ir::uniqueName(ir::identifierOf(spectrum.name) + suffix, isTaken);
  };
  const std::string name = named("_total");
  const auto total = addingNest == nullptr
                         ? std::nullopt
                         : nestSpectrum(name, adding, *addingNest,
                                        {adds, -1, &update, update.variable->type.scalar});
  if (!total)
    return std::nullopt;
  FreshNames fresh(codelet.params, codelet.body);
  ScanParts parts{total->made,
                  startsOf(named("_starts"), codelet, update, loop.countsDown),
                  fromStart(named("_from"), codelet, *body, update, fresh),
                  {}};
  const std::string number = fresh("p"), starts = fresh("starts");
  const auto blocks = [&](const std::vector<VarPtr> &params, std::size_t from) {
    std::string text;
    for (std::size_t i = from; i < params.size(); ++i) {
      // A container of which a part names the size alone is another parameter of its spectrum, which is const.
      const auto own = std::ranges::find_if(
          codelet.params, [&](const VarPtr &each) { return each->name == params[i]->name; });
      const LoopWindow *window =
          own == codelet.params.end() ? nullptr : windows->windowOf(own->get());
      text += ", " + (window == nullptr ? params[i]->name
                                        : blocksOf(*window, params[i]->name, true, number));
    }
    return text;
  };
  const std::string type = ir::spelling(ir::scalarType(update.variable->type.scalar));
  std::string text = "  __tunable unsigned " + number + ";\n  Array<1, " + type + "> " + starts +
                     " = map(" + name + blocks(parts.total.codelet.params, 0) + ");\n";
  for (const StmtPtr &s : body->names)
    text += sourceOf(s, 1);
  text += "  " + parts.starts.spectrum.name + "(" + sourceOf(body->start->value) + ", " + starts +
          ");\n  map(" + parts.from.spectrum.name + ", " + starts +
          blocks(parts.from.codelet.params, 1) + ");\n";
  const std::string tag = "derived_scan_" + loop.counter->name;
  parts.codelet = {spectrum.name,
                   tag,
                   "__codelet __tag(" + tag + ")\n" + ir::spelling(spectrum.result) + " " +
                       spectrum.name + "(" + parametersOf(codelet.params) + ") {\n" + text + "}\n",
                   {"loop " + loop.counter->name + " is a scan", body->loop->location}};
  return parts;
}

} // namespace tangram::composer
