#include "composer/derive/update_copies.h"

#include "composer/derive/loop_parts.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "ir/unique_name.h"

#include <algorithm>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// Updates that a part makes at least for each element of its container.
constexpr int updatesOfElement = 8;

/// A container, the one that a part has in its place, and those of all parts.
struct Copies {
  ElementUpdates::Container of;
  VarPtr part, all;
};

class Maker {
public:
  Maker(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
        const ElementUpdates &updates, const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), updates_(updates), isTaken_(isTaken),
        fresh_(codelet.params, codelet.body) {
    for (const ElementUpdates::Container &each : updates.containers)
      copies_.push_back({each, container(each.array->name + "_part", each.array->type, 0, false),
                         container(each.array->name + "_parts", each.array->type, 1, true)});
  }

  std::optional<UpdateCopies> make() {
    const MadeSpectrum part = partSpectrum();
    const auto read = algebra::nestOf(part.codelet);
    const auto *own = std::get_if<Nest>(&read);
    if (own == nullptr)
      return std::nullopt;
    const VarPtr &counter = nest_.loops[static_cast<std::size_t>(*updates_.loops.begin())].counter;
    const auto loop = std::ranges::find(own->loops, counter, &algebra::NestLoop::counter);
    const auto cut = summedLoop(*own, static_cast<int>(loop - own->loops.begin()));
    if (!std::holds_alternative<BlockedLoop>(cut))
      return std::nullopt;
    const LoopForm form =
        loopForm(part.spectrum, part.codelet, *own, {std::get<BlockedLoop>(cut)}, isTaken_);
    MadeSpectrum combined = combinedSpectrum();
    DerivedCodelet whole = calling(form, *own, combined);
    return UpdateCopies{form.arguments.empty() ? part : ofForm(form), std::move(combined),
                        std::move(whole)};
  }

private:
  VarPtr container(const std::string &name, ir::Type type, unsigned more, bool isConst) {
    auto made = std::make_shared<ir::Var>();
    made->name = fresh_(name);
    made->type = type;
    made->type.rank += more;
    made->type.isConst = isConst;
    made->kind = ir::VarKind::Param;
    return made;
  }

  /// Loops over all elements of `array`; `body` is made of their subscripts.
  static StmtPtr overElements(const Copies &each, const VarPtr &array, FreshNames &fresh,
                              const std::function<StmtPtr(const std::vector<ExprPtr> &)> &body) {
    std::vector<VarPtr> counters;
    std::vector<ExprPtr> subscripts;
    const unsigned rank = sourceRank(array->type);
    for (unsigned d = 0; d < rank; ++d) {
      auto counter = std::make_shared<ir::Var>();
      counter->name = fresh("e");
      counter->type = ir::scalarType(ir::Scalar::Index);
      counters.push_back(counter);
      subscripts.push_back(ir::varRef(counter));
    }
    std::vector<StmtPtr> elements;
    for (unsigned k = 0; k < array->type.lanes; ++k) {
      std::vector<ExprPtr> place = subscripts;
      if (array->type.lanes > 1)
        place.push_back(ir::intLiteral(k));
      elements.push_back(body(place));
    }
    StmtPtr made = ir::block(elements);
    for (unsigned d = rank; d-- > 0;)
      made = ir::forLoop(ir::declare(counters[d], ir::intLiteral(0)),
                         ir::binary("<", subscripts[d], sizeOf(array, d)),
                         ir::assign(subscripts[d], "+=", ir::intLiteral(1)), ir::block({made}),
                         each.of.update.location);
    return made;
  }

  /// The loop over whatever rounds its inputs have, with containers that start from neutral elements.
  MadeSpectrum partSpectrum() {
    ir::Codelet from = codelet_;
    std::vector<StmtPtr> starts;
    FreshNames fresh = fresh_;
    for (const Copies &each : copies_) {
      std::ranges::replace(from.params, each.of.array, each.part);
      from.body = ir::mapExprs(from.body, [&](const ExprPtr &e) {
        return ir::rewrite(e, [&](const ExprPtr &inner) {
          return inner->kind == ExprKind::Var && inner->var == each.of.array
                     ? ir::varRef(each.part, inner->location)
                     : inner;
        });
      });
      starts.push_back(
          overElements(each, each.part, fresh, [&](const std::vector<ExprPtr> &subscripts) {
            return ir::assign(ir::index(ir::varRef(each.part), subscripts), "=",
                              named(identityOf(each.of.update), each.of.update.variable->type));
          }));
    }
    std::vector<StmtPtr> all;
    for (const StmtPtr &s : from.body->children) {
      if (s->kind == StmtKind::Require)
        all.push_back(s);
    }
    all.insert(all.end(), starts.begin(), starts.end());
    for (const StmtPtr &s : from.body->children) {
      if (s->kind != StmtKind::Require)
        all.push_back(s);
    }
    from.body = ir::block(all);
    return spectrumNamed("_part", from);
  }

  MadeSpectrum spectrumNamed(const std::string &end, ir::Codelet codelet) const {
    MadeSpectrum made;
    made.spectrum.name = codelet.spectrum =
        ir::uniqueName(ir::identifierOf(spectrum_.name) + end, isTaken_);
    made.spectrum.params = codelet.params;
    made.spectrum.result = spectrum_.result;
    made.spectrum.location = codelet.location;
    made.codelet = std::move(codelet);
    return made;
  }

  /// The spectrum that combines each element with those of all parts.
  MadeSpectrum combinedSpectrum() {
    ir::Codelet made = codelet_;
    made.params.clear();
    std::vector<StmtPtr> all, loops;
    FreshNames fresh(codelet_.params, nullptr);
    for (const Copies &each : copies_) {
      made.params.push_back(each.all);
      for (unsigned d = 0; d < sourceRank(each.of.array->type); ++d)
        all.push_back(
            ir::require(ir::binary("==", sizeOf(each.all, d + 1), sizeOf(each.of.array, d))));
      const auto body = [&](const std::vector<ExprPtr> &subscripts) {
        return combining(each, fresh, subscripts);
      };
      loops.push_back(overElements(each, each.of.array, fresh, body));
    }
    for (const Copies &each : copies_)
      made.params.push_back(each.of.array);
    all.insert(all.end(), loops.begin(), loops.end());
    made.body = ir::block(all);
    return spectrumNamed("_combined", made);
  }

  static StmtPtr combining(const Copies &each, FreshNames &fresh,
                           const std::vector<ExprPtr> &subscripts) {
    auto sum = std::make_shared<ir::Var>(*each.of.update.variable);
    sum->name = fresh("all");
    auto number = std::make_shared<ir::Var>();
    number->name = fresh("part");
    number->type = ir::scalarType(ir::Scalar::Index);
    std::vector<ExprPtr> place = subscripts;
    place.insert(place.begin(), ir::varRef(number));
    Update update = each.of.update;
    update.variable = sum;
    const ExprPtr element = ir::index(ir::varRef(each.of.array), subscripts);
    const std::vector<ExprPtr> all{ir::varRef(sum)};
    const std::vector<ExprPtr> found{ir::index(ir::varRef(each.all), place)};
    return ir::block(
        {ir::declare(sum, element),
         ir::forLoop(ir::declare(number, ir::intLiteral(0)),
                     ir::binary("<", ir::varRef(number), sizeOf(each.all, 0)),
                     ir::assign(ir::varRef(number), "+=", ir::intLiteral(1)),
                     ir::block({composer::combining(update, all, found)}), each.of.update.location),
         ir::assign(element, "=", ir::varRef(sum))});
  }

  /// The spectrum of parts whose windows begin anywhere.
  MadeSpectrum ofForm(const LoopForm &form) const {
    ir::Codelet made = codelet_;
    std::vector<StmtPtr> body;
    for (const ExprPtr &condition : form.requirements)
      body.push_back(ir::require(condition));
    flatten(form.body, body);
    made.body = ir::block(body);
    made.params = form.params;
    MadeSpectrum spectrum = spectrumNamed("_part", made);
    spectrum.spectrum.name = spectrum.codelet.spectrum = form.spectrum;
    return spectrum;
  }

  /// The loop that is cut, and those in it around an update.
  std::vector<int> loopsOfUpdates(const Nest &own, const LoopForm &form) const {
    const int cut = form.loops.front().blocked.loop;
    std::vector<int> found;
    for (const algebra::NestAccess &access : own.accesses) {
      if (access.array != copies_[0].part || !own.isIn(access.loop, cut))
        continue;
      for (int loop = access.loop; loop != own.loops[static_cast<std::size_t>(cut)].around;
           loop = own.loops[static_cast<std::size_t>(loop)].around)
        found.insert(found.begin(), loop);
      break;
    }
    return found;
  }

  DerivedCodelet calling(const LoopForm &form, const Nest &own, const MadeSpectrum &combined) {
    const std::string p = fresh_("p"), w = fresh_("w");
    const algebra::NestLoop &loop =
        own.loops[static_cast<std::size_t>(form.loops.front().blocked.loop)];
    const std::string rounds = naturalText(own, loop.end - loop.first);
    const std::string total = totalRounds(own, loopsOfUpdates(own, form));
    std::string elements, declarations;
    for (const Copies &each : copies_) {
      std::string extents, product;
      for (unsigned d = 0; d < sourceRank(each.of.array->type); ++d) {
        const std::string size = sourceOf(sizeOf(each.of.array, d));
        extents += ", " + size;
        product += (d == 0 ? "" : " * ") + size;
      }
      elements += " + " + product;
      ir::Type type = each.all->type;
      type.isConst = false;
      declarations += "  " + sourceType(type) + " " + each.all->name + "(" + p + extents + ");\n";
    }
    std::string most = "min<unsigned long>(" + w + ", " + total + " / (" +
                       std::to_string(updatesOfElement) + " * (1" + elements + ")))";
    if (total != rounds)
      most = "min<unsigned long>(" + rounds + ", " + most + ")";
    const auto resultOf = [&](const VarPtr &param) {
      const auto found = std::ranges::find(copies_, param, &Copies::part);
      return found == copies_.end() ? nullptr : found->all;
    };
    return {spectrum_.name, "derived_copies",
            "__codelet __tag(derived_copies)\n" + ir::spelling(spectrum_.result) + " " +
                spectrum_.name + "(" + parametersOf(codelet_.params) +
                ") {\n  __tunable unsigned " + w + " = choice(256, 64, 1024, 16);\n  unsigned " +
                p + " = max<unsigned long>(1, " + most + ");\n" + declarations + "  map(" +
                form.spectrum + argumentsOfParts(form, own, p, resultOf) + ");\n  " +
                combined.spectrum.name + "(" + argumentsOf(combined.codelet.params) + ");\n}\n",
            updates_.why};
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  const ElementUpdates &updates_;
  const std::function<bool(const std::string &)> &isTaken_;
  FreshNames fresh_;
  std::vector<Copies> copies_;
};

} // namespace

std::optional<UpdateCopies> updateCopies(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                         const Nest &nest, const ElementUpdates &updates,
                                         const std::function<bool(const std::string &)> &isTaken) {
  return Maker(spectrum, codelet, nest, updates, isTaken).make();
}

} // namespace tangram::composer
