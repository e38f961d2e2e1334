#include "composer/plans/plan_dot.h"

#include "composer/analysis/sites.h"
#include "escape/escape.h"

namespace tangram::composer {

namespace {

std::string dotString(const std::string &text) { return "\"" + escape::dot(text) + "\""; }

std::string syncName(Sync sync) {
  switch (sync) {
  case Sync::None:
    return "";
  case Sync::Launch:
    return "terminate/launch";
  case Sync::Join:
    return "barrier/join";
  case Sync::Barrier:
    return "barrier";
  case Sync::Warp:
    return "warp barrier";
  case Sync::Loop:
    return "close the loop";
  }
  return "";
}

class Drawing {
public:
  Drawing(const ir::Program &program, const Machine &machine)
      : program(program), machine(machine) {}

  std::string draw(const ir::PlanPtr &plan, const std::string &title) {
    line("digraph plan {");
    depth = 1;
    line("label=" + dotString(title) + "; labelloc=t; fontname=\"Helvetica\"; fontsize=12;");
    line("node [fontname=\"Helvetica\", fontsize=11, fixedsize=false];");
    line("edge [fontname=\"Helvetica\", fontsize=10];");
    frame(plan->level, "", [&] { goal(plan); });
    for (const std::string &edge : edges)
      line(edge);
    depth = 0;
    line("}");
    return text;
  }

private:
  /// First and last node of what was drawn.
  struct Span {
    std::string first, last;
  };

  const Level &levelOf(int level) const { return machine.levels[static_cast<std::size_t>(level)]; }

  void line(const std::string &content) { text += std::string(2 * depth, ' ') + content + "\n"; }

  std::string node(const std::string &attributes) {
    std::string name = "n" + std::to_string(nodes++);
    line(name + " [" + attributes + "];");
    return name;
  }

  void edge(const std::string &from, const std::string &to, const std::string &label) {
    edges.push_back(from + " -> " + to +
                    (label.empty() ? "" : " [label=" + dotString("  " + label) + ", style=bold]") +
                    ";");
  }

  template <typename Body> void frame(int level, const std::string &workers, Body body) {
    line("subgraph cluster_" + std::to_string(frames++) + " {");
    ++depth;
    const Level &here = levelOf(level);
    std::string label = here.name + (here.title.empty() ? "" : " (" + here.title + ")");
    if (!workers.empty())
      label += ", " + workers;
    line("label=" + dotString(label) + "; labeljust=l; style=dashed; color=gray40;");
    body();
    --depth;
    line("}");
  }

  Span goal(const ir::PlanPtr &plan) {
    switch (plan->kind) {
    case ir::PlanNode::Kind::Compute:
      return compute(*plan);
    case ir::PlanNode::Kind::Devolve: {
      Span inside;
      frame(levelOf(plan->level).subordinate, "one worker",
            [&] { inside = goal(plan->children.front()); });
      return inside;
    }
    case ir::PlanNode::Kind::Map:
      return map(plan, "map(" + plan->spectrum + ")");
    case ir::PlanNode::Kind::Codelet:
      return cascade(*plan);
    }
    return {};
  }

  const ir::Codelet &codeletOf(const ir::PlanNode &plan) const {
    return program.spectrum(plan.spectrum)->codelets[static_cast<std::size_t>(plan.codelet)];
  }

  Span compute(const ir::PlanNode &plan) {
    const ir::Codelet &codelet = codeletOf(plan);
    std::string made =
        codelet.cooperative
            ? node("shape=plain, label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">"
                   "<TR><TD><FONT POINT-SIZE=\"36\">&times;</FONT></TD></TR><TR><TD>" +
                   codelet.name() + "</TD></TR></TABLE>>")
            : node("shape=circle, label=" + dotString(codelet.name()));
    return {made, made};
  }

  Span map(const ir::PlanPtr &plan, const std::string &label) {
    Span span;
    const ir::PlanPtr &inner = plan->children.front();
    if (plan->policy == ir::MapPolicy::Serialize) {
      span.first = node("shape=house, label=" + dotString(label + "\nin turn"));
      Span inside = goal(inner);
      edge(span.first, inside.first, "");
      span.last = inside.last;
      return span;
    }
    const bool splits = plan->policy == ir::MapPolicy::Split;
    span.first = node(std::string("shape=triangle, margin=0, label=") + dotString(label) +
                      (splits ? ", peripheries=2" : ""));
    frame(inner->level, splits ? "every worker, some parts each" : "every worker", [&] {
      Span inside = goal(inner);
      edge(span.first, inside.first, "");
      span.last = inside.last;
    });
    return span;
  }

  /// The sites of a compound codelet, one after the other.
  Span cascade(const ir::PlanNode &plan) {
    const ir::Codelet &codelet = codeletOf(plan);
    Span whole;
    for (const Site &site : sites(codelet)) {
      if (site.kind == Site::Kind::Partition)
        continue;
      const ir::PlanPtr &child = plan.children[static_cast<std::size_t>(site.child)];
      Span part = site.kind == Site::Kind::Map ? map(child, codelet.name()) : goal(child);
      if (whole.first.empty())
        whole.first = part.first;
      else
        edge(whole.last, part.first, syncName(levelOf(plan.level).sync));
      whole.last = part.last;
    }
    return whole;
  }

  const ir::Program &program;
  const Machine &machine;
  std::string text;
  std::vector<std::string> edges;
  unsigned depth = 0;
  unsigned nodes = 0;
  unsigned frames = 0;
};

} // namespace

std::string planToDot(const ir::PlanPtr &plan, const ir::Program &program, const Machine &machine,
                      const std::string &title) {
  return Drawing(program, machine).draw(plan, title);
}

} // namespace tangram::composer
