#include "codegen/analysis/accesses_on_all_paths.h"

#include "codegen/form/building.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

using Elements = std::vector<ExprPtr>;

bool has(const Elements &elements, const ExprPtr &e) {
  return std::ranges::any_of(elements, [&](const ExprPtr &each) { return sameExpr(each, e); });
}

void add(Elements &to, const Elements &more) {
  for (const ExprPtr &each : more) {
    if (!has(to, each))
      to.push_back(each);
  }
}

Elements inBoth(const Elements &one, const Elements &other) {
  Elements both;
  std::ranges::copy_if(one, std::back_inserter(both),
                       [&](const ExprPtr &each) { return has(other, each); });
  return both;
}

Elements readBy(const ExprPtr &e) {
  Elements read;
  if (e->kind == ExprKind::Index)
    read.push_back(e);
  if (e->kind == ExprKind::Select) {
    add(read, readBy(e->args[0]));
    add(read, inBoth(readBy(e->args[1]), readBy(e->args[2])));
    return read;
  }
  const bool asks = e->kind == ExprKind::Binary && e->op.isLogic();
  for (std::size_t i = 0; i < (asks ? 1 : e->args.size()); ++i)
    add(read, readBy(e->args[i]));
  return read;
}

} // namespace

AccessedElements accessedOnAllPaths(const StmtPtr &s) {
  AccessedElements all;
  if (!s)
    return all;
  switch (s->kind) {
  case StmtKind::Block:
    for (const StmtPtr &child : s->children) {
      const AccessedElements inside = accessedOnAllPaths(child);
      add(all.read, inside.read);
      add(all.written, inside.written);
    }
    break;
  case StmtKind::Decl:
    if (s->value)
      add(all.read, readBy(s->value));
    break;
  case StmtKind::Assign:
    add(all.read, readBy(s->value));
    if (s->target->kind != ExprKind::Index)
      break;
    for (std::size_t i = 1; i < s->target->args.size(); ++i)
      add(all.read, readBy(s->target->args[i]));
    if (s->op != "=")
      add(all.read, {s->target});
    all.written.push_back(s->target);
    break;
  case StmtKind::If: {
    add(all.read, readBy(s->value));
    const AccessedElements then = accessedOnAllPaths(s->children[0]);
    const AccessedElements otherwise =
        accessedOnAllPaths(s->children.size() > 1 ? s->children[1] : nullptr);
    add(all.read, inBoth(then.read, otherwise.read));
    add(all.written, inBoth(then.written, otherwise.written));
    break;
  }
  default:
    break;
  }
  return all;
}

} // namespace tangram::codegen
